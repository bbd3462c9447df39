import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { countCustomersBefore, getPosition } from '../dataset/ids.ts'
import { canMeet, countSharedHours, findWorkplace } from './offices.ts'

type Member = Row<'members'>

/** The half hours of a customer's working day that a member nearby shares. */
const MANY = 12

/** The number of customers for which a new member takes on more of them than the others. */
const RAMP_UP = 75

const lists = new WeakMap<readonly Member[], Map<string, readonly Member[]>>()

/** Lists the members who share enough of the working day of a time zone. */
export function listNearby(members: readonly Member[], timezone: string): readonly Member[] {
  let byTimezone = lists.get(members)
  if (!byTimezone) lists.set(members, (byTimezone = new Map()))
  const cached = byTimezone.get(timezone)
  if (cached) return cached
  const nearby = members.filter((member) => canMeet(member, timezone))
  byTimezone.set(timezone, nearby)
  return nearby
}

/**
 * Chooses a member to look after the customer at a position: if possible one who works in similar hours, mostly nearby.
 * Members who came with the latest customers take on more of them, so that all have about as many.
 */
export function chooseHolder(
  members: readonly Member[],
  { timezone, position }: { readonly timezone: string; readonly position: number },
  faker: SimpleFaker,
): Member | undefined {
  const nearby = listNearby(members, timezone)
  const options = (nearby.length > 0 ? nearby : members).map((member) => {
    const shared = countSharedHours(findWorkplace(member), timezone)
    const before = countCustomersBefore(getPosition('members', member.id))
    const isNew = before > 0 && position >= before && position < before + RAMP_UP
    return { weight: (shared >= MANY ? 6 : 1) * (isNew ? 5 : 1), value: member }
  })
  return options.length > 0 ? faker.helpers.weightedArrayElement(options) : undefined
}
