import { chooseWorkingTime } from '../calendar/calendar.ts'
import { DAY, MINUTE, formatInstant, startOfDay } from '../calendar/time.ts'
import { findPeriod } from '../customers/history.ts'
import { measureAttention } from '../customers/segments.ts'
import { getStage, type Stage } from '../customers/stages.ts'
import { home } from '../people/offices.ts'
import { drawAt, type RecordHash } from '../random/random.ts'
import { buyProduct } from './contracts.ts'
import type { CustomerEvent, CustomerTimeline } from './customer-timeline.ts'
import { planMeeting } from './meetings.ts'
import { addCustomer, duplicateCustomer, removeCustomer } from './new-customers.ts'
import { createSignal } from './signals.ts'
import { reassignRole, shiftUse, updateFacts, writeBrief, writeNote } from './updates.ts'

const EVENT_WINDOW_DAYS = 5

/** How often an event happens to customers of each stage. Units: per year. */
type Rates = Readonly<Partial<Record<Stage, number>>> & { readonly usual: number }

interface EventChoice {
  readonly happen: CustomerEvent['happen']
  readonly rates: Rates
  readonly followsAttention?: true
}

/** The events to choose from, about as frequent as in the months before the dataset's time. */
const choices: readonly EventChoice[] = [
  {
    happen: createSignal,
    followsAttention: true,
    rates: { usual: 3.9, atRisk: 4.8, onboarding: 3, prospect: 1.5, churned: 0.8 },
  },
  { happen: planMeeting, followsAttention: true, rates: { usual: 5.4, prospect: 2.2, churned: 0.3 } },
  { happen: writeNote, followsAttention: true, rates: { usual: 2.2, churned: 0.6 } },
  { happen: writeBrief, followsAttention: true, rates: { usual: 2.2, prospect: 0.7, churned: 0.4 } },
  { happen: updateFacts, rates: { usual: 6, prospect: 2.5, churned: 0.5 } },
  { happen: shiftUse, rates: { usual: 1.6, prospect: 0, churned: 0 } },
  { happen: reassignRole, rates: { usual: 0.5 } },
  {
    happen: buyProduct,
    rates: { usual: 0.12, growing: 0.3, atRisk: 0, onboarding: 0, prospect: 0.9, churned: 0.06 },
  },
  { happen: addCustomer, rates: { usual: 0.26, prospect: 0.1, churned: 0 } },
  { happen: duplicateCustomer, rates: { usual: 0.05 } },
  { happen: removeCustomer, rates: { usual: 0, prospect: 0.35, churned: 0.3 } },
]

export function findNextEvent(hash: RecordHash, afterMs: number): number {
  for (let turn = Math.floor(startOfDay(afterMs) / DAY / EVENT_WINDOW_DAYS); ; turn += 1) {
    const atMs =
      turn * EVENT_WINDOW_DAYS * DAY + Math.floor(drawAt(hash, turn) * EVENT_WINDOW_DAYS * 24 * 60) * MINUTE
    if (atMs > afterMs) return atMs
  }
}

function isAroundNewYear(timeMs: number): boolean {
  const monthAndDay = formatInstant(timeMs).slice(5, 10)
  return monthAndDay >= '12-20' || monthAndDay <= '01-02'
}

export function planNextEvent(timeline: CustomerTimeline): void {
  const { customer, nowMs, dataset } = timeline
  timeline.schedule(findNextEvent(timeline.hash, nowMs), planNextEvent)
  if (isAroundNewYear(nowMs) && drawAt(timeline.hash, -nowMs) > 0.4) return
  const stage = getStage(customer)
  let draw = drawAt(timeline.hash, nowMs)
  const isSilent = stage === 'churned' && findPeriod(customer, nowMs, dataset.seed).toMs < nowMs
  const factor = isSilent ? 0 : 0.25 + 1.5 * measureAttention(customer)
  for (const { happen, rates, followsAttention } of choices) {
    const rate = (rates[stage] ?? rates.usual) * (followsAttention ? factor : 1)
    draw -= (rate * EVENT_WINDOW_DAYS) / 365
    if (draw >= 0) continue
    const faker = timeline.createKey('pulse').faker('time')
    const period = { fromMs: nowMs + MINUTE, toMs: nowMs + 4 * DAY, workplace: home }
    const minuteMs = chooseWorkingTime(faker, period)
    timeline.schedule(Math.max(minuteMs, nowMs) + faker.number.int({ max: MINUTE - 1 }), happen)
    return
  }
}
