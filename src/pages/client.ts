import { type InferResponseType, hc } from 'hono/client'

import type { ControlApp } from '../lab/control.ts'
import type { SessionInfo } from '../sessions/open-session.ts'
import type { RequestSummary } from '../testing/journal/view.ts'
import type { Call } from './calls.ts'
import { parseDuration, type OpenApiDocument } from './components/schema.ts'
import { session, switchSession } from './place.ts'

const client = hc<ControlApp>(location.origin)

export const routes: (typeof client)['_sandbox'] = client['_sandbox']

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Send = (...args: never[]) => Promise<unknown>
type Route<M extends Method> = Readonly<Record<`$${M}`, Send>> & { $path(parts?: object): string }

interface Parts {
  readonly param?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/**
 * Prepares a call of a route, to be made, or shown as curl.
 * @example
 * const { items } = await read(prepare('get', routes.faults))
 */
export function prepare<M extends Method, R extends Route<M>>(
  method: M,
  route: R,
  ...args: Parameters<R[`$${M}`]>
): Call<InferResponseType<R[`$${M}`]>> {
  // The client's methods take this as their first argument.
  const { param = {}, query = {}, json } = (args[0] ?? {}) as Parts
  // Hono's client puts parameters into the path as they are, and leaves out an empty one: a blank names no record either.
  const encoded = Object.entries(param).map(([name, value]) => [name, encodeURIComponent(value || ' ')])
  const path = route.$path({ param: Object.fromEntries(encoded), query })
  return { method: method.toUpperCase(), path, ...(json !== undefined && { body: json }) }
}

/** Casts a body that the page passes on as entered: the control plane validates it, and its errors name the fields. */
export function castBody(body: unknown): never {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control plane rejects invalid bodies
  return body as never
}

/** @param first whether the fault acts before the others, as one that a button promises for the next request */
export const prepareFault = (fault: object, first = false): Call =>
  prepare('post', routes.faults, { query: first ? { first: 'true' } : {}, json: castBody(fault) })

/** Drops from a listed fault everything that was not given to add it. */
export function dropReport(fault: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { id: _id, matched: _matched, injected: _injected, left: _left, ...given } = fault
  return given
}

export const prepareScenario = (scenario: object): Call =>
  prepare('post', routes.scenarios, { json: castBody(scenario) })

export function moveClock(text: string) {
  const by = parseDuration(text)
  return by === undefined
    ? prepare('put', routes.clock, { json: { now: text } })
    : prepare('post', routes.clock.advance, { json: { by } })
}

/**
 * Prepares to copy a session with all of its state, and to switch to the copy, for an `Act`.
 * @param options what the copy has other than the session
 * @param from the id of the session; the page's by default
 */
export const fork = (options: object = {}, from = session.value ?? 'default', name = from) => ({
  call: prepare('post', routes.sessions, {
    json: castBody({ from, name: `fork of ${name}`.slice(0, 200), ...options }),
  }),
  done: ({ id }: SessionInfo): string => {
    switchSession(id)
    return `Switched to ${id}, a copy of ${name}.`
  },
})

export const prepareRecords = (collection: string, query: Readonly<Record<string, string>> = {}) =>
  prepare('get', routes.data[':collection'], { param: { collection }, query })

/** Prepares to read what the service would answer to a member. @param path below `/v1` */
export const preparePreview = (path: string, token: string) =>
  prepare('post', routes.preview, { json: { path, token } })

export const readHar = prepare('get', routes['requests.har'], { query: {} })

// The routes type a document by its own parts only.
/* oxlint-disable typescript/no-unsafe-type-assertion */
export const readDocument = prepare('get', routes.service['openapi.json']) as Call as Call<OpenApiDocument>

export const readControlDocument = prepare('get', routes['openapi.json']) as Call<OpenApiDocument>
/* oxlint-enable typescript/no-unsafe-type-assertion */

export const atRecord = (collection: string, id: unknown) => ({ param: { collection, id: String(id) } })

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export function formatCurl({ method, url, headers, body }: HttpRequest): string {
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined)
  const how = method === 'HEAD' ? ' --head' : isPlain ? '' : ` -X ${method}`
  return [
    `curl${how} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' \\\n  ')
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Builds the base URL of the page's session for applications, at the page's own origin. */
export function baseUrl(): string {
  const id = session.value
  const prefix =
    id === undefined ? '' : routes.sessions[':id'].$path({ param: { id: encodeURIComponent(id) } })
  return `${location.origin}${prefix}/v1`
}

/** Returns path and query as requested, from `/v1` on if the request has reached the service. */
export const getTarget = ({ path, url }: Pick<RequestSummary, 'path' | 'url'>): string =>
  path + new URL(url).search

/** Leaves out what the paths of a caller's operations have in common; every other path is shown as it was sent. */
export function shortenPath({ path, operationId, caller }: RequestSummary): string {
  const organization = /^\/v1\/organizations\/([^/]+)(?=\/)/.exec(path)
  const isOwn = organization === null || organization[1] === caller?.organizationId
  return operationId === undefined || !isOwn ? path : path.slice((organization?.[0] ?? '/v1').length)
}
