import { DAY } from '../calendar/time.ts'
import { getPosition } from '../dataset/ids.ts'
import plans from '../texts/automations.json' with { type: 'json' }

export interface AutomationPlan {
  /** The position among the organization's automations; a child's starts with its parent's. */
  readonly position: number
  readonly name: string
  /** The kinds of its triggers, as in the texts of logs. */
  readonly triggers: readonly string[]
  /** The kinds of its actions, as in the texts of logs. */
  readonly actions: readonly string[]
  /** Days since it was switched off. */
  readonly deactivatedDays?: number
}

/** The automations of every organization, parents before their children. */
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

/** Finds the automation at a position; undefined if the catalog has none. */
export const findAutomationPlan = (position: number): AutomationPlan | undefined =>
  plansByPosition.get(position)

/** Finds the kind of a trigger or action; undefined if it is not one of the catalog. */
export function findPartKind(
  automation: { readonly id: number; readonly name: string },
  part: 'triggers' | 'actions',
  partId: number,
): string | undefined {
  const plan = findAutomationPlan(getPosition('definitions', automation.id))
  if (plan?.name !== automation.name || Math.floor(partId / 10) !== automation.id) return undefined
  return plan[part][(partId % 10) - 1]
}
