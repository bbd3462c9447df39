import type { Row } from '../../src/store/tables.ts'
import { findAutomationPlan } from '../automations/automation-plans.ts'
import { previousWorkingTime } from '../calendar/calendar.ts'
import { DAY, MINUTE, formatInstant, parseTime } from '../calendar/time.ts'
import { computeId, computePartId } from '../dataset/ids.ts'
import { findWorkplace } from '../people/offices.ts'
import { drawAt } from '../random/random.ts'
import { countRestDays, isOver } from '../signals/signal-course.ts'
import { outcomes, types } from '../signals/signal-lookups.ts'
import { generateSignal } from '../signals/signals.ts'
import type { TimelineBuilder } from './customer-timeline.ts'
import type { ScheduledEvent, SignalEnd, SignalWork } from './events.ts'

type Signal = Row<'signals'>

const MAX_DURATION = 400 * DAY

export function createSignal(timeline: TimelineBuilder): void {
  const id = timeline.nextId('signals')
  if (id === 0 || !timeline.account) return
  const generated = generateSignal(
    id,
    { createdDate: formatInstant(timeline.nowMs) },
    timeline.createTenant(timeline.nowMs + MAX_DURATION),
  )
  const final = delaySome(timeline, generated)
  const raisedMs = parseTime(final.raisedDate ?? final.createdDate)
  const isRaised = raisedMs <= timeline.nowMs
  timeline.put('signals', {
    ...removeProgress(final),
    isDraft: !isRaised,
    raisedDate: isRaised ? final.createdDate : null,
  })
  scheduleTouch(timeline, final)
  if (!isRaised) timeline.schedule(raisedMs, { event: 'raiseSignal', id })
  else reactToSignal(timeline, final)
  scheduleProgress(timeline, final)
}

