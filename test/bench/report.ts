import { cpus, totalmem } from 'node:os'

import { median, type Result } from './rows.ts'

export const describeMachine = (): string =>
  `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`

/** Formats a result as a table of Markdown, with the conditions above it. */
export function markdownTable({ date, machine, neighbours, rows }: Result): string[] {
  const busy = neighbours.map((load) => load.toFixed(1)).join(', ')
  const cells = rows.map((row) => {
    const { id, title, unit, goal, details, values } = row
    const [middle, ...range] = [median(values), Math.min(...values), Math.max(...values)].map(formatNumber)
    const wanted = !goal ? '' : 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`
    const isReached =
      goal && ('atLeast' in goal ? median(values) >= goal.atLeast : median(values) <= goal.atMost)
    const verdict = isReached === undefined ? '' : isReached ? 'reached' : 'missed'
    return [`\`${id}\``, title, `${middle} (${range.join(' to ')})`, unit, wanted, verdict, details ?? '']
  })
  const head = ['row', 'what', 'median (range)', 'unit', 'goal', 'result', 'in the last run']
  const lines = [head, head.map(() => '---'), ...cells]
  return [
    `${date}, ${machine}. ${neighbours.length} runs; processes that wanted a core as each began: ${busy}.`,
    '',
    ...lines.map((line) => `| ${line.join(' | ')} |`),
  ]
}

/** Formats a number with two significant digits at least, and without decimals from 100 on. */
const formatNumber = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : value >= 0.1 ? 2 : 3)
