import type { Row } from '../../src/store/tables.ts'
import { isOver } from '../../src/store/tables/signals.ts'
import { listSignalRuns } from '../automations/occasions.ts'
import { previousWorkingTime } from '../calendar/calendar.ts'
import { DAY, MINUTE, formatInstant } from '../calendar/time.ts'
import { findWorkplace } from '../people/offices.ts'
import { drawAt } from '../random/random.ts'
import { BEGINNING, DRAFTS, countRestDays } from '../signals/signal-course.ts'
import { outcomes, types } from '../signals/signal-stories.ts'
import { generateSignal } from '../signals/signals.ts'
import { runAutomation } from './automations.ts'
import type { CustomerTimeline } from './customer-timeline.ts'

type Signal = Row<'signals'>

const MAX_DURATION = 400 * DAY

/** Creates a signal as it was on its first day. What becomes of it is known, and happens later. */
export function createSignal(timeline: CustomerTimeline): void {
  const { nowMs } = timeline
  const id = timeline.nextId('signals')
  if (id === 0 || !timeline.account) return
  const createdDate = formatInstant(nowMs)
  const tenant = timeline.createTenant(nowMs + MAX_DURATION)
  const final = delaySome(timeline, generateSignal(id, { createdDate }, tenant))
  const raisedMs = Date.parse(final.raisedDate ?? createdDate)
  const isRaised = raisedMs <= nowMs
  timeline.put('signals', {
    ...final,
    status: 'open',
    isDraft: !isRaised,
    updatedById: final.createdById,
    latestNote: null,
    raisedDate: isRaised ? createdDate : null,
    closedDate: null,
    updatedDate: createdDate,
    dismissalReason: null,
    outcome: null,
    outcomeNotes: null,
  })
  scheduleTouch(timeline, final)
  runAutomations(timeline, isRaised ? final : { ...final, raisedDate: null })
  if (!isRaised) timeline.schedule(raisedMs, (later) => raiseSignal(later, id))
  const closedMs = final.closedDate === null ? nowMs + MAX_DURATION : Date.parse(final.closedDate)
  const workplace = findWorkplace({ id: final.ownerId })
  const dueMs = raisedMs + (closedMs - raisedMs) * BEGINNING
  const begunMs = previousWorkingTime(dueMs, workplace, raisedMs) + (id % MINUTE)
  if (begunMs < closedMs - DAY) timeline.schedule(begunMs, (later) => workOnSignal(later, final))
  if (final.closedDate === null) return
  timeline.schedule(closedMs, (later) => settleSignal(later, final))
  const updatedMs = Date.parse(final.updatedDate)
  if (updatedMs > closedMs) timeline.schedule(updatedMs, (later) => touchSignal(later, id))
}

/** Delays some signals, so that as many are drafts as in the dataset. */
function delaySome(timeline: CustomerTimeline, signal: Signal): Signal {
  const faker = timeline.createKey('draft').faker('wait')
  if (!faker.datatype.boolean(DRAFTS)) return signal
  const workplace = findWorkplace({ id: signal.ownerId })
  const waitMs = faker.number.int({ min: 45 * DAY, max: 135 * DAY })
  const delay = (time: string): string =>
    formatInstant(previousWorkingTime(Date.parse(time) + waitMs, workplace, timeline.nowMs))
  return {
    ...signal,
    raisedDate: delay(signal.raisedDate ?? signal.createdDate),
    closedDate: signal.closedDate && delay(signal.closedDate),
    updatedDate: delay(signal.updatedDate),
  }
}

/** The longest times until open signals of the dataset end, and until drafts are raised. */
const MAX_WAIT = { end: 180 * DAY, raise: 90 * DAY } as const

/** Schedules what happens to a signal that is open in the dataset. */
export function scheduleOpenSignal(timeline: CustomerTimeline, signal: Signal, nowMs: number): void {
  const { hash } = timeline
  const { id, isDraft, ownerId, severity, updatedDate } = signal
  const workplace = findWorkplace({ id: ownerId })
  const toWorkingTime = (timeMs: number) =>
    previousWorkingTime(timeMs, workplace, nowMs + MINUTE) + (id % MINUTE)
  const raisedMs = isDraft ? toWorkingTime(nowMs + drawAt(hash, -id) * MAX_WAIT.raise) : nowMs
  const endMs = toWorkingTime(raisedMs + DAY + drawAt(hash, id) ** 1.5 * MAX_WAIT.end)
  const begunMs = toWorkingTime(raisedMs + (endMs - raisedMs) * BEGINNING)
  const touchedMs = toWorkingTime(Date.parse(updatedDate) + countRestDays(severity) * DAY)
  if (isDraft) timeline.schedule(raisedMs, (later) => raiseSignal(later, id))
  timeline.schedule(begunMs, (later) => workOnSignal(later, signal))
  timeline.schedule(touchedMs, (later) => touchSignal(later, id))
  timeline.schedule(endMs, (later) => endSignal(later, signal))
}

