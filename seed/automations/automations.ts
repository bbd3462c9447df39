import type { Row } from '../../src/store/tables.ts'
import { previousWorkingTime } from '../calendar/calendar.ts'
import { DAY, formatInstant } from '../calendar/time.ts'
import { computeId, computePartId, getPosition } from '../dataset/ids.ts'
import type { Tenant } from '../dataset/tenant.ts'
import { home } from '../people/offices.ts'
import { RecordKey } from '../random/record-key.ts'
import { findAutomationPlan } from './automation-plans.ts'

type Automation = Row<'automations'>

export function generateAutomation(id: number, fields: Partial<Automation>, tenant: Tenant): Automation {
  const organization = tenant.findOrganization('definitions', id, fields.organizationId)
  const position = getPosition('definitions', id)
  const plan = findAutomationPlan(position)
  const faker = new RecordKey(tenant.seed, 'automations', id).faker('deactivated')
  const offMs = tenant.nowMs - (plan?.deactivatedDays ?? 0) * DAY - faker.number.int({ min: 0, max: DAY })
  const parentId = computeId('definitions', organization.ordinal, Math.floor(position / 10))
  return {
    id,
    organizationId: organization.id,
    name: plan?.name ?? `Automation ${id}`,
    deactivatedDate:
      plan?.deactivatedDays === undefined ? null : formatInstant(previousWorkingTime(offMs, home)),
    parentId: plan && position > 10 ? parentId : null,
    triggers: createParts(id, plan?.triggers.length ?? 1),
    actions: createParts(id, plan?.actions.length ?? 1),
  }
}

function createParts(id: number, count: number): { id: number }[] {
  return Array.from({ length: count }, (_, index) => ({ id: computePartId(id, index + 1) }))
}
