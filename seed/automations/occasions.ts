import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { chooseWorkingTime } from '../calendar/calendar.ts'
import { DAY, HOUR, MINUTE, YEAR } from '../calendar/time.ts'
import { computeFirstStart, computeStart } from '../customers/contracts.ts'
import { HISTORY, findPeriod, listRenewals, rewindCustomer } from '../customers/history.ts'
import { readNumber } from '../dataset/customer-rows.ts'
import { listEarlierRows } from '../dataset/generated-ids.ts'
import type { Tenant } from '../dataset/tenant.ts'
import { detectKind } from '../meetings/meeting-texts.ts'
import { home } from '../people/offices.ts'
import { RecordKey } from '../random/record-key.ts'
import { NIGHT_HOUR, countdowns, reminder, welcomePosition } from './automations.ts'

export interface Occasion {
  readonly position: number
  /** The number of its trigger, counted from 0. Default: 0. */
  readonly trigger?: number
  readonly timeMs: number
}

interface OccasionContext extends Pick<Tenant, 'data' | 'seed' | 'nowMs'> {
  readonly customer: Row<'customers'>
}

/**
 * Lists the events of the last 18 months that started an automation: of signals and contracts, surveys, and ends of
 * quarters. Order: random for each customer; signals first, then one of each automation.
 */
export function listOccasions(context: OccasionContext): Occasion[] {
  const { customer, seed, nowMs } = context
  const key = new RecordKey(seed, 'occasions', customer.id)
  const times = key.faker('times')
  const signalEvents = listEarlierRows('signals', customer, context).flatMap(listSignalRuns)
  const otherEvents = [
    ...listContractEvents(context),
    ...listReviews(context, times),
    ...listSurveys(context, times),
    ...listArrivals(context, times),
  ]
  const runs = key.faker('runs')
  const toOccasions = (events: readonly Occasion[]): Occasion[] =>
    events
      .filter(({ timeMs }) => timeMs >= nowMs - HISTORY && timeMs < nowMs - HOUR / 4)
      .map((event) => ({ ...event, timeMs: event.timeMs + runs.number.int({ min: 0, max: MINUTE / 2 }) }))
  const order = key.faker('order')
  return [
    ...order.helpers.shuffle(toOccasions(signalEvents)),
    ...orderByAutomation(toOccasions(otherEvents), order),
  ]
}

function orderByAutomation(occasions: readonly Occasion[], faker: SimpleFaker): Occasion[] {
  const shuffled = faker.helpers.shuffle(occasions)
  const firsts = new Map(shuffled.map((occasion) => [occasion.position, occasion] as const))
  return [...firsts.values(), ...shuffled.filter((occasion) => firsts.get(occasion.position) !== occasion)]
}

/** Lists the automations that a signal starts, in the dataset and later. */
export function listSignalRuns(signal: Row<'signals'>): Occasion[] {
  const createdMs = Date.parse(signal.createdDate)
  const raisedMs = signal.raisedDate === null ? Infinity : Date.parse(signal.raisedDate)
  const closedMs = signal.closedDate === null ? Infinity : Date.parse(signal.closedDate)
  const isRisk = signal.type.name === 'Risk'
  const isDrop = isRisk && signal.source === 'usage'
  const isSurvey = signal.source === 'survey'
  const isEscalated = signal.severity >= 4 && raisedMs < Infinity
  const runs = [
    { applies: isDrop, position: 1, timeMs: createdMs - MINUTE / 2 },
    { applies: isDrop, position: 12, timeMs: createdMs + MINUTE },
    {
      applies: isDrop && closedMs > createdMs + reminder.delayMs,
      position: reminder.position,
      timeMs: createdMs + reminder.delayMs,
    },
    { applies: isSurvey, position: 5, timeMs: createdMs },
    { applies: isSurvey && isRisk && !isEscalated, position: 4, trigger: 1, timeMs: createdMs },
    { applies: isEscalated, position: 4, timeMs: raisedMs },
    { applies: signal.severity === 5, position: 41, timeMs: raisedMs + MINUTE },
  ]
  return runs.flatMap(({ applies, ...run }) => (applies ? [run] : []))
}

function listContractEvents({ customer, seed, nowMs }: OccasionContext): Occasion[] {
  const renewals = customer.products.flatMap((entry) =>
    listRenewals(entry, computeStart(customer.id, entry, seed)),
  )
  return [...new Set(renewals)]
    .filter((renewalMs) => renewalMs < nowMs + YEAR)
    .flatMap((renewalMs) =>
      countdowns.map(({ position, days }) => ({
        position,
        timeMs: renewalMs - days * DAY + NIGHT_HOUR * HOUR + MINUTE,
      })),
    )
}

const chooseAround = (timeMs: number, days: number, faker: SimpleFaker): number =>
  chooseWorkingTime(faker, {
    fromMs: timeMs - days * DAY,
    toMs: timeMs + days * DAY,
    workplace: home,
  })

/** Lists the welcome of a new customer and the checks that follow. A prospect arrives before its first record. */
function listArrivals(context: OccasionContext, faker: SimpleFaker): Occasion[] {
  const { customer, seed, nowMs } = context
  if (customer.products.length === 0) {
    const tables = ['signals', 'meetings', 'notes'] as const
    const rows = tables.flatMap((table): { readonly createdDate: string }[] =>
      listEarlierRows(table, customer, context),
    )
    const firstMs = Math.min(nowMs, ...rows.map(({ createdDate }) => Date.parse(createdDate)))
    return [{ position: welcomePosition, timeMs: chooseAround(firstMs - 12 * DAY, 10, faker) }]
  }
  const startMs = computeFirstStart(customer, seed)
  const meetings = listEarlierRows('meetings', customer, context)
  const kickoffs = meetings.filter(({ topic }) => detectKind(topic) === 'kickoff')
  return [
    { position: welcomePosition, timeMs: chooseAround(startMs, 4, faker) },
    ...kickoffs.map(({ startDate }) => ({
      position: 31,
      timeMs: chooseAround(Date.parse(startDate) - 4 * DAY, 2, faker),
    })),
    { position: 32, timeMs: chooseAround(startMs + 60 * DAY, 5, faker) },
  ]
}

const HISTORY_QUARTERS = 6

function listReviews({ customer, seed, nowMs }: OccasionContext, faker: SimpleFaker): Occasion[] {
  const now = new Date(nowMs)
  const quarter = Math.floor(now.getUTCMonth() / 3) - faker.number.int({ min: 0, max: HISTORY_QUARTERS - 1 })
  const endMs = Date.UTC(now.getUTCFullYear(), (quarter + 1) * 3, 1)
  const timeMs = chooseAround(endMs - 21 * DAY, 4, faker)
  const { products } = rewindCustomer(customer, timeMs, seed)
  return products.some(({ status }) => status !== 'churned') ? [{ position: 6, timeMs }] : []
}

const MIN_PROMOTER_SCORE = 9

function listSurveys({ customer, seed, nowMs }: OccasionContext, faker: SimpleFaker): Occasion[] {
  const score = readNumber(customer, 'npsScore')
  if (score === undefined) return []
  const { fromMs, toMs } = findPeriod(customer, nowMs, seed)
  const timeMs = chooseWorkingTime(faker, {
    fromMs: Math.max(fromMs, toMs - YEAR),
    toMs,
    workplace: customer,
  })
  const answered: Occasion = { position: 5, timeMs }
  return score >= MIN_PROMOTER_SCORE ? [answered, { position: 51, timeMs: timeMs + MINUTE }] : [answered]
}
