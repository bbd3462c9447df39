import * as z from 'zod'

import { lazyObject } from '../core/lazy-schema.ts'
import { getOrCreate } from '../core/maps.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import { operations } from '../resources/index.ts'
import type { Scope } from '../resources/scopes.ts'
import type { Credentials } from '../sessions/credentials.ts'
import type { Session } from '../sessions/session.ts'

const ScopeCounts = lazyObject(() => ({ mine: z.int(), team: z.int(), all: z.int() }))

export const MemberVisibility = lazyObject(() => ({
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

export function countVisible({ organizations }: Credentials, { data, settings, clock }: Session): Visibility {
  const counted = new Map<string, number>()
  const items = organizations.flatMap(({ id: organizationId, members }) =>
    members.flatMap(({ id: memberId, name }) => {
      const caller = data.get('members', memberId)
      if (!caller) return []
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
      return [
        {
          organizationId,
          memberId,
          name,
          customers: countAll(listCustomers),
          signals: countAll(listSignals),
        },
      ]
    }),
  )
  return { items, totalCount: items.length }
}
