import { cpus, totalmem } from 'node:os'

import { median, type Result, type RowDefinition, rows } from './rows.ts'

export const describeMachine = (): string =>
  `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`

/** Formats a result as a table of Markdown, with the conditions above it. */
export function markdownTable({ date, machine, neighbours, rows: measured }: Result): string[] {
  const busy = neighbours.map((load) => load.toFixed(1)).join(', ')
  const cells = Object.entries<RowDefinition>(rows).flatMap(([id, { title, unit, atLeast, atMost }]) => {
    const { values, details = '' } = measured[id] ?? {}
    if (!values) return []
    const [middle, ...range] = [median(values), Math.min(...values), Math.max(...values)].map(formatNumber)
    const goal = atLeast === undefined ? atMost && `≤ ${atMost}` : `≥ ${atLeast}`
    const isReached = median(values) >= (atLeast ?? 0) && median(values) <= (atMost ?? Infinity)
    const verdict = !goal ? '' : isReached ? 'reached' : 'missed'
    return [[`\`${id}\``, title, `${middle} (${range.join(' to ')})`, unit, goal ?? '', verdict, details]]
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
