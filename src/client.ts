import type * as z from 'zod'

import { listPathNames, type PathParameters } from './contract/paths.ts'
import { type FieldError, readErrorBody } from './core/errors.ts'
import type { Readable } from './core/input.ts'
import { parseJson } from './core/json.ts'
import type { Endpoint } from './service/endpoint.ts'
import { type OperationId, operations } from './service/index.ts'

/** The service to call, and the caller. */
export interface ClientOptions {
  /** The base URL with its version prefix. @example 'http://127.0.0.1:4500/v1' */
  readonly baseUrl: string
  /** The token of the caller; every member has one. @example 'sbx_harbor_1' */
  readonly token: string
  /** The id of the session to call. Default: that of the base URL. @example 'checkout' */
  readonly session?: string | undefined
  /** Sends the requests. Default: the global `fetch`. The `fetch` of a sandbox or a session needs no server. @example session.fetch */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** A function for every operation, by its id; typed from the contract. */
export interface Client extends OperationCalls {
  /**
   * Iterates over every record of a paginated list; `limit` is the page size, 250 by default.
   * @example for await (const { name } of client.each.listCustomers({ organizationId: 'harbor' })) console.log(name)
   */
  readonly each: OperationIterators
}

/** A response other than 200 with JSON, or 201 of a POST. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError'
  readonly status: number
  readonly headers: Headers
  /** The problem's code; undefined if the response is not a problem document. */
  readonly code: string | undefined
  /** The invalid fields of the request. */
  readonly errors: readonly FieldError[]
  /** The body as text. */
  readonly body: string

  constructor(operationId: string, { status, headers, ok }: Response, body: string) {
    const { detail, code, errors } = readErrorBody(body)
    const fact = ok && parseJson(body) === undefined ? `${status} without JSON` : `${status}`
    super(`${operationId} returned ${fact}${detail === undefined ? '' : `: ${detail}`}`)
    this.status = status
    this.headers = headers
    this.code = code
    this.errors = errors
    this.body = body
  }
}

const NEEDS_URL = 'createClient needs a baseUrl, such as http://127.0.0.1:4500/v1, or /v1 in a page'

/**
 * Creates a client of the service. Each function resolves to the body of a 200 response, or a 201 of a POST. It rejects
 * with a `WorkspaceError` for any other response, and with the error of `fetch` if the request fails.
 * @throws TypeError without a base URL
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:4500/v1', token })
 * const me = await client.getCurrentMember()
 * for await (const customer of client.each.listCustomers({ organizationId: 'harbor' })) console.log(customer.name)
 */
export function createClient(options: ClientOptions): Client {
  // An environment variable that is missing, which types do not tell.
  if (!options.baseUrl) throw new TypeError(`${NEEDS_URL} (got ${JSON.stringify(options.baseUrl)}).`)
  const calls: Record<string, Send> = {}
  const each: Record<string, Iterate> = {}
  for (const operation of Object.values(operations)) {
    const { id, returns } = operation
    const call: Send = (input, callOptions) => send(operation, { ...input }, options, callOptions)
    calls[id] = call
    if (returns === 'page') each[id] = (input, callOptions) => iterateRecords(call, { ...input }, callOptions)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one function for each operation, made from it
  return { ...calls, each } as unknown as Client
}

type Values = Readonly<Record<string, unknown>>
type Send = (input?: Values, call?: CallOptions) => Promise<unknown>
type Iterate = (input?: Values, call?: CallOptions) => AsyncGenerator

async function send(
  operation: Endpoint,
  input: Values,
  options: ClientOptions,
  { signal, headers: furtherHeaders }: CallOptions = {},
): Promise<unknown> {
  const { token, session, fetch: fetchRequest = (request) => fetch(request) } = options
  const headers = new Headers(furtherHeaders)
  headers.set('authorization', `Bearer ${token}`)
  if (session !== undefined) headers.set('sandbox-session', session)
  if (operation.body) headers.set('content-type', 'application/json')
  signal?.throwIfAborted()
  const request = new Request(toUrl(operation, input, options.baseUrl), {
    method: operation.method,
    headers,
    ...(operation.body && { body: JSON.stringify(input['body']) }),
    ...(signal && { signal }),
  })
  const response = await fetchRequest(request)
  const text = await response.text()
  const isExpected = response.status === 200 || (response.status === 201 && operation.method === 'POST')
  const value = isExpected ? parseJson(text) : undefined
  if (value === undefined) throw new WorkspaceError(operation.id, response, text)
  return value
}

const PAGE_SIZE = 250

async function* iterateRecords(list: Send, input: Values, options?: CallOptions): AsyncGenerator {
  const limit = typeof input['limit'] === 'number' ? input['limit'] : PAGE_SIZE
  let offset = typeof input['offset'] === 'number' ? input['offset'] : 0
  for (;;) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operation with pages returns one, or its records alone
    const page = (await list({ ...input, limit, offset }, options)) as Page<unknown> | readonly unknown[]
    // Only some operations have documented envelopes, so a list may be a bare array. Source: assumption A-01.
    const items = 'items' in page ? page.items : page
    yield* items
    offset += items.length
    const isLast = 'items' in page ? offset >= page.totalCount : items.length < limit
    if (items.length === 0 || isLast) return
  }
}

