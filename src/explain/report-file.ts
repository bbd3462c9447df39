import * as z from 'zod'

import { toFieldErrors } from '../core/issues.ts'
import { isObject } from '../core/json.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { version } from '../core/version.ts'
import { AssumptionReport, mergeSessions } from './report.ts'

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
