import * as z from 'zod'

import type { DatasetOptions } from '../options.ts'

/** A server that has a folder, and listens. */
interface Server {
  readonly pid: number
  readonly url: string
}

const Problem = z.object({ status: z.number(), detail: z.string() })

/** Has a running server reset or reseed itself; gives its answer. Errors: one that says why it does not. */
export async function callServer(
  { pid, url }: Server,
  verb: 'reset' | 'reseed',
  adminToken: string | undefined,
  dataset: DatasetOptions = {},
): Promise<unknown> {
  const what = `Cannot ${verb} the server with pid ${pid} at ${url}`
  const headers = {
    'content-type': 'application/json',
    ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
  }
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

/** A running server did not do what it was asked to. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}
