import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { measureCosts, medianCost } from './measure.ts'
import { repeated } from './requests.ts'
import {
  command,
  findFreePort,
  prepareResponses,
  type Server,
  serverFile,
  startCommand,
  startServer,
  temporaryFolder,
} from './servers.ts'
import { summarizeRatios } from './statistics.ts'
import { getCpu, describe, type Suite } from './suite.ts'
import { customerPages, get, getRequest, home, PAGE } from './tenant.ts'

const CONNECTIONS = 16

const page = `${home}/customers?limit=${PAGE}`
const customer = `${home}/customers/1`

interface Peer {
  readonly title: string
  /** The path to request from the peer, and the one to request from the sandbox. */
  readonly path: string
  readonly ownPath: string
  /** Starts the peer with the sandbox's data; undefined if it is not installed. */
  readonly start: (ours: Server, folder: string) => Promise<Server | undefined>
}

const peers: Readonly<Record<string, Peer>> = {
  'scale-hono': {
    title: 'Hono, context.json of objects in memory: a page of 100',
    path: page,
    ownPath: page,
    start: async (ours) => {
      const server = await startServer([serverFile('hono')])
      await server.send(await prepareResponses(ours, [getRequest(page, 0)]))
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
    title: 'Prism: one customer, generated from the document',
    path: customer.replace('/v1', ''),
    ownPath: customer,
    start: async (_ours, folder) => {
      const document = join(folder, 'openapi.json')
      writeFileSync(document, execFileSync(process.execPath, [command, 'openapi']))
      return startInstalled('prism', (port) => ['mock', '--verboseLevel', 'error', '--port', port, document])
    },
  },
}

/** Measures other servers at comparable work, without a goal, if they are on the PATH. */
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
      const subjects = [await createSubject(server, path), await createSubject(ours, ownPath)]
      const [theirs = [], own = []] = await measureCosts(subjects, settings)
      const measured = summarizeRatios(theirs.map(getCpu), own.map(getCpu))
      const details = `theirs ${describe(medianCost(theirs))}; ours ${describe(medianCost(own))}`
      yield { id, title, unit: 'theirs CPU / ours', measured, details }
    }
  },
}

/** Repeats one request, whose response must keep the length of the first. */
async function createSubject(server: Server, path: string) {
  const length = Buffer.byteLength(await get(server, path))
  return { server, next: repeated([getRequest(path, length)]).next, connections: CONNECTIONS }
}

/** Starts a command from the PATH on a free port; undefined if there is none. */
async function startInstalled(
  name: string,
  args: (port: string) => readonly string[],
): Promise<Server | undefined> {
  const folders = process.env['PATH']?.split(delimiter) ?? []
  const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (file === undefined) return undefined
  const port = await findFreePort()
  return startServer([realpathSync(file), ...args(String(port))], port)
}
