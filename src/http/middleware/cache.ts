import type { Context, MiddlewareHandler } from 'hono'

import { ResponseBody, type ResponseParts, withHeaders } from '../../core/response.ts'
import type { Endpoint } from '../../resources/endpoint.ts'
import type { Dataset } from '../../store/dataset.ts'
import type { TableName } from '../../store/tables.ts'
import type { Env } from '../env.ts'
import { send, withDate } from '../response.ts'

function createKey(c: Context<Env>): string {
  const { url, path } = c.req
  const query = url.indexOf('?')
  return `${c.get('caller').id} ${path}${query === -1 ? '' : url.slice(query)}`
}

export const serveFromCache: MiddlewareHandler<Env> = (c, next) => {
  if (c.req.method !== 'GET' || c.get('isViewed')) return next()
  const { data, clock } = c.get('session')
  const cached = c.get('state').responses?.find(data.dataset, createKey(c))
  if (!cached || data.hasChanged(cached.reads)) return next()
  if (cached.at !== undefined && cached.at !== clock.now()) return next()
  const date = clock.httpDate
  if (cached.dated?.headers['date'] !== date) cached.dated = withDate(cached.parts, date)
  return Promise.resolve(send(c, withHeaders(cached.dated, c.get('entry').warningHeaders)))
}

export function cacheResponse(c: Context<Env>, parts: ResponseParts, { resource }: Endpoint): void {
  const { data } = c.get('session')
  const reads = [...c.get('data').tables, resource.table, ...resource.embeds]
  const { body } = parts
  if (!body || c.req.method !== 'GET' || c.get('isViewed') || data.hasChanged(reads)) return
  const response = { parts: { ...parts, body }, reads, at: c.get('timeRead') }
  c.get('state').responses?.store(data.dataset, createKey(c), response)
}

interface Cached {
  parts: ResponseParts & { readonly body: ResponseBody }
  dated?: ResponseParts
  readonly reads: readonly TableName[]
  /** The session's time that the response depends on; undefined if it depends on none. */
  readonly at: string | undefined
  readonly dataset: Dataset
  /** Units: bytes. */
  size: number
}

/** Units: bytes. */
const MAX_SIZE = 24 * 1_048_576
/** The memory that an entry takes besides its key and its body's parts. Units: bytes, estimated. */
const OVERHEAD = 1_000
const PART = 8
const MAX_REQUESTED = 1_000

const isMadeFrom = ({ dataset, reads }: Cached, other: Dataset): boolean =>
  dataset === other || reads.every((name) => dataset.tables[name] === other.tables[name])

/** Least recently used cache of responses to GET requests that were sent more than once. */
export class ResponseCache {
  #dataset: Dataset | undefined
  readonly #cached = new Map<string, Cached>()
  #size = 0
  readonly #requested = new Set<string>()

  find(dataset: Dataset, key: string): Cached | undefined {
    const cached = this.#cached.get(key)
    if (!cached || !isMadeFrom(cached, dataset)) return undefined
    if (this.#size > MAX_SIZE / 2) {
      this.#cached.delete(key)
      this.#cached.set(key, cached)
    }
    if (cached.parts.body.parts.length > 1) this.#join(cached)
    return cached
  }

  store(dataset: Dataset, key: string, response: Omit<Cached, 'size' | 'dataset'>): void {
    if (this.#dataset !== dataset) {
      this.#dataset = dataset
      // A response holds as long as the tables that it depends on.
      for (const [other, cached] of this.#cached) if (!isMadeFrom(cached, dataset)) this.#evict(other)
    }
    if (!this.#requested.delete(key)) {
      if (this.#requested.size >= MAX_REQUESTED) this.#requested.clear()
      this.#requested.add(key)
      return
    }
    this.#evict(key)
    const size = OVERHEAD + 2 * key.length + PART * response.parts.body.parts.length
    this.#cached.set(key, { ...response, dataset, size })
    this.#size += size
    this.#makeRoom()
  }

  #join(cached: Cached): void {
    const { body } = cached.parts
    if (body.length > MAX_SIZE / 8) return
    cached.parts = { ...cached.parts, body: ResponseBody.of(body.bytes) }
    delete cached.dated
    cached.size += body.length
    this.#size += body.length
    this.#makeRoom()
  }

  #makeRoom(): void {
    for (const key of this.#cached.keys()) {
      if (this.#size <= MAX_SIZE) return
      this.#evict(key)
    }
  }

  #evict(key: string): void {
    this.#size -= this.#cached.get(key)?.size ?? 0
    this.#cached.delete(key)
  }
}
