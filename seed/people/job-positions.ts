import type { Row } from '../../src/store/tables.ts'
import { DIVISION } from '../dataset/ids.ts'
import texts from '../texts/positions.json' with { type: 'json' }

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

/**
 * Returns the positions of an organization: the first ones, those that follow again and again, and those that are filled
 * later, whose managers exist in a dataset of any size.
 */
export const getPositions = (ordinal: number) => (ordinal === 0 ? texts.first : texts.other)

/** Each division after the first. Managers are counted in the division; 0 is the head of the organization. */
const division = texts.division.flatMap(({ count, ...position }) =>
  Array.from({ length: count }, () => position),
)

/** Finds the position of a member by its number in the organization. Errors: RangeError for a number below 1. */
export function findJobPosition(ordinal: number, number: number) {
  const { positions, growth, head } = getPositions(ordinal)
  const index = (number - 1) % DIVISION
  const later = number > DIVISION ? division[index] : undefined
  if (later) return { ...later, manager: later.manager === 0 ? head : number - index - 1 + later.manager }
  const position = positions[number - 1] ?? growth[(number - positions.length - 1) % growth.length]
  if (!position)
    throw new RangeError(`Cannot find the position of member ${number}: members are counted from 1.`)
  return position
}
