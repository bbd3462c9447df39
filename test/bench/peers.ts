import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { costsOf, medianCost } from './compare.ts'
import { repeated } from './requests.ts'
import {
  command,
  freePort,
  readyAnswers,
  type Server,
  serverFile,
  startCommand,
  startServer,
  temporaryFolder,
} from './servers.ts'
import { ratiosOf } from './statistics.ts'
import { cpuOf, describe, type Suite } from './suite.ts'
import { customerPages, get, getRequest, home, PAGE } from './tenant.ts'

const CONNECTIONS = 16

const page = `${home}/customers?limit=${PAGE}`
const customer = `${home}/customers/1`

interface Peer {
  readonly title: string
  /** What it is asked, and what we are. */
  readonly path: string
  readonly ownPath: string
  /** Starts it over our data; undefined where it is not installed. */
  readonly start: (ours: Server, folder: string) => Promise<Server | undefined>
}

const peers: Readonly<Record<string, Peer>> = {
  'scale-hono': {
    title: 'Hono, context.json of ready objects: a page of 100',
    path: page,
    ownPath: page,
    start: async (ours) => {
      const server = await startServer([serverFile('hono')])
      await server.tell(await readyAnswers(ours, [getRequest(page, 0)]))
      return server
    },
  },
  'scale-json-server': {
    title: 'json-server: a page of 100',
    path: `/customers?_page=1&_limit=${PAGE}&_per_page=${PAGE}`,
    ownPath: page,
    start: async (ours, folder) => {
      const data = join(folder, 'db.json')
      const customers = []
      for await (const items of customerPages(ours)) customers.push(...items)
      writeFileSync(data, JSON.stringify({ customers }))
      return startInstalled('json-server', (port) => ['--quiet', '--port', port, data])
    },
  },
  'scale-prism': {
    title: 'Prism: one customer, which it makes up from the document',
    path: customer.replace('/v1', ''),
    ownPath: customer,
    start: async (_ours, folder) => {
      const document = join(folder, 'openapi.json')
      writeFileSync(document, execFileSync(process.execPath, [command, 'openapi']))
      return startInstalled('prism', (port) => ['mock', '--verboseLevel', 'error', '--port', port, document])
    },
  },
}

/** Other servers at comparable work, those that are on the PATH; nothing is wanted of them. */
export const scale: Suite = {
  ids: Object.keys(peers),
  async *measure(wanted, settings) {
    using folder = temporaryFolder()
    await using ours = await startCommand('--size', 'medium', '--memory')
    for (const [id, { title, path, ownPath, start }] of Object.entries(peers)) {
      if (!wanted.has(id)) continue
      const peer = await start(ours, folder.path)
      if (!peer) continue
      await using server = peer
      const sides = [await sideOf(server, path), await sideOf(ours, ownPath)]
      const [theirs = [], own = []] = await costsOf(sides, settings)
      const measured = ratiosOf(theirs.map(cpuOf), own.map(cpuOf))
      const details = `theirs ${describe(medianCost(theirs))}; ours ${describe(medianCost(own))}`
      yield { id, title, unit: 'theirs CPU / ours', measured, details }
    }
  },
}

/** The same request over and over; its answer's length is what it is at first. */
async function sideOf(server: Server, path: string) {
  const length = Buffer.byteLength(await get(server, path))
  return { server, next: repeated([getRequest(path, length)]).next, connections: CONNECTIONS }
}

/** Starts a command of the PATH on a free port. */
async function startInstalled(
  name: string,
  args: (port: string) => readonly string[],
): Promise<Server | undefined> {
  const folders = process.env['PATH']?.split(delimiter) ?? []
  const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (file === undefined) return undefined
  const port = await freePort()
  return startServer([realpathSync(file), ...args(String(port))], port)
}
