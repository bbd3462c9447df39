import { parseQueryString, type QueryValues } from '../contract/query.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import { endpoints } from '../resources/index.ts'
import { decodePart } from '../resources/match-route.ts'

/** An answer of a real tenant to one request. Its values never leave the calibration. */
export interface Answer {
  readonly endpoint: Endpoint
  /** The parameters of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  /** The query, decoded; a value that is given once is a text. */
  readonly query: QueryValues
  readonly method: string
  readonly status: number
  /** The JSON of the body; undefined if there is none, or if it is not JSON. */
  readonly body: unknown
  /** Whether the answer has any body. */
  readonly hasBody: boolean
  /** The JSON of the request's body. */
  readonly requestBody: unknown
  /** The request's `Origin`. */
  readonly origin: string | undefined
  /** The answer's `Access-Control-Allow-Origin`. */
  readonly allowsOrigin: string | undefined
  /** Whether only the body is known, as from a file. */
  readonly isBodyOnly: boolean
}

/** An endpoint's address in a URL. */
export interface Address {
  readonly endpoint: Endpoint
  readonly parameters: Answer['parameters']
  readonly query: QueryValues
  /** The part of the URL before the document's path. */
  readonly base: string
}

/** Longer paths first, because a base path may end like a shorter one. */
const templates = endpoints
  .map((endpoint) => ({ endpoint, segments: endpoint.path.slice(1).split('/') }))
  .toSorted((a, b) => b.segments.length - a.segments.length)

/** Finds the endpoint of a URL under any base path; HEAD and OPTIONS count as GET. */
export function findAddress(method: string, url: string): Address | undefined {
  if (url.length > MAX_URL || !URL.canParse(url)) return undefined
  const { origin, pathname, search } = new URL(url)
  const wanted = method === 'HEAD' || method === 'OPTIONS' ? 'GET' : method
  const segments = pathname.replace(/\/$/, '').split('/')
  for (const { endpoint, segments: template } of templates) {
    const start = segments.length - template.length
    const parameters = endpoint.method === wanted ? matchSegments(template, segments.slice(start)) : undefined
    if (!parameters || start < 1) continue
    const base = `${origin}${segments.slice(0, start).join('/')}`
    return { endpoint, parameters, query: unwrapSingle(parseQueryString(search)), base }
  }
  return undefined
}

/** Matches the segments of a path; undefined if they do not fit. */
function matchSegments(
  template: readonly string[],
  segments: readonly string[],
): Address['parameters'] | undefined {
  const parameters: Record<string, string> = {}
  for (const [at, part] of template.entries()) {
    const segment = segments[at] ?? ''
    if (!part.startsWith('{')) {
      if (segment !== part) return undefined
    } else if (segment === '') return undefined
    else parameters[part.slice(1, -1)] = decodePart(segment)
  }
  return parameters
}

/** Shows a value that is given once as a text. */
function unwrapSingle(query: QueryValues): QueryValues {
  const entries = Object.entries(query).map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ])
  return Object.fromEntries(entries)
}

/** Units: characters. */
const MAX_URL = 16_384

/** Reports whether an answer shows records. */
export const isSuccess = ({ method, status, body }: Answer): boolean =>
  method !== 'HEAD' && method !== 'OPTIONS' && status >= 200 && status < 300 && body !== undefined

/** Names the value of a path's parameter that identifies the organization. */
export const getOrganization = ({ parameters }: Answer): string | undefined => parameters['organizationId']

/** Identifies the path of an answer. */
export const toPathKey = ({ endpoint, parameters }: Answer): string =>
  JSON.stringify([endpoint.path, Object.values(parameters)])
