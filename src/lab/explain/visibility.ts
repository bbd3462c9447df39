import * as z from 'zod'

import { lazyObject } from '../../core/lazy-schema.ts'
import { getOrCreate } from '../../core/maps.ts'
import { runInSlices, type Steps } from '../../core/slices.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import { operations } from '../../service/index.ts'
import type { Scope } from '../../service/scopes.ts'
import type { Credentials } from '../../sessions/credentials.ts'
import type { Session } from '../../sessions/session.ts'

const ScopeCounts = lazyObject(() => ({ mine: z.int(), team: z.int(), all: z.int() }))

const MemberVisibility = lazyObject(() => ({
  organizationId: z.string(),
  memberId: z.int(),
  name: z.string(),
  customers: ScopeCounts,
  signals: ScopeCounts,
}))
export type MemberVisibility = z.infer<typeof MemberVisibility>

/** How many records every member sees. Order: as in the credentials. */
export const Visibility = lazyObject(() => ({ items: z.array(MemberVisibility), totalCount: z.int() }))
export type Visibility = z.infer<typeof Visibility>

export const countVisible = ({ organizations }: Credentials, session: Session): Promise<Visibility> =>
  runInSlices(() => countForEach(organizations, session))

function* countForEach(
  organizations: Credentials['organizations'],
  { data, settings, clock }: Session,
): Steps<Visibility> {
  const counted = new Map<string, number>()
  const items: MemberVisibility[] = []
  for (const { id: organizationId, members } of organizations) {
    for (const { id: memberId, name } of members) {
      const caller = data.get('members', memberId)
      if (!caller) continue
      const base = { caller, data, settings, body: undefined, record: undefined, now: () => clock.now() }
      const count = ({ id, where, resource }: Endpoint, scope: Scope): number => {
        // The members of a team see the same.
        const viewer = { mine: memberId, team: `team ${caller.managerId}`, all: organizationId }[scope]
        const call = { ...base, path: { organizationId }, query: { scope } }
        const select = () => data.select(resource.table, where?.(call) ?? []).total
        return getOrCreate(counted, `${id} ${organizationId} ${viewer}`, select)
      }
      const countAll = (endpoint: Endpoint) => ({
        mine: count(endpoint, 'mine'),
        team: count(endpoint, 'team'),
        all: count(endpoint, 'all'),
      })
      const { listCustomers, listSignals } = operations
      const counts = { customers: countAll(listCustomers), signals: countAll(listSignals) }
      items.push({ organizationId, memberId, name, ...counts })
      yield
    }
  }
  return { items, totalCount: items.length }
}
