import * as z from 'zod'

import { createQuerySchema } from '../contract/query.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { getOrCreate } from '../core/maps.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import { operations } from '../resources/index.ts'
import type { Scope } from '../resources/scopes.ts'
import type { Credentials } from '../sessions/credentials.ts'
import type { Session } from '../sessions/session.ts'
import type { Row } from '../store/tables.ts'

const ScopeCounts = lazyObject(() => ({ mine: z.int(), team: z.int(), all: z.int() }))
type ScopeCounts = z.infer<typeof ScopeCounts>

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

export function countVisible({ organizations }: Credentials, session: Session): Visibility {
  const customers = createCounter(operations.listCustomers, session)
  const signals = createCounter(operations.listSignals, session)
  const items = organizations.flatMap(({ id: organizationId, members }) =>
    members.flatMap(({ id: memberId, name }) => {
      const caller = session.data.get('members', memberId)
      return caller
        ? [{ organizationId, memberId, name, customers: customers(caller), signals: signals(caller) }]
        : []
    }),
  )
  return { items, totalCount: items.length }
}

function createCounter(endpoint: Endpoint, session: Session): (caller: Row<'members'>) => ScopeCounts {
  const { contract, clock, data } = session
  const operation = contract.bind(endpoint)
  const schema = createQuerySchema(operation.query)
  const counts = new Map<string, number>()
  const count = (scope: Scope, caller: Row<'members'>): number => {
    const path = { organizationId: caller.organizationId }
    const query = schema.parse({ scope: [scope] })
    const context = { body: undefined, record: undefined, data, settings: contract.settings }
    const result = endpoint.handle({ ...context, path, query, caller, now: () => clock.now() })
    return 'total' in result ? result.total : 0
  }
  return (caller) => {
    const { managerId, organizationId } = caller
    const team = `team ${managerId} of ${organizationId}`
    return {
      mine: count('mine', caller),
      team: getOrCreate(counts, team, () => count('team', caller)),
      all: getOrCreate(counts, organizationId, () => count('all', caller)),
    }
  }
}
