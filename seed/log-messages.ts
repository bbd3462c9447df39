import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../src/store/tables.ts'
import type { Reader } from '../src/store/texts.ts'
import { type ActionKind, partKind, type TriggerKind } from './automation-plans.ts'
import { getLogCustomer } from './ids.ts'
import { RecordKey } from './record-key.ts'
import { shortName } from './stages.ts'

type Log = Row<'triggerLogs'> | Row<'actionLogs'>

/** The figures and names of one message. */
interface LogFacts {
  /** The customer that it is about, or the number of customers. */
  readonly customer: string
  readonly count: number
  readonly percent: number
  readonly days: number
  readonly ms: number
  readonly automation: string
}

type Told = (facts: LogFacts) => string

interface Messages {
  readonly info: readonly Told[]
  readonly failed: readonly Told[]
}

const triggerMessages: Readonly<Record<TriggerKind, Messages>> = {
  usageDrop: {
    info: [
      (f) => `${f.customer}: use fell ${f.percent}% in 14 days, above the threshold of 10%`,
      (f) => `${f.customer}: no sign-in for ${f.days} days`,
    ],
    failed: [(f) => `${f.customer}: usage data of the last ${f.days} days is missing, cannot compare`],
  },
  nightly: {
    info: [
      (f) => `Nightly run: ${f.count} renewals within 120 days, finished in ${f.ms} ms`,
      () => 'Nightly run: nothing due',
      (f) => `Nightly run: ${f.count} renewals checked, ${Math.min(f.count, 2)} need a task`,
    ],
    failed: [
      (f) => `Nightly run stopped after ${f.ms} ms: calendar service did not answer`,
      () => 'Nightly run skipped: the previous run had not finished',
    ],
  },
  customerCreated: {
    info: [(f) => `${f.customer} was added`, (f) => `${f.customer} was added from the CRM, welcome starts`],
    failed: [(f) => `${f.customer} was added without a domain, welcome cannot start`],
  },
  severeSignal: {
    info: [
      (f) => `${f.customer}: a signal of severity 5 was raised`,
      (f) => `${f.customer}: severity went from 3 to 4`,
    ],
    failed: [(f) => `${f.customer}: no lead is on duty, nobody to route to`],
  },
  survey: {
    info: [(f) => `${f.customer} answered the survey: ${f.days % 11} of 10`.replace('0 of 10', '1 of 10')],
    failed: [(f) => `${f.customer}: survey answer came from an unknown address`],
  },
  quarterEnd: {
    info: [(f) => `${f.customer}: review due in ${f.days} days`],
    failed: [(f) => `${f.customer}: nobody owns the customer, review not planned`],
  },
  parent: {
    info: [
      (f) => `${f.customer}: started by the automation above`,
      (f) => `${f.customer}: condition met on day ${f.days}`,
    ],
    failed: [(f) => `${f.customer}: condition could not be read`],
  },
}

const actionMessages: Readonly<Record<ActionKind, Messages>> = {
  raiseSignal: {
    info: [(f) => `${f.customer}: signal raised, ${f.percent}% below the usual`],
    failed: [(f) => `${f.customer}: signal not raised, the same one is open already`],
  },
  createTask: {
    info: [
      (f) => `${f.customer}: task created, due in ${f.days} days`,
      (f) => `${f.customer}: task exists already, due date moved by ${f.days} days`,
    ],
    failed: [(f) => `${f.customer}: task not created, the owner has left`],
  },
  sendMail: {
    info: [
      (f) => `${f.customer}: mail sent to the owner`,
      (f) => `${f.customer}: mail sent, opened within ${f.days} hours`,
    ],
    failed: [(f) => `${f.customer}: mail came back, mailbox full`],
  },
  postMessage: {
    info: [(f) => `${f.customer}: message posted to #customer-success in ${f.ms} ms`],
    failed: [() => 'Message not posted: channel #customer-success is archived'],
  },
  assignRole: {
    info: [(f) => `${f.customer}: role assigned by region`],
    failed: [(f) => `${f.customer}: no member for this region, role left open`],
  },
  syncCrm: {
    info: [(f) => `${f.count} customers compared, ${f.percent % 7} changed`],
    failed: [(f) => `CRM answered 503 after ${f.ms} ms, will try again`],
  },
}

const anyMessages: Messages = {
  info: [
    (f) => `${f.automation}: done in ${f.ms} ms`,
    (f) => `${f.automation}: nothing to do for ${f.customer}`,
  ],
  failed: [(f) => `${f.automation}: stopped after ${f.ms} ms, will try again`],
}

/** Generates the message of a trigger or an action about the customer that it ran for. */
export function generateLogMessage(log: Log, data: Reader, seed: number): string {
  const automation = data.get('automations', log.automationId)
  const isTrigger = 'triggerId' in log
  const key = new RecordKey(seed, isTrigger ? 'triggerLogs' : 'actionLogs', log.id)
  const messages = automation ? findMessages(log, automation) : undefined
  const facts = generateFacts(log, automation?.name ?? 'Automation', data, key.faker('facts'))
  return key.faker('message').helpers.arrayElement((messages ?? anyMessages)[log.status])(facts)
}

function findMessages(log: Log, automation: Row<'automations'>): Messages | undefined {
  if ('triggerId' in log) {
    const kind = partKind(automation, 'triggers', log.triggerId)
    return kind && triggerMessages[kind]
  }
  const kind = partKind(automation, 'actions', log.actionId)
  return kind && actionMessages[kind]
}

function generateFacts(log: Log, automation: string, data: Reader, faker: SimpleFaker): LogFacts {
  const customer = data.get('customers', getLogCustomer(log.id) ?? 0)
  const isOwn = customer?.organizationId === log.organizationId
  const count = faker.number.int({ min: 2, max: 9 })
  return {
    customer: customer && isOwn ? shortName(customer.name) : `${count} customers`,
    count,
    percent: faker.number.int({ min: 11, max: 68 }),
    days: faker.number.int({ min: 2, max: 28 }),
    ms: faker.number.int({ min: 38, max: 4200 }),
    automation,
  }
}
