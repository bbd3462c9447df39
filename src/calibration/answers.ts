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
  .map((endpoint) => ({
    endpoint,
    length: endpoint.path.split('/').length,
    pattern: new RegExp(`^(?<base>.*)${endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
  }))
  .toSorted((a, b) => b.length - a.length)

/** Finds the endpoint of a URL under any base path; HEAD counts as GET. */
export function findAddress(method: string, url: string): Address | undefined {
  if (url.length > MAX_URL || !URL.canParse(url)) return undefined
  const { origin, pathname, search } = new URL(url)
  const wanted = method === 'HEAD' || method === 'OPTIONS' ? 'GET' : method
  for (const { endpoint, pattern } of templates) {
    const match = endpoint.method === wanted ? pattern.exec(pathname) : null
    if (!match) continue
    const { base = '', ...parameters } = match.groups ?? {}
    const decoded = Object.entries(parameters).map(([name, value]) => [name, decodePart(value)])
    return {
      endpoint,
      parameters: Object.fromEntries(decoded),
      query: unwrapSingle(parseQueryString(search)),
      base: `${origin}${base}`,
    }
  }
  return undefined
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
