import type { MiddlewareHandler } from 'hono'

import { SandboxError } from '../contract/errors.ts'
import { memberWithToken } from '../store/tokens.ts'
import type { Environment } from './environment.ts'

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** Finds the caller by the token. Errors: 401. Source: Authentication; assumption A-31. */
export const authenticate: MiddlewareHandler<Environment> = function authenticate(context, next) {
  const header = context.req.header('authorization')
  const token = header === undefined ? undefined : BEARER.exec(header)?.[1]
  const caller = token === undefined ? undefined : memberWithToken(token, context.get('data'))
  if (!caller) throw unauthorized(header, token)
  context.set('caller', caller)
  return next()
}

function unauthorized(header: string | undefined, token: string | undefined): SandboxError {
  const fact =
    header === undefined
      ? 'The request has no Authorization header.'
      : token === undefined
        ? 'The Authorization header is not of the form "Bearer <ACCESS_TOKEN>".'
        : 'The token belongs to no member.'
  return new SandboxError('unauthorized', `${fact} GET /_sandbox/credentials lists every token.`, {
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** Refuses a path whose organization is not the caller's, or does not exist. Source: Authentication; assumption A-07. */
export const sameOrganization: MiddlewareHandler<Environment> = function sameOrganization(context, next) {
  const organizationId = context.req.param('organizationId')
  const caller = context.get('caller')
  if (organizationId !== undefined && organizationId !== caller.organizationId) {
    const detail = `The path's organization is not the caller's, which is ${caller.organizationId}.`
    throw new SandboxError('forbidden', detail)
  }
  return next()
}
