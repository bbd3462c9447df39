import { formatSetting } from '../contract/settings.ts'
import type { AssumptionReport, Evidence, UsedAssumption } from './report.ts'

/** Units: characters. */
const MAX_SUBJECT = 40
const MAX_NAMES = 5

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

export const shorten = (text: string, most = MAX_SUBJECT): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

export function formatOverride({ name, others }: Pick<UsedAssumption, 'name' | 'others'>): string {
  return name === null || others.length === 0 ? '' : `${name}=${formatSetting(name, others[0])}`
}

export function formatEvidence({ answers, records }: Evidence): string {
  const counted = records > 0 ? `, ${pluralize(records, 'record')}` : ''
  const isWeak = answers === 1 && records <= 1
  return `${pluralize(answers, 'answer')}${counted}${isWeak ? ' (weak: seen once)' : ''}`
}

/** The widest cell that others are aligned with. Units: characters. */
const MAX_WIDTH = 60

export function alignColumns(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.min(MAX_WIDTH, Math.max(...lines.map((line) => line[column]?.length ?? 0))),
  )
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

export const indentColumns = (lines: readonly (readonly string[])[]): string[] =>
  alignColumns(lines).map((line) => `  ${line}`)

export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Lists the first names: `a, b and 3 more`. */
export function enumerate(names: readonly string[], most = MAX_NAMES): string {
  const rest = names.length - most
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
