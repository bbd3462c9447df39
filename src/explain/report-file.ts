import * as z from 'zod'

import { formatSetting } from '../contract/settings.ts'
import { toFieldErrors } from '../core/issues.ts'
import { isObject } from '../core/json.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { version } from '../core/version.ts'
import { pluralize, enumerate, shorten, indentColumns } from '../core/words.ts'
import { AssumptionReport, type Evidence, mergeSessions, type UsedAssumption } from './report.ts'

const KIND = 'assumptions'
const FORMAT = 1

const AssumptionFile = lazyStrictObject(() => ({
  kind: z.literal(KIND),
  format: z.literal(FORMAT),
  version: z.string(),
  unit: z.enum(['request', 'test']),
  report: AssumptionReport,
}))

export type ReportFile = z.output<typeof AssumptionFile>

export function createReportFile(report: AssumptionReport, unit: ReportFile['unit']): ReportFile {
  return { kind: KIND, format: FORMAT, version, unit, report }
}

export const formatReportFile = (file: ReportFile): string => `${JSON.stringify(file, null, 2)}\n`

/** Parses the content of a report file. @throws Error with the reason, as the end of a sentence */
export function parseReportFile(content: unknown): ReportFile {
  const { kind, format } = isObject(content) ? content : {}
  if (kind === undefined) throw new Error('it is not a report')
  if (kind !== KIND) throw new Error(`its kind is not known here, only ${KIND}`)
  if (format !== FORMAT) throw new Error(`it has format ${String(format)}, and this version knows ${FORMAT}`)
  const parsed = AssumptionFile.safeParse(content)
  if (parsed.success) return parsed.data
  const [error] = toFieldErrors('body', parsed.error.issues)
  throw new Error(`${error?.name} ${error?.message}`)
}

export interface NamedReport {
  readonly name: string
  readonly file: ReportFile
}

/**
 * Merges report files into one; their order makes no difference.
 * @throws Error that names two files of different kinds, versions or units
 */
export function mergeReportFiles(files: readonly NamedReport[]): ReportFile {
  const [first, ...others] = files
  if (!first) throw new Error('there are no files')
  for (const { name, file } of others) {
    for (const field of ['kind', 'version', 'unit'] as const) {
      if (file[field] === first.file[field]) continue
      throw new Error(`${first.name} has ${field} ${first.file[field]}, but ${name} has ${file[field]}`)
    }
  }
  // In an order of their own, because the first of two values of an assumption wins.
  const texts = files.map(({ file }) => JSON.stringify(file.report)).toSorted()
  const reports = texts.map((text) => AssumptionReport.parse(JSON.parse(text)))
  return { ...first.file, report: mergeSessions(reports) }
}

export function formatReport(report: AssumptionReport, unit: 'request' | 'test' = 'request'): string[] {
  const { requests, documented, observed = [], faulted, forgotten, assumptions } = report
  const names = documented.operations
  const basis = observed.length > 0 ? 'documented rules and observations' : 'documented rules'
  const facts = [
    `${documented.count} by ${basis} only${names.length > 0 ? ` (${enumerate(names)})` : ''}`,
    ...(faulted > 0 ? [`${faulted} answered by faults`] : []),
    ...(forgotten > 0 ? [`${forgotten} more evicted from the journal`] : []),
  ]
  const sentence = `workspace-sandbox: ${pluralize(requests, unit)}, ${facts.join(', ')}.`
  const confirmed = observed.map(({ id, subject, count, evidence }) => [
    id,
    shorten(subject),
    `${count}`,
    evidence ? formatEvidence(evidence) : '',
  ])
  const observations =
    confirmed.length > 0 ? [['observed', 'subject', `${unit}s`, 'seen in'], ...confirmed] : []
  const end = indentColumns(observations)
  if (assumptions.length === 0) return [sentence, ...end]
  const head = ['assumed', 'subject', `${unit}s`, 'operations', 'try']
  const lines = assumptions.map((assumption) => {
    const { id, subject, count, operations } = assumption
    const override = formatOverride(assumption)
    const attempt = override && unit === 'request' ? `--assume ${override}` : override
    return [id, shorten(subject), `${count}`, enumerate(operations, 2), attempt]
  })
  return [sentence, ...indentColumns([head, ...lines]), ...end]
}

export function formatOverride({ name, others }: Pick<UsedAssumption, 'name' | 'others'>): string {
  return name === null || others.length === 0 ? '' : `${name}=${formatSetting(name, others[0])}`
}

export function formatEvidence({ answers, records }: Evidence): string {
  const counted = records > 0 ? `, ${pluralize(records, 'record')}` : ''
  const isWeak = answers === 1 && records <= 1
  return `${pluralize(answers, 'answer')}${counted}${isWeak ? ' (weak: seen once)' : ''}`
}
