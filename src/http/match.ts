import { RegExpRouter } from 'hono/router/reg-exp-router'

import type { Endpoint } from '../resources/endpoint.ts'
import { endpoints } from '../resources/index.ts'

/** The document's path in Hono's notation. */
export const routePath = (path: string): string => `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

const router = new RegExpRouter<Endpoint>()
for (const endpoint of endpoints) router.add(endpoint.method, routePath(endpoint.path), endpoint)

/** The endpoint at a decoded path that starts with `/v1`; HEAD finds what GET finds. */
export function endpointAt(method: string, path: string): Endpoint | undefined {
  const [matches] = router.match(method === 'HEAD' ? 'GET' : method, path)
  return matches[0]?.[0]
}
