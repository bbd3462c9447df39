import type { FieldError } from './contract/errors.ts'
import { pathNames } from './contract/operation.ts'
import type { Endpoint, InputOf, OutputOf } from './resources/endpoint.ts'
import { operations } from './resources/index.ts'

/** Where the service is, and who asks. */
export interface ClientOptions {
  /** The service's base address, version prefix included: `http://127.0.0.1:4500/v1`. */
  readonly baseUrl: string
  readonly token: string
  /** The session to ask in; the base URL's without. */
  readonly session?: string
  /** What sends the requests (the platform's `fetch`); a sandbox's or a session's `fetch` asks it in process. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** What goes with every call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

type Operations = typeof operations

type OperationId = keyof Operations

type ListId = { [Id in OperationId]: OutputOf<Operations[Id]> extends Page ? Id : never }[OperationId]

interface Page {
  items: unknown[]
  totalCount: number
}

type ItemOf<Id extends ListId> = OutputOf<Operations[Id]> extends { items: (infer Item)[] } ? Item : never

/** What an operation is called with; nothing has to be given where nothing is required. */
type Arguments<Id extends OperationId> =
  Partial<InputOf<Operations[Id]>> extends InputOf<Operations[Id]>
    ? [input?: InputOf<Operations[Id]>, options?: CallOptions]
    : [input: InputOf<Operations[Id]>, options?: CallOptions]

/** A function for every operation, by the document's ids; typed from the contract. */
export type Client = {
  readonly [Id in OperationId]: (...given: Arguments<Id>) => Promise<OutputOf<Operations[Id]>>
} & {
  /** Every record of a list with pagination, page after page; `limit` is the size of a page (250). */
  readonly each: { readonly [Id in ListId]: (...given: Arguments<Id>) => AsyncIterable<ItemOf<Id>> }
}

/** An answer other than 200 with JSON: its status, and what its problem document says. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError'
  readonly status: number
  readonly headers: Headers
  /** What a program may branch on; undefined where the answer is no problem document. */
  readonly code: string | undefined
  /** What is wrong with a request, place by place. */
  readonly errors: readonly FieldError[]
  /** The body as it came. */
  readonly body: string

  constructor(operationId: string, { status, headers }: Response, body: string) {
    const problem = problemOf(body)
    const fact = status === 200 ? 'what is not JSON' : `${status}`
    super(`${operationId} answered ${fact}${problem.detail === undefined ? '' : `: ${problem.detail}`}`)
    this.status = status
    this.headers = headers
    this.code = problem.code
    this.errors = problem.errors ?? []
    this.body = body
  }
}

/**
 * A client of the service. Each function resolves to the body of a 200 answer.
 * Errors: WorkspaceError for any other answer; what `fetch` rejects with where there is none, the reason of an
 * aborted signal among it.
 */
export function createClient(options: ClientOptions): Client {
  const calls = Object.values(operations).map((operation) => [
    operation.id,
    (input: object = {}, call: CallOptions = {}) => ask(operation, { ...input }, options, call),
  ])
  const each = Object.values(operations)
    .filter((operation) => operation.returns === 'page')
    .map((operation) => [
      operation.id,
      (input: object = {}, call: CallOptions = {}) => everyRecord(operation, { ...input }, options, call),
    ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one function for each operation, made from it
  return { ...Object.fromEntries(calls), each: Object.fromEntries(each) } as Client
}

type Input = Readonly<Record<string, unknown>>

async function ask(
  operation: Endpoint,
  input: Input,
  options: ClientOptions,
  call: CallOptions,
): Promise<unknown> {
  const { token, session, fetch: send = (request) => fetch(request) } = options
  const { signal } = call
  const headers = new Headers(call.headers)
  headers.set('authorization', `Bearer ${token}`)
  if (session !== undefined) headers.set('sandbox-session', session)
  if (operation.body) headers.set('content-type', 'application/json')
  signal?.throwIfAborted()
  const request = new Request(addressOf(operation, input, options.baseUrl), {
    method: operation.method,
    headers,
    ...(operation.body && { body: JSON.stringify(input['body']) }),
    ...(signal && { signal }),
  })
  const response = await send(request)
  const text = await response.text()
  const value = response.status === 200 ? parsed(text) : undefined
  if (value === undefined) throw new WorkspaceError(operation.id, response, text)
  return value
}

const PAGE = 250

async function* everyRecord(
  operation: Endpoint,
  input: Input,
  options: ClientOptions,
  call: CallOptions,
): AsyncGenerator {
  let offset = typeof input['offset'] === 'number' ? input['offset'] : 0
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop, typescript/no-unsafe-type-assertion -- a page is asked for when the one before is used up
    const page = (await ask(operation, { limit: PAGE, ...input, offset }, options, call)) as Page
    yield* page.items
    offset += page.items.length
    if (page.items.length === 0 || offset >= page.totalCount) return
  }
}

function addressOf(operation: Endpoint, input: Input, baseUrl: string): string {
  const path = pathNames(operation.path).reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(wireText(input[name]))),
    operation.path,
  )
  const query = new URLSearchParams()
  for (const name of Object.keys(operation.query.parameters)) {
    for (const value of [input[name]].flat()) if (value !== undefined) query.append(name, wireText(value))
  }
  const text = query.toString()
  return `${baseUrl.replace(/\/$/, '')}${path}${text && `?${text}`}`
}

/** Texts as they are, numbers in digits. */
function wireText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

interface Problem {
  readonly detail?: string
  readonly code?: string
  readonly errors?: readonly FieldError[]
}

function problemOf(body: string): Problem {
  const value = parsed(body)
  return typeof value === 'object' && value !== null ? value : {}
}

/** A text as JSON; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
