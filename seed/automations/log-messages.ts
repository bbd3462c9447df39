import type { Row } from '../../src/store/tables.ts'
import type { Reader } from '../../src/store/texts.ts'
import { DAY, MINUTE } from '../calendar/time.ts'
import { rewindCustomer } from '../customers/history.ts'
import { removeLegalForm } from '../customers/stages.ts'
import { findDefinition, listCustomerRows, readNumber } from '../dataset/customer-rows.ts'
import { getLogCustomer, getNightlyLogPosition, getPosition } from '../dataset/ids.ts'
import { RecordKey } from '../random/record-key.ts'
import { formatDay, formatName, formatQuarter } from '../texts/format.ts'
import texts from '../texts/logs.json' with { type: 'json' }
import { canFill, fillTemplate, listSlots, type Slot } from '../texts/templates.ts'
import { countdowns, findPartKind, generateNightlyRun, reminder } from './automations.ts'

type Log = Row<'triggerLogs'> | Row<'actionLogs'>

type Messages = Readonly<Record<string, Readonly<Record<Log['status'], readonly string[]>>>>

export function generateLogMessage(log: Log, data: Reader, seed: number): string {
  const automation = data.get('automations', log.automationId)
  const key = new RecordKey(seed, 'triggerId' in log ? 'triggers' : 'actions', log.id)
  const customer = data.get('customers', getLogCustomer(log.id) ?? 0)
  const isOwn = customer?.organizationId === log.organizationId
  const facts: LogFacts = {
    automation: automation?.name ?? 'Automation',
    ms: findDuration(log, key, seed),
    quarter: formatQuarter(Date.parse(log.createdDate)),
    due: formatDay(Date.parse(log.createdDate) + key.faker('due').number.int({ min: 3, max: 21 }) * DAY),
    ...(customer && isOwn ? readCustomerFacts(log, customer, data, seed) : {}),
  }
  return chooseMessage(findMessages(log, automation, seed), facts, key)
}

/** Chooses a message without undefined facts, preferably one that says much about the customer. */
function chooseMessage(messages: readonly string[], facts: LogFacts, key: RecordKey): string {
  const possible = messages.filter((message) => canFill(message, facts))
  const named = possible.filter((message) => message.includes('{{customer}}'))
  const detailed = named.filter((message) => listSlots(message).length > 1)
  const choices = [detailed, named, possible, texts.other.info].find((list) => list.length > 0) ?? []
  return fillTemplate(key.faker('message').helpers.arrayElement(choices), facts)
}

function findMessages(log: Log, automation: Row<'automations'> | undefined, seed: number): readonly string[] {
  if (!automation) return texts.other[log.status]
  const [part, partId] =
    'triggerId' in log ? (['triggers', log.triggerId] as const) : (['actions', log.actionId] as const)
  const isAfterTrigger = part === 'actions' && log.status === 'failed' && isNightly(log)
  if (isAfterTrigger && generateNightlyRun(log.id, seed).hasFailed) return texts.afterFailure
  const messages: Messages = texts[part]
  return (messages[findPartKind(automation, part, partId) ?? ''] ?? texts.other)[log.status]
}

const isNightly = (log: Log): boolean => getNightlyLogPosition(log.id) !== undefined

function findDuration(log: Log, key: RecordKey, seed: number): number {
  if (isNightly(log) && 'triggerId' in log) return generateNightlyRun(log.id, seed).durationMs
  return key.faker('duration').number.int({ min: 38, max: 2400 })
}

/** The slots of a message; messages that need an undefined one are not used. */
type LogFacts = Readonly<Partial<Record<Slot<'logs'>, string | number | undefined>>>

function readCustomerFacts(log: Log, customer: Row<'customers'>, data: Reader, seed: number): LogFacts {
  const owner = data.get('members', customer.memberRoles.flatMap(({ memberIds }) => memberIds)[0] ?? 0)
  const signal = findSignal(log, customer, data)
  return {
    customer: removeLegalForm(customer.name),
    city: customer.city,
    region: customer.region,
    owner: owner && formatName(owner),
    ...(signal
      ? {
          signal: signal.id,
          severity: signal.severity,
          category: signal.category.name,
          product: data.get('products', signal.productId)?.name,
        }
      : { score: readNumber(customer, 'npsScore'), ...readContractFacts(log, customer, data, seed) }),
  }
}

/** The longest time from a signal to the logs of its automations. */
const REACTION = 3 * MINUTE

function findSignal(log: Log, customer: Row<'customers'>, data: Reader): Row<'signals'> | undefined {
  const isReminder = getPosition('definitions', log.automationId) === reminder.position
  const timeMs = Date.parse(log.createdDate) - (isReminder ? reminder.delayMs : 0)
  return listCustomerRows('signals', customer, data).find(({ createdDate, raisedDate }) =>
    [createdDate, raisedDate ?? createdDate].some((date) => Math.abs(Date.parse(date) - timeMs) < REACTION),
  )
}

function readContractFacts(log: Log, customer: Row<'customers'>, data: Reader, seed: number): LogFacts {
  const timeMs = Date.parse(log.createdDate)
  const { products } = rewindCustomer(customer, timeMs, seed)
  const countdown = countdowns.find(
    ({ position }) => position === getPosition('definitions', log.automationId),
  )
  if (!countdown)
    return products.length === 1
      ? { product: findDefinition('products', products[0]?.key ?? '', customer, data)?.name }
      : {}
  const entry = products.find(
    ({ renewalDate }) => Math.abs(Date.parse(renewalDate) - timeMs - countdown.days * DAY) < 2 * DAY,
  )
  if (!entry) return {}
  return {
    product: findDefinition('products', entry.key, customer, data)?.name,
    renewal: formatDay(Date.parse(entry.renewalDate)),
    days: countdown.days,
  }
}
