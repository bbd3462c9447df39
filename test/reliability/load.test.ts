import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'

import { expect, it, onTestFinished } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { asker, type Raw } from '../sandbox/control-support.ts'
import { expectBelow, formatMegabytes, formatMilliseconds, quantile } from './figures.ts'
import { authorization } from './raw-http.ts'
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

/** Chooses the next request: mostly reads, every tenth a write, and now and then a reset. */
function chooseRequest(number: number): readonly [kind: 'read' | 'write' | 'reset', path: string, raw: Raw] {
  if (number % 5_000 === 0) return ['reset', '/_sandbox/reset', { method: 'POST' }]
  if (number % 10 === 0) return ['write', `${home}/customers/${1 + (number % 20)}/notes`, write]
  return ['read', reads[number % reads.length] ?? '', read]
}

/** Fits a line to values by least squares; returns its slope. */
function fitSlope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const parts = values.map(
    (value, index) => [(index - middle) * (value - mean), (index - middle) ** 2] as const,
  )
  return parts.reduce((sum, [part]) => sum + part, 0) / parts.reduce((sum, [, square]) => sum + square, 0)
}

/** Reads the resident memory of a process; 0 if the system does not show it. Units: bytes. */
function readResident(pid: number): number {
  if (process.platform !== 'linux') return 0
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1_024
}

/** Sends requests over 64 connections for some seconds. */
async function sendLoad(url: string, pid: number, seconds: number) {
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
      const [kind, path, raw] = chooseRequest(count)
      const { status, body } = await ask(path, raw)
      if (kind !== 'reset') times[kind].push(performance.now() - now)
      if (status !== 200) errors.push(`${status} ${path}: ${body}`)
      const second = Math.floor((now - end) / 1_000 + seconds)
      resident[second] ??= readResident(pid)
    }
  }
  await Promise.all(Array.from({ length: 64 }, client))
  return { times, errors, resident: [...resident.values()].map((bytes) => bytes ?? 0), count }
}

it('serves 64 clients at once without errors or growth', async (context) => {
  const { url, pid, memory } = await serveProbed(['--size', 'medium', '--data', temporaryFolder()])
  const resetAndMeasure = async () => {
    expect((await fetch(`${url}/_sandbox/reset`, { method: 'POST' })).status).toBe(200)
    return (await memory()).live
  }
  await sendLoad(url, pid, 1)
  const before = await resetAndMeasure()
  const seconds = 60
  const { times, errors, resident, count } = await sendLoad(url, pid, seconds)
  const grown = (await resetAndMeasure()) - before
  const [reading, writing] = [quantile(times.read, 0.99), quantile(times.write, 0.99)]
  const growing = fitSlope(resident.slice(-Math.max(2, resident.length / 2)))

  await context.annotate(`${count} requests in ${seconds} s`)
  expect(errors.slice(0, 3)).toEqual([])
  await expectBelow(context, 'p99 of reads', reading, 150, formatMilliseconds)
  await expectBelow(context, 'p99 of writes', writing, 250, formatMilliseconds)
  await expectBelow(context, 'growth of live memory', grown, 12 * 1_048_576, formatMegabytes)
  await expectBelow(context, 'growth of RSS a second', growing, 0.7 * 1_048_576, formatMegabytes)
})
