import { addressesOf, authority, reachable } from '../server/addresses.ts'
import { DEFAULT_PORT } from '../server/options.ts'
import { folderHolder, holdsData } from '../store/files.ts'
import { describeHolder, isElsewhere } from '../store/lock.ts'
import { type Resolved, resolved } from './resolve.ts'
import { isSandbox, RemoteError, type Server } from './running-server.ts'
import { UsageError } from './usage-error.ts'

type Flags = Readonly<Record<string, unknown>>

/** What a command acts on: a running server, or the files of a folder that no server has. */
interface Target {
  readonly options: Resolved['options']
  readonly on: { readonly server: Server } | { readonly folder: string }
  /** What messages call it. */
  readonly name: string
}

/**
 * Finds what to reset or reseed: the server at `--url`; else the server that has the folder of the data, or its files;
 * else, unless `--data` names a folder, the server on the port that servers start on.
 * Errors: UsageError; RemoteError if there is nothing, or more than one thing that could be meant.
 */
export async function findTarget(verb: 'reset' | 'reseed', { url, ...flags }: Flags): Promise<Target> {
  const { options, data } = await resolved(flags)
  if (typeof url === 'string') {
    if (flags['data'] !== undefined) {
      throw new UsageError('Cannot use both --url and --data: each says what to act on. Give one of them.')
    }
    return { options, ...(await serverAt(originOf(url), verb, options.adminToken)) }
  }
  const kept = data === undefined ? undefined : await keptIn(data, verb)
  if (kept && 'server' in kept) return { options, on: kept, name: kept.server.url }
  const onlyFolder = flags['data'] !== undefined
  const found = defaultUrl(options)
  const isFound = !onlyFolder && (await isSandbox(found, options.adminToken))
  if (kept && isFound) {
    const both = `${kept.folder} holds data, and a sandbox that keeps its data elsewhere listens at ${found}`
    throw new RemoteError(
      `Cannot tell what to ${verb}: ${both}. Add --data ${kept.folder} or --url ${found}.`,
    )
  }
  if (kept) return { options, on: kept, name: kept.folder }
  const absent = data === undefined ? undefined : `there is no data in ${data}`
  if (isFound) {
    const why = ['found on the default port', absent].filter((fact) => fact !== undefined).join('; ')
    return { options, on: { server: { url: found } }, name: `${found} (${why})` }
  }
  const nobody = onlyFolder ? undefined : `no sandbox answers at ${found}`
  const facts = [absent, nobody].filter((fact) => fact !== undefined).join(', and ')
  throw new RemoteError(
    `Nothing to ${verb}: ${facts}. Name a running server with --url, or a folder with --data.`,
  )
}

/** What has the data of a folder: a server, or the folder's files; undefined if there is no data. */
async function keptIn(folder: string, verb: string): Promise<Target['on'] | undefined> {
  const holder = await folderHolder(folder)
  if (holder && isElsewhere(holder)) {
    // Its address may be another program's here.
    const remedy = 'Run this command there, or name an address that leads there with --url.'
    throw new RemoteError(`Cannot ${verb} ${folder}: ${describeHolder(holder)}. ${remedy}`)
  }
  if (!holder) return holdsData(folder) ? { folder } : undefined
  if (holder.url !== null) return { server: { url: holder.url, pid: holder.pid } }
  const remedy = 'Stop it, or name its address with --url.'
  throw new RemoteError(`Cannot ${verb} ${folder}: ${describeHolder(holder)}. ${remedy}`)
}

async function serverAt(
  url: string,
  verb: string,
  adminToken: string | undefined,
): Promise<Pick<Target, 'on' | 'name'>> {
  if (await isSandbox(url, adminToken)) return { on: { server: { url } }, name: url }
  throw new RemoteError(
    `Cannot ${verb} ${url}: no sandbox answers there. Check the address given with --url.`,
  )
}

/** The address that a server listens on that is started here without a port of its own. */
function defaultUrl({ host, port }: Resolved['options']): string {
  const [address = ''] = addressesOf(host)
  return `http://${authority(reachable(address), port || DEFAULT_PORT)}`
}

/** The origin of a server's address, or of its base URL. Errors: UsageError. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && /^\/(?:v1\/?)?$/.test(url.pathname)) return url.origin
  throw new UsageError(
    `Cannot use --url ${text}: it must be the address of a server, such as http://127.0.0.1:${DEFAULT_PORT}.`,
  )
}
