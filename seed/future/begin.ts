import type { Row } from '../../src/store/tables.ts'
import { NIGHT_HOUR } from '../automation-plans.ts'
import { computeStart } from '../contracts.ts'
import { drawAt, hashRecord } from '../random.ts'
import { DAY, HOUR, parseTime, startOfDay } from '../time.ts'
import { goLive, renewContracts, RENEWAL_HOUR } from './contracts.ts'
import { listHandovers } from './handovers.ts'
import { type Appointment, createLife, type Life, type LifeDraft } from './life.ts'
import { listMeetingCourse } from './meetings.ts'
import { refreshMetrics } from './metrics.ts'
import { pulse, nextPulse } from './pulse.ts'
import { listCourse } from './signals.ts'
import type { World } from './world.ts'

/** Begins the life of a customer at a time: with what is already under way. */
export function beginLife(
  world: World,
  customer: Row<'customers'>,
  nowMs: number,
  plans: readonly Appointment[] = [],
): Life {
  const { id } = customer
  const hash = hashRecord(world.seed, 'lives', id)
  const draw = (place: number) => drawAt(hash, place)
  const agenda: Appointment[] = [
    ...plans,
    { atMs: nextPulse(draw, nowMs), happen: pulse },
    { atMs: nextRefresh(draw, nowMs), happen: refresh },
    ...listHandovers(world, customer, nowMs),
  ]
  for (const entry of customer.products) {
    if (entry.status === 'churned') continue
    const atMs = Math.max(parseTime(entry.renewalDate) + RENEWAL_HOUR * HOUR, nowMs + HOUR)
    agenda.push({ atMs, happen: renewContracts })
    if (entry.status !== 'onboarding') continue
    const launchMs = computeStart(id, entry, world.seed) + (60 + draw(1) * 50) * DAY
    const atLaunchMs = Math.floor(Math.max(launchMs, nowMs + (1 + draw(2) * 30) * DAY))
    agenda.push({ atMs: atLaunchMs, happen: (life) => goLive(life, entry.key) })
  }
  const { source } = world
  for (const signal of source.rowsOf('signals', id)) {
    const isOver = signal.status === 'closed' || signal.status === 'dismissed'
    if (!isOver && !world.isStill('signals', signal.id)) agenda.push(...listCourse(signal, nowMs, draw))
  }
  for (const meeting of source.rowsOf('meetings', id)) {
    const isToCome = parseTime(meeting.endDate) > nowMs
    if (isToCome && !world.isStill('meetings', meeting.id)) agenda.push(...listMeetingCourse(meeting))
  }
  return createLife(world, customer, agenda)
}

/** The days in which every customer is measured once. */
const CYCLE = 14

/** The instant of the nightly refresh, which all customers of a night share. */
const REFRESH = NIGHT_HOUR * HOUR + HOUR / 2

/** Finds the next night in which the use of a customer is measured. Units: milliseconds since 1970. */
function nextRefresh(draw: (place: number) => number, afterMs: number): number {
  for (let cycle = Math.floor(startOfDay(afterMs) / DAY / CYCLE); ; cycle += 1) {
    const day = cycle * CYCLE + Math.floor(draw(-cycle) * CYCLE)
    const atMs = day * DAY + REFRESH
    if (atMs > afterMs) return atMs
  }
}

function refresh(life: LifeDraft): void {
  const draw = (place: number) => drawAt(life.hash, place)
  life.plan(nextRefresh(draw, life.nowMs), refresh)
  if (life.customer && life.customer.products.length > 0) refreshMetrics(life)
}
