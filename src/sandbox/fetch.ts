import type { Connection } from '../faults/connection.ts'

/**
 * Sends a request as the global `fetch` does; a path is that of any host.
 * @param connection the connection that faults break; without it, `fetch` rejects
 */
export type SandboxFetch = (
  input: Request | URL | string,
  init?: RequestInit,
  connection?: Connection,
) => Promise<Response>

/** The base of paths, since every host is the sandbox. */
const ORIGIN = 'http://sandbox'

/** Creates the request of a call to `fetch`. */
export function toRequest(input: Request | URL | string, init?: RequestInit): Request {
  if (typeof input === 'string' || input instanceof URL) return new Request(new URL(input, ORIGIN), init)
  return init === undefined ? input : new Request(input, init)
}
