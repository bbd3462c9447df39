import type { Context } from 'hono'

import { SandboxError } from '../../core/errors.ts'
import { RecentMap } from '../../core/maps.ts'
import { parseToken, type Token } from '../../service/tokens.ts'
import type { Row } from '../../store/tables.ts'
import type { Reader } from '../../store/texts.ts'
import { type Env, findData } from '../env.ts'

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** Finds the member whose token the request carries. Errors: 401. Source: Authentication; assumption A-31. */
export function requireCaller(c: Context<Env>): void {
  const caller = findMember(c.get('entry').credential, findData(c))
  if (!caller) throw unauthorized(c.req.header('authorization'))
  c.set('caller', caller)
}

export function findMember(authorization: string | undefined, data: Reader): Row<'members'> | undefined {
  const token = readToken(authorization)
  if (!token) return undefined
  const member = data.get('members', token.memberId)
  return member?.organizationId === token.organizationId && member.leftDate === undefined ? member : undefined
}

export const countRenewals = (authorization: string | undefined): number =>
  readToken(authorization)?.renewals ?? 0

const tokens = new RecentMap<Token>()

function readToken(authorization: string | undefined): Token | undefined {
  if (authorization === undefined) return undefined
  const cachedToken = tokens.get(authorization)
  if (cachedToken) return cachedToken
  const [, text = ''] = BEARER.exec(authorization) ?? []
  const token = parseToken(text)
  if (token) tokens.set(authorization, token)
  return token
}

function unauthorized(authorization: string | undefined): SandboxError {
  const fact =
    authorization === undefined
      ? 'The request has no Authorization header.'
      : BEARER.test(authorization)
        ? 'The token belongs to no member.'
        : 'The Authorization header is not of the form "Bearer <ACCESS_TOKEN>".'
  return new SandboxError('unauthorized', `${fact} GET /_sandbox/credentials lists every token.`, {
    headers: { 'www-authenticate': 'Bearer' },
  })
}
