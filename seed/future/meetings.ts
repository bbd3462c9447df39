import type { Row } from '../../src/store/tables.ts'
import { DAY, HOUR, MINUTE, formatInstant, parseTime } from '../calendar/time.ts'
import { MeetingCalendar } from '../meetings/meeting-calendar.ts'
import type { Period } from '../meetings/meeting-kinds.ts'
import { generateMeeting } from '../meetings/meetings.ts'
import { drawAt } from '../random/random.ts'
import type { TimelineBuilder } from './customer-timeline.ts'
import type { ScheduledEvent, MeetingEnd } from './events.ts'
import { listOwnTimes } from './own-times.ts'

type Meeting = Row<'meetings'>

/** The longest time from a meeting to its summary and its transcript. */
const AFTERWARDS = 5 * DAY

/** Creates a calendar with the customer's meetings alone, so that it does not depend on other customers. */
function readCalendar(timeline: TimelineBuilder): MeetingCalendar {
  const calendar = new MeetingCalendar()
  for (const meeting of timeline.listRows('meetings')) calendar.book(meeting)
  return calendar
}

/** Generates the next meeting with its outcome, at a time at which its host and the customer are free. */
function generateNext(timeline: TimelineBuilder): Meeting | undefined {
  const { customer, account, nowMs } = timeline
  const id = timeline.nextId('meetings')
  if (id === 0 || !customer || !account) return undefined
  const period = { fromMs: nowMs + 2 * DAY, toMs: nowMs + 45 * DAY }
  const times = listTimes(timeline, period, new Set([account.owner, account.seller]))
  for (const { startMs, host } of timeline.createKey('meeting').faker('start').helpers.shuffle(times)) {
    const calendar = readCalendar(timeline)
    if (!calendar.isFree('customer', customer.id, { id, startMs, endMs: startMs + HOUR })) continue
    const meeting = generateMeeting(
      id,
      { createdDate: formatInstant(nowMs), startDate: formatInstant(startMs) },
      timeline.createTenant(startMs + AFTERWARDS, calendar),
    )
    const [hostId, ...others] = meeting.memberIds
    if (hostId !== host.id) continue
    // Members with customers of their own have meetings that this customer's events do not know.
    const memberIds = [hostId, ...others.filter((other) => !timeline.dataset.isHost(other))]
    const endMs = Math.min(parseTime(meeting.endDate), startMs + HOUR)
    return { ...meeting, memberIds, endDate: formatInstant(endMs) }
  }
  return undefined
}

export function planMeeting(timeline: TimelineBuilder): void {
  const final = generateNext(timeline)
  if (!final) return
  const { nowMs } = timeline
  const { id, startDate, endDate, summary, nextSteps, hasTranscript } = final
  const outcome = { summary: null, nextSteps: [], hasTranscript: false }
  timeline.put('meetings', { ...final, ...outcome, updatedDate: final.createdDate })
  const draw = drawAt(timeline.hash, id)
  const noticeMs = Math.floor(nowMs + (parseTime(startDate) - nowMs) * 0.6)
  if (draw < 0.04) timeline.schedule(noticeMs, { event: 'cancelMeeting', id })
  else if (draw < 0.12) {
    const later = { id, endDate, summary, nextSteps, hasTranscript, startDate }
    timeline.schedule(noticeMs, { event: 'postponeMeeting', final: later })
  } else scheduleOutcome(timeline, final)
}

interface HostTime {
  readonly host: Row<'members'>
  readonly startMs: number
}

function listTimes(
  { id, customer, dataset }: TimelineBuilder,
  period: Period,
  hosts: Iterable<Row<'members'>>,
): HostTime[] {
  if (!customer) return []
  return [...hosts].flatMap((host) =>
    listOwnTimes(dataset.rankCustomer(host, id), host, customer, period).map((startMs) => ({
      host,
      startMs,
    })),
  )
}

export function postponeMeeting(
  timeline: TimelineBuilder,
  final: MeetingEnd & { readonly startDate: string },
): void {
  const meeting = timeline.find('meetings', final.id)
  const host = timeline.dataset.findMember(meeting?.memberIds[0] ?? 0)
  if (!meeting || !host) return
  const [beforeMs, length] = [
    parseTime(final.startDate),
    parseTime(final.endDate) - parseTime(final.startDate),
  ]
  const calendar = readCalendar(timeline)
  const time = listTimes(timeline, { fromMs: beforeMs + 4 * DAY, toMs: beforeMs + 40 * DAY }, [host]).find(
    ({ startMs }) =>
      calendar.isFree('customer', timeline.id, { id: meeting.id, startMs, endMs: startMs + length }),
  )
  if (!time) return timeline.remove('meetings', meeting.id)
  const times = {
    startDate: formatInstant(time.startMs),
    endDate: formatInstant(time.startMs + length),
  }
  timeline.put('meetings', { ...meeting, ...times, updatedDate: formatInstant(timeline.nowMs) })
  scheduleOutcome(timeline, { ...final, ...times })
}

/** Schedules the summary minutes after a meeting, and the transcript hours later. */
function scheduleOutcome(timeline: TimelineBuilder, final: MeetingEnd): void {
  const endMs = parseTime(final.endDate)
  const share = drawAt(timeline.hash, final.id + 1)
  const summaryMs = endMs + Math.floor((3 + share * 12) * MINUTE)
  const { id, summary, nextSteps } = final
  if (summary !== null) timeline.schedule(summaryMs, { event: 'addSummary', id, summary, nextSteps })
  if (final.hasTranscript) {
    timeline.schedule(summaryMs + Math.floor((1 + share * 5) * HOUR), { event: 'addTranscript', id })
  }
}

export function updateMeeting(timeline: TimelineBuilder, id: number, fields: Partial<Meeting>): void {
  const meeting = timeline.find('meetings', id)
  if (meeting) timeline.put('meetings', { ...meeting, ...fields, updatedDate: formatInstant(timeline.nowMs) })
}

export const listMeetingEvents = (meeting: Meeting): readonly ScheduledEvent[] => [
  { atMs: parseTime(meeting.endDate), event: 'describeMeeting', id: meeting.id },
]

/** Generates the outcome of a meeting of the dataset, if its generated people and topic are the same. */
export function describeMeeting(timeline: TimelineBuilder, id: number): void {
  const before = timeline.dataset.source.data.get('meetings', id)
  const meeting = timeline.find('meetings', id)
  if (!before || !meeting || !timeline.account || meeting.summary !== null) return
  const { createdDate, startDate, endDate, memberIds, topic } = before
  const generated = generateMeeting(
    id,
    { createdDate, startDate, endDate, memberIds, topic },
    timeline.createTenant(timeline.nowMs + AFTERWARDS, readCalendar(timeline)),
  )
  const isSame =
    generated.topic === topic &&
    generated.contacts.map((contact) => contact.id).join() ===
      meeting.contacts.map((contact) => contact.id).join()
  const hasHost = generated.memberIds[0] === meeting.memberIds[0]
  scheduleOutcome(
    timeline,
    isSame && hasHost
      ? { ...generated, endDate }
      : { ...meeting, endDate, hasTranscript: generated.hasTranscript },
  )
}
