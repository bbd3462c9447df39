import type { Context, MiddlewareHandler } from 'hono'

import { readContent, repeatResponse, ResponseBody } from '../../core/response.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import type { Env } from '../env.ts'
import { MAX_SIZE } from '../response-cache.ts'

/** The memory of an entry besides its key and its body. Units: bytes, estimated. */
const OVERHEAD = 1_000

function createKey(c: Context<Env>): string {
  const { url, path } = c.req
  const query = url.indexOf('?')
  return `${c.get('caller').id} ${path}${query === -1 ? '' : url.slice(query)}`
}

/** Responds to a GET as before, if nothing that the response depends on has changed since. */
export const serveFromCache: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.method !== 'GET') return next()
  const { data, clock } = c.get('session')
  const { dataset } = data
  const cached = c.get('state').responses?.get(createKey(c))
  const isCurrent =
    cached &&
    (cached.dataset === dataset ||
      cached.reads.every((table) => cached.dataset.tables[table] === dataset.tables[table])) &&
    !data.hasChanged(cached.reads) &&
    (cached.at === undefined || cached.at === clock.now())
  if (!isCurrent) return next()
  const { httpDate: date } = clock
  const { headers } = cached.content
  // The journal keeps the headers, so that they are made anew only when the date has changed.
  if (headers['date'] !== date) cached.content = { ...cached.content, headers: { ...headers, date } }
  return repeatResponse(cached.content)
}

/** Keeps a response without warnings for the next request. */
export function cacheResponse(c: Context<Env>, response: Response, { resource }: Endpoint): void {
  const { data } = c.get('session')
  const content = readContent(response)
  const { body } = content
  const reads = [...c.get('data').tables, resource.table, ...resource.embeds]
  if (!body || c.req.method !== 'GET' || data.hasChanged(reads)) return
  const key = createKey(c)
  // One piece is faster to send than the parts that records share, unless it is very long.
  const isWhole = body.length <= MAX_SIZE / 8
  const unshared = isWhole && body.parts.length > 1 ? body.length : 8 * body.parts.length
  c.get('state').responses?.set(key, {
    content: { ...content, body: isWhole ? ResponseBody.of(body.bytes) : body },
    dataset: data.dataset,
    reads,
    at: c.get('timeRead'),
    size: OVERHEAD + 2 * key.length + unshared,
  })
}
