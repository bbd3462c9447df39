import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../src/store/tables.ts'
import type { Reader } from '../src/store/texts.ts'
import { countdowns, NIGHT_HOUR, reminder } from './automation-plans.ts'
import { chooseWorkingTime, previousWorkingTime } from './calendar.ts'
import { computeStart } from './contracts.ts'
import { listChildIds } from './generated-ids.ts'
import { findPeriod, rewindCustomer } from './history.ts'
import { findSurveyScore, readOwnRows } from './own-rows.ts'
import { RecordKey } from './record-key.ts'
import { DAY, HOUR, MINUTE, parseTime } from './time.ts'
import { home } from './workplaces.ts'

/** Something that happened to a customer and started an automation. */
export interface Occasion {
  /** The position of the automation. */
  readonly position: number
  /** The number of its trigger, counted from 0. */
  readonly trigger: number
  /** Units: milliseconds since 1970. */
  readonly timeMs: number
  /** Set if the automation could not run. */
  readonly hasFailed: boolean
}

type Event = Omit<Occasion, 'hasFailed'>

/** The customer whose occasions are listed, and what is known about it. */
export interface Witness {
  readonly customer: Row<'customers'>
  readonly data: Reader
  readonly seed: number
  readonly nowMs: number
}

/**
 * Lists what happened to a customer in the last 18 months and started an automation: to its signals and contracts, by
 * surveys, and at the end of quarters. Order: the customer's own, one of each automation first.
 */
export function listOccasions(witness: Witness): Occasion[] {
  const { customer, seed, nowMs } = witness
  const { fromMs } = findPeriod(customer, nowMs, seed)
  const events = [
    ...listSignalEvents(witness),
    ...listContractEvents(witness),
    ...listArrivals(witness),
    ...listReviews(witness),
    ...listSurveys(witness),
  ]
  const key = new RecordKey(seed, 'occasions', customer.id)
  const fails = key.faker('fails')
  const occasions = events
    .filter(({ timeMs }) => timeMs >= fromMs && timeMs < nowMs - HOUR / 4)
    .map((event) => ({ ...event, hasFailed: fails.datatype.boolean(0.07) }))
  return dealByAutomation(occasions, key.faker('order'))
}

/** Shuffles occasions so that one of each automation comes first. */
function dealByAutomation(occasions: readonly Occasion[], faker: SimpleFaker): Occasion[] {
  const firsts = new Map<number, Occasion>()
  for (const occasion of faker.helpers.shuffle(occasions)) firsts.set(occasion.position, occasion)
  const others = occasions.filter((occasion) => firsts.get(occasion.position) !== occasion)
  return [...faker.helpers.shuffle([...firsts.values()]), ...faker.helpers.shuffle(others)]
}

/** Reads the rows of a customer that were generated before its logs. */
function readGenerated<T extends 'signals' | 'meetings' | 'notes'>(table: T, witness: Witness): Row<T>[] {
  const generated = new Set(listChildIds(table, witness.customer, witness.seed))
  return readOwnRows(table, witness.customer, witness.data).filter(({ id }) => generated.has(id))
}

function listSignalEvents(witness: Witness): Event[] {
  return readGenerated('signals', witness).flatMap((signal): Event[] => {
    const createdMs = parseTime(signal.createdDate)
    const raisedMs = signal.raisedDate === null ? Infinity : parseTime(signal.raisedDate)
    const closedMs = signal.closedDate === null ? Infinity : parseTime(signal.closedDate)
    const isRisk = signal.type.name === 'Risk'
    const isDrop = isRisk && signal.source === 'usage'
    const isSurvey = signal.source === 'survey'
    const events = [
      { applies: isDrop, position: 1, trigger: 0, timeMs: createdMs - 5000 },
      { applies: isDrop, position: 12, trigger: 0, timeMs: createdMs + MINUTE },
      {
        applies: isDrop && closedMs > createdMs + reminder.delayMs,
        position: reminder.position,
        trigger: 0,
        timeMs: createdMs + reminder.delayMs,
      },
      { applies: isSurvey, position: 5, trigger: 0, timeMs: createdMs },
      { applies: isSurvey && isRisk, position: 4, trigger: 1, timeMs: createdMs },
      { applies: signal.severity >= 4, position: 4, trigger: 0, timeMs: raisedMs },
      { applies: signal.severity === 5, position: 41, trigger: 0, timeMs: raisedMs + MINUTE },
    ]
    return events.flatMap(({ applies, ...event }) => (applies ? [event] : []))
  })
}

