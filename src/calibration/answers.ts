import type * as z from 'zod'

import { parseQueryString, type QueryValues } from '../contract/query.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { getOrCreate } from '../core/maps.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import { endpoints, type OperationId } from '../resources/index.ts'
import { matchRoute, type RouteMatch } from '../resources/match-route.ts'
import type { TableName } from '../store/tables.ts'

/** An answer of a real tenant to one request. Its values never leave the calibration. */
export interface Answer {
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
  readonly query: QueryValues
  readonly method: string
  readonly status: number
  readonly body: unknown
  readonly hasBody: boolean
  readonly requestBody?: unknown
  readonly origin?: string | undefined
  readonly allowsOrigin?: string | undefined
  readonly isBodyOnly?: boolean
}

export interface Address extends RouteMatch {
  readonly query: QueryValues
  readonly base: string
}

const MAX_SEGMENTS = Math.max(...endpoints.map(({ path }) => path.split('/').length - 1))

export function findAddress(method: string, url: string): Address | undefined {
  if (url.length > MAX_URL || !URL.canParse(url)) return undefined
  const { origin, pathname, search } = new URL(url)
  const wanted = method === 'OPTIONS' ? 'GET' : method
  const segments = pathname.replace(/\/$/, '').split('/')
  // Longer paths first, because a base path may end like a shorter one.
  for (let start = Math.max(1, segments.length - MAX_SEGMENTS); start < segments.length; start += 1) {
    const match = matchRoute(wanted, `/v1/${segments.slice(start).join('/')}`)
    if (!match) continue
    const query = Object.fromEntries(
      Object.entries(parseQueryString(search)).map(([name, values]) => [
        name,
        values.length === 1 ? (values[0] ?? '') : values,
      ]),
    )
    return { ...match, query, base: `${origin}${segments.slice(0, start).join('/')}` }
  }
  return undefined
}

const MAX_URL = 16_384

export const isSuccess = ({ method, status, body }: Answer): boolean =>
  method !== 'HEAD' && method !== 'OPTIONS' && status >= 200 && status < 300 && body !== undefined

export const getOrganization = ({ parameters }: Answer): string | undefined => parameters['organizationId']

export const toPathKey = ({ endpoint, parameters }: Answer): string =>
  JSON.stringify([endpoint.path, Object.values(parameters)])

export type BodyForm = 'array' | 'envelope' | 'record' | 'other'

export interface Body {
  readonly form: BodyForm
  readonly records: readonly JsonObject[]
  readonly strays: readonly unknown[]
  readonly total: number | undefined
}

const none: Body = { form: 'other', records: [], strays: [], total: undefined }

const bodies = new WeakMap<Answer, Body>()

export function readBody(answer: Answer): Body {
  return getOrCreate(bodies, answer, () => parseBody(answer))
}

function parseBody(answer: Answer): Body {
  if (!isSuccess(answer)) return none
  const { body, endpoint } = answer
  if (endpoint.returns === 'one') {
    return isObject(body) ? { ...none, form: 'record', records: [body] } : { ...none, strays: [body] }
  }
  if (Array.isArray(body)) return { ...split(body), form: 'array', total: undefined }
  if (!isObject(body)) return none
  const { items, totalCount } = body
  if (Array.isArray(items) && typeof totalCount === 'number') {
    return { ...split(items), form: 'envelope', total: totalCount }
  }
  const [list, ...others] = Object.values(body)
    .filter((value) => Array.isArray(value))
    .filter((value) => value.length > 0 && value.every(isObject))
  // The list of another envelope; a record may have lists of records, too, but then it has an id.
  if (list && others.length === 0 && !('id' in body))
    return { ...split(list), form: 'other', total: undefined }
  return answer.isBodyOnly ? { ...none, form: 'record', records: [body] } : none
}

function split(list: readonly unknown[]): Pick<Body, 'records' | 'strays'> {
  return { records: list.filter(isObject), strays: list.filter((one) => !isObject(one)) }
}

export interface ShownRecords {
  readonly answer: Answer
  readonly shape: z.ZodType
  readonly records: readonly JsonObject[]
}

const MAX_RECORDS = 5_000

export function listShownRecords(answers: readonly Answer[]): readonly ShownRecords[] {
  const counts = new Map<string, number>()
  return answers.flatMap((answer) => {
    const { endpoint, requestBody } = answer
    const seen = counts.get(endpoint.id) ?? 0
    const records = readBody(answer).records.slice(0, MAX_RECORDS - seen)
    counts.set(endpoint.id, seen + records.length)
    const shown = records.length > 0 ? [{ answer, shape: endpoint.shape, records }] : []
    const isSent = endpoint.body && isObject(requestBody) && isSuccess(answer)
    return isSent ? [...shown, { answer, shape: endpoint.body, records: [requestBody] }] : shown
  })
}

export function listRecords(
  answers: readonly Answer[],
  source: OperationId | TableName,
): readonly JsonObject[] {
  return answers
    .filter(({ endpoint: { id, resource } }) => id === source || resource.table === source)
    .flatMap((answer) => readBody(answer).records)
}
