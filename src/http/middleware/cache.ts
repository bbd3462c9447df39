import type { Context, MiddlewareHandler } from 'hono'

import { readContent, repeatResponse } from '../../core/response.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import type { Env } from '../env.ts'

function createKey(c: Context<Env>): string {
  const { url, path } = c.req
  const query = url.indexOf('?')
  return `${c.get('caller').id} ${path}${query === -1 ? '' : url.slice(query)}`
}

/** Responds to a GET as before, if nothing that the response depends on has changed since. */
export const serveFromCache: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.method !== 'GET' || c.get('isViewed')) return next()
  const { data, clock } = c.get('session')
  const { dataset } = data
  const cached = c.get('state').responses?.find(createKey(c))
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
  if (!body || c.req.method !== 'GET' || c.get('isViewed') || data.hasChanged(reads)) return
  const { dataset } = data
  c.get('state').responses?.keep(createKey(c), {
    content: { ...content, body },
    dataset,
    reads,
    at: c.get('timeRead'),
  })
}
