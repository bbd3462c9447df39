import type { Row } from '../src/store/tables.ts'
import { automationPlanAt } from './automation-plans.ts'
import { idAt, partId, positionOf } from './ids.ts'
import { recordKey } from './random.ts'
import type { Tenant } from './tenant.ts'
import { DAY, instant } from './time.ts'

type Automation = Row<'automations'>

/** Draws an automation; one that the catalogue does not know has a trigger and an action of its own. */
export function draftAutomation(id: number, given: Partial<Automation>, tenant: Tenant): Automation {
  const organization = tenant.organizationFor('definitions', id, given.organizationId)
  const position = positionOf('definitions', id)
  const plan = automationPlanAt(position)
  const random = recordKey(tenant.seed, 'automations', id).for('deactivated')
  const offMs = tenant.nowMs - (plan?.deactivatedDays ?? 0) * DAY - random.int(0, DAY)
  const parentId = idAt('definitions', organization.ordinal, Math.floor(position / 10))
  return {
    id,
    organizationId: organization.id,
    name: plan?.name ?? `Automation ${id}`,
    deactivatedDate: plan?.deactivatedDays === undefined ? null : instant(offMs),
    parentId: plan && position > 10 ? parentId : null,
    triggers: partsOf(id, plan?.triggers.length ?? 1),
    actions: partsOf(id, plan?.actions.length ?? 1),
  }
}

function partsOf(id: number, count: number): { id: number }[] {
  return Array.from({ length: count }, (_, index) => ({ id: partId(id, index + 1) }))
}
