import { settingText } from '../../contract/settings.ts'
import type { AssumptionReport, UsedAssumption } from './assumptions-report.ts'

/** How much is shown. Units: characters of a subject, names of operations, names in the sentence. */
const MAX_SUBJECT = 40
const MAX_OPERATIONS = 2
const MAX_NAMES = 5

/** Lines of columns, each as wide as what stands in it. */
export function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** What is counted: the requests of a run, or the tests that made them. */
type Unit = 'request' | 'test'

/** What requests or tests rest on, as lines for a person: a sentence, then a table with what decides it otherwise. */
export function reportLines(report: AssumptionReport, unit: Unit = 'request'): string[] {
  const { requests, documented, faulted, forgotten, assumptions } = report
  const facts = [
    `${documented.count} by documented rules only${named(documented.operations)}`,
    ...(faulted > 0 ? [`${faulted} answered by faults`] : []),
    ...(forgotten > 0 ? [`${forgotten} more no longer known`] : []),
  ]
  const sentence = `workspace-sandbox: ${plural(requests, unit)}, ${facts.join(', ')}.`
  if (assumptions.length === 0) return [sentence]
  const head = ['assumed', 'subject', `${unit}s`, 'operations', 'try']
  const lines = aligned([head, ...assumptions.map((one) => cells(one, unit))])
  return [sentence, ...lines.map((line) => `  ${line}`)]
}

/** A number of things. */
export function plural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

function named(names: readonly string[]): string {
  return names.length === 0 ? '' : ` (${shortened(names, MAX_NAMES)})`
}

function shortened(names: readonly string[], most: number): string {
  const rest = names.length - most
  const shown = names.slice(0, most).join(', ')
  return rest > 0 ? `${shown} and ${rest} more` : shown
}

function cells({ id, subject, count, operations, ...set }: UsedAssumption, unit: Unit): string[] {
  const short = subject.length > MAX_SUBJECT ? `${subject.slice(0, MAX_SUBJECT - 1)}…` : subject
  const other = switchOf(set)
  const how = other && unit === 'request' ? `--assume ${other}` : other
  return [id, short, `${count}`, shortened(operations, MAX_OPERATIONS), how]
}

/** An assumption decided otherwise, as `--assume` takes it; "" where it cannot be. */
export function switchOf({ name, others }: Pick<UsedAssumption, 'name' | 'others'>): string {
  return name === null || others.length === 0 ? '' : `${name}=${settingText(name, others[0])}`
}
