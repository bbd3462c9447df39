import type { Context, MiddlewareHandler } from 'hono'

import { SandboxError } from '../../contract/errors.ts'
import type { Row } from '../../store/tables.ts'
import type { Reader } from '../../store/texts.ts'
import { countRenewals, findMemberByToken } from '../../store/tokens.ts'
import type { Env } from '../env.ts'

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** Finds the member whose token the request carries. Errors: 401. Source: Authentication; assumption A-31. */
export function authenticate(): MiddlewareHandler<Env> {
  return (c, next) => {
    requireCaller(c)
    return next()
  }
}

/** Finds the caller among the members as they are now. Errors: 401. */
export function requireCaller(c: Context<Env>): void {
  c.set('caller', findCaller(c.req.header('authorization'), c.get('data')))
}

/** Finds the member whose token an `Authorization` header carries. */
export function findMember(authorization: string | undefined, data: Reader): Row<'members'> | undefined {
  const token = tokenIn(authorization)
  return token === undefined ? undefined : findMemberByToken(token, data)
}

/** Returns how often the token in an `Authorization` header was renewed. */
export function countRenewalsIn(authorization: string | undefined): number {
  return countRenewals(tokenIn(authorization) ?? '')
}

const tokenIn = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]

function findCaller(authorization: string | undefined, data: Reader): Row<'members'> {
  const caller = findMember(authorization, data)
  if (caller) return caller
  const token = tokenIn(authorization)
  const fact =
    authorization === undefined
      ? 'The request has no Authorization header.'
      : token === undefined
        ? 'The Authorization header is not of the form "Bearer <ACCESS_TOKEN>".'
        : 'The token belongs to no member.'
  throw new SandboxError('unauthorized', `${fact} GET /_sandbox/credentials lists every token.`, {
    headers: { 'www-authenticate': 'Bearer' },
  })
}
