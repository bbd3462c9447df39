import type { Endpoint } from './endpoint.ts'
import { endpoints } from './index.ts'

export interface RouteMatch {
  readonly endpoint: Endpoint
  /** Decoded, not validated. */
  readonly parameters: Readonly<Record<string, string>>
}

const templates = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^/v1${endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** Finds the endpoint of a path that starts with `/v1`; HEAD counts as GET. */
export function matchRoute(method: string, path: string): RouteMatch | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  for (const { endpoint, pattern } of templates) {
    const match = endpoint.method === wanted ? pattern.exec(path) : null
    if (!match) continue
    const parameters = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodePart(value)])
    return { endpoint, parameters: Object.fromEntries(parameters) }
  }
  return undefined
}

/** Lists the methods that a path allows; GET implies HEAD. Source: assumption A-17. */
export function methodsAt(path: string): string[] {
  return ['GET', 'HEAD', 'POST'].filter((method) => matchRoute(method, path))
}

/** Decodes a path as the router does: everything except an escaped percent sign. */
export function decodePath(path: string): string {
  const { pathname } = new URL(`http://sandbox${path}`)
  try {
    return decodeURI(pathname.replaceAll('%25', '%2525'))
  } catch {
    return pathname
  }
}

/** Decodes a percent-encoded part of a URL; an invalid one stays as it is. */
export function decodePart(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
