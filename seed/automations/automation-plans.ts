import { DAY } from '../calendar/time.ts'
import { getPosition } from '../dataset/ids.ts'
import plans from '../texts/automations.json' with { type: 'json' }

export interface AutomationPlan {
  /** The position among the organization's automations; a child's starts with its parent's. */
  readonly position: number
  readonly name: string
  readonly triggers: readonly string[]
  readonly actions: readonly string[]
  readonly deactivatedDays?: number
}

export const automationPlans: readonly AutomationPlan[] = plans

export const nightlyPosition = 2

export const welcomePosition = 3

/** The hour (in UTC) of the nightly run, which is between midnight and two o'clock at home. */
export const NIGHT_HOUR = 5

export const reminder = { position: 11, delayMs: 7 * DAY }

export const countdowns: readonly { readonly position: number; readonly days: number }[] = [
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
