import * as z from 'zod'

import type { DatasetOptions } from '../options.ts'

/** How long a server may take to say what it is. Units: milliseconds. */
const PATIENCE_MS = 5_000

/** A server that listens. */
export interface Server {
  readonly url: string
  /** Undefined if only its address is known. */
  readonly pid?: number
}

const Health = z.object({ status: z.literal('ok'), seed: z.number(), fingerprint: z.string() })
const Unauthorized = z.object({ type: z.literal('urn:workspace-sandbox:problem:unauthorized') })
const Problem = z.object({ status: z.number(), detail: z.string() })

/** Says whether a sandbox answers at an address; one that wants an admin token is one, too. */
export async function isSandbox(url: string, adminToken: string | undefined): Promise<boolean> {
  try {
    const headers = authorization(adminToken)
    const response = await fetch(`${url}/health`, { headers, signal: AbortSignal.timeout(PATIENCE_MS) })
    const body: unknown = await response.json()
    return (response.status === 401 ? Unauthorized : Health).safeParse(body).success
  } catch {
    return false
  }
}

/** Has a running server reset or reseed itself; returns its response. Errors: RemoteError that says why it does not. */
export async function callServer(
  { pid, url }: Server,
  verb: 'reset' | 'reseed',
  adminToken: string | undefined,
  dataset: DatasetOptions = {},
): Promise<unknown> {
  const what = `Cannot ${verb} the server ${pid === undefined ? '' : `with pid ${pid} `}at ${url}`
  const headers = { 'content-type': 'application/json', ...authorization(adminToken) }
  const body = JSON.stringify(dataset)
  const response = await fetch(`${url}/_sandbox/${verb}`, { method: 'POST', headers, body }).catch(
    () => undefined,
  )
  if (!response) throw new RemoteError(`${what}: it does not answer. Stop it and try again.`)
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer
  const { detail } = Problem.safeParse(answer).data ?? { detail: `it answers ${response.status}.` }
  const remedy = response.status === 401 ? ' Give its token with --admin-token.' : ''
  throw new RemoteError(`${what}: ${detail}${remedy}`)
}

const authorization = (adminToken: string | undefined): Record<string, string> =>
  adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }

/** A running server did not do what was requested, or there is none that could. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}
