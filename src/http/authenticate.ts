import type { Settings } from '../contract/choices.ts'
import { SandboxError } from '../contract/errors.ts'
import type { Row } from '../store/tables.ts'
import type { Reader } from '../store/texts.ts'
import { memberWithToken } from '../store/tokens.ts'

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** The member behind an `Authorization` header; undefined if its token belongs to nobody. */
export function memberBy(authorization: string | undefined, data: Reader): Row<'members'> | undefined {
  const token = tokenIn(authorization)
  return token === undefined ? undefined : memberWithToken(token, data)
}

/** The member behind an `Authorization` header. Errors: 401. Source: Authentication; assumption A-31. */
export function callerBy(authorization: string | undefined, data: Reader): Row<'members'> {
  const caller = memberBy(authorization, data)
  if (caller) return caller
  const fact =
    authorization === undefined
      ? 'The request has no Authorization header.'
      : tokenIn(authorization) === undefined
        ? 'The Authorization header is not of the form "Bearer <ACCESS_TOKEN>".'
        : 'The token belongs to no member.'
  throw new SandboxError('unauthorized', `${fact} GET /_sandbox/credentials lists every token.`, {
    headers: { 'www-authenticate': 'Bearer' },
  })
}

function tokenIn(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
}

/** Refuses an organization that is not the caller's, or does not exist. Source: Authentication; assumption A-07. */
export function refuseOther(
  organizationId: string | undefined,
  caller: Row<'members'>,
  { otherOrganization }: Settings,
): void {
  if (organizationId === undefined || organizationId === caller.organizationId) return
  const detail = `The path's organization is not the caller's, which is ${caller.organizationId}.`
  throw new SandboxError(otherOrganization === 404 ? 'not_found' : 'forbidden', detail)
}
