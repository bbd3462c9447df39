import type { Row } from './tables.ts'
import type { Reader } from './texts.ts'

/** Returns a member's token: visibly fake, and independent of seed and size. Source: assumption A-31. */
export function createToken(member: Pick<Row<'members'>, 'id' | 'organizationId'>): string {
  return `sbx_${member.organizationId}_${member.id}`
}

/** Finds the member that a token belongs to; one who has left has none. */
export function findMemberByToken(token: string, data: Reader): Row<'members'> | undefined {
  const base = withoutRenewals(token)
  const member = data.get('members', Number(/_(\d+)$/.exec(base)?.[1]))
  return member?.leftDate === undefined && member && createToken(member) === base ? member : undefined
}

/** The largest number of renewals. */
const MAX_RENEWALS = 999_999

/** Returns a token as it is after it was renewed some times, as in `sbx_harbor_1~2`. */
export function withRenewals(token: string, renewals: number): string {
  return renewals === 0 ? token : `${token}~${renewals}`
}

/** Reads how often a token was renewed. */
export function countRenewals(token: string): number {
  const [base = '', suffix] = token.split('~')
  const renewals = Number(suffix ?? 0)
  const isWellFormed = renewals <= MAX_RENEWALS && withRenewals(base, renewals) === token
  return isWellFormed ? renewals : 0
}

const withoutRenewals = (token: string): string => {
  const renewals = countRenewals(token)
  return renewals === 0 ? token : token.slice(0, -withRenewals('', renewals).length)
}

/** Tokens that always get a 401, for tests of a client's error handling. */
export const invalidTokens: readonly string[] = ['sbx_invalid', 'sbx_expired', 'sbx_revoked']