function toUrl(operation: Endpoint, input: Values, baseUrl: string): string {
  const path = listPathNames(operation.path).reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(toText(input[name]))),
    operation.path,
  )
  const query = new URLSearchParams()
  for (const name of Object.keys(operation.query.shape)) {
    for (const value of [input[name]].flat()) if (value !== undefined) query.append(name, toText(value))
  }
  const text = query.toString()
  return `${baseUrl.replace(/\/$/, '')}${path}${text && `?${text}`}`
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The options of a single call. */
export interface CallOptions {
  /** Aborts the request. Default: none. @example AbortSignal.timeout(5_000) */
  readonly signal?: AbortSignal | undefined
  /** More headers; the client sets Authorization itself. Default: none. @example { prefer: 'code=503' } */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A page of a list. */
export interface Page<Item> {
  /** The records of the page. Order: by id, or newest first. */
  items: Item[]
  /** The number of matches before pagination. */
  totalCount: number
}

// `src/node/schemas/document-types.ts` writes the fields of `OperationInputs`, `OperationCalls` and `OperationIterators`, with
// comments, into the declarations of the package.

type Operations = typeof operations

type Body<Id extends OperationId> = Operations[Id]['body'] extends z.ZodType<infer B> | undefined ? B : never

type Query<Shape> = { [Name in keyof Shape]?: z.output<Shape[Name]> | undefined }

export type OperationInput<Id extends OperationId> = Readable<
  PathParameters<Operations[Id]['path']> &
    Query<Operations[Id]['query']['shape']> &
    (Body<Id> extends undefined ? unknown : { readonly body: Body<Id> })
>

type Inputs = { readonly [Id in OperationId]: OperationInput<Id> }

/** The parameters of each operation, by its id. */
export interface OperationInputs extends Inputs {}

/** The result that a call of an operation resolves to. */
export type OperationResult<Id extends OperationId> = Results<
  z.output<Operations[Id]['shape']>
>[Operations[Id]['returns']]

interface Results<Item> {
  readonly one: Item
  readonly list: Item[]
  readonly page: Page<Item>
}

export type OperationCall<Input, Result> = keyof Input extends never
  ? (input?: Readonly<Record<string, never>>, options?: CallOptions) => Promise<Result>
  : (input: Input, options?: CallOptions) => Promise<Result>

export type OperationIterator<Input, Item> = (input: Input, options?: CallOptions) => AsyncIterable<Item>

type Calls = { readonly [Id in OperationId]: OperationCall<OperationInputs[Id], OperationResult<Id>> }

/** A function for every operation, by its id. */
export interface OperationCalls extends Calls {}

type Paginated = { [Id in OperationId]: Operations[Id]['returns'] extends 'page' ? Id : never }[OperationId]

type Iterators = {
  readonly [Id in Paginated]: OperationIterator<OperationInputs[Id], OperationResult<Id>['items'][number]>
}

/** A function for every paginated list, which iterates over its records. */
export interface OperationIterators extends Iterators {}
