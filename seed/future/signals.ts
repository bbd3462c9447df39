import type { Row } from '../../src/store/tables.ts'
import { findAutomationPlan } from '../automation-plans.ts'
import { previousWorkingTime } from '../calendar.ts'
import { computeId, computePartId } from '../ids.ts'
import { drawAt } from '../random.ts'
import { outcomes, types } from '../signal-lookups.ts'
import { generateSignal } from '../signals.ts'
import { DAY, instant, MINUTE, parseTime } from '../time.ts'
import { findWorkplace } from '../workplaces.ts'
import type { Appointment, LifeDraft } from './life.ts'

type Signal = Row<'signals'>

/** The time after which every signal is over. */
const LONGEST = 400 * DAY

/** Creates a signal now, and plans its course. */
export function createSignal(life: LifeDraft): void {
  const id = life.nextId('signals')
  if (id === 0 || !life.account) return
  const told = generateSignal(id, { createdDate: instant(life.nowMs) }, life.tenant(life.nowMs + LONGEST))
  const final = postponeSome(life, told)
  const raisedMs = parseTime(final.raisedDate ?? final.createdDate)
  const isRaised = raisedMs <= life.nowMs
  life.put('signals', {
    ...asNew(final),
    isDraft: !isRaised,
    raisedDate: isRaised ? final.createdDate : null,
  })
  if (!isRaised) life.plan(raisedMs, (later) => raiseSignal(later, id))
  else reactToSignal(life, final)
  planCourse(life, final)
}

/** Lets as many signals stay drafts for some time as the dataset has. */
function postponeSome(life: LifeDraft, signal: Signal): Signal {
  const faker = life.key('draft').faker('wait')
  if (!faker.datatype.boolean(0.22)) return signal
  const workplace = findWorkplace({ id: signal.ownerId })
  const waitMs = faker.number.int({ min: 45 * DAY, max: 135 * DAY })
  const delay = (time: string): string =>
    instant(previousWorkingTime(parseTime(time) + waitMs, workplace, life.nowMs))
  return {
    ...signal,
    raisedDate: delay(signal.raisedDate ?? signal.createdDate),
    closedDate: signal.closedDate && delay(signal.closedDate),
    updatedDate: delay(signal.updatedDate),
  }
}

