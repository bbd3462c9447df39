import type { Context, Next } from 'hono'

import { getOrCreate, RecentMap } from '../../core/maps.ts'
import { type Content, readContent, repeatResponse, ResponseBody } from '../../core/response.ts'
import type { Endpoint, Resource } from '../../service/endpoint.ts'
import type { SandboxState } from '../../sessions/sandbox-state.ts'
import type { Dataset } from '../../store/dataset.ts'
import { listReferredTables } from '../../store/references.ts'
import type { Row, TableName } from '../../store/tables.ts'
import type { Env } from '../env.ts'

interface CachedResponse {
  content: Content
  readonly dataset: Dataset
  /** The session's time that the response depends on; undefined if it depends on none. */
  readonly at: string | undefined
  /** Units: bytes. */
  readonly size: number
}

/** Units: bytes. */
const MAX_SIZE = 24 * 1_048_576

/** The memory of an entry besides its key and its body. Units: bytes, estimated. */
const OVERHEAD = 1_000

/** Lists the tables that a response depends on: of its records, of what they quote and refer to, and of the caller. */
export const listTables = ({ resource: { table, embeds } }: Endpoint): readonly TableName[] => [
  ...new Set<TableName>([table, ...embeds, ...listReferredTables(table), 'members']),
]

/** Creates the caches of a sandbox: of records, and of the latest responses by caller and target. */
const createCaches = () => ({
  /** The JSON of each record with a comma behind it, so that lists need no copies. */
  records: new Map<Resource, WeakMap<Row<TableName>, Uint8Array<ArrayBuffer>>>(),
  responses: new RecentMap<CachedResponse>(MAX_SIZE, ({ size }) => size),
})

const caches = new WeakMap<SandboxState, ReturnType<typeof createCaches>>()

/** Finds the caches for a request; undefined for settings or data of its own, of which they would hold as many copies. */
export function findCaches(c: Context<Env>) {
  const { sandbox } = c.env
  const hasOwn = c.get('contract') !== sandbox.contract || c.get('shown') !== undefined
  return hasOwn ? undefined : getOrCreate(caches, sandbox, createCaches)
}

const tables = new WeakMap<Endpoint, readonly TableName[]>()

/**
 * Responds to a GET as before, if nothing that the response depends on has changed since. Keeps every other response without
 * warnings for the next request.
 */
export function cacheResponse(c: Context<Env>, next: Next): Response | Promise<void> {
  const { clock, data } = c.get('session')
  const { endpoint } = c.get('entry')
  const responses = findCaches(c)?.responses
  if (!endpoint || !responses || c.req.method !== 'GET') return next()
  // Listed only once something has changed: the schemas of rows, from which it follows, take 4 ms to make.
  const listNames = () => getOrCreate(tables, endpoint, listTables)
  if (data.overlay.bytes > 0 && data.hasChanged(listNames())) return next()
  const dataset = clock.dataset()
  const { revision } = data
  const { url, path } = c.req
  const query = url.indexOf('?')
  const key = `${c.get('caller').id} ${path}${query === -1 ? '' : url.slice(query)}`
  const cached = responses.get(key)
  const isCurrent =
    cached &&
    (cached.dataset === dataset ||
      listNames().every((name) => cached.dataset.tables[name] === dataset.tables[name])) &&
    (cached.at === undefined || cached.at === clock.now())
  if (isCurrent) {
    const { httpDate: date } = clock
    const { head, body } = cached.content
    // The journal keeps the head, so that it is made anew only when the date has changed.
    if (head.headers['date'] !== date)
      cached.content = { head: { ...head, headers: Object.assign({}, head.headers, { date }) }, body }
    return repeatResponse(cached.content)
  }
  const keep = async (): Promise<void> => {
    await next()
    // The response may lack a change that was made meanwhile.
    if (data.revision !== revision || clock.dataset() !== dataset) return
    const content = readContent(c.res)
    const { body, head } = content
    if (!body || head.status !== 200 || c.get('entry').warnings.length > 0) return
    // One piece is faster to send than the parts that records share, unless it is very long.
    const isCopied = body.parts.length > 1 && body.length <= MAX_SIZE / 8
    responses.set(key, {
      content: isCopied ? { ...content, body: ResponseBody.of(body.bytes) } : content,
      dataset,
      at: c.get('handlerTime'),
      size: OVERHEAD + 2 * key.length + (isCopied ? body.length : 8 * body.parts.length),
    })
  }
  return keep()
}
