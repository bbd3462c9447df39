import { execFileSync } from 'node:child_process'

import { load } from './load.ts'
import { paths, prepare, send } from './requests.ts'
import { median, type Row, type Suite } from './rows.ts'
import {
  command,
  sandboxCommand,
  type Server,
  startCommand,
  startServer,
  temporaryFolder,
} from './servers.ts'

/** Starts, and the size of each. Units: the most milliseconds of CPU time, the most megabytes. */
const starts = {
  'start-small': ['25 customers', ['--size', 'small', '--memory'], 200],
  'start-new': ['300 customers in a new folder', [], 300],
  'start-files': ['300 customers from their files', [], 280],
  'start-large': ['10,000 customers', ['--size', 'large', '--memory'], 2_000, 150],
  'start-huge': ['100,000 customers', ['--size', '100000', '--memory'], 10_000, 500],
} as const

/** Measures processes from their start to the first response. */
export const starting: Suite = {
  ids: Object.keys(starts),
  async *measure(wanted) {
    for (const [id, [title, args, atMost, megabytes]] of Object.entries(starts)) {
      if (!wanted.has(id)) continue
      using folder = temporaryFolder()
      const data = args.length === 0 ? ['--data', `${folder.path}/data`] : []
      if (id === 'start-files')
        execFileSync(process.execPath, [command, 'reseed', '--size', 'medium', ...data])
      const times: number[] = []
      let memory = 0
      for (let round = 0; round < (megabytes === undefined ? 5 : 1); round += 1) {
        const own = id === 'start-new' ? ['--data', `${folder.path}/${round}`] : data
        await using server = await startServer(sandboxCommand(...args, ...own))
        await (await send(server, '/v1/members/me')).text()
        const { cpuUs, rssBytes } = await server.usage()
        times.push(cpuUs / 1_000)
        memory = rssBytes / 1_000_000
      }
      yield { id, title: `start with ${title}`, unit: 'ms CPU', value: median(times), goal: { atMost } }
      if (megabytes !== undefined) {
        const goal = { atMost: megabytes }
        yield { id: `${id}-memory`, title: `memory after that`, unit: 'MB', value: memory, goal }
      }
    }
  },
}

/** Measures the memory after 3,000 requests: customers, pages, and pages with filters. */
export const memory: Suite = {
  ids: ['memory-medium', 'memory-large'],
  async *measure(wanted) {
    if (wanted.has('memory-medium')) yield await memoryRow('memory-medium', 300, 120)
    if (wanted.has('memory-large')) yield await memoryRow('memory-large', 10_000, 250)
  },
}

async function memoryRow(id: string, size: number, atMost: number): Promise<Row> {
  await using server = await startCommand('--size', String(size), '--memory')
  for (const list of [paths.customer(size), paths.walk(size), paths.filtered()]) await sendMany(server, list)
  const value = (await server.usage()).rssBytes / 1_000_000
  const title = `memory after 3,000 requests, ${size.toLocaleString('en-US')} customers`
  return { id, title, unit: 'MB', value, goal: { atMost } }
}

async function sendMany(server: Server, list: readonly string[]): Promise<void> {
  const { next } = await prepare(server, list)
  await load(server.port, next, 16, { seconds: Infinity, requests: 1_000 })
}
