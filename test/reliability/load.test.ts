import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'

import { expect, it, onTestFinished } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { asker, type Raw } from '../sandbox/control-support.ts'
import { amount, inLong, megabytes, milliseconds, quantile, tell } from './figures.ts'
import { authorization } from './heads.ts'
import { serveProbed } from './server.ts'

const home = '/v1/organizations/harbor'
const read: Raw = { headers: { authorization } }
const write: Raw = {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ categoryId: 1, content: 'Written under load' }),
}
const reads = [
  '/v1/members/me',
  `${home}/customers?scope=mine&limit=20`,
  `${home}/customers/7`,
  `${home}/signals?limit=20&status=open`,
  `${home}/customers/3/meetings?limit=5`,
  `${home}/customers/1/notes?limit=5`,
  `${home}/products`,
]

/** The requests in turn: mostly reads, every tenth a write, and now and then one that drops what was written. */
function requestOf(number: number): readonly [kind: 'read' | 'write' | 'reset', path: string, raw: Raw] {
  if (number % 5_000 === 0) return ['reset', '/_sandbox/reset', { method: 'POST' }]
  if (number % 10 === 0) return ['write', `${home}/customers/${1 + (number % 20)}/notes`, write]
  return ['read', reads[number % reads.length] ?? '', read]
}

/** How much the values grow with each one, by least squares. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const parts = values.map(
    (value, index) => [(index - middle) * (value - mean), (index - middle) ** 2] as const,
  )
  return parts.reduce((sum, [part]) => sum + part, 0) / parts.reduce((sum, [, square]) => sum + square, 0)
}

/** What a process holds. Units: bytes; 0 where the system does not tell. */
function residentOf(pid: number): number {
  if (process.platform !== 'linux') return 0
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1_024
}

/** Asks over 64 connections for so many seconds. */
async function load(url: string, pid: number, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  onTestFinished(() => agent.destroy())
  const ask = asker(url, agent)
  const times = { read: [] as number[], write: [] as number[] }
  const errors: string[] = []
  const resident: number[] = []
  const end = performance.now() + seconds * 1_000
  let count = 0
  const client = async () => {
    for (let now = performance.now(); now < end; now = performance.now()) {
      count += 1
      const [kind, path, raw] = requestOf(count)
      const { status, body } = await ask(path, raw)
      if (kind !== 'reset') times[kind].push(performance.now() - now)
      if (status !== 200) errors.push(`${status} ${path}: ${body}`)
      const second = Math.floor((now - end) / 1_000 + seconds)
      resident[second] ??= residentOf(pid)
    }
  }
  await Promise.all(Array.from({ length: 64 }, client))
  return { times, errors, resident: [...resident.values()].map((bytes) => bytes ?? 0), count }
}

it(
  'answers 64 clients at once without an error, and does not grow',
  { timeout: 120_000 },
  async (context) => {
    const { url, pid, memory } = await serveProbed(['--size', 'medium'], {
      disk: { folder: temporaryFolder() },
    })
    const resetAndMeasure = async () => {
      expect((await fetch(`${url}/_sandbox/reset`, { method: 'POST' })).status).toBe(200)
      return (await memory()).live
    }
    await load(url, pid, 1)
    const before = await resetAndMeasure()
    const seconds = amount(2, 60)
    const { times, errors, resident, count } = await load(url, pid, seconds)
    const grown = (await resetAndMeasure()) - before
    const [reading, writing] = [quantile(times.read, 0.99), quantile(times.write, 0.99)]
    const growing = slope(resident.slice(-Math.max(2, resident.length / 2)))

    const amountText = `${errors.length} of ${count} in ${seconds} s`
    tell(context, 'load', '60 s at 64: 0 errors', amountText)
    tell(context, 'load', 'reads p99 < 150 ms', milliseconds(reading))
    tell(context, 'load', 'writes p99 < 250 ms', milliseconds(writing))
    tell(context, 'load', 'live memory < +12 MB', megabytes(grown))
    tell(context, 'load', 'RSS slope < 0.7 MB/s in the second half', `${megabytes(growing)}/s`)
    expect(errors.slice(0, 3)).toEqual([])
    expect(reading).toBeLessThan(inLong(150))
    expect(writing).toBeLessThan(inLong(250))
    expect(grown).toBeLessThan(12 * 1_048_576)
    expect(growing).toBeLessThan(inLong(0.7 * 1_048_576))
  },
)
