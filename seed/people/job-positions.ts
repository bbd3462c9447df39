import type { Row } from '../../src/store/tables.ts'
import { DIVISION } from '../dataset/ids.ts'

export const customerRoles = ['csm', 'accountManager', 'executiveSponsor', 'implementationLead'] as const

export type CustomerRole = (typeof customerRoles)[number] | 'none'

export const findCustomerRole = (key: string): CustomerRole | undefined =>
  customerRoles.find((role) => role === key)

export function detectCustomerRole(member: Pick<Row<'members'>, 'title'>): CustomerRole {
  const { title } = member
  if (/Analyst|Operations|Assistant/.test(title)) return 'none'
  if (/Implementation/.test(title)) return 'implementationLead'
  if (/Lead|Head|VP|Director|Chief/.test(title)) return 'executiveSponsor'
  return /Account/.test(title) ? 'accountManager' : 'csm'
}

export interface JobPosition {
  readonly title: string
  readonly manager: number
}

const csm = (manager: number): JobPosition => ({ title: 'Customer Success Manager', manager })
const accountManager = (manager: number): JobPosition => ({ title: 'Account Manager', manager })
const specialist = (manager: number): JobPosition => ({ title: 'Implementation Specialist', manager })
const successLead = (manager: number): JobPosition => ({ title: 'Customer Success Team Lead', manager })
const accountLead = (manager: number): JobPosition => ({ title: 'Account Management Team Lead', manager })

const departments = {
  headNumber: 6,
  positions: [
    csm(4),
    csm(4),
    accountManager(5),
    successLead(6),
    accountLead(6),
    { title: 'VP Customer Success', manager: 6 },
    { title: 'Revenue Operations Analyst', manager: 6 },
    { title: 'Implementation Lead', manager: 6 },
    csm(4),
    accountManager(5),
    specialist(8),
    csm(4),
    accountManager(5),
    successLead(6),
    csm(14),
    specialist(8),
    csm(14),
    accountManager(5),
    csm(4),
    accountLead(6),
  ],
  /** The positions that follow, again and again. */
  growth: [accountManager(20), csm(14), specialist(8), csm(4), accountManager(5), csm(14)],
}

const oneHead = {
  headNumber: 2,
  positions: [csm(2), { title: 'Head of Customer Success', manager: 2 }, accountLead(2), successLead(2)],
  growth: [accountManager(3), csm(4), specialist(2), csm(4), accountManager(3)],
}

const team = (count: number, position: JobPosition): JobPosition[] =>
  Array.from({ length: count }, () => position)

/** Each division after the first. Managers are counted in the division; 0 is the head of the organization. */
const division: readonly JobPosition[] = [
  { title: 'Director of Customer Success', manager: 0 },
  successLead(1),
  ...team(9, csm(2)),
  accountLead(1),
  ...team(7, accountManager(12)),
  { title: 'Implementation Lead', manager: 1 },
  ...team(4, specialist(20)),
  successLead(1),
  ...team(9, csm(25)),
  accountLead(1),
  ...team(8, accountManager(35)),
  ...team(4, specialist(20)),
  successLead(1),
  ...team(12, csm(48)),
]

/** Finds the position of a member by its number in the organization. Errors: RangeError for a number below 1. */
export function findJobPosition(ordinal: number, number: number): JobPosition {
  const { positions, growth, headNumber } = ordinal === 0 ? departments : oneHead
  const index = (number - 1) % DIVISION
  const later = number > DIVISION ? division[index] : undefined
  if (later)
    return { ...later, manager: later.manager === 0 ? headNumber : number - index - 1 + later.manager }
  const position = positions[number - 1] ?? growth[(number - positions.length - 1) % growth.length]
  if (!position)
    throw new RangeError(`Cannot find the position of member ${number}: members are counted from 1.`)
  return position
}
