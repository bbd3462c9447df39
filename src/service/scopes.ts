import * as z from 'zod'

import type { Settings } from '../contract/choices.ts'
import { documented } from '../contract/provenance.ts'
import type { Data, DerivedCache } from '../store/session-data.ts'
import type { Row } from '../store/tables.ts'

const ScopeInput = documented(z.enum(['all', 'team', 'mine']), 'Signal list parameters', 'A-12').meta({
  id: 'ScopeInput',
})

/** Declares the parameter that narrows a list to some members' customers. Source: Signal list parameters, `scope`. */
export const scopeParameter = (source: string): z.ZodDefault<typeof ScopeInput> =>
  documented(ScopeInput.default('all'), source, 'A-12').describe(
    'all: every visible customer; team: those where members under a shared manager with the caller hold a role; mine: those where the caller holds a role',
  )

/** The customers that a list covers. Source: Signal list parameters, `scope`. */
export type Scope = z.infer<typeof ScopeInput>

const membersInScope: DerivedCache<readonly number[]> = new WeakMap()
const customersInScope: DerivedCache<readonly number[]> = new WeakMap()

/** Finds records by the scope of a list; undefined for `all`. Order: by id. Source: Signal list parameters, `scope`. */
type FindInScope = (
  scope: Scope,
  caller: Row<'members'>,
  data: Data,
  team: Settings['team'],
) => readonly number[] | undefined

/** Finds the members whose roles make a customer visible in a scope. Source: assumption A-12. */
export const findMembersInScope: FindInScope = (scope, caller, data, team) => {
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

/** Finds the customers in a scope. */
export const findCustomersInScope: FindInScope = (scope, caller, data, team) => {
  if (scope === 'all') return undefined
  return data.derive(customersInScope, toScopeKey(scope, caller, team), ['members', 'customers'], () => {
    const customers = data.select('customers', [
      ['organizationId', caller.organizationId],
      ['memberId', findMembersInScope(scope, caller, data, team)],
    ])
    return customers.page().map((customer) => customer.id)
  })
}

function toScopeKey(
  scope: Scope,
  { id, organizationId, managerId }: Row<'members'>,
  team: Settings['team'],
): string {
  return scope === 'mine' ? `member ${id}` : `${team} under ${managerId} of ${organizationId}`
}
