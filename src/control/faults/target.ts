import { getPath } from 'hono/utils/url'
import * as z from 'zod'

import type { FieldError } from '../../contract/errors.ts'
import { didYouMean } from '../../contract/nearest.ts'
import { endpointAt } from '../../http/match.ts'
import type { Endpoint } from '../../resources/endpoint.ts'
import { endpoints } from '../../resources/index.ts'

const methods = ['GET', 'HEAD', 'POST'] as const

/** The keys of a fault that say which requests it is for; none is every request to the service. */
export const target = {
  operationId: z.string().max(100, 'must have at most 100 characters').optional(),
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .pipe(z.enum(methods))
    .optional(),
  /** The document's path, with or without `/v1`; a parameter as `{name}` stands for any value. */
  path: z.string().max(1_000, 'must have at most 1000 characters').optional(),
}

interface TargetInput {
  readonly operationId?: string | undefined
  readonly method?: string | undefined
  readonly path?: string | undefined
}

/** A request as a fault sees it. */
export interface FaultableRequest {
  readonly method: string
  /** The decoded path that the router uses, from `/v1` on. */
  readonly path: string
  /** Undefined where no operation is at the path. */
  readonly operationId: string | undefined
}

/** The requests that a fault is for. */
export interface Target {
  readonly method: string | undefined
  /** Undefined for every request. */
  readonly operationIds: ReadonlySet<string> | undefined
  /** The path's segments, undefined in place of a parameter; undefined where only parameters vary. */
  readonly segments: readonly (string | undefined)[] | undefined
}

/** What a fault is aimed at, or why nothing is there. */
export function resolvedTarget(input: TargetInput): Target | Pick<FieldError, 'name' | 'message'> {
  const { operationId, method, path } = input
  if (operationId === undefined && path === undefined)
    return { method, operationIds: undefined, segments: undefined }
  const named = endpoints.find(({ id }) => id === operationId)
  if (operationId !== undefined && !named) {
    const known = endpoints.map(({ id }) => id)
    return refused('operationId', `${operationId} is no operation. ${didYouMean(operationId, known)}`)
  }
  const segments = path === undefined ? undefined : patternOf(path)
  if (typeof segments === 'string') return refused('path', segments)
  const there = path === undefined ? endpoints : endpointsAt(routed(path))
  if (path !== undefined && there.length === 0)
    return refused('path', `is the path of no operation. ${nearestPath(path)}`)
  if (named && !there.includes(named))
    return refused('path', `is not that of ${named.id}, which is ${named.path}`)
  const aimedAt = (named ? [named] : there).filter((endpoint) => takes(endpoint, method))
  if (aimedAt.length === 0) {
    const taken = (named ? [named] : there).map((endpoint) => endpoint.method).join(', ')
    return refused('method', `is not taken by ${operationId ?? 'this path'}, which takes ${taken}`)
  }
  const isTemplate = segments?.every((segment, at) => segment === undefined || isLiteral(aimedAt, at))
  return {
    method,
    operationIds: new Set(aimedAt.map(({ id }) => id)),
    segments: isTemplate ? undefined : segments,
  }
}

/** Says whether a fault is for a request. GET covers HEAD. */
export function isTarget({ method, operationIds, segments }: Target, request: FaultableRequest): boolean {
  if (method !== undefined && method !== request.method && !(method === 'GET' && request.method === 'HEAD'))
    return false
  if (operationIds && (request.operationId === undefined || !operationIds.has(request.operationId)))
    return false
  if (!segments) return true
  const given = segmentsOf(request.path)
  return (
    given.length === segments.length &&
    segments.every((segment, at) => segment === undefined || segment === given[at])
  )
}

const refused = (name: string, message: string): Pick<FieldError, 'name' | 'message'> => ({ name, message })

const takes = (endpoint: Endpoint, method: string | undefined): boolean =>
  method === undefined || endpoint.method === (method === 'HEAD' ? 'GET' : method)

function endpointsAt(path: string): Endpoint[] {
  return methods.flatMap((method) => (method === 'HEAD' ? [] : (endpointAt(method, path) ?? [])))
}

/** A path as the router sees it, `/v1` in front. */
function routed(path: string): string {
  const decoded = getPath(new Request(`http://sandbox${path}`))
  return /^\/v1(?:\/|$)/.test(decoded) ? decoded : `/v1${decoded}`
}

/** A path's segments, undefined for a parameter; or what is wrong with it. */
function patternOf(path: string): (string | undefined)[] | string {
  if (!path.startsWith('/')) return 'must start with /'
  if (/[?#]/.test(path)) return 'must be a path without a query'
  const segments = segmentsOf(routed(path))
  const odd = segments.find((segment) => /^\*+$|^:|[{}]/.test(segment) && !/^\{\w+\}$/.test(segment))
  if (odd !== undefined) return `has ${odd}; write a parameter as {customerId}`
  return segments.map((segment) => (segment.startsWith('{') ? undefined : segment))
}

function segmentsOf(path: string): string[] {
  return path.split('/').map((segment) => {
    try {
      return decodeURIComponent(segment)
    } catch {
      return segment
    }
  })
}

/** Says whether a place of the path is fixed in the document. */
function isLiteral(at: readonly Endpoint[], place: number): boolean {
  return at.every(({ path }) => !`/v1${path}`.split('/')[place]?.startsWith('{'))
}

/** The document's paths, with the given path's values in the places of their parameters. */
function nearestPath(path: string): string {
  const given = routed(path)
    .slice('/v1'.length)
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
  const known = endpoints.map((endpoint) =>
    endpoint.path
      .split('/')
      .map((segment, at) => (segment.startsWith('{') ? (given[at] ?? segment) : segment))
      .join('/'),
  )
  return didYouMean(given.join('/'), known)
}