/** Takes back everything that happens to a signal after its creation. */
const asNew = (signal: Signal): Signal => ({
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

function raiseSignal(life: LifeDraft, id: number): void {
  const signal = life.find('signals', id)
  if (!signal?.isDraft || isOver(signal)) return
  const now = instant(life.nowMs)
  const raised = { ...signal, isDraft: false, raisedDate: now, updatedDate: now }
  life.put('signals', raised)
  reactToSignal(life, raised)
}

const isOver = ({ status }: Signal): boolean => status === 'closed' || status === 'dismissed'

/** Plans when somebody begins to work on a signal, when it is over, and when it is touched again. */
function planCourse(life: LifeDraft, final: Signal): void {
  const { id } = final
  const closedMs = final.closedDate === null ? life.nowMs + LONGEST : parseTime(final.closedDate)
  const raisedMs = parseTime(final.raisedDate ?? final.createdDate)
  const workplace = findWorkplace({ id: final.ownerId })
  const begunMs =
    previousWorkingTime(raisedMs + (closedMs - raisedMs) * 0.4, workplace, raisedMs) + (id % MINUTE)
  if (begunMs < closedMs - DAY) life.plan(begunMs, (later) => workOnSignal(later, final))
  if (final.closedDate === null) return
  life.plan(closedMs, (later) => settleSignal(later, final))
  const updatedMs = parseTime(final.updatedDate)
  if (updatedMs > closedMs) life.plan(updatedMs, (later) => touchSignal(later, final))
}

function workOnSignal(life: LifeDraft, final: Signal): void {
  const signal = life.find('signals', final.id)
  if (signal?.status !== 'open') return
  const now = instant(life.nowMs)
  life.put('signals', {
    ...signal,
    status: 'inProgress',
    isDraft: false,
    raisedDate: signal.raisedDate ?? now,
    updatedById: life.findPresent(final.updatedById, signal.ownerId),
    latestNote: final.latestNote,
    updatedDate: now,
  })
}

/** Closes or dismisses a signal, with its outcome. */
function settleSignal(life: LifeDraft, final: Signal): void {
  const signal = life.find('signals', final.id)
  if (!signal || isOver(signal)) return
  const now = instant(life.nowMs)
  life.put('signals', {
    ...signal,
    status: final.status === 'dismissed' ? 'dismissed' : 'closed',
    isDraft: false,
    raisedDate: signal.raisedDate ?? now,
    updatedById: life.findPresent(final.updatedById, signal.ownerId),
    latestNote: final.latestNote ?? signal.latestNote,
    closedDate: now,
    updatedDate: now,
    dismissalReason: final.dismissalReason,
    outcome: final.outcome,
    outcomeNotes: final.outcomeNotes,
  })
}

function touchSignal(life: LifeDraft, { id }: Signal): void {
  const signal = life.find('signals', id)
  if (!signal) return
  const updatedById = life.findPresent(signal.ownerId, signal.updatedById)
  life.put('signals', { ...signal, updatedById, updatedDate: instant(life.nowMs) })
}

/** The time within which signals of the dataset end, most of them early, and the one within which drafts are raised. */
const SOON = { end: 180 * DAY, raise: 90 * DAY } as const

/** Plans the course of a signal of the dataset that is not over. */
export function listCourse(
  signal: Signal,
  nowMs: number,
  draw: (place: number) => number,
): readonly Appointment[] {
  const { id, isDraft, ownerId } = signal
  const createdMs = parseTime(signal.createdDate)
  const workplace = findWorkplace({ id: ownerId })
  const toWork = (timeMs: number) => previousWorkingTime(timeMs, workplace, nowMs + MINUTE) + (id % MINUTE)
  const raisedMs = isDraft ? toWork(nowMs + draw(-id) * SOON.raise) : nowMs
  const endMs = toWork(raisedMs + DAY + draw(id) ** 1.5 * SOON.end)
  const begunMs = toWork(raisedMs + (endMs - raisedMs) * 0.4)
  return [
    ...(isDraft ? [{ atMs: raisedMs, happen: (life: LifeDraft) => raiseSignal(life, id) }] : []),
    { atMs: begunMs, happen: (life) => workOnSignal(life, signal) },
    { atMs: endMs, happen: (life) => endSignal(life, signal, createdMs) },
  ]
}

/** Ends a signal of the dataset as its story does. */
function endSignal(life: LifeDraft, before: Signal, createdMs: number): void {
  const signal = life.find('signals', before.id)
  if (!signal || isOver(signal) || !life.account) return
  settleSignal(life, findEnd(life, before, createdMs) ?? { ...before, ...chooseEnd(life, before) })
}

/** Generates how a signal of the dataset ends; undefined if it comes out as another story. */
function findEnd(life: LifeDraft, before: Signal, createdMs: number): Signal | undefined {
  const { id, createdDate, createdById, category, type, productId } = before
  const tenant = life.originalTenant(createdMs + LONGEST)
  const told = [
    { createdDate, createdById },
    { createdDate, createdById, category, type, productId },
  ]
  for (const given of told) {
    const end = generateSignal(id, given, tenant)
    if (end.summary !== before.summary) continue
    return isOver(end) ? end : generateSignal(id, { ...given, status: 'closed' }, tenant)
  }
  return undefined
}

/** Chooses how a signal ends whose story is not known. */
function chooseEnd(life: LifeDraft, { id, type }: Signal, hasLeft = false): Partial<Signal> {
  const draw = drawAt(life.hash, -id)
  const isChance = type.id === types.opportunity.id
  const lost = hasLeft && (isChance || type.id === types.risk.id)
  const name = lost ? 'lost' : hasLeft ? 'noAction' : isChance ? 'expanded' : 'resolved'
  return { status: 'closed', outcome: draw < 0.9 ? outcomes[name] : null }
}

/** Closes what is open on a customer that has left. */
export function closeSignals(life: LifeDraft): void {
  const now = instant(life.nowMs)
  for (const signal of life.own('signals')) {
    if (isOver(signal) || life.world.isStill('signals', signal.id)) continue
    const raisedDate = signal.raisedDate ?? now
    life.put('signals', {
      ...signal,
      ...chooseEnd(life, signal, true),
      isDraft: false,
      raisedDate,
      closedDate: now,
      updatedDate: now,
    })
  }
}

/** Writes the logs of the automations that react to a signal. */
function reactToSignal(life: LifeDraft, signal: Signal): void {
  // As in the dataset, not every event has left a log.
  if (drawAt(life.hash, -life.nowMs) > 0.45) return
  const isDrop = signal.type.name === 'Risk' && signal.source === 'usage'
  if (isDrop) runAutomation(life, 1, MINUTE / 3)
  if (signal.source === 'survey') runAutomation(life, 5, MINUTE / 3)
  if (signal.severity >= 4) runAutomation(life, 4, MINUTE / 2)
  if (signal.severity === 5) runAutomation(life, 41, MINUTE)
}

/** Runs an automation soon: its trigger writes a log, and some seconds later its first action. */
export function runAutomation(life: LifeDraft, position: number, delayMs: number): void {
  const { customer, world } = life
  if (!customer) return
  const { ordinal } = world.organization(customer.organizationId)
  const automationId = computeId('definitions', ordinal, position)
  const automation = world.source.data.get('automations', automationId)
  const plan = findAutomationPlan(position)
  if (!automation || automation.deactivatedDate !== null || !plan) return
  const share = drawAt(life.hash, life.nowMs + position)
  const triggerMs = life.nowMs + delayMs + Math.floor(share * 9000)
  const hasFailed = share < 0.06
  const fields = { organizationId: customer.organizationId, automationId }
  life.plan(triggerMs, (later) => {
    const id = later.nextId('triggerLogs')
    const status = hasFailed ? 'failed' : 'info'
    const triggerId = computePartId(automationId, 1)
    if (id === 0 || !automation.triggers.some((part) => part.id === triggerId)) return
    later.put('triggerLogs', { id, ...fields, status, createdDate: instant(later.nowMs), triggerId })
  })
  if (hasFailed) return
  life.plan(triggerMs + 5000 + Math.floor(share * 20_000), (later) => {
    const id = later.nextId('actionLogs')
    const actionId = computePartId(automationId, 1)
    if (id === 0 || !automation.actions.some((part) => part.id === actionId)) return
    later.put('actionLogs', { id, ...fields, status: 'info', createdDate: instant(later.nowMs), actionId })
  })
}
