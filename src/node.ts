import type { Sandbox } from './sandbox.ts'
import { authority, reachable } from './server/addresses.ts'
import { createHttpServer } from './server/http-server.ts'
import { listen } from './server/listen.ts'
import { openForServer } from './server/open.ts'
import { parsedStartOptions, StartOptions } from './server/options.ts'

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
  const { port, host, ...rest } = parsedStartOptions(StartOptions, options)
  const { sandbox, announce } = await openForServer(rest, host)
  try {
    const http = createHttpServer(() => sandbox.app)
    const listening = await listen(http.server, host, port)
    const url = `http://${authority(reachable(listening.address), listening.port)}`
    announce(url)
    const close = once(async () => {
      listening.stop()
      sandbox.release()
      await http.close()
      await sandbox.close()
    })
    return { url, baseUrl: `${url}/v1`, sandbox, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await sandbox.close()
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