/** Delays some signals, so that as many are drafts as in the dataset. */
function delaySome(timeline: TimelineBuilder, signal: Signal): Signal {
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

const removeProgress = (signal: Signal): Signal => ({
  ...signal,
  status: 'open',
  updatedById: signal.createdById,
  latestNote: null,
  closedDate: null,
  updatedDate: signal.createdDate,
  dismissalReason: null,
  outcome: null,
  outcomeNotes: null,
})

export function raiseSignal(timeline: TimelineBuilder, id: number): void {
  const signal = timeline.find('signals', id)
  if (!signal?.isDraft || isOver(signal)) return
  const now = formatInstant(timeline.nowMs)
  const raised = { ...signal, isDraft: false, raisedDate: now, updatedDate: now }
  timeline.put('signals', raised)
  reactToSignal(timeline, raised)
}

function scheduleProgress(timeline: TimelineBuilder, final: Signal): void {
  const { id, updatedById, latestNote } = final
  const closedMs = final.closedDate === null ? timeline.nowMs + MAX_DURATION : parseTime(final.closedDate)
  const raisedMs = parseTime(final.raisedDate ?? final.createdDate)
  const workplace = findWorkplace({ id: final.ownerId })
  const begunMs =
    previousWorkingTime(raisedMs + (closedMs - raisedMs) * 0.4, workplace, raisedMs) + (id % MINUTE)
  if (begunMs < closedMs - DAY) {
    timeline.schedule(begunMs, { event: 'workOnSignal', id, final: { updatedById, latestNote } })
  }
  if (final.closedDate === null) return
  const { status, dismissalReason, outcome, outcomeNotes } = final
  const end = { updatedById, latestNote, status, dismissalReason, outcome, outcomeNotes }
  timeline.schedule(closedMs, { event: 'settleSignal', id, final: end })
  const updatedMs = parseTime(final.updatedDate)
  if (updatedMs > closedMs) timeline.schedule(updatedMs, { event: 'touchSignal', id })
}

/** Begins work on a signal. One of the dataset gets its note and editor from there by default. */
export function workOnSignal(
  timeline: TimelineBuilder,
  id: number,
  final: SignalWork | undefined = timeline.dataset.source.data.get('signals', id),
): void {
  const signal = timeline.find('signals', id)
  if (signal?.status !== 'open' || !final) return
  const now = formatInstant(timeline.nowMs)
  timeline.put('signals', {
    ...signal,
    status: 'inProgress',
    isDraft: false,
    raisedDate: signal.raisedDate ?? now,
    updatedById: timeline.replaceIfGone(final.updatedById, signal.ownerId),
    latestNote: final.latestNote,
    updatedDate: now,
  })
}

export function settleSignal(timeline: TimelineBuilder, id: number, final: SignalEnd): void {
  const signal = timeline.find('signals', id)
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

export function touchSignal(timeline: TimelineBuilder, id: number): void {
  const signal = timeline.find('signals', id)
  if (!signal) return
  const isLongOver = signal.closedDate !== null && timeline.nowMs > parseTime(signal.closedDate) + AFTERWARDS
  if (isLongOver) return
  const updatedById = timeline.replaceIfGone(signal.ownerId, signal.updatedById)
  timeline.put('signals', { ...signal, updatedById, updatedDate: formatInstant(timeline.nowMs) })
  if (!isOver(signal)) scheduleTouch(timeline, signal)
}

function scheduleTouch(timeline: TimelineBuilder, { id, severity, ownerId }: Signal): void {
  const dueMs = timeline.nowMs + countRestDays(severity) * DAY
  const workingMs = previousWorkingTime(dueMs, findWorkplace({ id: ownerId }), timeline.nowMs + DAY)
  timeline.schedule(workingMs + (id % MINUTE), { event: 'touchSignal', id })
}

/** The longest times until open signals of the dataset end, and until drafts are raised. */
const MAX_WAIT = { end: 180 * DAY, raise: 90 * DAY } as const

export function listSignalEvents(
  signal: Signal,
  nowMs: number,
  draw: (place: number) => number,
): readonly ScheduledEvent[] {
  const { id, isDraft, ownerId, severity, updatedDate } = signal
  const workplace = findWorkplace({ id: ownerId })
  const toWorkingTime = (timeMs: number) =>
    previousWorkingTime(timeMs, workplace, nowMs + MINUTE) + (id % MINUTE)
  const raisedMs = isDraft ? toWorkingTime(nowMs + draw(-id) * MAX_WAIT.raise) : nowMs
  const endMs = toWorkingTime(raisedMs + DAY + draw(id) ** 1.5 * MAX_WAIT.end)
  const begunMs = toWorkingTime(raisedMs + (endMs - raisedMs) * 0.4)
  return [
    ...(isDraft ? [{ atMs: raisedMs, event: 'raiseSignal', id } as const] : []),
    { atMs: begunMs, event: 'workOnSignal', id },
    { atMs: toWorkingTime(parseTime(updatedDate) + countRestDays(severity) * DAY), event: 'touchSignal', id },
    { atMs: endMs, event: 'endSignal', id },
  ]
}

export function endSignal(timeline: TimelineBuilder, id: number): void {
  const before = timeline.dataset.source.data.get('signals', id)
  const signal = timeline.find('signals', id)
  if (!before || !signal || isOver(signal) || !timeline.account) return
  settleSignal(timeline, id, findEnd(timeline, before) ?? { ...before, ...chooseEnd(timeline, before) })
}

/** Generates the end of a signal of the dataset; undefined if another story is generated. */
function findEnd(timeline: TimelineBuilder, before: Signal): Signal | undefined {
  const { id, createdDate, createdById, category, type, productId } = before
  const tenant = timeline.createOriginalTenant(parseTime(createdDate) + MAX_DURATION)
  const candidates = [
    { createdDate, createdById },
    { createdDate, createdById, category, type, productId },
  ]
  for (const fields of candidates) {
    const end = generateSignal(id, fields, tenant)
    if (end.summary !== before.summary) continue
    return isOver(end) ? end : generateSignal(id, { ...fields, status: 'closed' }, tenant)
  }
  return undefined
}

function chooseEnd(timeline: TimelineBuilder, { id, type }: Signal, hasLeft = false): Partial<Signal> {
  const draw = drawAt(timeline.hash, -id)
  const isChance = type.id === types.opportunity.id
  const lost = hasLeft && (isChance || type.id === types.risk.id)
  const name = lost ? 'lost' : hasLeft ? 'noAction' : isChance ? 'expanded' : 'resolved'
  return { status: 'closed', outcome: draw < 0.9 ? outcomes[name] : null }
}

export function closeSignals(timeline: TimelineBuilder): void {
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

function reactToSignal(timeline: TimelineBuilder, signal: Signal): void {
  // As in the dataset, not every event has left a log.
  if (drawAt(timeline.hash, -timeline.nowMs) > 0.45) return
  const isDrop = signal.type.name === 'Risk' && signal.source === 'usage'
  if (isDrop) runAutomation(timeline, 1, MINUTE / 3)
  if (signal.source === 'survey') runAutomation(timeline, 5, MINUTE / 3)
  if (signal.severity >= 4) runAutomation(timeline, 4, MINUTE / 2)
  if (signal.severity === 5) runAutomation(timeline, 41, MINUTE)
}

export function runAutomation(timeline: TimelineBuilder, position: number, delayMs: number): void {
  const { customer, dataset } = timeline
  if (!customer) return
  const { ordinal } = dataset.getOrganization(customer.organizationId)
  const automationId = computeId('definitions', ordinal, position)
  const automation = dataset.source.data.get('automations', automationId)
  const plan = findAutomationPlan(position)
  if (!automation || automation.deactivatedDate !== null || !plan) return
  const share = drawAt(timeline.hash, timeline.nowMs + position)
  const triggerMs = timeline.nowMs + delayMs + Math.floor(share * 9000)
  const hasFailed = share < 0.06
  timeline.schedule(triggerMs, { event: 'logTrigger', automationId, status: hasFailed ? 'failed' : 'info' })
  if (hasFailed) return
  const actionMs = triggerMs + 5000 + Math.floor(share * 20_000)
  timeline.schedule(actionMs, { event: 'logAction', automationId })
}

export function writeLog(
  timeline: TimelineBuilder,
  part: 'triggers' | 'actions',
  { automationId, status }: Pick<Row<'triggerLogs'>, 'automationId' | 'status'>,
): void {
  const { customer, dataset } = timeline
  const id = timeline.nextId(part === 'triggers' ? 'triggerLogs' : 'actionLogs')
  const partId = computePartId(automationId, 1)
  const automation = dataset.source.data.get('automations', automationId)
  if (!customer || id === 0 || !automation?.[part].some((each) => each.id === partId)) return
  const { organizationId } = customer
  const log = { id, organizationId, automationId, status, createdDate: formatInstant(timeline.nowMs) }
  if (part === 'triggers') timeline.put('triggerLogs', { ...log, triggerId: partId })
  else timeline.put('actionLogs', { ...log, actionId: partId })
}