/** Goes on with a signal, which is then no draft. */
function goOn(timeline: CustomerTimeline, before: Signal, fields: Partial<Signal>): Signal {
  const now = formatInstant(timeline.nowMs)
  const raisedDate = before.raisedDate ?? now
  const signal = { ...before, isDraft: false, raisedDate, updatedDate: now, ...fields }
  timeline.put('signals', signal)
  return signal
}

function raiseSignal(timeline: CustomerTimeline, id: number): void {
  const signal = timeline.find('signals', id)
  if (signal?.isDraft && !isOver(signal)) runAutomations(timeline, goOn(timeline, signal, {}))
}

/** Schedules the automations that a signal starts from now on. */
function runAutomations(timeline: CustomerTimeline, signal: Signal): void {
  // As in the dataset, not every event has left a log.
  if (drawAt(timeline.hash, -timeline.nowMs) > 0.45) return
  for (const { timeMs, ...run } of listSignalRuns(signal)) {
    const delayMs = timeMs - timeline.nowMs
    const isKnown = delayMs > -MINUTE && delayMs < Infinity
    if (isKnown) runAutomation(timeline, run, Math.max(delayMs, MINUTE / 3))
  }
}

function workOnSignal(timeline: CustomerTimeline, { id, updatedById, latestNote }: Signal): void {
  const signal = timeline.find('signals', id)
  if (signal?.status !== 'open') return
  const editor = timeline.replaceIfGone(updatedById, signal.ownerId)
  goOn(timeline, signal, { status: 'inProgress', updatedById: editor, latestNote })
}

function settleSignal(timeline: CustomerTimeline, final: Signal): void {
  const signal = timeline.find('signals', final.id)
  if (!signal || isOver(signal)) return
  const { dismissalReason, outcome, outcomeNotes } = final
  goOn(timeline, signal, {
    status: final.status === 'dismissed' ? 'dismissed' : 'closed',
    updatedById: timeline.replaceIfGone(final.updatedById, signal.ownerId),
    latestNote: final.latestNote ?? signal.latestNote,
    closedDate: formatInstant(timeline.nowMs),
    dismissalReason,
    outcome,
    outcomeNotes,
  })
}

const AFTERWARDS = 5 * DAY

function touchSignal(timeline: CustomerTimeline, id: number): void {
  const signal = timeline.find('signals', id)
  if (!signal) return
  const { closedDate, ownerId } = signal
  if (closedDate !== null && timeline.nowMs > Date.parse(closedDate) + AFTERWARDS) return
  const updatedById = timeline.replaceIfGone(ownerId, signal.updatedById)
  timeline.put('signals', { ...signal, updatedById, updatedDate: formatInstant(timeline.nowMs) })
  if (!isOver(signal)) scheduleTouch(timeline, signal)
}

function scheduleTouch(timeline: CustomerTimeline, { id, severity, ownerId }: Signal): void {
  const dueMs = timeline.nowMs + countRestDays(severity) * DAY
  const workingMs = previousWorkingTime(dueMs, findWorkplace({ id: ownerId }), timeline.nowMs + DAY)
  timeline.schedule(workingMs + (id % MINUTE), (later) => touchSignal(later, id))
}

/** Ends a signal of the dataset: as it is generated then, or plainly if another story is generated. */
function endSignal(timeline: CustomerTimeline, before: Signal): void {
  const { id, createdDate, createdById, category, type, productId } = before
  const { account, dataset } = timeline
  const signal = timeline.find('signals', id)
  const customer = dataset.source.data.get('customers', timeline.id)
  if (!signal || isOver(signal) || !account || !customer) return
  const original = dataset.getAccount(customer, dataset.nowMs)
  const tenant = timeline.createTenant(Date.parse(createdDate) + MAX_DURATION, undefined, original)
  const fields = { createdDate, createdById }
  for (const known of [fields, { ...fields, category, type, productId }]) {
    const end = generateSignal(id, known, tenant)
    if (end.summary !== before.summary) continue
    const isEnd = isOver(end)
    return settleSignal(timeline, isEnd ? end : generateSignal(id, { ...known, status: 'closed' }, tenant))
  }
  settleSignal(timeline, { ...before, ...chooseEnd(timeline, before, false) })
}

function chooseEnd({ hash }: CustomerTimeline, { id, type }: Signal, hasLeft: boolean): Partial<Signal> {
  const isChance = type.id === types.opportunity.id
  const isLost = hasLeft && (isChance || type.id === types.risk.id)
  const name = isLost ? 'lost' : hasLeft ? 'noAction' : isChance ? 'expanded' : 'resolved'
  return { status: 'closed', outcome: drawAt(hash, -id) < 0.9 ? outcomes[name] : null }
}

/** Closes what is open about a customer that has left. */
export function closeSignals(timeline: CustomerTimeline): void {
  const closedDate = formatInstant(timeline.nowMs)
  for (const signal of timeline.listRows('signals')) {
    if (isOver(signal) || timeline.dataset.isStatic('signals', signal.id)) continue
    goOn(timeline, signal, { ...chooseEnd(timeline, signal, true), closedDate })
  }
}
