import type { Row } from '../store/tables.ts'

/** Returns a member's token: visibly fake, and independent of seed and size. Source: assumption A-31. */
export function createToken(member: Pick<Row<'members'>, 'id' | 'organizationId'>): string {
  return `sbx_${member.organizationId}_${member.id}`
}

export interface Token {
  readonly organizationId: string
  readonly memberId: number
  readonly renewals: number
}

const TOKEN = /^sbx_(.+)_([1-9]\d*)(?:~([1-9]\d{0,5}))?$/

export function parseToken(token: string): Token | undefined {
  const [, organizationId, memberId, renewals = 0] = TOKEN.exec(token) ?? []
  if (organizationId === undefined) return undefined
  return { organizationId, memberId: Number(memberId), renewals: Number(renewals) }
}

/** Returns a token as it is after it was renewed some times, as in `sbx_harbor_1~2`. */
export const withRenewals = (token: string, renewals: number): string => `${token}~${renewals}`
