import type { Context, ErrorHandler, Handler } from 'hono'

import type { Settings } from '../contract/choices.ts'
import { problemSchemas } from '../contract/problem-schema.ts'
import { defaultSettings } from '../contract/settings.ts'
import { problems, SandboxError } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { allowOrigin, createResponse } from '../core/response.ts'
import { toStatus } from '../service/contract.ts'
import { endpoints } from '../service/index.ts'
import { isServicePath, methodsAt } from '../service/match-route.ts'
import { endsConnection } from '../testing/faults/connection.ts'
import type { Env } from './env.ts'
import { findWrongBase } from './middleware/session.ts'

export const toProblem: ErrorHandler<Env> = (error, c) => {
  if (endsConnection(error)) throw error
  const { contract, clock } = c.get('session') ?? c.env.sandbox.defaultSession
  // Hono would copy the headers of an earlier response, its length included, to this one.
  if (c.finalized) c.res = undefined
  const response = problemResponse(error, contract.settings, { date: clock.httpDate })
  return allowOrigin(response, c.req.header('origin'))
}

/** The response to an error; an unexpected one reveals nothing. Source: assumptions. */
export function problemResponse(
  error: unknown,
  settings: Settings = defaultSettings,
  more: Readonly<Record<string, string>> = {},
): Response {
  const unexpected = 'The sandbox failed to answer this request; this is a bug in it.'
  const problem = error instanceof SandboxError ? error : new SandboxError('internal_error', unexpected)
  const { code, message, errors, headers } = problem
  const status = toStatus(code, settings)
  const type = `urn:workspace-sandbox:problem:${code}`
  const body = {
    problem: { type, title: problems[code].title, status, detail: message, code, ...(errors && { errors }) },
    error: { error: { code, message } },
    message: { message, statusCode: status },
  }[settings.errorFormat]
  const { mediaType } = problemSchemas[settings.errorFormat]
  return createResponse(JSON.stringify(body), {
    status,
    headers: { ...more, ...headers, 'content-type': mediaType },
  })
}

export const unknownPath: Handler<Env> = (c) => {
  const { path } = c.req
  rejectOtherMethods(c, methodsAt(path))
  throw unknownPathError(c, hasExtraSlash(path, methodsAt))
}

export function hasExtraSlash(path: string, findMethods: (path: string) => readonly string[]): boolean {
  return findMethods(path.replaceAll(/\/+(?=\/|$)/g, '')).length > 0
}

/** Names HEAD as GET, because both must have a response of the same length. */
export const nameMethod = ({ req: { method } }: Pick<Context, 'req'>): string =>
  method === 'HEAD' ? 'GET' : method

/** Rejects a method that a path does not have. Errors: 405, unless the path has it or is unknown. */
export function rejectOtherMethods(c: Context, methods: readonly string[]): void {
  if (methods.length === 0 || methods.includes(c.req.method)) return
  const allow = methods.join(', ')
  const detail = `${nameMethod(c)} is not allowed here; allowed: ${allow}.`
  throw new SandboxError('method_not_allowed', detail, { headers: { allow } })
}

export const REMOVE_SLASH = 'Remove the extra slash.'

/** The parts of a path that those new to the service leave out: nothing, an owner, or the first word of a name. */
const omitted = [/^/, /\/organizations\/\{\w+\}/, /\/(?:customers|products)\/\{\w+\}(?=\/)/, /(?<=\/)[a-z]+-/]

/** Finds the endpoint at the nearest path, each part of which is near the one that was sent, whatever the method. */
function findNearestEndpoint(sent: string): string | undefined {
  const values = sent.split('/')
  const fill = (part: string, index: number) => (part.startsWith('{') ? (values[index] ?? part) : part)
  const routes = omitted.flatMap((part) =>
    endpoints.map(({ method, path }) => {
      const parts = `${method} /v1${path.replace(part, '')}`.split('/').map(fill)
      return { whole: `${method} /v1${path}`, parts, filled: parts.join('/') }
    }),
  )
  const isSimilar = (part: string, index: number) =>
    index === 0 || nearest(values[index] ?? '', [part]) !== undefined
  const similar = routes.filter(({ parts }) => parts.length === values.length && parts.every(isSimilar))
  const paths = similar.map(({ filled }) => filled)
  const near = nearest(sent, paths)
  return similar.find(({ filled }) => filled === near)?.whole
}

export function unknownPathError(c: Pick<Context, 'req'>, isSlashed: boolean): SandboxError {
  const { path } = c.req
  const isInService = isServicePath(path)
  const sent = `${nameMethod(c)} ${isInService ? '' : '/v1'}${path}`
  const near = findNearestEndpoint(sent)
  const fact = isInService ? '' : 'It does not begin with /v1. '
  const advice =
    near === undefined ? 'GET /openapi.json lists every endpoint.' : `The nearest endpoint is ${near}.`
  const hint = isSlashed ? REMOVE_SLASH : (findWrongBase(c.req.raw) ?? `${fact}${advice}`)
  return new SandboxError('not_found', `There is no endpoint at this path. ${hint}`)
}
