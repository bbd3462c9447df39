import * as z from 'zod'

import { lazyObject } from '../core/lazy-schema.ts'
import { openFolder, readFolder, findFolderHolder, hasData } from '../disk/folder.ts'
import { describeHolder, isElsewhere } from '../disk/lock.ts'
import type { DamagedFile } from '../disk/storage-errors.ts'
import { type OpenSandbox, openSandbox } from '../sandbox/sandbox.ts'
import { listAddresses, toAuthority } from '../server/listen.ts'
import { loadFixture, nameFixtureFile } from '../server/option-files.ts'
import { DEFAULT_PORT } from '../server/options.ts'
import { type DatasetOptions, datasetOptions } from '../store/dataset-options.ts'
import { CommandError, usageError } from './failure.ts'
import { print, printPieces } from './output.ts'
import type { Flags } from './settings.ts'
import { type ResolvedSettings, resolveSettings } from './sources.ts'

export async function reset(flags: Flags): Promise<void> {
  const { options, on, name } = await findTarget('reset', flags)
  if ('server' in on) {
    await callServer(on.server, 'reset', options.adminToken)
  } else {
    const { storage } = await openFolder(on.folder)
    try {
      await storage.clear()
    } finally {
      await storage.close()
    }
  }
  print(`Reset ${name}: all changes were dropped.`)
}

const DatasetInfo = lazyObject(() => ({
  seed: z.number(),
  size: z.number(),
  fixture: z.string(),
  now: z.string(),
}))

export async function reseed(flags: Flags): Promise<void> {
  const { options, on, name } = await findTarget('reseed', flags)
  const dataset = await loadFixture(options)
  const damage: DamagedFile[] = []
  const info = await nameFixtureFile(options.fixture, dataset, () =>
    'server' in on
      ? callServer(on.server, 'reseed', options.adminToken, dataset)
      : reseedFolder(on.folder, dataset, damage),
  )
  const { seed, size, fixture, now } = DatasetInfo.parse(info)
  const replaced = damage.map(({ file, fact }) => `${file} (${fact})`).join(', ')
  const note = replaced && ` Damaged files were replaced: ${replaced}.`
  print(`Reseeded ${name}: seed ${seed}, size ${size}, fixture ${fixture}, now ${now}.${note}`)
}

async function reseedFolder(
  folder: string,
  dataset: DatasetOptions,
  damage: DamagedFile[],
): Promise<OpenSandbox['dataset']> {
  const { storage } = await openFolder(folder, { onDamage: (found) => damage.push(found) })
  try {
    const stored = await storage.load()
    const sandbox = await openSandbox(stored ? {} : dataset, { storage })
    if (stored) await sandbox.reseed(dataset)
    return sandbox.dataset
  } finally {
    await storage.close()
  }
}

export async function exportDataset(flags: Flags): Promise<void> {
  const { sandbox } = await readSandbox(
    flags,
    'Omit these options to export the stored data, or add --memory to export what they describe.',
  )
  await printPieces(sandbox.exportText())
}

export async function printOpenApi(flags: Flags): Promise<void> {
  const { sandbox, options } = await readSandbox(flags)
  const url = `http://127.0.0.1:${options.port ?? DEFAULT_PORT}/openapi.json`
  const document = await sandbox.fetch(new Request(url))
  print(JSON.stringify(await document.json(), null, 2))
}

async function readSandbox(
  flags: Flags,
  otherDataset?: string,
): Promise<Pick<ResolvedSettings, 'options'> & { readonly sandbox: OpenSandbox }> {
  const { options, data } = await resolveSettings(flags)
  const { assumptions, present } = options
  const dataset = await loadFixture(options)
  const storage = data === undefined ? {} : { storage: await readFolder(data) }
  const sandbox = await nameFixtureFile(options.fixture, dataset, () =>
    openSandbox(dataset, { ...storage, assumptions, present, otherDataset }),
  )
  return { options, sandbox }
}

interface Server {
  readonly url: string
  readonly pid?: number
}

interface Target {
  readonly options: ResolvedSettings['options']
  readonly on: { readonly server: Server } | { readonly folder: string }
  readonly name: string
}

type Verb = 'reset' | 'reseed'

/**
 * Finds the target: the server at `--url`; else the server that uses the data folder, or the folder itself; else, without
 * `--data`, the server on the default port.
 * @throws CommandError if no target or more than one is found
 */
