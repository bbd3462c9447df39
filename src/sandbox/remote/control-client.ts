import { hc } from 'hono/client'
import type * as z from 'zod'

import { invalidRequest, type ProblemCode, problems, readErrorBody, SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { parseJson, removeUndefined } from '../../core/json.ts'
import { readName } from '../../core/words.ts'
import type { ControlApp } from '../../lab/control.ts'

export interface Server {
  readonly url: string
  readonly adminToken?: string | undefined
}

/** The routes of the control plane, typed by the server. */
export type ControlClient = ReturnType<typeof hc<ControlApp>>['_sandbox']

/** Creates a client of a control plane, which calls it in a session. Errors: those of the responses, as SandboxError. */
export function createControlClient({ url, adminToken }: Server, session?: string): ControlClient {
  const headers: Record<string, string> = {
    ...(session !== undefined && { 'sandbox-session': session }),
    ...(adminToken !== undefined && { authorization: `Bearer ${adminToken}` }),
  }
  return hc<ControlApp>(url, { headers, fetch: send })['_sandbox']
}

/** Reads the JSON of a response. */
export async function read<T>(response: Promise<{ json(): Promise<T> }>): Promise<T> {
  return (await response).json()
}

/** Casts the JSON of a response whose type says less than the OpenAPI document of the control plane. */
export function castJson(json: unknown): never {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a route that returns one or several, or a rendered text
  return json as never
}

/** Casts a body that is sent as the caller has given it: the control plane validates it. Errors: invalid_request without one. */
export function castBody(body: unknown): never {
  // The control plane takes no body as `{}`.
  if (body === undefined) throw invalidRequest([{ in: 'body', name: '', message: 'is required' }])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control plane rejects invalid bodies
  return body as never
}

/** Casts the options of a query, which are validated as in process, because a query has only texts. Errors: as parseInput. */
export function castQuery(schema: z.ZodType<object>, options: object = {}, place?: 'query'): never {
  const given = Object.entries(removeUndefined(parseInput(schema, options, [], place)))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control plane rejects invalid parameters
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)])) as never
}

/** Names the argument itself in the errors of a call, in place of the only field of its body. */
export async function nameArgument<T>(field: string, call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    const errors = error instanceof SandboxError ? error.errors : undefined
    throw errors
      ? invalidRequest(errors.map((one) => (one.name === field ? { ...one, name: '' } : one)))
      : error
  })
}

/** Encodes a part of a path: Hono's client inserts it as it is, and leaves out an empty one. */
export const toPart = (name: string): string => encodeURIComponent(readName(name))

/** The most of a foreign body that an error shows. Units: characters. */
const MAX_SHOWN = 200

async function send(target: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(target, init)
  const received = fetch(request).then(async (response) => ({ response, text: await response.text() }))
  const { response, text } = await received.catch((error: unknown) => {
    const { origin } = new URL(request.url)
    const advice = 'Start one with `npx workspace-sandbox`, or leave out its URL.'
    const message = `No sandbox answers at ${origin} (${describeFailure(error)}). ${advice}`
    throw new SandboxError('storage_unavailable', message, { cause: error })
  })
  const { ok, status } = response
  if (ok && (text === '' || parseJson(text) !== undefined)) return new Response(text)
  const { code, detail, errors } = readErrorBody(text)
  const problem = Object.keys(problems).find((name): name is ProblemCode => name === code)
  const shown = text.slice(0, MAX_SHOWN).replaceAll(/\s+/g, ' ')
  const message = detail ?? `The control plane returned ${status}${ok ? ' without JSON' : ''}: ${shown}`
  throw new SandboxError(problem ?? 'internal_error', message, errors.length > 0 ? { errors } : {})
}

/** Describes why a request has got no response that can be read. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // An attempt at several addresses has no message of its own.
  const { message, cause } = error
  return cause === undefined ? message || String(Reflect.get(error, 'code')) : describeFailure(cause)
}
