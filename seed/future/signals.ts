import type { Row } from '../../src/store/tables.ts'
import { previousWorkingTime } from '../calendar/calendar.ts'
import { DAY, MINUTE, formatInstant, parseTime } from '../calendar/time.ts'
import { findWorkplace } from '../people/offices.ts'
import { drawAt, type RecordHash } from '../random/random.ts'
import { countRestDays, isOver } from '../signals/signal-course.ts'
import { outcomes, types } from '../signals/signal-lookups.ts'
import { generateSignal } from '../signals/signals.ts'
import { runAutomation } from './automations.ts'
import type { CustomerEvent, CustomerTimeline } from './customer-timeline.ts'

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
  const raisedMs = parseTime(final.raisedDate ?? final.createdDate)
  const isRaised = raisedMs <= nowMs
  timeline.put('signals', {
    ...final,
    status: 'open',
    isDraft: !isRaised,
    updatedById: final.createdById,
    latestNote: null,
    raisedDate: isRaised ? final.createdDate : null,
    closedDate: null,
    updatedDate: final.createdDate,
    dismissalReason: null,
    outcome: null,
    outcomeNotes: null,
  })
  scheduleTouch(timeline, final)
  if (isRaised) reactToSignal(timeline, final)
  else timeline.schedule(raisedMs, (later) => raiseSignal(later, id))
  scheduleProgress(timeline, final, raisedMs)
}

/** Delays some signals, so that as many are drafts as in the dataset. */
function delaySome(timeline: CustomerTimeline, signal: Signal): Signal {
  const faker = timeline.createKey('draft').faker('wait')
  if (!faker.datatype.boolean(0.22)) return signal
  const workplace = findWorkplace({ id: signal.ownerId })
  const waitMs = faker.number.int({ min: 45 * DAY, max: 135 * DAY })
  const delay = (time: string): string =>
    formatInstant(previousWorkingTime(parseTime(time) + waitMs, workplace, timeline.nowMs))
  return {
    ...signal,
    raisedDate: delay(signal.raisedDate ?? signal.createdDate),
    closedDate: signal.closedDate && delay(signal.closedDate),
    updatedDate: delay(signal.updatedDate),
  }
}

function raiseSignal(timeline: CustomerTimeline, id: number): void {
  const signal = timeline.find('signals', id)
  if (!signal?.isDraft || isOver(signal)) return
  const now = formatInstant(timeline.nowMs)
  const raised = { ...signal, isDraft: false, raisedDate: now, updatedDate: now }
  timeline.put('signals', raised)
  reactToSignal(timeline, raised)
}

function scheduleProgress(timeline: CustomerTimeline, final: Signal, raisedMs: number): void {
  const { id, ownerId, closedDate, updatedDate } = final
  const closedMs = closedDate === null ? timeline.nowMs + MAX_DURATION : parseTime(closedDate)
  const dueMs = raisedMs + (closedMs - raisedMs) * 0.4
  const begunMs = previousWorkingTime(dueMs, findWorkplace({ id: ownerId }), raisedMs) + (id % MINUTE)
  if (begunMs < closedMs - DAY) timeline.schedule(begunMs, (later) => workOnSignal(later, final))
  if (closedDate === null) return
  timeline.schedule(closedMs, (later) => settleSignal(later, final))
  const updatedMs = parseTime(updatedDate)
  if (updatedMs > closedMs) timeline.schedule(updatedMs, (later) => touchSignal(later, id))
}

function workOnSignal(timeline: CustomerTimeline, { id, updatedById, latestNote }: Signal): void {
  const signal = timeline.find('signals', id)
  if (signal?.status !== 'open') return
  const now = formatInstant(timeline.nowMs)
  timeline.put('signals', {
    ...signal,
    status: 'inProgress',
    isDraft: false,
    raisedDate: signal.raisedDate ?? now,
    updatedById: timeline.replaceIfGone(updatedById, signal.ownerId),
    latestNote,
    updatedDate: now,
  })
}

function settleSignal(timeline: CustomerTimeline, final: Signal): void {
  const signal = timeline.find('signals', final.id)
  if (!signal || isOver(signal)) return
  const now = formatInstant(timeline.nowMs)
  timeline.put('signals', {
    ...signal,
    status: final.status === 'dismissed' ? 'dismissed' : 'closed',
    isDraft: false,
    raisedDate: signal.raisedDate ?? now,
    updatedById: timeline.replaceIfGone(final.updatedById, signal.ownerId),
    latestNote: final.latestNote ?? signal.latestNote,
    closedDate: now,
    updatedDate: now,
    dismissalReason: final.dismissalReason,
    outcome: final.outcome,
    outcomeNotes: final.outcomeNotes,
  })
}

const AFTERWARDS = 5 * DAY

function touchSignal(timeline: CustomerTimeline, id: number): void {
  const signal = timeline.find('signals', id)
  if (!signal) return
  const isLongOver = signal.closedDate !== null && timeline.nowMs > parseTime(signal.closedDate) + AFTERWARDS
  if (isLongOver) return
  const updatedById = timeline.replaceIfGone(signal.ownerId, signal.updatedById)
  timeline.put('signals', { ...signal, updatedById, updatedDate: formatInstant(timeline.nowMs) })
  if (!isOver(signal)) scheduleTouch(timeline, signal)
}