async function findTarget(verb: Verb, { url, ...flags }: Flags): Promise<Target> {
  const { options, data } = await resolveSettings(flags)
  if (typeof url === 'string') {
    if (flags['data'] !== undefined) {
      throw usageError('Cannot use both --url and --data: each names a target. Remove one of them.')
    }
    const origin = parseOrigin(url)
    if (await isSandbox(origin, options.adminToken)) {
      return { options, on: { server: { url: origin } }, name: origin }
    }
    throw new CommandError(
      `Cannot ${verb} ${origin}: no sandbox answers there. Check the URL given with --url.`,
    )
  }
  const inFolder = data === undefined ? undefined : await findInFolder(data, verb)
  if (inFolder && 'server' in inFolder) return { options, on: inFolder, name: inFolder.server.url }
  const isFolderOnly = flags['data'] !== undefined
  const defaultUrl = findDefaultUrl(options)
  const isRunning = !isFolderOnly && (await isSandbox(defaultUrl, options.adminToken))
  if (inFolder && isRunning) {
    const { folder } = inFolder
    const fact = `${folder} holds data, and a sandbox that stores its data elsewhere listens at ${defaultUrl}`
    const remedy = `Add --data ${folder} or --url ${defaultUrl}.`
    throw new CommandError(`Cannot tell what to ${verb}: ${fact}. ${remedy}`)
  }
  if (inFolder) return { options, on: inFolder, name: inFolder.folder }
  const absent = data === undefined ? [] : [`there is no data in ${data}`]
  if (isRunning) {
    const why = ['found on the default port', ...absent].join('; ')
    return { options, on: { server: { url: defaultUrl } }, name: `${defaultUrl} (${why})` }
  }
  if (verb === 'reseed' && data !== undefined && describesDataset(options)) {
    return { options, on: { folder: data }, name: data }
  }
  const facts = [...absent, ...(isFolderOnly ? [] : [`no sandbox answers at ${defaultUrl}`])].join(', and ')
  const make = verb === 'reseed' && data !== undefined ? ', or name a dataset to make, as with --seed 7' : ''
  const remedy = `Select a running server with --url, or a folder with --data${make}.`
  throw new CommandError(`Nothing to ${verb}: ${facts}. ${remedy}`)
}

const describesDataset = (options: ResolvedSettings['options']): boolean =>
  Object.keys(datasetOptions).some((name) => Reflect.get(options, name) !== undefined)

async function findInFolder(folder: string, verb: Verb): Promise<Target['on'] | undefined> {
  const holder = await findFolderHolder(folder)
  if (!holder) return hasData(folder) ? { folder } : undefined
  const isRemote = isElsewhere(holder)
  if (!isRemote && holder.url !== null) return { server: { url: holder.url, pid: holder.pid } }
  // The URL of a server on another machine may belong to another program here.
  const remedy = isRemote
    ? 'Run this command on that machine, or pass a URL that reaches the server with --url.'
    : 'Stop it, or pass its URL with --url.'
  throw new CommandError(`Cannot ${verb} ${folder}: ${describeHolder(holder)}. ${remedy}`)
}

function findDefaultUrl({ host, port }: ResolvedSettings['options']): string {
  const [address = ''] = listAddresses(host)
  return `http://${toAuthority(address, port || DEFAULT_PORT)}`
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && /^\/(?:v1\/?)?$/.test(url.pathname)) return url.origin
  const example = `http://127.0.0.1:${DEFAULT_PORT}`
  throw usageError(`Cannot use --url ${text}: it must be the URL of a server, such as ${example}.`)
}

const HEALTH_TIMEOUT_MS = 5_000

const Health = lazyObject(() => ({ status: z.literal('ok'), seed: z.number(), fingerprint: z.string() }))
const Unauthorized = lazyObject(() => ({ type: z.literal('urn:workspace-sandbox:problem:unauthorized') }))
const Problem = lazyObject(() => ({ status: z.number(), detail: z.string() }))

async function isSandbox(url: string, adminToken: string | undefined): Promise<boolean> {
  try {
    const headers = authorize(adminToken)
    const response = await fetch(`${url}/health`, { headers, signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    const body: unknown = await response.json()
    return (response.status === 401 ? Unauthorized : Health).safeParse(body).success
  } catch {
    return false
  }
}

async function callServer(
  { pid, url }: Server,
  verb: Verb,
  adminToken: string | undefined,
  dataset: DatasetOptions = {},
): Promise<unknown> {
  const start = `Cannot ${verb} the server ${pid === undefined ? '' : `with pid ${pid} `}at ${url}`
  const headers = { 'content-type': 'application/json', ...authorize(adminToken) }
  const body = JSON.stringify(dataset)
  const sent = fetch(`${url}/_sandbox/${verb}`, { method: 'POST', headers, body })
  const response = await sent.catch(() => undefined)
  if (!response) throw new CommandError(`${start}: it does not respond. Stop it and try again.`)
  const result: unknown = await response.json().catch(() => undefined)
  if (response.ok) return result
  const { detail } = Problem.safeParse(result).data ?? { detail: `it responded with ${response.status}.` }
  const remedy = response.status === 401 ? ' Pass its token with --admin-token.' : ''
  throw new CommandError(`${start}: ${detail}${remedy}`)
}

const authorize = (adminToken: string | undefined): Record<string, string> =>
  adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }
