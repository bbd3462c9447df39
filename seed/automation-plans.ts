/** Events that start an automation. */
export type TriggerKind =
  | 'usageDrop'
  | 'nightly'
  | 'customerCreated'
  | 'severeSignal'
  | 'survey'
  | 'quarterEnd'
  | 'parent'

/** Actions of an automation. */
export type ActionKind = 'raiseSignal' | 'createTask' | 'sendMail' | 'postMessage' | 'assignRole' | 'syncCrm'

/** An automation that every organization has. */
export interface AutomationPlan {
  /** The position among the organization's automations; a child's starts with its parent's. */
  readonly position: number
  readonly name: string
  readonly triggers: readonly TriggerKind[]
  readonly actions: readonly ActionKind[]
  /** Days since it was switched off. */
  readonly deactivatedDays?: number
}

/** The automations of every organization, parents before their children. */
export const automationPlans: readonly AutomationPlan[] = [
  { position: 1, name: 'Usage drop watch', triggers: ['usageDrop'], actions: ['raiseSignal', 'postMessage'] },
  { position: 11, name: 'Remind the owner after a week', triggers: ['parent'], actions: ['sendMail'] },
  { position: 12, name: 'Tell the account manager', triggers: ['parent'], actions: ['postMessage'] },
  { position: 2, name: 'Renewal countdown', triggers: ['nightly'], actions: ['createTask', 'sendMail'] },
  { position: 21, name: '120 days before the renewal', triggers: ['parent'], actions: ['createTask'] },
  {
    position: 22,
    name: '60 days before the renewal',
    triggers: ['parent'],
    actions: ['createTask', 'sendMail'],
  },
  {
    position: 23,
    name: '30 days before the renewal',
    triggers: [],
    actions: ['postMessage'],
    deactivatedDays: 75,
  },
  {
    position: 3,
    name: 'New customer welcome',
    triggers: ['customerCreated'],
    actions: ['assignRole', 'sendMail'],
  },
  { position: 31, name: 'Kickoff reminder', triggers: ['parent'], actions: ['sendMail'] },
  { position: 32, name: 'Go-live check', triggers: ['parent', 'nightly'], actions: [] },
  { position: 4, name: 'Escalation routing', triggers: ['severeSignal', 'survey'], actions: ['postMessage'] },
  { position: 41, name: 'Page the lead on duty', triggers: ['parent'], actions: ['sendMail', 'postMessage'] },
  { position: 5, name: 'Survey follow-up', triggers: ['survey'], actions: ['createTask'] },
  { position: 51, name: 'Ask promoters for a reference', triggers: ['parent'], actions: ['sendMail'] },
  {
    position: 52,
    name: 'Call detractors',
    triggers: ['parent'],
    actions: ['createTask'],
    deactivatedDays: 31,
  },
  {
    position: 6,
    name: 'Quarterly review preparation',
    triggers: ['quarterEnd'],
    actions: ['createTask', 'sendMail'],
  },
  { position: 7, name: 'CRM sync', triggers: ['nightly'], actions: ['syncCrm'], deactivatedDays: 142 },
  {
    position: 8,
    name: 'Expansion hints (trial)',
    triggers: ['usageDrop'],
    actions: ['raiseSignal'],
    deactivatedDays: 260,
  },
]

/** The position of the automation whose trigger and action write a log every night. */
export const nightlyPosition = 2

/** The positions of the automations that write logs when something happens to a customer. */
export const eventPositions: readonly number[] = automationPlans
  .filter(
    ({ deactivatedDays, triggers, actions }) =>
      deactivatedDays === undefined && triggers.length * actions.length > 0,
  )
  .map(({ position }) => position)
  .filter((position) => position !== nightlyPosition)

const plansByPosition = new Map(automationPlans.map((plan) => [plan.position, plan] as const))

/** Finds the automation at a position; undefined if the catalog has none. */
export const findAutomationPlan = (position: number): AutomationPlan | undefined =>
  plansByPosition.get(position)

/** Finds the kind of a trigger or action; undefined if it is not the one in the catalog. */
export function partKind<K extends 'triggers' | 'actions'>(
  automation: { readonly id: number; readonly name: string },
  part: K,
  computePartId: number,
): AutomationPlan[K][number] | undefined {
  const plan = findAutomationPlan(((automation.id - 1) % 100) + 1)
  if (plan?.name !== automation.name || Math.floor(computePartId / 10) !== automation.id) return undefined
  return plan[part][(computePartId % 10) - 1]
}
