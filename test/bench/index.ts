import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { first } from './first.ts'
import { growth } from './growth.ts'
import { inProcess } from './in-process.ts'
import { memory } from './memory.ts'
import { notes } from './notes.ts'
import { reads } from './reads.ts'
import { describeMachine, heading, type Result, rowLine } from './report.ts'
import { starts } from './starts.ts'
import type { Row } from './suite.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

const suites = [reads, first, notes, starts, memory, inProcess, growth]
const ids = suites.flatMap((suite) => suite.ids)
const names = options.only?.flatMap((value) => value.split(','))
const wanted = new Set(ids.filter((id) => names?.some((name) => `${id}-`.startsWith(`${name}-`)) ?? true))
if (wanted.size === 0) throw new Error(`Unknown row ${names?.join(', ')}. Choose from ${ids.join(', ')}.`)
if (options.write && (names || options.quick))
  throw new Error('--write cannot be combined with --only or --quick.')
const settings = {
  rounds: Number(options.rounds ?? (options.quick ? 3 : 7)),
  seconds: options.quick ? 0.25 : 0.6,
  isQuick: options.quick,
}

const rows: Row[] = []
const result: Result = {
  date: new Date().toISOString().slice(0, 10),
  machine: describeMachine(),
  ...settings,
  rows,
}
console.log(heading(result))
for (const suite of suites) {
  if (!suite.ids.some((id) => wanted.has(id))) continue
  for await (const row of suite.measure(wanted, settings)) {
    rows.push(row)
    console.log(rowLine(row))
  }
}

const committed = fileURLToPath(new URL('result.json', import.meta.url))
for (const file of [options.json, options.write ? committed : undefined]) {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(result, rounded)}\n`)
}
if (options.write) execFileSync('npx', ['oxfmt', committed])

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}