const YEAR = 365 * DAY

function listContractEvents({ customer, seed, nowMs }: Witness): Event[] {
  const renewals = customer.products.flatMap((entry) => {
    const startMs = computeStart(customer.id, entry, seed)
    const years = Math.round((parseTime(entry.renewalDate) - startMs) / YEAR)
    return Array.from({ length: years }, (_, year) => startMs + (year + 1) * YEAR)
  })
  return [...new Set(renewals)]
    .filter((renewalMs) => renewalMs < nowMs + YEAR)
    .flatMap((renewalMs) =>
      countdowns.map(({ position, days }) => ({
        position,
        trigger: 0,
        timeMs: renewalMs - days * DAY + NIGHT_HOUR * HOUR + MINUTE,
      })),
    )
}

/** Lists the welcome of a new customer and the checks that follow. A prospect arrives before anything happens with it. */
function listArrivals(witness: Witness): Event[] {
  const { customer, seed, nowMs } = witness
  const faker = new RecordKey(seed, 'occasions', customer.id).faker('arrival')
  const arrive = (timeMs: number): Event => ({
    position: 3,
    trigger: 0,
    timeMs: previousWorkingTime(timeMs, home) + faker.number.int({ min: 0, max: MINUTE }),
  })
  if (customer.products.length === 0) {
    const rows = [
      ...readGenerated('signals', witness),
      ...readGenerated('meetings', witness),
      ...readGenerated('notes', witness),
    ]
    const firstMs = Math.min(nowMs, ...rows.map(({ createdDate }) => parseTime(createdDate)))
    return [arrive(firstMs - faker.number.int({ min: DAY, max: 20 * DAY }))]
  }
  const startMs = Math.min(...customer.products.map((entry) => computeStart(customer.id, entry, seed)))
  return [
    arrive(startMs + faker.number.int({ min: 14 * HOUR, max: 21 * HOUR })),
    { position: 31, trigger: 0, timeMs: previousWorkingTime(startMs + 6 * DAY, home) },
    { position: 32, trigger: 0, timeMs: previousWorkingTime(startMs + 60 * DAY, home) },
  ]
}

/** The quarters in the period of the history. */
const QUARTERS = 6

/** Lists the starts of review preparations, three weeks before the quarters end. */
function listReviews({ customer, seed, nowMs }: Witness): Event[] {
  const now = new Date(nowMs)
  const quarter = Math.floor(now.getUTCMonth() / 3)
  const ends = Array.from({ length: QUARTERS }, (_, index) =>
    Date.UTC(now.getUTCFullYear(), (quarter + 1 - index) * 3, 1),
  )
  return ends
    .map((endMs) => previousWorkingTime(endMs - 21 * DAY + 15 * HOUR, home))
    .filter((timeMs) => isUser(rewindCustomer(customer, timeMs, seed)))
    .map((timeMs) => ({ position: 6, trigger: 0, timeMs }))
}

const isUser = ({ products }: Row<'customers'>): boolean =>
  products.some(({ status }) => status !== 'churned')

/** The score from which somebody counts as a promoter. */
const PROMOTER = 9

/** Lists the answer to the last survey, if the customer has a score. */
function listSurveys({ customer, seed, nowMs }: Witness): Event[] {
  const score = findSurveyScore(customer)
  if (score === undefined) return []
  const { fromMs, toMs } = findPeriod(customer, nowMs, seed)
  const timeMs = chooseWorkingTime(new RecordKey(seed, 'occasions', customer.id).faker('survey'), {
    fromMs: Math.max(fromMs, toMs - YEAR),
    toMs,
    nowMs,
    workplace: customer,
  })
  const answered: Event = { position: 5, trigger: 0, timeMs }
  return score >= PROMOTER ? [answered, { position: 51, trigger: 0, timeMs: timeMs + MINUTE }] : [answered]
}
