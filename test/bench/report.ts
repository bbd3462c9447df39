import { cpus, totalmem } from 'node:os'

import { isReached, type Row, type Settings } from './suite.ts'

/** A run: its date, machine and settings, and its results. */
export interface Result extends Settings {
  /** Shape: `YYYY-MM-DD`. */
  readonly date: string
  readonly machine: Machine
  readonly rows: readonly Row[]
}

interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly node: string
}

export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
})

export function heading(result: Result): string {
  return `${conditions(result)}\n${alignCells(columns)}`
}

export const rowLine = (row: Row): string => alignCells(rowCells(row))

export function markdownTable(result: Result): string[] {
  const cells = result.rows.map(rowCells).map(([id, ...rest]) => [`\`${id}\``, ...rest])
  const lines = [columns, columns.map(() => '---'), ...cells]
  return [`${conditions(result)}.`, '', ...lines.map((line) => `| ${line.join(' | ')} |`)]
}

const columns = ['row', 'median (min to max)', 'goal', 'result', 'unit', 'work']

function conditions({ date, machine: { cpu, cores, memoryGiB, node }, rounds }: Result): string {
  return `${date}, ${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}, ${rounds} rounds`
}

function rowCells(row: Row): string[] {
  const { id, title, measured, goal, unit, details } = row
  const wanted = !goal ? '' : 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`
  const reached = isReached(row)
  const verdict = reached === undefined ? '' : reached ? 'reached' : 'missed'
  const [median, min, max] = [measured.median, measured.min, measured.max].map(formatNumber)
  const work = details === '' ? title : `${title}: ${details}`
  return [id, `${median} (${min} to ${max})`, wanted, verdict, unit, work]
}

const widths = [18, 24, 7, 8, 22]

const alignCells = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join('  ')
    .trimEnd()

/** Formats a number with three significant digits, and without decimals from 100 on. */
const formatNumber = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : value >= 0.1 ? 2 : 3)
