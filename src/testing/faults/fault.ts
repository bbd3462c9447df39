import * as z from 'zod'

import type { FieldError } from '../../core/errors.ts'
import type { Input } from '../../core/input.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'
import { didYouMean } from '../../core/nearest.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import { endpoints, type OperationId } from '../../service/index.ts'
import { decodePart, decodePath, matchRoute } from '../../service/match-route.ts'
import { allowsBody, effectOptions, effects, FaultEffect } from './effects.ts'
import { ProfileName } from './profiles.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- for the types of users only; `resolveTarget` rejects an unknown one, and names the nearest
const OperationIdText = z.string().max(100, 'must have at most 100 characters') as unknown as z.ZodType<
  OperationId,
  OperationId
>

export const FaultTarget = lazyObject(() => ({
  operationId: OperationIdText.optional().describe(
    'The operation to act on. Default: all. Example: `listCustomers`.',
  ),
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .pipe(z.enum(['GET', 'HEAD', 'POST']))
    .optional()
    .describe('The method to act on; GET includes HEAD. Default: all. Example: `POST`.'),
  path: z
    .string()
    .max(1_000, { error: 'must have at most 1000 characters', abort: true })
    .optional()
    .describe(
      'The path to act on, with or without `/v1`; `{name}` matches any value. Default: all. Example: `/organizations/{organizationId}/customers/1`.',
    ),
}))
type FaultTarget = z.output<typeof FaultTarget>

export interface FaultableRequest {
  readonly method: string
  readonly path: string
  readonly operationId: string | undefined
}

export interface ResolvedTarget {
  readonly method: string | undefined
  readonly operationIds: ReadonlySet<string> | undefined
  /** The segments of the path, undefined for a parameter; undefined if any path matches. */
  readonly segments: readonly (string | undefined)[] | undefined
}

type TargetError = Pick<FieldError, 'name' | 'message'>

export function resolveTarget({ operationId, method, path }: FaultTarget): ResolvedTarget | TargetError {
  if (operationId === undefined && path === undefined)
    return { method, operationIds: undefined, segments: undefined }
  const named = endpoints.find(({ id }) => id === operationId)
  if (operationId !== undefined && !named) {
    const ids = endpoints.map(({ id }) => id)
    const message = `\`${operationId}\` is not an operation. ${didYouMean(operationId, ids)}`
    return { name: 'operationId', message }
  }
  const segments = path === undefined ? undefined : parsePath(path)
  if (typeof segments === 'string') return { name: 'path', message: segments }
  const atPath: readonly Endpoint[] =
    path === undefined
      ? endpoints
      : ['GET', 'POST'].flatMap((one) => matchRoute(one, toRoutePath(path))?.endpoint ?? [])
  if (path !== undefined && atPath.length === 0)
    return { name: 'path', message: `matches no operation. ${suggestPath(path)}` }
  const candidates = named ? atPath.filter(({ id }) => id === named.id) : atPath
  if (named && candidates.length === 0)
    return { name: 'path', message: `is not the path of ${named.id}, which is ${named.path}` }
  const wanted = method === 'HEAD' ? 'GET' : method
  const matching = candidates.filter((endpoint) => wanted === undefined || endpoint.method === wanted)
  if (matching.length === 0) {
    const supported = candidates.map((endpoint) => endpoint.method).join(', ')
    const subject = operationId ?? 'this path'
    return { name: 'method', message: `is not supported by ${subject}, which supports ${supported}` }
  }
  return { method, operationIds: new Set(matching.map(({ id }) => id)), segments }
}

export function matchesTarget(target: ResolvedTarget, request: FaultableRequest): boolean {
  const { method, operationIds, segments } = target
  const isMethod = method === request.method || (method === 'GET' && request.method === 'HEAD')
  if (method !== undefined && !isMethod) return false
  if (operationIds && (request.operationId === undefined || !operationIds.has(request.operationId)))
    return false
  if (!segments) return true
  const requested = splitPath(request.path)
  return (
    requested.length === segments.length &&
    segments.every((segment, at) => segment === undefined || segment === requested[at])
  )
}

function toRoutePath(path: string): string {
  const decoded = decodePath(path)
  return /^\/v1(?:\/|$)/.test(decoded) ? decoded : `/v1${decoded}`
}

