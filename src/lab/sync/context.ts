import type { Settings } from '../../contract/choices.ts'
import { invalidRequest, SandboxError } from '../../core/errors.ts'
import { lowerBound } from '../../core/lower-bound.ts'
import { getOrCreate } from '../../core/maps.ts'
import { parseToken } from '../../service/tokens.ts'
import type { Session } from '../../sessions/session.ts'
import { type Row, type TableName, nameRecord } from '../../store/tables.ts'
import { History } from './history.ts'
import { createRead, Lists, type Read } from './reads.ts'
import type { Reason } from './verdict.ts'
import { findWalks, type Pages } from './walks.ts'

export interface Context {
  readonly caller: Row<'members'>
  readonly settings: Settings
  readonly history: History
  readonly reads: readonly Read[]
  readonly walks: readonly Pages[]
  readonly lists: Lists
  readonly findShowing: (table: TableName, id: number) => readonly Read[]
  readonly since: number | undefined
}

export function createContexts(session: Session): (caller: Row<'members'>) => Context {
  const { requests, data, settings } = session
  const { deliveries } = requests
  const all = deliveries.list()
  // The data before a change that is forgotten, or before a snapshot was restored, cannot be rebuilt.
  const isRemembered = (at: number): boolean =>
    data.history.listBetween(all[at]?.seen.revision ?? data.revision, data.revision) !== undefined
  const remembered = all.slice(lowerBound(all.length, isRemembered))
  const isWhole = remembered.length === all.length && deliveries.firstKnown === 1
  const next = (all.at(-1)?.id ?? deliveries.firstKnown - 1) + 1
  const history = new History(
    session,
    remembered.map(({ seen }) => seen),
  )
  return (caller) => {
    const reads = remembered
      .filter(({ callerId }) => callerId === caller.id)
      .map((delivery) => createRead(delivery, history))
    const showing = new Map<string, Read[]>()
    for (const read of reads) {
      for (const id of read.rows?.keys() ?? []) {
        getOrCreate(showing, `${read.table} ${id}`, () => []).push(read)
      }
    }
    return {
      caller,
      settings,
      history,
      reads,
      walks: findWalks(reads),
      lists: new Lists(caller),
      findShowing: (table, id) => showing.get(`${table} ${id}`) ?? [],
      since: isWhole ? undefined : (remembered[0]?.id ?? next),
    }
  }
}

/** Finds a member by a token or an id; by default the only caller of a session, or the first member if there is none. */
export function findSyncCaller(session: Session, as: string | number | undefined): Row<'members'> {
  const { data } = session
  if (as !== undefined) return findMember(session, as)
  const callers = [...new Set(session.requests.deliveries.list().map(({ callerId }) => callerId))]
  if (callers.length > 1) {
    const message = `is required, because several members have sent requests: ${callers.join(', ')}`
    throw invalidRequest([{ in: 'body', name: 'as', message }])
  }
  const [only] = callers
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

export interface Finding {
  readonly reason: Reason
  readonly requests: readonly number[]
  readonly text: string
}

export const createFinding = (reason: Reason, reads: readonly Read[], text: string): Finding => ({
  reason,
  requests: reads.map(({ id }) => id),
  text,
})

const MAX_NAMES = 3

export function nameRows(table: TableName, ids: readonly number[]): string {
  const names = ids.slice(0, MAX_NAMES).map((id) => nameRecord(table, id))
  const rest = ids.length - names.length
  if (rest > 0) return `${names.join(', ')} and ${rest} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
