import type { Context, MiddlewareHandler } from 'hono'

import { type ResponseParts, withHeaders } from '../../core/response.ts'
import type { Endpoint } from '../../service/endpoint.ts'
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
