import type { Row } from './tables.ts'
import type { Reader } from './texts.ts'

/** Returns a member's token: visibly fake, and independent of seed and size. Source: assumption A-31. */
export function createToken(member: Pick<Row<'members'>, 'id' | 'organizationId'>): string {
  return `sbx_${member.organizationId}_${member.id}`
}

/** Finds the member that a token belongs to; one who has left has none. */
export function findMemberByToken(token: string, data: Reader): Row<'members'> | undefined {
  const member = data.get('members', Number(/_(\d+)$/.exec(token)?.[1]))
  return member?.leftDate === undefined && member && createToken(member) === token ? member : undefined
}

/** Tokens that always get a 401, for tests of a client's error handling. */
export const invalidTokens: readonly string[] = ['sbx_invalid', 'sbx_expired', 'sbx_revoked']