function scheduleTouch(timeline: CustomerTimeline, { id, severity, ownerId }: Signal): void {
  const dueMs = timeline.nowMs + countRestDays(severity) * DAY
  const workingMs = previousWorkingTime(dueMs, findWorkplace({ id: ownerId }), timeline.nowMs + DAY)
  timeline.schedule(workingMs + (id % MINUTE), (later) => touchSignal(later, id))
}

/** The longest times until open signals of the dataset end, and until drafts are raised. */
const MAX_WAIT = { end: 180 * DAY, raise: 90 * DAY } as const

/** Lists what happens to a signal that is open in the dataset. */
export function listSignalEvents(signal: Signal, nowMs: number, hash: RecordHash): CustomerEvent[] {
  const { id, isDraft, ownerId, severity, updatedDate } = signal
  const workplace = findWorkplace({ id: ownerId })
  const toWorkingTime = (timeMs: number) =>
    previousWorkingTime(timeMs, workplace, nowMs + MINUTE) + (id % MINUTE)
  const raisedMs = isDraft ? toWorkingTime(nowMs + drawAt(hash, -id) * MAX_WAIT.raise) : nowMs
  const endMs = toWorkingTime(raisedMs + DAY + drawAt(hash, id) ** 1.5 * MAX_WAIT.end)
  const begunMs = toWorkingTime(raisedMs + (endMs - raisedMs) * 0.4)
  const touchedMs = toWorkingTime(parseTime(updatedDate) + countRestDays(severity) * DAY)
  const events: CustomerEvent[] = [
    { atMs: begunMs, happen: (timeline) => workOnSignal(timeline, signal) },
    { atMs: touchedMs, happen: (timeline) => touchSignal(timeline, id) },
    { atMs: endMs, happen: (timeline) => endSignal(timeline, signal) },
  ]
  return isDraft ? [{ atMs: raisedMs, happen: (timeline) => raiseSignal(timeline, id) }, ...events] : events
}

/** Ends a signal of the dataset. @param before the signal as it is in the dataset */
function endSignal(timeline: CustomerTimeline, before: Signal): void {
  const signal = timeline.find('signals', before.id)
  if (!signal || isOver(signal) || !timeline.account) return
  settleSignal(timeline, findEnd(timeline, before) ?? { ...before, ...chooseEnd(timeline, before) })
}

/** Generates the end of a signal of the dataset; undefined if another story is generated. */
function findEnd(timeline: CustomerTimeline, before: Signal): Signal | undefined {
  const { id, createdDate, createdById, category, type, productId } = before
  const { dataset } = timeline
  const customer = dataset.source.data.get('customers', timeline.id)
  const account = customer && dataset.getAccount(customer, dataset.nowMs)
  const tenant = timeline.createTenant(parseTime(createdDate) + MAX_DURATION, undefined, account)
  const fields = { createdDate, createdById }
  for (const known of [fields, { ...fields, category, type, productId }]) {
    const end = generateSignal(id, known, tenant)
    if (end.summary !== before.summary) continue
    return isOver(end) ? end : generateSignal(id, { ...known, status: 'closed' }, tenant)
  }
  return undefined
}

function chooseEnd(timeline: CustomerTimeline, { id, type }: Signal, hasLeft = false): Partial<Signal> {
  const draw = drawAt(timeline.hash, -id)
  const isChance = type.id === types.opportunity.id
  const lost = hasLeft && (isChance || type.id === types.risk.id)
  const name = lost ? 'lost' : hasLeft ? 'noAction' : isChance ? 'expanded' : 'resolved'
  return { status: 'closed', outcome: draw < 0.9 ? outcomes[name] : null }
}

export function closeSignals(timeline: CustomerTimeline): void {
  const now = formatInstant(timeline.nowMs)
  for (const signal of timeline.listRows('signals')) {
    if (isOver(signal) || timeline.dataset.isStatic('signals', signal.id)) continue
    const raisedDate = signal.raisedDate ?? now
    timeline.put('signals', {
      ...signal,
      ...chooseEnd(timeline, signal, true),
      isDraft: false,
      raisedDate,
      closedDate: now,
      updatedDate: now,
    })
  }
}

function reactToSignal(timeline: CustomerTimeline, signal: Signal): void {
  // As in the dataset, not every event has left a log.
  if (drawAt(timeline.hash, -timeline.nowMs) > 0.45) return
  const isDrop = signal.type.name === 'Risk' && signal.source === 'usage'
  if (isDrop) runAutomation(timeline, 1, MINUTE / 3)
  if (signal.source === 'survey') runAutomation(timeline, 5, MINUTE / 3)
  if (signal.severity >= 4) runAutomation(timeline, 4, MINUTE / 2)
  if (signal.severity === 5) runAutomation(timeline, 41, MINUTE)
}
