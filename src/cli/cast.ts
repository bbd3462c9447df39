import type { Sandbox } from '../sandbox.ts'

/** A member to act as, and what for. */
export interface Role {
  readonly name: string
  /** The job title. */
  readonly role: string
  readonly isFor: string
  readonly token: string
}

/** A few members that differ in what they see. Order: the default caller first. */
export function cast({ credentials, dataset }: Sandbox): readonly Role[] {
  const { rows } = dataset
  const [own, other] = credentials.organizations
  const caller = own?.members[0]
  if (!own || !caller) return []
  const managerId = rows.members.find(({ id }) => id === caller.id)?.managerId
  const withCustomers = new Set(
    rows.customers.flatMap(({ memberRoles }) => memberRoles.flatMap(({ memberIds }) => memberIds)),
  )
  const others = own.members.filter(({ id }) => id !== caller.id)
  const manager = others.find(({ id }) => id === managerId)
  const withoutCustomers = others.find(({ id }) => id !== managerId && !withCustomers.has(id))
  const stranger = other?.members[0]
  return [
    { ...caller, isFor: 'the default caller' },
    ...(manager ? [{ ...manager, isFor: 'their manager' }] : []),
    ...(withoutCustomers ? [{ ...withoutCustomers, isFor: 'has no customer' }] : []),
    ...(stranger ? [{ ...stranger, isFor: `another organization, ${other?.name}` }] : []),
  ]
}
