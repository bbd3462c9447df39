import { chooseWorkingTime } from '../calendar.ts'
import { drawAt } from '../random.ts'
import { getStage, type Stage } from '../stages.ts'
import { DAY, instant, MINUTE, startOfDay } from '../time.ts'
import { home } from '../workplaces.ts'
import { buyProduct } from './contracts.ts'
import { addCustomer, duplicateCustomer, removeCustomer } from './family.ts'
import type { LifeDraft } from './life.ts'
import { planMeeting } from './meetings.ts'
import { createSignal } from './signals.ts'
import { reassignRole, shiftUse, updateFacts } from './updates.ts'
import { writeBrief, writeNote } from './writings.ts'

/** The days in which one thing can happen to a customer that nothing else leads to. */
const PULSE = 5

/** How often things happen to customers of a stage. Units: a year. */
type Rates = Readonly<Partial<Record<Stage, number>>> & { readonly usual: number }

/** The events that can happen, about as often as in the months before the dataset's time. */
const stories: readonly { readonly happen: (life: LifeDraft) => void; readonly rates: Rates }[] = [
  { happen: createSignal, rates: { usual: 3.9, atRisk: 4.8, onboarding: 3, prospect: 1.5, churned: 0.8 } },
  { happen: planMeeting, rates: { usual: 4.8, prospect: 2, churned: 0.3 } },
  { happen: writeNote, rates: { usual: 2.2, churned: 0.6 } },
  { happen: writeBrief, rates: { usual: 2.2, prospect: 0.7, churned: 0.4 } },
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

/** Finds the time of a customer's next pulse. Units: milliseconds since 1970. */
export function nextPulse(draw: (place: number) => number, afterMs: number): number {
  for (let turn = Math.floor(startOfDay(afterMs) / DAY / PULSE); ; turn += 1) {
    const atMs = turn * PULSE * DAY + Math.floor(draw(turn) * PULSE * 24 * 60) * MINUTE
    if (atMs > afterMs) return atMs
  }
}

/** Reports whether most people are on holiday. */
function isAroundNewYear(timeMs: number): boolean {
  const monthAndDay = instant(timeMs).slice(5, 10)
  return monthAndDay >= '12-20' || monthAndDay <= '01-02'
}

/** Decides what happens to a customer in the coming days, mostly nothing, and plans it at a working hour. */
export function pulse(life: LifeDraft): void {
  const { customer, nowMs } = life
  life.plan(
    nextPulse((place) => drawAt(life.hash, place), nowMs),
    pulse,
  )
  if (!customer) return
  if (isAroundNewYear(nowMs) && drawAt(life.hash, -nowMs) > 0.4) return
  const stage = getStage(customer)
  let left = drawAt(life.hash, nowMs)
  for (const { happen, rates } of stories) {
    left -= ((rates[stage] ?? rates.usual) * PULSE) / 365
    if (left >= 0) continue
    const faker = life.key('pulse').faker('time')
    const minuteMs = chooseWorkingTime(faker, {
      fromMs: nowMs + MINUTE,
      toMs: nowMs + 4 * DAY,
      nowMs,
      workplace: home,
    })
    life.plan(Math.max(minuteMs, nowMs) + faker.number.int({ max: MINUTE - 1 }), happen)
    return
  }
}
