import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../src/store/tables.ts'
import { mostlySmall } from './fakers.ts'
import type { RecordKey } from './record-key.ts'
import { DAY, HOUR, instant, parseTime } from './time.ts'

type Signal = Row<'signals'>

/** The progress of a signal, with its dates. */
export type Course = Pick<
  Signal,
  'status' | 'isDraft' | 'createdDate' | 'raisedDate' | 'closedDate' | 'updatedDate'
> & {
  /** Units: milliseconds since 1970. */
  readonly createdMs: number
}

/** Generates the progress of a signal around its given fields. Order: created, raised, closed, updated, now. */
export function generateCourse(given: Partial<Signal>, key: RecordKey, nowMs: number): Course {
  const faker = key.faker('course')
  const ageMs = key.faker('age').number.float({ min: HOUR / 2, max: 400 * DAY, distributor: mostlySmall })
  const isDraft = given.isDraft ?? (canBeDraft(given) && key.faker('draft').datatype.boolean(0.07))
  const status = given.status ?? (isDraft ? 'open' : chooseStatus(given, ageMs, key.faker('status')))
  const ends = [given.raisedDate, given.closedDate, given.updatedDate].map((text) =>
    text ? parseTime(text) : nowMs,
  )
  const [raisedEnd = nowMs, closedEnd = nowMs, updatedEnd = nowMs] = ends
  const createdMs = given.createdDate
    ? parseTime(given.createdDate)
    : Math.floor(Math.min(nowMs - ageMs, raisedEnd - DAY / 2, closedEnd - 3 * DAY, updatedEnd - 3 * DAY))
  const raisedMs = given.raisedDate
    ? parseTime(given.raisedDate)
    : after(
        createdMs,
        Math.min(closedEnd, updatedEnd),
        faker.number.float({ min: 0, max: 3 * DAY, distributor: mostlySmall }),
      )
  const beganMs = isDraft ? createdMs : raisedMs
  const isOver = status === 'closed' || status === 'dismissed'
  const closedMs = given.closedDate
    ? parseTime(given.closedDate)
    : after(beganMs, updatedEnd, faker.number.float({ min: DAY, max: 70 * DAY, distributor: mostlySmall }))
  const lastMs = isOver ? closedMs : beganMs
  return {
    status,
    isDraft,
    createdMs,
    createdDate: instant(createdMs),
    raisedDate: isDraft ? null : instant(raisedMs),
    closedDate: isOver ? instant(closedMs) : null,
    updatedDate: instant(
      after(
        lastMs,
        nowMs,
        faker.number.float({ min: 0, max: isOver ? 5 * DAY : 45 * DAY, distributor: mostlySmall }),
      ),
    ),
  }
}

/** Checks that no field is given that a draft cannot have. */
function canBeDraft({ status = 'open', raisedDate, closedDate }: Partial<Signal>): boolean {
  return status === 'open' && !raisedDate && !closedDate
}

function chooseStatus(given: Partial<Signal>, ageMs: number, faker: SimpleFaker): Signal['status'] {
  if (given.dismissalReason) return 'dismissed'
  if (given.closedDate || given.outcome) return 'closed'
  const young = [
    { weight: 60, value: 'open' },
    { weight: 30, value: 'inProgress' },
    { weight: 5, value: 'closed' },
    { weight: 5, value: 'dismissed' },
  ] as const
  const grown = [
    { weight: 25, value: 'open' },
    { weight: 25, value: 'inProgress' },
    { weight: 36, value: 'closed' },
    { weight: 14, value: 'dismissed' },
  ] as const
  const old = [
    { weight: 6, value: 'open' },
    { weight: 9, value: 'inProgress' },
    { weight: 65, value: 'closed' },
    { weight: 20, value: 'dismissed' },
  ] as const
  if (ageMs < 20 * DAY) return faker.helpers.weightedArrayElement(young)
  return faker.helpers.weightedArrayElement(ageMs < 100 * DAY ? grown : old)
}

/** Returns a time after another one, and before the end if possible. Units: milliseconds since 1970. */
function after(fromMs: number, endMs: number, distanceMs: number): number {
  return Math.floor(fromMs + Math.min(distanceMs, Math.max(0, endMs - fromMs) * 0.7))
}
