/** A record of the service. */
export interface Row extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly updatedDate: string
}

/** The service, and what the client keeps. The `fetch` and `state` of a sweep's session fit. */
export interface Surroundings {
  readonly fetch: (request: Request) => Promise<Response>
  readonly state: Map<string, unknown>
  readonly baseUrl?: string
  readonly token?: string
  /** The size of pages. */
  readonly limit?: number
}

/** The filters of a list. */
export type Query = Readonly<Record<string, string>>

/** A page of a list, and the service's time at which it was sent. */
export interface Page {
  readonly items: readonly Row[]
  readonly date: string
}

/** The error of a response other than 200. */
export class StatusError extends Error {
  readonly status: number
  readonly body: string
  /** How long the service wants a client to wait, in milliseconds. */
  readonly waitMs: number

  constructor(url: string, { status, headers }: Response, body: string) {
    super(`${url} returned ${status}`)
    this.status = status
    this.body = body
    this.waitMs = readRetryAfterMs(headers)
  }
}

/** Reads `Retry-After`: seconds, or a date, which counts from the service's own. */
function readRetryAfterMs(headers: Headers): number {
  const wanted = headers.get('retry-after') ?? '0'
  if (/^\d+$/.test(wanted)) return Number(wanted) * 1_000
  return Date.parse(wanted) - Date.parse(headers.get('date') ?? '')
}

/** Reads JSON from the organization of the sandbox's first member, without any retry. */
export class Service {
  readonly #surroundings: Surroundings
  readonly limit: number
  #renewedToken: string | undefined

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.limit = surroundings.limit ?? 100
  }

  /** Reads a page of a list. */
  async page(path: string, query: Query, offset: number): Promise<Page> {
    const search = new URLSearchParams({ ...query, offset: `${offset}`, limit: `${this.limit}` })
    const response = await this.#send(`${path}?${search}`)
    const body: Pick<Page, 'items'> = JSON.parse(await response.text())
    return { items: body.items, date: new Date(response.headers.get('date') ?? '').toISOString() }
  }

  /** Reads one record. */
  async one(path: string): Promise<Row> {
    const response = await this.#send(path)
    return JSON.parse(await response.text())
  }

  async #send(path: string): Promise<Response> {
    const { fetch, baseUrl = 'http://sandbox/v1', token = 'sbx_harbor_1' } = this.#surroundings
    const url = `${baseUrl}/organizations/harbor${path}`
    const headers = { authorization: `Bearer ${this.#renewedToken ?? token}` }
    const response = await fetch(new Request(url, { headers }))
    if (response.status !== 200) throw new StatusError(url, response, await response.text())
    return response
  }

  /** Renews the token if it has expired. */
  renew(error: unknown): void {
    const body = error instanceof StatusError && error.status === 401 ? error.body : ''
    this.#renewedToken = /(\S+) is a renewed one/.exec(body)?.[1] ?? this.#renewedToken
  }

  /** Returns a collection of the copy, which survives a restart. */
  table(name: string): Map<number, Row> {
    const { state } = this.#surroundings
    const kept = state.get(name)
    const table: Map<number, Row> = kept instanceof Map ? kept : new Map()
    state.set(name, table)
    return table
  }

  get cursor(): string | undefined {
    const cursor = this.#surroundings.state.get('cursor')
    return typeof cursor === 'string' ? cursor : undefined
  }

  set cursor(cursor: string | undefined) {
    this.#surroundings.state.set('cursor', cursor)
  }
}
