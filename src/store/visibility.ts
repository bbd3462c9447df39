import type { Data } from './session-data.ts'
import type { Row } from './tables.ts'

/** Which customers a list covers. Source: Signal list parameters, `scope`. */
export type Scope = 'all' | 'team' | 'mine'

/**
 * The members whose roles make a customer visible in a scope; undefined where every customer is.
 * Order: by id. Source: Signal list parameters, `scope`; assumption A-12 (the caller belongs to the team).
 */
export function membersInScope(
  scope: Scope,
  caller: Row<'members'>,
  data: Data,
): readonly number[] | undefined {
  if (scope === 'all') return undefined
  const { id, organizationId, managerId } = caller
  return data.derived(`members: ${nameOf(scope, caller)}`, ['members'], () => {
    if (scope === 'mine') return [id]
    const team = data.select('members', [
      ['organizationId', organizationId],
      ['managerId', managerId],
    ])
    return team.page(0, team.total).map((member) => member.id)
  })
}

/** The customers that a scope covers; undefined where it covers every one of the organization. Source: as `membersInScope`. */
export function customersInScope(
  scope: Scope,
  caller: Row<'members'>,
  data: Data,
): readonly number[] | undefined {
  const members = membersInScope(scope, caller, data)
  if (!members) return undefined
  return data.derived(`customers: ${nameOf(scope, caller)}`, ['members', 'customers'], () => {
    const customers = data.select('customers', [
      ['organizationId', caller.organizationId],
      ['memberId', members],
    ])
    return customers.page(0, customers.total).map((customer) => customer.id)
  })
}

/** What tells a caller's scope from every other one. */
const nameOf = (scope: Scope, { id, organizationId, managerId }: Row<'members'>): string =>
  scope === 'mine' ? `member ${id}` : `team ${managerId} of ${organizationId}`
