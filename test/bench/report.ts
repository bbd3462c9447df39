import { cpus, totalmem } from 'node:os'

import { isReached, type Row, type Settings } from './suite.ts'

/** A run: when and where it was made, how thoroughly, and what came out. */
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

/** What this run is made on. */
export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
})

/** What stands above the rows. */
export function heading({ date, machine: { cpu, cores, memoryGiB, node }, rounds }: Result): string {
  const where = `${date}, ${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}, ${rounds} rounds`
  return `${where}\n${line('', 'median (min to max)', 'goal', '', 'of what', 'medians')}`
}

/** A row as it is printed. */
export function rowLine(row: Row): string {
  const { id, title, measured, goal, unit, details } = row
  const wanted = !goal ? '' : 'atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`
  const reached = isReached(row)
  const verdict = reached === undefined ? '' : reached ? 'reached' : 'not reached'
  const [median, min, max] = [measured.median, measured.min, measured.max].map(short)
  return line(
    id,
    `${median} (${min} to ${max})`,
    wanted,
    verdict,
    unit,
    details === '' ? title : `${title}: ${details}`,
  )
}

const widths = [18, 24, 7, 11, 20]

const line = (...cells: readonly string[]): string =>
  cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join('  ')
    .trimEnd()

/** Three digits, and none behind the point of what is large. */
const short = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : value >= 0.1 ? 2 : 3)
