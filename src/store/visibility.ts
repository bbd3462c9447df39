import type { Data } from './session-data.ts'
import type { Row } from './tables.ts'

/** Which customers a list covers. Source: Signal list parameters, `scope`. */
export type Scope = 'all' | 'team' | 'mine'

/** Who belongs to the caller's team. Source: assumption A-12. */
export type Team = 'peers' | 'branch'

/**
 * The members whose roles make a customer visible in a scope; undefined where every customer is.
 * Order: by id. Source: Signal list parameters, `scope`; assumption A-12.
 */
export function membersInScope(
  scope: Scope,
  caller: Row<'members'>,
  data: Data,
  team: Team,
): readonly number[] | undefined {
  if (scope === 'all') return undefined
  const { id, managerId } = caller
  return data.derived(`members: ${nameOf(scope, caller, team)}`, ['members'], () => {
    if (scope === 'mine') return [id]
    const peers = under(managerId, caller, data)
    if (team === 'peers') return peers
    const branch = new Set([managerId, ...peers])
    // A set goes on with what is added while it is gone through.
    for (const member of branch) for (const below of under(member, caller, data)) branch.add(below)
    return [...branch].toSorted((a, b) => a - b)
  })
}

/** The ids of the members that a manager has. Order: ascending. */
function under(managerId: number, { organizationId }: Row<'members'>, data: Data): readonly number[] {
  const members = data.select('members', [
    ['organizationId', organizationId],
    ['managerId', managerId],
  ])
  return members.page(0, members.total).map((member) => member.id)
}

/** The customers that a scope covers; undefined where it covers every one of the organization. Source: as `membersInScope`. */
export function customersInScope(
  scope: Scope,
  caller: Row<'members'>,
  data: Data,
  team: Team,
): readonly number[] | undefined {
  const members = membersInScope(scope, caller, data, team)
  if (!members) return undefined
  return data.derived(`customers: ${nameOf(scope, caller, team)}`, ['members', 'customers'], () => {
    const customers = data.select('customers', [
      ['organizationId', caller.organizationId],
      ['memberId', members],
    ])
    return customers.page(0, customers.total).map((customer) => customer.id)
  })
}

/** What tells a caller's scope from every other one. */
function nameOf(scope: Scope, { id, organizationId, managerId }: Row<'members'>, team: Team): string {
  return scope === 'mine' ? `member ${id}` : `${team} under ${managerId} of ${organizationId}`
}