function parsePath(path: string): (string | undefined)[] | string {
  if (!path.startsWith('/')) return 'must start with /'
  if (/[?#]/.test(path)) return 'must not contain a query or fragment'
  const segments = splitPath(toRoutePath(path))
  const odd = segments.find((segment) => /^\*+$|^:|[{}]/.test(segment) && !/^\{\w+\}$/.test(segment))
  if (odd !== undefined) return `contains ${odd}; write a parameter as {customerId}`
  return segments.map((segment) => (segment.startsWith('{') ? undefined : segment))
}

const splitPath = (path: string): string[] => path.split('/').map(decodePart)

function suggestPath(path: string): string {
  const wanted = toRoutePath(path)
    .slice('/v1'.length)
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
  const routes = endpoints.map((endpoint) =>
    endpoint.path
      .split('/')
      .map((segment, at) => (segment.startsWith('{') ? (wanted[at] ?? segment) : segment))
      .join('/'),
  )
  return didYouMean(wanted.join('/'), routes)
}

export const MAX_FAULTS = 1_000

const count = z.int('must be a whole number')

export const FaultInput = lazyStrictObject(() => ({
  ...FaultTarget.shape,
  ...FaultEffect.shape,
  profile: ProfileName.optional().describe('A named combination of effects. Example: `flaky`.'),
  times: count
    .min(1, 'must be at least 1')
    .optional()
    .describe('The maximum number of requests that the fault acts on. Default: no limit. Example: `2`.'),
  after: count
    .min(0, 'must be at least 0')
    .optional()
    .describe('The number of matching requests that the fault lets through first. Default: 0. Example: `3`.'),
}))
  .superRefine((fault, context) => {
    for (const [name, message] of findContradictions(fault)) {
      context.addIssue({ code: 'custom', path: name === undefined ? [] : [name], message })
    }
    const target = resolveTarget(fault)
    if ('message' in target)
      context.addIssue({ code: 'custom', path: [target.name], message: target.message })
  })
  .meta({ id: 'FaultInput' })

/** A fault to inject. */
export interface FaultInput extends Input<typeof FaultInput> {}

/** A fault as it is parsed. */
export type FaultSettings = z.output<typeof FaultInput>
type Field = keyof FaultSettings

export const Fault = lazyObject(() => ({
  id: z.string(),
  ...FaultInput.shape,
  matched: z.int().describe('The number of matching requests while the fault was active'),
  injected: z.int().describe('The number of requests that the fault has acted on'),
  left: z
    .int()
    .nullable()
    .describe('The number of requests that the fault will still act on; null if there is no limit'),
})).meta({ id: 'Fault' })
export type Fault = z.output<typeof Fault>

export const FaultList = z
  .array(FaultInput)
  .min(1, 'must have at least one fault')
  .max(MAX_FAULTS, `must have at most ${MAX_FAULTS} faults`)

export const FaultsInput: z.ZodType<FaultSettings | FaultSettings[], FaultInput | readonly FaultInput[]> =
  z.union([FaultInput, FaultList], 'must be a fault or a list of faults')

const options = new Set(Object.values(effectOptions).flat())

function* findContradictions(
  fault: FaultSettings,
): Generator<readonly [field: Field | undefined, message: string]> {
  const isGiven = (field: Field): boolean => fault[field] !== undefined && fault[field] !== false
  const [effect, other] = effects.filter(isGiven)
  if (effect === undefined && !isGiven('delayMs') && !isGiven('headers')) {
    yield [undefined, `must have an effect: one of ${effects.join(', ')}, delayMs, headers`]
  }
  if (effect !== undefined && other !== undefined) yield [other, `cannot be combined with ${effect}`]
  for (const option of options) {
    if (!isGiven(option)) continue
    const allowing = effects.filter((name) => effectOptions[name].some((allowed) => allowed === option))
    if (!effectOptions.none.includes(option)) {
      if (!allowing.some(isGiven)) yield [option, `requires ${allowing.join(' or ')}`]
    } else if (effect !== undefined && !allowing.includes(effect)) {
      yield [option, `cannot be combined with ${effect}`]
    }
  }
  if (fault.malfunction === 'hang' && isGiven('delayMs')) {
    yield ['delayMs', 'cannot be combined with hang, which never responds']
  }
  if (fault.status !== undefined && isGiven('body') && !allowsBody(fault.status)) {
    yield ['body', `cannot be combined with status ${fault.status}, which has no body`]
  }
  if (isGiven('retryAfterSeconds') && fault.headers?.['retry-after'] !== undefined) {
    yield ['retryAfterSeconds', 'repeats the Retry-After header']
  }
}
