/// <reference lib="esnext.disposable" preserve="true" />
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import type { BuiltFile } from '../../control/route.ts'
import { SandboxError } from '../../core/errors.ts'
import { loadOnce } from '../../core/import-sequentially.ts'
import type { RequestHandler } from '../../http/env.ts'
import { problemResponse } from '../../http/problem.ts'
import {
  type OpenSandbox,
  openSandbox,
  type Sandbox,
  type SandboxDependencies,
} from '../../sandbox/sandbox.ts'
import type { DatasetOptions } from '../../sessions/dataset-options.ts'
import { openFolder } from '../../store/disk/folder.ts'
import { errorCode } from '../../store/disk/storage-errors.ts'
import { Storage } from '../../store/disk/storage.ts'
import { type ListenerOptions, serve } from './http-server.ts'
import { isLoopback, isWildcard, listAddresses } from './listen.ts'
import { withFixture, withState } from './option-files.ts'
import { parseStartOptions, type SandboxOptions, StartError, StartOptions } from './options.ts'

/** A sandbox that listens. */
export interface RunningSandbox extends AsyncDisposable {
  /** The server's URL, like `http://127.0.0.1:4500`. */
  readonly url: string
  /** The service's base URL, like `http://127.0.0.1:4500/v1`. */
  readonly baseUrl: string
  /** The sandbox, for the process that has started the server. */
  readonly sandbox: Sandbox
  /** Notes on the data folder from the start, such as a write that a crash has interrupted. */
  readonly warnings: readonly string[]
  /** Finishes the requests in flight, cuts them off after 3 seconds, and releases port and data. @example await server.close() */
  readonly close: () => Promise<void>
}

export interface RunningServer extends RunningSandbox {
  readonly sandbox: OpenSandbox
}

export interface ServerOptions extends ListenerOptions, Pick<SandboxDependencies, 'log'> {}

export async function startServer(
  options: StartOptions,
  { log, ...listenerOptions }: ServerOptions,
): Promise<RunningServer> {
  const { port, host, ...rest } = parseStartOptions(StartOptions, options)
  const { sandbox, announce } = await openForServer(rest, host, log)
  try {
    const { url, close: closeHttp } = await serve(sandbox.handle, listenerOptions, host, port)
    announce(url)
    const close = loadOnce(async () => {
      sandbox.release()
      await closeHttp()
      await sandbox.close()
    })
    const { warnings } = sandbox.state
    const baseUrl = `${toOrigin(rest.publicUrl) ?? url}/v1`
    return { url, baseUrl, sandbox, warnings, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

const toOrigin = (url: string | undefined): string | undefined => url && new URL(url).origin

const MINUTE_MS = 60_000

/** Opens a sandbox whose control plane answers this machine and holders of the admin token only. Errors: as startSandbox. */
export async function openForServer(
  options: SandboxOptions,
  host: string | undefined,
  log?: SandboxDependencies['log'],
): Promise<{ readonly sandbox: OpenSandbox; readonly announce: (url: string) => void }> {
  const { data, adminToken, allowHost = [], allowOrigin: origins = [], publicUrl, sessionTtl } = options
  const open = listAddresses(host).filter((address) => !isLoopback(address))
  if (open.length > 0 && adminToken === undefined) {
    const fact = 'other machines could reach the control plane. Protect it with the option adminToken.'
    throw new StartError('unguarded_host', `Cannot listen on ${open[0]}: ${fact}`)
  }
  const names = open.filter((address) => !isWildcard(address))
  const access = { hosts: [...names, ...allowHost], origins, publicUrl: toOrigin(publicUrl), adminToken }
  const { requireSession, assumptions, present, clockRate } = options
  const rules = { requireSession, assumptions, present, clockRate }
  const openWith = async (dataset: DatasetOptions, state: object | undefined) => {
    const documents = data === undefined ? undefined : await openFolder(data)
    const storage = new Storage(documents)
    try {
      const sandbox = await openSandbox(dataset, {
        ...rules,
        access,
        log,
        builtFile: readBuiltFile,
        state,
        storage,
        ...(sessionTtl !== undefined && { sessions: { ttlMs: sessionTtl * MINUTE_MS } }),
      })
      return { sandbox, announce: (url: string) => documents?.lock.announce(url) }
    } catch (error) {
      await storage.close()
      throw error
    }
  }
  return withFixture(options, (dataset) => withState(options.state, (state) => openWith(dataset, state)))
}

/** The errors for a name that no file has, or that none can have. */
const MISSING = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ENAMETOOLONG',
  'ERR_INVALID_ARG_VALUE',
  'MODULE_NOT_FOUND',
])

/** Reads a file of the built package; undefined if there is none of that name. */
export const readBuiltFile: BuiltFile = async (name) => {
  try {
    const manifest = createRequire(import.meta.url).resolve('workspace-sandbox/package.json')
    return new Uint8Array(await readFile(join(dirname(manifest), 'dist', name)))
  } catch (error) {
    if (MISSING.has(errorCode(error))) return undefined
    throw error
  }
}

const SERVICE = /^\/_sandbox\/sessions\/[^/]+\/v1(?:\/|$)/

/** Serves the sessions of a sandbox, without its control plane, on a free loopback port. */
export function serveSessions(sandbox: Pick<Sandbox, 'fetch'>): ReturnType<typeof serve> {
  const handler: RequestHandler = async (request, { connection }) => {
    if (SERVICE.test(new URL(request.url).pathname)) return sandbox.fetch(request, undefined, connection)
    return problemResponse(new SandboxError('not_found', 'Only the sessions are served here.'))
  }
  return serve(handler, { ownsProcess: false }, undefined, 0)
}
