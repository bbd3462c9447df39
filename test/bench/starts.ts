import { execFileSync } from 'node:child_process'

import { command, sandboxCommand, serverFile, startServer, temporaryFolder, type Usage } from './servers.ts'
import { median, summarize, summarizeRatios } from './statistics.ts'
import type { Row, Suite } from './suite.ts'
import { get } from './tenant.ts'

const ME = '/v1/members/me'

interface Start {
  readonly title: string
  readonly args: readonly string[]
  readonly atMost: number
  /** The folder: a new one for each start, or one with data; memory by default. */
  readonly data?: 'new' | 'kept'
}

const smallStarts: Readonly<Record<string, Start>> = {
  'start-small': { title: 'start small', args: ['--size', 'small', '--memory'], atMost: 1.8 },
  'start-seed': {
    title: 'start 100 customers of seed 7',
    args: ['--size', '100', '--seed', '7', '--memory'],
    atMost: 2.6,
  },
  'start-new': { title: 'start medium in a new folder', args: [], atMost: 2.5, data: 'new' },
  'start-files': { title: 'start medium from its files', args: [], atMost: 2.5, data: 'kept' },
}

interface Ready {
  readonly title: string
  readonly size: string
  /** Units: seconds of CPU time, and megabytes. */
  readonly atMost: readonly [seconds: number, megabytes: number]
}

const largeStarts: Readonly<Record<string, Ready>> = {
  'ready-large': { title: '10,000 customers ready', size: '10000', atMost: [2, 150] },
  'ready-huge': { title: '100,000 customers ready', size: '100000', atMost: [10, 500] },
}

/** Measures processes from their start to the first response: small ones compared with a minimal app. */
export const starts: Suite = {
  ids: [...Object.keys(smallStarts), ...Object.keys(largeStarts).flatMap((id) => [id, `${id}-memory`])],
  async *measure(wanted, { rounds, isQuick }) {
    for (const [id, start] of Object.entries(smallStarts)) {
      if (wanted.has(id)) yield await startRow(id, start, isQuick ? rounds : 2 * rounds)
    }
    for (const [id, { title, size, atMost }] of Object.entries(largeStarts)) {
      if (!wanted.has(id) && !wanted.has(`${id}-memory`)) continue
      const uses: Usage[] = []
      for (let round = 0; round < (isQuick ? 1 : 3); round += 1)
        uses.push(await measureStart(sandboxCommand('--size', size, '--memory'), ME))
      const [seconds, megabytes] = atMost
      const time = summarize(uses.map(({ cpuUs }) => cpuUs / 1_000_000))
      const space = summarize(uses.map(({ rssBytes }) => rssBytes / 1_000_000))
      if (wanted.has(id)) {
        yield { id, title, unit: 's CPU', measured: time, goal: { atMost: seconds }, details: '' }
      }
      const goal = { atMost: megabytes }
      if (wanted.has(`${id}-memory`)) {
        yield { id: `${id}-memory`, title, unit: 'MB RSS', measured: space, goal, details: '' }
      }
    }
  },
}

async function startRow(id: string, { title, args, atMost, data }: Start, rounds: number): Promise<Row> {
  using kept = temporaryFolder()
  if (data === 'kept')
    execFileSync(process.execPath, [command, 'reseed', '--size', 'medium', '--data', `${kept.path}/data`])
  const [ours, hello]: [number[], number[]] = [[], []]
  // The round before the first fills the disk cache.
  for (let round = -1; round < rounds; round += 1) {
    using fresh = temporaryFolder()
    const folder = data && ['--data', `${data === 'new' ? fresh.path : kept.path}/data`]
    const baseline = await measureStart([serverFile('hello')], '/hello')
    const own = await measureStart(sandboxCommand(...args, ...(folder ?? [])), ME)
    if (round < 0) continue
    hello.push(baseline.cpuUs)
    ours.push(own.cpuUs)
  }
  const [own, bare] = [ours, hello].map((times) => (median(times) / 1000).toFixed(0))
  const details = `to the first response: ours ${own} ms, Hono hello ${bare} ms`
  const measured = summarizeRatios(ours, hello)
  return { id, title, unit: 'CPU, ours / hello', measured, goal: { atMost }, details }
}

async function measureStart(args: readonly string[], path: string): Promise<Usage> {
  await using server = await startServer(args)
  await get(server, path)
  return await server.usage()
}
