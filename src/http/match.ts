import { RegExpRouter } from 'hono/router/reg-exp-router'

import type { Endpoint } from '../resources/endpoint.ts'
import { endpoints } from '../resources/index.ts'

/** An endpoint, and what its path names. */
export interface Route {
  readonly endpoint: Endpoint
  /** The path's parameters as they were sent, decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

const router = new RegExpRouter<Endpoint>()
for (const endpoint of endpoints) {
  router.add(endpoint.method, `/v1${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, endpoint)
}

/** The endpoint at a path that starts with `/v1`; HEAD finds what GET finds. */
export function routeAt(method: string, path: string): Route | undefined {
  const result = router.match(method === 'HEAD' ? 'GET' : method, path)
  const match = result[0][0]
  if (!match) return undefined
  const [endpoint, places] = match
  const stash = result[1]
  const parameters: Record<string, string> = {}
  for (const [name, place] of Object.entries(places)) {
    parameters[name] = decoded((typeof place === 'number' ? stash?.[place] : place) ?? '')
  }
  return { endpoint, parameters }
}

/** The endpoint at a path, as `routeAt` finds it. */
export function endpointAt(method: string, path: string): Endpoint | undefined {
  return routeAt(method, path)?.endpoint
}

/** The methods that a path answers, HEAD wherever GET is. Source: assumption A-17. */
export function methodsAt(path: string): string[] {
  return ['GET', 'HEAD', 'POST'].filter((method) => endpointAt(method, path))
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
