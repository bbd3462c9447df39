import type { Data, DerivedCache } from '../store/session-data.ts'
import type { Row } from '../store/tables.ts'

/** The customers that a list covers. Source: Signal list parameters, `scope`. */
export type Scope = 'all' | 'team' | 'mine'

/** The definition of the caller's team. Source: assumption A-12. */
export type Team = 'peers' | 'branch'

const membersInScope: DerivedCache<readonly number[]> = new WeakMap()
const customersInScope: DerivedCache<readonly number[]> = new WeakMap()

/**
 * Finds the members whose roles make a customer visible in a scope; undefined for `all`.
 * Order: by id. Source: Signal list parameters, `scope`; assumption A-12.
 */
export function findMembersInScope(
  scope: Scope,
  caller: Row<'members'>,
  data: Data,
  team: Team,
): readonly number[] | undefined {
  if (scope === 'all') return undefined
  const { id, managerId } = caller
  return data.derive(membersInScope, toScopeKey(scope, caller, team), ['members'], () => {
    if (scope === 'mine') return [id]
    const peers = findReports(managerId, caller, data)
    if (team === 'peers') return peers
    const branch = new Set([managerId, ...peers])
    // The iteration includes members that are added meanwhile.
    for (const member of branch) for (const below of findReports(member, caller, data)) branch.add(below)
    return [...branch].toSorted((a, b) => a - b)
  })
}

/** Returns the ids of a manager's direct reports. Order: ascending. */
function findReports(managerId: number, { organizationId }: Row<'members'>, data: Data): readonly number[] {
  const members = data.select('members', [
    ['organizationId', organizationId],
    ['managerId', managerId],
  ])
  return members.page().map((member) => member.id)
}

/** Finds the customers in a scope; undefined for `all`. Source: as `findMembersInScope`. */
export function findCustomersInScope(
  scope: Scope,
  caller: Row<'members'>,
  data: Data,
  team: Team,
): readonly number[] | undefined {
  const members = findMembersInScope(scope, caller, data, team)
  if (!members) return undefined
  return data.derive(customersInScope, toScopeKey(scope, caller, team), ['members', 'customers'], () => {
    const customers = data.select('customers', [
      ['organizationId', caller.organizationId],
      ['memberId', members],
    ])
    return customers.page().map((customer) => customer.id)
  })
}

function toScopeKey(scope: Scope, { id, organizationId, managerId }: Row<'members'>, team: Team): string {
  return scope === 'mine' ? `member ${id}` : `${team} under ${managerId} of ${organizationId}`
}
