import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { isOver } from '../../src/store/tables/signals.ts'
import { chooseWorkingTime, type Period, type WorkPeriod } from '../calendar/calendar.ts'
import { DAY, MINUTE, formatInstant } from '../calendar/time.ts'
import { findWorkplace } from '../people/offices.ts'
import { type RecordKey, mostlySmall } from '../random/record-key.ts'

type Signal = Row<'signals'>
type Member = Row<'members'>

function chooseMoment(faker: SimpleFaker, period: WorkPeriod): number {
  const timeMs = Math.min(period.toMs, chooseWorkingTime(faker, period))
  return timeMs + faker.number.int({ max: Math.min(MINUTE - 1, period.toMs - timeMs) })
}

interface Creation extends Pick<WorkPeriod, 'fromMs' | 'toMs' | 'part'> {
  readonly nowMs: number
  readonly author: Member
}

export function chooseCreation(
  fields: Partial<Signal>,
  { part, nowMs, author, ...period }: Creation,
  faker: SimpleFaker,
): number {
  if (fields.createdDate) return Date.parse(fields.createdDate)
  const before = (text: string | null | undefined, marginMs: number) =>
    text ? Date.parse(text) - marginMs : nowMs
  const toMs = Math.min(
    period.toMs,
    before(fields.raisedDate, DAY / 2),
    before(fields.closedDate, 3 * DAY),
    before(fields.updatedDate, 3 * DAY),
    isOver(fields) ? nowMs - 2 * DAY : nowMs,
  )
  const isYoung = fields.status === 'open' || fields.status === 'inProgress' || fields.isDraft === true
  const fromMs = Math.max(period.fromMs, isYoung ? toMs - 90 * DAY : 0)
  return chooseMoment(faker, {
    fromMs: fromMs < toMs ? fromMs : toMs - 30 * DAY,
    toMs,
    workplace: findWorkplace(author),
    part,
  })
}

interface CourseSource {
  readonly createdMs: number
  readonly nowMs: number
  readonly severity: number
  readonly settlement: Period
  readonly isAutomatic: boolean
  readonly editor: Member
  readonly key: RecordKey
}

/** Generates the progress of a signal around its given fields. Order: created, raised, closed, updated, now. */
export function generateCourse(fields: Partial<Signal>, source: CourseSource) {
  const { createdMs, nowMs, key, editor } = source
  const workplace = findWorkplace(editor)
  const choose = (purpose: string, fromMs: number, toMs: number) =>
    chooseMoment(key.faker(purpose), { fromMs, toMs: Math.max(fromMs, Math.floor(toMs)), workplace })
  const { status, isDraft, endMs } = chooseStatus(fields, source)
  const updatedEnd = fields.updatedDate ? Date.parse(fields.updatedDate) : nowMs
  const closedEnd = fields.closedDate ? Date.parse(fields.closedDate) : Math.min(endMs, updatedEnd)
  const faker = key.faker('course')
  const raisedMs = fields.raisedDate
    ? Date.parse(fields.raisedDate)
    : source.isAutomatic || faker.datatype.boolean(0.7)
      ? createdMs
      : choose('raised', createdMs, Math.min(createdMs + 3 * DAY, closedEnd, updatedEnd))
  const beganMs = isDraft ? createdMs : raisedMs
  const isSettled = isOver({ status })
  const closedMs = fields.closedDate
    ? Date.parse(fields.closedDate)
    : choose('closed', Math.max(beganMs, closedEnd - 6 * DAY), closedEnd)
  const lastMs = isSettled || fields.closedDate ? closedMs : beganMs
  const touchedEnd = isSettled ? Math.min(lastMs + 5 * DAY, updatedEnd) : updatedEnd
  const latestMs = touchedEnd - countRestDays(source.severity) * DAY
  const isDue = !isSettled && lastMs < latestMs
  const isTouched = faker.datatype.boolean(isSettled ? 0.3 : 0.7) || isDue
  return {
    status,
    isDraft,
    createdDate: formatInstant(createdMs),
    raisedDate: isDraft ? null : formatInstant(raisedMs),
    closedDate: isSettled ? formatInstant(closedMs) : null,
    updatedDate: formatInstant(isTouched ? choose('updated', isDue ? latestMs : lastMs, touchedEnd) : lastMs),
  }
}

/** The share of drafts among young signals, and that of its time after which somebody works on a signal. */
export const DRAFTS = 0.22
export const BEGINNING = 0.4

export const countRestDays = (severity: number): number => [55, 50, 40, 24, 10, 5][severity] ?? 40

const countMaxDays = (severity: number): number => [300, 300, 300, 240, 150, 75][severity] ?? 300

function chooseStatus(
  fields: Partial<Signal>,
  { createdMs, nowMs, severity, settlement, key }: CourseSource,
) {
  const faker = key.faker('status')
  const isDismissed = faker.datatype.boolean(0.2)
  const durationMs = isDismissed
    ? faker.number.float({ min: 4 * DAY, max: 30 * DAY, distributor: mostlySmall })
    : faker.number.float({ min: 8 * DAY, max: countMaxDays(severity) * DAY, distributor: mostlySmall })
  const plannedMs = Math.min(
    Math.max(createdMs + durationMs, isDismissed ? 0 : settlement.fromMs),
    settlement.toMs,
  )
  const endMs = Math.floor(Math.max(createdMs, Math.min(plannedMs, nowMs)))
  const isYoung = nowMs - createdMs < 90 * DAY && settlement.toMs > nowMs
  const { status = 'open', raisedDate, closedDate, dismissalReason, outcome } = fields
  const canBeDraft = status === 'open' && !raisedDate && !closedDate && !dismissalReason && !outcome
  const isDraft =
    fields.isDraft ?? (canBeDraft && (raisedDate === null || (isYoung && faker.datatype.boolean(DRAFTS))))
  return { status: fields.status ?? findStatus(), isDraft, endMs }

  function findStatus(): Signal['status'] {
    if (isDraft) return 'open'
    if (dismissalReason) return 'dismissed'
    if (closedDate || outcome) return 'closed'
    if (closedDate === null || dismissalReason === null) return 'open'
    if (plannedMs <= nowMs) return isDismissed ? 'dismissed' : 'closed'
    return nowMs - createdMs > durationMs * BEGINNING ? 'inProgress' : 'open'
  }
}
