import type { Row } from '../../src/store/tables.ts'
import { previousWorkingTime } from '../calendar/calendar.ts'
import { DAY, HOUR, formatInstant, startOfDay } from '../calendar/time.ts'
import { computeId, computePartId, getPosition } from '../dataset/ids.ts'
import type { Tenant } from '../dataset/tenant.ts'
import { home } from '../people/offices.ts'
import { RecordKey } from '../random/record-key.ts'
import plans from '../texts/automations.json' with { type: 'json' }

type Automation = Row<'automations'>
type AutomationPlan = (typeof plans)[number]

export const automationPlans: readonly AutomationPlan[] = plans

export const nightlyPosition = 2

export const welcomePosition = 3

/** The hour (in UTC) of the nightly run, which is between midnight and two o'clock at home. */
export const NIGHT_HOUR = 5

export const reminder = { position: 11, delayMs: 7 * DAY }

export const countdowns = [
  { position: 21, days: 120 },
  { position: 22, days: 60 },
]

const plansByPosition = new Map(automationPlans.map((plan) => [plan.position, plan] as const))

export const findAutomationPlan = (position: number): AutomationPlan | undefined =>
  plansByPosition.get(position)

export function findPartKind(
  automation: { readonly id: number; readonly name: string },
  part: 'triggers' | 'actions',
  partId: number,
): string | undefined {
  const plan = findAutomationPlan(getPosition('definitions', automation.id))
  if (plan?.name !== automation.name || Math.floor(partId / 10) !== automation.id) return undefined
  return plan[part][(partId % 10) - 1]
}

export function generateNightlyRun(logId: number, seed: number) {
  const faker = new RecordKey(seed, 'nights', logId).faker('run')
  return {
    /** The time from the start of the hour to the start of the run. */
    delayMs: faker.number.int({ min: 1000, max: 90_000 }),
    durationMs: faker.number.int({ min: 380, max: 4200 }),
    hasFailed: faker.datatype.boolean(0.05),
  }
}

/** Finds the start of the hour of a nightly run; place 1 is the latest. Units: milliseconds since 1970. */
export const findNightlyHour = (place: number, nowMs: number): number =>
  startOfDay(nowMs - (NIGHT_HOUR + 1) * HOUR) + NIGHT_HOUR * HOUR - (place - 1) * DAY

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
