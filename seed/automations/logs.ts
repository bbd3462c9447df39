import { invalidField } from '../../src/core/errors.ts'
import type { Row } from '../../src/store/tables.ts'
import { chooseWorkingTime } from '../calendar/calendar.ts'
import { DAY, MINUTE, formatInstant } from '../calendar/time.ts'
import { listChildIds } from '../dataset/generated-ids.ts'
import {
  computeId,
  getLogCustomer,
  getLogOrdinal,
  getNightlyLogPosition,
  getPosition,
  getSlot,
} from '../dataset/ids.ts'
import type { Tenant } from '../dataset/tenant.ts'
import { home } from '../people/offices.ts'
import { RecordKey } from '../random/record-key.ts'
import {
  findAutomationPlan,
  findNightlyHour,
  generateNightlyRun,
  nightlyPosition,
  welcomePosition,
} from './automations.ts'
import { listOccasions, type Occasion } from './occasions.ts'

type Automation = Row<'automations'>
type Part = 'triggers' | 'actions'

type TriggerLog = Row<'triggerLogs'>
type ActionLog = Row<'actionLogs'>

export function generateTriggerLog(id: number, fields: Partial<TriggerLog>, tenant: Tenant): TriggerLog {
  const { partId, ...log } = generateLog(
    id,
    { part: 'triggers', partId: fields.triggerId, ...fields },
    tenant,
  )
  return { ...log, triggerId: partId }
}

export function generateActionLog(id: number, fields: Partial<ActionLog>, tenant: Tenant): ActionLog {
  const { partId, ...log } = generateLog(id, { part: 'actions', partId: fields.actionId, ...fields }, tenant)
  return { ...log, actionId: partId }
}

interface LogFields {
  readonly organizationId?: string
  readonly automationId?: number
  readonly part: Part
  readonly partId: number | undefined
}

type Log = Omit<TriggerLog, 'triggerId' | 'message'> & { readonly partId: number }

function generateLog(id: number, fields: LogFields, tenant: Tenant): Log {
  const key = new RecordKey(tenant.seed, fields.part, id)
  const occasions = listAttempts(id, fields.part, tenant)
  const automation = findAutomation(id, fields, occasions, tenant)
  const position = getPosition('definitions', automation.id)
  const occasion = occasions.find((candidate) => candidate.position === position)
  const part = choosePart(automation, fields, occasion, getLogCustomer(id))
  const isNightly = position === nightlyPosition && getNightlyLogPosition(id) !== undefined
  const trigger = isNightly ? findNightlyTrigger(id, fields.part, tenant) : occasion
  const event = scheduleRun(fields.part, trigger, key, tenant.nowMs)
  return {
    id,
    organizationId: automation.organizationId,
    automationId: automation.id,
    status: event.hasFailed ? 'failed' : 'info',
    createdDate: formatInstant(event.timeMs),
    partId: part.id,
  }
}

/** Caches the occasions of the latest customer of a tenant, who usually has the next log as well. */
const latest = new WeakMap<Tenant, { readonly customer: Row<'customers'>; readonly occasions: Occasion[] }>()

function readOccasions(customer: Row<'customers'>, tenant: Tenant): readonly Occasion[] {
  const cached = latest.get(tenant)
  if (cached?.customer === customer) return cached.occasions
  const occasions = listOccasions({ customer, ...tenant })
  latest.set(tenant, { customer, occasions })
  return occasions
}

const countActions = ({ position }: Occasion): number => findAutomationPlan(position)?.actions.length ?? 1

type Attempt = ReturnType<typeof listAttempts>[number]

const RETRY = { triggers: 2 * MINUTE, actions: 25_000 } as const

/**
 * Lists the occasions for a log, its own first: each log of a customer has another. If there are fewer occasions than
 * logs, the first attempts have failed, or the automation has another action.
 */
