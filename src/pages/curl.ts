import type { RequestSummary } from '../testing/journal/view.ts'
import { routes } from './client.ts'
import { session } from './place.ts'

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

/**
 * Builds the base URL for applications, at the page's own origin.
 * @param id the session; the page's by default
 */
export function baseUrl(id: string | undefined = session.value): string {
  const prefix =
    id === undefined ? '' : routes.sessions[':id'].$path({ param: { id: encodeURIComponent(id) } })
  return `${location.origin}${prefix}/v1`
}

/** Returns path and query as requested, from `/v1` on. */
export function getTarget({ path, url }: Pick<RequestSummary, 'path' | 'url'>): string {
  const start = url.indexOf('?')
  return start === -1 ? path : path + url.slice(start)
}

export function shortenPath(path: string): string {
  const prefix = /^\/v1\/organizations\/[^/]+(?=\/)/.exec(path)?.[0] ?? (path.startsWith('/v1/') ? '/v1' : '')
  return path.slice(prefix.length)
}
