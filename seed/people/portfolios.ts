import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { countCustomersBefore, getPosition } from '../dataset/ids.ts'
import { findWorkplace, measureReach } from './offices.ts'

type Member = Row<'members'>

const RAMP_UP = 75

export function listNearby(members: readonly Member[], timezone: string): readonly Member[] {
  const reach = measureReach(timezone)
  return members.filter((member) => reach.get(findWorkplace(member)) !== 'away')
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
  const reach = measureReach(timezone)
  const nearby = listNearby(members, timezone)
  const options = (nearby.length > 0 ? nearby : members).map((member) => {
    const isNear = reach.get(findWorkplace(member)) === 'near'
    const before = countCustomersBefore(getPosition('members', member.id))
    const isNew = before > 0 && position >= before && position < before + RAMP_UP
    return { weight: (isNear ? 6 : 1) * (isNew ? 5 : 1), value: member }
  })
  return options.length > 0 ? faker.helpers.weightedArrayElement(options) : undefined
}
