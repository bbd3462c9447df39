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

/** A function for every operation, by the document's ids; typed from the contract. */
export type Client = {
  readonly [Id in OperationId]: (
    input: InputOf<Operations[Id]>,
    options?: CallOptions,
  ) => Promise<OutputOf<Operations[Id]>>
} & {
  /** Every record of a list with pagination, page after page; `limit` is the size of a page (250). */
  readonly each: {
    readonly [Id in ListId]: (
      input: InputOf<Operations[Id]>,
      options?: CallOptions,
    ) => AsyncIterable<ItemOf<Id>>
  }
}

/** An answer other than 200: its status, and what its problem document says. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError'
  readonly status: number
  readonly code: string | undefined
  readonly errors: readonly FieldError[]
  /** The body as it came. */
  readonly body: string

  constructor(operationId: string, response: Response, body: string) {
    const problem = parsedProblem(body)
    super(`${operationId} answered ${response.status}${problem.detail ? `: ${problem.detail}` : ''}`)
    this.status = response.status
    this.code = problem.code
    this.errors = problem.errors ?? []
    this.body = body
  }
}

/**
 * A client of the service. Each function resolves to the 200 answer's body.
 * Errors: WorkspaceError for any other answer; what `fetch` rejects with where there is none.
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
  const { body } = input
  const request = new Request(addressOf(operation, input, options.baseUrl), {
    method: operation.method,
    headers: {
      ...call.headers,
      authorization: `Bearer ${token}`,
      ...(session !== undefined && { 'sandbox-session': session }),
      ...(operation.body && { 'content-type': 'application/json' }),
    },
    ...(operation.body && { body: JSON.stringify(body) }),
    ...(call.signal && { signal: call.signal }),
  })
  const response = await send(request)
  const text = await response.text()
  if (!response.ok) throw new WorkspaceError(operation.id, response, text)
  return JSON.parse(text)
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

function parsedProblem(body: string): Problem {
  try {
    const problem: unknown = JSON.parse(body)
    return typeof problem === 'object' && problem !== null ? problem : {}
  } catch {
    return {}
  }
}
