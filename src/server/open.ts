import { openSandbox, type OpenSandbox, type Wiring } from '../sandbox.ts'
import { openFolder } from '../store/files.ts'
import { addressesOf, isLoopback, isWildcard } from './addresses.ts'
import { builtFile } from './built-file.ts'
import { datasetOf, namingFixture } from './fixture-file.ts'
import type { SandboxOptions } from './options.ts'
import { StartError } from './start-error.ts'

const MINUTE_MS = 60_000

/** A sandbox that a server stands in front of. */
export interface ServedSandbox {
  readonly sandbox: OpenSandbox
  /** Tells where the server listens to whoever finds the folder taken. */
  readonly announce: (url: string) => void
}

/**
 * Opens a sandbox for a server that listens on a host: over a folder, where one is given, and with a control plane
 * that answers to this machine, to who knows the admin token, and under the names that are allowed.
 * Errors: StartError, SandboxError; see startSandbox.
 */
export async function openForServer(
  options: SandboxOptions,
  host: string | undefined,
): Promise<ServedSandbox> {
  const { data, adminToken, allowHost = [], allowOrigin = [], sessionTtl, ...others } = options
  const { requireSession, assumptions, ...rest } = others
  refuseUnguarded(host, adminToken)
  const dataset = await datasetOf(rest)
  const folder = data === undefined ? undefined : await openFolder(data)
  const names = addressesOf(host).filter((address) => !isLoopback(address) && !isWildcard(address))
  const access = { hosts: [...names, ...allowHost], origins: allowOrigin, adminToken }
  try {
    const wiring: Wiring = {
      access,
      builtFile,
      assumptions,
      ...(folder && { storage: folder.storage }),
      ...(sessionTtl !== undefined && { sessions: { ttlMs: sessionTtl * MINUTE_MS } }),
      ...(requireSession !== undefined && { requireSession }),
    }
    const sandbox = await namingFixture(rest.fixture, dataset, () => openSandbox(dataset, wiring))
    return { sandbox, announce: (url) => folder?.announce(url) }
  } catch (error) {
    await folder?.storage.close()
    throw error
  }
}

function refuseUnguarded(host: string | undefined, adminToken: string | undefined): void {
  const open = addressesOf(host).find((address) => !isLoopback(address))
  if (open === undefined || adminToken !== undefined) return
  const fact = 'others could reach the control plane without a password'
  throw new StartError('unguarded_host', `Cannot listen on ${open}: ${fact}. Set one with --admin-token.`)
}
