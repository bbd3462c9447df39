import type { StartOptions } from './node/server/options.ts'
import { type RunningSandbox, startServer } from './node/server/start.ts'

export { SandboxError } from './core/errors.ts'
export type { Sandbox } from './sandbox/sandbox.ts'
export { type Config, StartError, type StartErrorCode, type StartOptions } from './node/server/options.ts'
export type { RunningSandbox } from './node/server/start.ts'

/**
 * Starts a server with a sandbox and waits until it listens. Data is stored in the folder `data`, or in memory without one.
 * Process signals are left to you.
 * @throws StartError if the port is in use, the fixture is unusable, or the host is not loopback and there is no
 * `adminToken`; SandboxError `conflict` if the folder is in use or was made with other options, `storage_unavailable` if it
 * cannot be read
 * @example
 * await using server = await startSandbox({ port: 0, size: 'small' })
 * const response = await fetch(`${server.baseUrl}/members/me`, { headers: { authorization: `Bearer ${token}` } })
 */
export function startSandbox(options: StartOptions = {}): Promise<RunningSandbox> {
  return startServer(options, { ownsProcess: false })
}
