import { openSandbox, type Sandbox } from './sandbox.ts'
import { addressesOf, authority, isLoopback, isWildcard, reachable } from './server/addresses.ts'
import { datasetOf } from './server/fixture-file.ts'
import { createHttpServer } from './server/http-server.ts'
import { listen } from './server/listen.ts'
import { parsedStartOptions, type StartOptions } from './server/options.ts'
import { StartError } from './server/start-error.ts'
import { type Folder, openFolder } from './store/files.ts'

export { SandboxError } from './contract/errors.ts'
export type { Sandbox } from './sandbox.ts'
export type { Config, StartOptions } from './server/options.ts'
export { StartError, type StartErrorCode } from './server/start-error.ts'

/** A sandbox that listens. */
export interface RunningSandbox extends AsyncDisposable {
  /** Where it listens, as in `http://127.0.0.1:4500`. */
  readonly url: string
  /** Where the service's paths begin. */
  readonly baseUrl: string
  readonly sandbox: Sandbox
  /** Answers what is in flight, then lets go of port and data; what takes longer than 3 seconds is cut off. */
  readonly close: () => Promise<void>
}

/**
 * Starts a server with a sandbox behind it, and waits until it listens. It keeps its data in the folder `data`, or
 * nowhere. Process signals are the caller's business.
 * Errors: StartError for a port in use, a fixture that cannot be read, a host that others reach without `adminToken`;
 * SandboxError `conflict` for a folder in use or made with other options, `storage_unavailable` for one that cannot
 * be read.
 */
export async function startSandbox(options: StartOptions = {}): Promise<RunningSandbox> {
  const { port, host, data, adminToken, allowHost, allowOrigin, ...rest } = parsedStartOptions(options)
  refuseUnguarded(host, adminToken)
  const dataset = await datasetOf(rest)
  const folder = data === undefined ? undefined : await openFolder(data)
  const names = addressesOf(host).filter((address) => !isLoopback(address) && !isWildcard(address))
  const access = { hosts: [...names, ...(allowHost ?? [])], origins: allowOrigin ?? [], adminToken }
  return closingOnFailure(folder, async () => {
    const sandbox = await openSandbox(dataset, { access, ...(folder && { storage: folder.storage }) })
    const http = createHttpServer((request) => sandbox.fetch(request))
    const listening = await listen(http.server, host, port)
    const url = `http://${authority(reachable(listening.address), listening.port)}`
    folder?.announce(url)
    const close = once(async () => {
      listening.stop()
      await http.close()
      await sandbox.close()
    })
    return { url, baseUrl: `${url}/v1`, sandbox, close, [Symbol.asyncDispose]: close }
  })
}

function refuseUnguarded(host: string | undefined, adminToken: string | undefined): void {
  const open = addressesOf(host).find((address) => !isLoopback(address))
  if (open === undefined || adminToken !== undefined) return
  const fact = 'others could reach the control plane without a password'
  throw new StartError('unguarded_host', `Cannot listen on ${open}: ${fact}. Set one with --admin-token.`)
}

async function closingOnFailure<T>(folder: Folder | undefined, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    await folder?.storage.close()
    throw error
  }
}

/** Does something the first time only; every caller is told when it is done. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}
