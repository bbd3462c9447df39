import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { first, growth, notes, reads } from './costs.ts'
import { describeMachine, markdownTable, type Result, type RowId } from './rows.ts'
import { keepAwake } from './servers.ts'
import { inProcess, memory, starting } from './starts.ts'
import { waits } from './waits.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    runs: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
})

const [requests, sizes] = [[reads, first, notes].map(keepAwake), keepAwake(growth)]
const suites = [starting, ...requests, inProcess, memory, waits, sizes]
const ids = suites.flatMap((suite) => suite.ids)
const names = options.only?.flatMap((value) => value.split(','))
const wanted = new Set(ids.filter((id) => names?.some((name) => `${id}-`.startsWith(`${name}-`)) ?? true))
if (wanted.size === 0) throw new Error(`Unknown row ${names?.join(', ')}. Choose from ${ids.join(', ')}.`)
if (options.write && names) throw new Error('--write cannot be combined with --only.')

const rows: Partial<Record<RowId, Result['rows'][string]>> = {}
const neighbours: number[] = []
for (let run = 1; run <= Number(options.runs); run += 1) {
  neighbours.push(loadavg()[0] ?? 0)
  for (const suite of suites.filter((one) => one.ids.some((id) => wanted.has(id)))) {
    for await (const { id, value, ...details } of suite.measure(wanted)) {
      rows[id] = { ...details, values: [...(rows[id]?.values ?? []), Number(value.toPrecision(3))] }
      console.error(`run ${run}: ${id} ${value.toPrecision(3)} ${details.details ?? ''}`)
    }
  }
}

const date = new Date().toISOString().slice(0, 10)
const result: Result = { date, machine: describeMachine(), neighbours, rows }
console.log(markdownTable(result).join('\n'))
if (options.write) {
  const file = fileURLToPath(new URL('result.json', import.meta.url))
  writeFileSync(file, JSON.stringify(result))
  execFileSync('npm', ['run', '--silent', 'format', '--', file])
}
