import * as z from 'zod'

import type { QueryValues } from '../contract/query.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { groupBy } from '../core/maps.ts'
import { didYouMean } from '../core/nearest.ts'
import type { Contract } from '../service/contract.ts'
import type { Endpoint } from '../service/endpoint.ts'
import { endpoints, operationIds } from '../service/index.ts'
import { decodePart, decodePath, isServicePath, matchRoute } from '../service/match-route.ts'

export const OperationName = z
  .enum(operationIds, {
    error: ({ input }) => {
      if (typeof input !== 'string') return undefined
      const id = input.slice(0, 100)
      return `\`${id}\` is not an operation. ${didYouMean(id, operationIds)}`
    },
  })
  .meta({ id: 'OperationId' })

/** Names the requests that a fault acts on, or that a pattern of the journal matches. */
export const RequestTarget = lazyObject(() => ({
  operationId: OperationName.optional().describe('The operation. Default: any. Example: `listCustomers`.'),
  path: z
    .string()
    .max(1_000, { error: 'must have at most 1000 characters', abort: true })
    .superRefine((path, context) => {
      const message = findMistake(path)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .optional()
    .describe(
      'The path, with or without `/v1`; `{name}` matches any value. Default: any. Example: `/members/{memberId}`.',
    ),
}))

export interface RequestTarget extends z.output<typeof RequestTarget> {
  readonly method?: string | undefined
}

/** Rejects a property that no request can have together with the others. */
export function rejectContradiction(
  { operationId, path, method }: RequestTarget,
  context: z.RefinementCtx,
): void {
  const reject = (name: keyof RequestTarget, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message })
  const named = endpoints.find(({ id }) => id === operationId)
  const atPath = path === undefined ? endpoints : listEndpointsAt(path)
  const candidates = named ? atPath.filter(({ id }) => id === named.id) : atPath
  if (named && candidates.length === 0)
    return reject('path', `is not the path of ${named.id}, which is ${named.path}`)
  const supported = new Set<string>(candidates.map((endpoint) => endpoint.method))
  if (method === undefined || supported.has(method === 'HEAD' ? 'GET' : method)) return
  const subject = operationId ?? 'this path'
  reject('method', `is not supported by ${subject}, which supports ${[...supported].join(', ')}`)
}

export interface TargetedRequest {
  readonly method: string
  readonly path: string
  readonly operationId: string | undefined
}

/** Checks whether a request is one of a target; GET includes HEAD. */
export function matchesTarget(
  { operationId, method, path }: RequestTarget,
  request: TargetedRequest,
): boolean {
  const isMethod = method === request.method || (method === 'GET' && request.method === 'HEAD')
  if (method !== undefined && !isMethod) return false
  if (operationId !== undefined && operationId !== request.operationId) return false
  return path === undefined || (request.operationId !== undefined && isAtPath(request.path, path))
}

/** Checks whether a request has the path of a target. */
export function isAtPath(requested: string, path: string): boolean {
  // A request without /v1 has not reached the service.
  if (!isServicePath(requested)) return false
  const segments = splitPath(requested)
  const wanted = splitPath(withVersion(path))
  return (
    segments.length === wanted.length &&
    wanted.every((segment, at) => segment.startsWith('{') || segment === segments[at])
  )
}

const withVersion = (path: string): string => (isServicePath(path) ? path : `/v1${path}`)

const splitPath = (path: string): string[] => path.split('/').map(decodePart)

const listEndpointsAt = (path: string): Endpoint[] =>
  ['GET', 'POST'].flatMap((method) => matchRoute(method, decodePath(withVersion(path)))?.endpoint ?? [])

function findMistake(path: string): string | undefined {
  if (!path.startsWith('/')) return 'must start with /'
  if (/[?#]/.test(path)) return 'must not contain a query or fragment'
  const wanted = splitPath(withVersion(path))
  const odd = wanted.find((segment) => /^\*+$|^:|[{}]/.test(segment) && !/^\{\w+\}$/.test(segment))
  if (odd !== undefined) return `contains ${odd}; write a parameter as {customerId}`
  if (listEndpointsAt(path).length > 0) return undefined
  const routes = endpoints.map((endpoint) =>
    endpoint.path
      .split('/')
      .map((segment, at) => {
        const sent = wanted[at + 1] ?? ''
        return segment.startsWith('{') && /^[^{]/.test(sent) ? sent : segment
      })
      .join('/'),
  )
  return `matches no operation. ${didYouMean(wanted.slice(2).join('/'), [...new Set(routes)])}`
}

/** Parses the address of a request as its route does; undefined if there is no route, or a parameter is invalid. */
export function parseTarget(
  contract: Contract,
  method: string,
  target: string,
): { readonly endpoint: Endpoint; readonly path: unknown; readonly query: JsonObject } | undefined {
  const route = matchRoute(method, decodePath(target))
  if (!route) return undefined
  const { endpoint, parameters } = route
  const { schemas } = contract.bind(endpoint)
  const path = schemas.path.safeParse(parameters)
  const [, search = ''] = /\?(.*)/s.exec(target) ?? []
  const query = schemas.query.safeParse(parseQueryString(search))
  if (!path.success || !query.success || !isObject(query.data)) return undefined
  return { endpoint, path: path.data, query: query.data }
}

export function parseQueryString(search: string): QueryValues {
  const groups = groupBy(new URLSearchParams(search), ([name]) => name)
  const values = Array.from(groups, ([name, parameters]) => {
    const [value = '', ...others] = parameters.map(([, one]) => one)
    return [name, others.length === 0 ? value : [value, ...others]] as const
  })
  return Object.fromEntries(values)
}
