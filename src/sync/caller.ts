import { invalidRequest, SandboxError } from '../core/errors.ts'
import { parseToken } from '../resources/tokens.ts'
import type { Session } from '../sessions/session.ts'
import type { Row } from '../store/tables.ts'

/** Finds a member by a token or an id; by default the only caller of a session, or the first member if there is none. */
export function findSyncCaller(session: Session, as: string | number | undefined): Row<'members'> {
  const { data } = session
  if (as !== undefined) return findMember(session, as)
  const callers = [...new Set(session.requests.deliveries.list().map(({ callerId }) => callerId))]
  const [only, ...others] = callers
  if (only !== undefined && others.length > 0) {
    const message = `is required, because several members have sent requests: ${callers.join(', ')}`
    throw invalidRequest([{ in: 'body', name: 'as', message }])
  }
  if (only !== undefined) return findMember(session, only)
  const [organization] = data.dataset.organizations
  const [first] = data.select('members', [['organizationId', organization?.id ?? '']]).page(0, 1)
  if (first) return first
  throw new SandboxError('conflict', 'The dataset has no members, so nobody can have a copy of it.')
}

function findMember({ data }: Session, as: string | number): Row<'members'> {
  const text = String(as).replace(/^bearer +/i, '')
  const token = parseToken(text)
  const member = data.get('members', token?.memberId ?? (/^\d{1,16}$/.test(text) ? Number(text) : 0))
  if (member && (!token || token.organizationId === member.organizationId)) return member
  const message = 'must be the token or the id of a member. GET /_sandbox/credentials lists both'
  throw invalidRequest([{ in: 'body', name: 'as', message }])
}
