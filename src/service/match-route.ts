import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { getPath, tryDecodeURIComponent } from 'hono/utils/url'

import type { Endpoint } from './endpoint.ts'
import { endpoints } from './index.ts'

export interface RouteMatch {
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
}

export const toRoutePath = ({ path }: Endpoint): string => `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

/** Built by the first match, because few programs need one. */
const router = new SmartRouter<Endpoint>({ routers: [new TrieRouter()] })
for (const endpoint of endpoints) router.add(endpoint.method, toRoutePath(endpoint), endpoint)

export function matchRoute(method: string, path: string): RouteMatch | undefined {
  const [match] = router.match(method === 'HEAD' ? 'GET' : method, path)[0]
  if (!match) return undefined
  const [endpoint, values] = match
  const parameters = Object.entries(values).map(([name, value]) => [name, decodePart(`${value}`)])
  return { endpoint, parameters: Object.fromEntries(parameters) }
}

export const isServicePath = (path: string): boolean => /^\/v1(?:\/|$)/.test(path)

/** Lists the methods that a path allows; GET implies HEAD. Source: assumption A-17. */
export function methodsAt(path: string): string[] {
  return ['GET', 'HEAD', 'POST'].filter((method) => matchRoute(method, path))
}

/** Decodes a path as the router does: everything except an escaped percent sign. */
export const decodePath = (path: string): string => getPath(new Request(`http://sandbox${path}`))

/** Decodes a part of a path or query; what is malformed stays as it is. */
export const decodePart = (text: string): string => tryDecodeURIComponent(text)