function listAttempts(id: number, part: Part, tenant: Tenant) {
  const customer = tenant.data.get('customers', getLogCustomer(id) ?? 0)
  if (!customer) return []
  const all = readOccasions(customer, tenant)
  const acting = all.filter((occasion) => countActions(occasion) > 0)
  const ordered = [...acting, ...all.filter((occasion) => countActions(occasion) === 0)]
  const occasions = part === 'actions' ? acting : ordered
  const logs = listChildIds('triggerLogs', customer, tenant.seed).length
  const countRetries = (place: number, { length }: readonly Occasion[]): number =>
    Math.max(0, Math.floor((logs - 1 - place) / length))
  const slot = getSlot(id) - 1
  const attempts = occasions.map((occasion, place) => {
    const before = Math.floor(slot / occasions.length)
    const triggerRetries = part === 'actions' ? countRetries(place, ordered) : before
    const isAgain = part === 'triggers' || countActions(occasion) === 1
    return {
      before,
      hasFailed: isAgain && before < countRetries(place, occasions),
      ...occasion,
      timeMs:
        occasion.timeMs + triggerRetries * RETRY.triggers + (part === 'actions' ? before * RETRY.actions : 0),
    }
  })
  const first = slot % Math.max(1, attempts.length)
  return [...attempts.slice(first), ...attempts.slice(0, first)]
}

/** Finds the given automation, or the one with the given part, or else the one of the first occasion or of the night. */
function findAutomation(
  id: number,
  fields: LogFields,
  [occasion]: readonly Occasion[],
  tenant: Tenant,
): Automation {
  const { data } = tenant
  if (fields.automationId !== undefined) {
    const automation = data.get('automations', fields.automationId)
    if (!automation) throw createError(`${fields.automationId} matches no automation`)
    return automation
  }
  const ordinal = getLogOrdinal(id)
  if (fields.partId === undefined && fields.organizationId === undefined) {
    const isNightly = getNightlyLogPosition(id) !== undefined
    const position = occasion?.position ?? (isNightly ? nightlyPosition : welcomePosition)
    const usual = data.get('automations', computeId('definitions', ordinal, position))
    if (usual && usual[fields.part].length > 0) return usual
  }
  const block = computeId('definitions', ordinal, 1)
  const organization = tenant.findOrganization('definitions', block, fields.organizationId)
  const automations = data.list('automations', organization.id).filter((row) => row[fields.part].length > 0)
  const owner = automations.find((row) => row[fields.part].some((part) => part.id === fields.partId))
  const automation = owner ?? automations[0]
  if (!automation) throw createError(`is required, because there is no automation with ${fields.part}`)
  return automation
}

const createError = (message: string) => invalidField('automationId', message)

function choosePart(
  automation: Automation,
  { part, partId }: LogFields,
  occasion: Attempt | undefined,
  customerId = 0,
): { readonly id: number } {
  const parts = automation[part]
  const [first] = parts
  if (!first) throw createError(`automation ${automation.id} has no ${part}`)
  const wantedPart = parts.find(({ id }) => id === partId)
  if (wantedPart || !occasion) return wantedPart ?? first
  if (part === 'triggers') return parts[occasion.trigger ?? 0] ?? first
  return parts[(customerId + occasion.before) % parts.length] ?? first
}

type Run = Pick<Attempt, 'timeMs' | 'hasFailed'>

const ACTION_FAILURES = 0.05

/** The time from a trigger to its action. Units: milliseconds. */
const DELAY = { min: 5000, max: 30_000 }

/** Finds when the trigger of a night begins, or for its action when it ends. */
function findNightlyTrigger(id: number, part: Part, { seed, nowMs }: Tenant): Run {
  const { delayMs, durationMs, hasFailed } = generateNightlyRun(id, seed)
  const startMs = findNightlyHour(getNightlyLogPosition(id) ?? 1, nowMs) + delayMs
  return { timeMs: part === 'actions' ? startMs + durationMs : startMs, hasFailed }
}

function scheduleRun(part: Part, trigger: Run | undefined, key: RecordKey, nowMs: number): Run {
  const faker = key.faker('run')
  if (!trigger) {
    const period = { fromMs: nowMs - 300 * DAY, toMs: nowMs, workplace: home }
    return { timeMs: chooseWorkingTime(faker, period), hasFailed: faker.datatype.boolean(ACTION_FAILURES) }
  }
  if (part === 'triggers') return trigger
  return {
    timeMs: trigger.timeMs + faker.number.int(DELAY),
    hasFailed: trigger.hasFailed || faker.datatype.boolean(ACTION_FAILURES),
  }
}
