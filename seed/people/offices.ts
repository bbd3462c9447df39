import { getOrCreate } from '../../src/core/maps.ts'
import { fromLocalTime, toLocalTime, type Workplace } from '../calendar/calendar.ts'
import { HOUR, MINUTE, startOfDay } from '../calendar/time.ts'
import { DIVISION, getOrdinal, getPosition, isFutureId } from '../dataset/ids.ts'
import { detectCustomerRole, findJobPosition, type CustomerRole } from './job-positions.ts'

const boston = { country: 'United States', timezone: 'America/New_York' }
const london = { country: 'United Kingdom', timezone: 'Europe/London' }
const sydney = { country: 'Australia', timezone: 'Australia/Sydney' }

export const home: Workplace = boston

/** The offices of the members of a role, by their turn, again and again: about as many as there are customers nearby. */
const officesByRole: Readonly<Record<CustomerRole, readonly Workplace[]>> = {
  csm: [london, london, boston, sydney, boston, london],
  accountManager: [london, boston, sydney],
  implementationLead: [london, boston, sydney],
  executiveSponsor: [london, london, boston],
  none: [boston],
}

const officesById = new Map<number, Workplace>()

export const findWorkplace = ({ id }: { readonly id: number }): Workplace =>
  getOrCreate(officesById, id, chooseOffice)

function chooseOffice(id: number): Workplace {
  const ordinal = isFutureId(id) ? 0 : getOrdinal('members', id)
  const number = isFutureId(id) ? 1 : getPosition('members', id)
  const role = detectCustomerRole(findJobPosition(ordinal, number))
  const offices = officesByRole[role]
  const first = number - ((number - 1) % DIVISION)
  let turn = isFutureId(id) ? hashFutureId(id) : ordinal * 3
  for (let other = first; other < number; other += 1) {
    if (detectCustomerRole(findJobPosition(ordinal, other)) === role) turn += 1
  }
  return offices[turn % offices.length] ?? home
}

const hashFutureId = (id: number): number => Math.floor(id / 1_000_000_000) % 997

const EARLIEST = 7 * HOUR
const LATEST = 20 * HOUR

export function isInReach(startMs: number, endMs: number, office: Workplace): boolean {
  return isInHours(toLocalTime(startMs, office.timezone), endMs - startMs)
}

function isInHours(localMs: number, durationMs: number): boolean {
  const ofDay = localMs - startOfDay(localMs)
  return ofDay >= EARLIEST && ofDay + durationMs <= LATEST
}

/** The half hours of a customer's working day that a member nearby, or one who can meet it, shares: of 17. */
const MANY = 12
const FEW = 6

type Nearness = 'near' | 'reachable' | 'away'

export const canMeet = (member: { readonly id: number }, timezone: string): boolean =>
  measureReach(timezone).get(findWorkplace(member)) !== 'away'

const reachByZone = new Map<string, ReadonlyMap<Workplace, Nearness>>()

/** Measures how near each office is to a time zone. */
export const measureReach = (timezone: string): ReadonlyMap<Workplace, Nearness> =>
  getOrCreate(reachByZone, timezone, () => {
    const offices = [boston, london, sydney]
    return new Map(offices.map((office) => [office, measureNearness(office, timezone)]))
  })

/** A winter's and a summer's day, since clocks change on different days. Units: milliseconds since 1970. */
const DAYS = [Date.UTC(2026, 0, 14), Date.UTC(2026, 6, 15)]

function measureNearness(office: Workplace, timezone: string): Nearness {
  const counts = DAYS.map((day) => {
    const openingMs = toLocalTime(fromLocalTime(day + 9 * HOUR, timezone), office.timezone)
    const starts = Array.from({ length: 17 }, (_, index) => openingMs + index * 30 * MINUTE)
    return starts.filter((startMs) => isInHours(startMs, 30 * MINUTE)).length
  })
  const shared = Math.min(...counts)
  return shared >= MANY ? 'near' : shared >= FEW ? 'reachable' : 'away'
}
