import type { Row } from '../../src/store/tables.ts'
import { DAY, HOUR, parseTime } from '../calendar/time.ts'
import { computeStart } from '../customers/contracts.ts'
import { drawAt, hashRecord } from '../random/random.ts'
import { RENEWAL_HOUR } from './contracts.ts'
import { type CustomerTimeline, resumeCustomerTimeline } from './customer-timeline.ts'
import type { Appointment } from './events.ts'
import { listHandovers } from './handovers.ts'
import { listMeetingCourse } from './meetings.ts'
import { findNextRefresh } from './metrics.ts'
import { findNextEvent } from './next-event.ts'
import { listCourse } from './signals.ts'
import type { World } from './world.ts'

/** Begins the timeline of a customer at a time: with what is already under way. */
export function beginCustomer(
  world: World,
  customer: Row<'customers'>,
  nowMs: number,
  plans: readonly Appointment[] = [],
): CustomerTimeline {
  const { id } = customer
  const hash = hashRecord(world.seed, 'lives', id)
  const draw = (place: number) => drawAt(hash, place)
  const agenda: Appointment[] = [
    ...plans,
    { atMs: findNextEvent(hash, nowMs), event: 'planNextEvent' },
    { atMs: findNextRefresh(hash, nowMs), event: 'refreshMetrics' },
    ...listHandovers(world, customer, nowMs),
  ]
  for (const entry of customer.products) {
    if (entry.status === 'churned') continue
    const atMs = Math.max(parseTime(entry.renewalDate) + RENEWAL_HOUR * HOUR, nowMs + HOUR)
    agenda.push({ atMs, event: 'renewContracts' })
    if (entry.status !== 'onboarding') continue
    const launchMs = computeStart(id, entry, world.seed) + (60 + draw(1) * 50) * DAY
    const atLaunchMs = Math.floor(Math.max(launchMs, nowMs + (1 + draw(2) * 30) * DAY))
    agenda.push({ atMs: atLaunchMs, event: 'goLive', product: entry.key })
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
  const whole = agenda.map((event) => ({ ...event, atMs: Math.floor(event.atMs) }))
  const sorted = whole.toSorted((a, b) => a.atMs - b.atMs)
  return resumeCustomerTimeline(world, { id, customer, children: {}, agenda: sorted, spawnedCount: 0 })
}
