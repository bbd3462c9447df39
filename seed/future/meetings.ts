import type { Row } from '../../src/store/tables.ts'
import { DAY, HOUR, MINUTE, formatInstant } from '../calendar/time.ts'
import { MeetingCalendar } from '../meetings/meeting-calendar.ts'
import { generateMeeting } from '../meetings/meetings.ts'
import { drawAt } from '../random/random.ts'
import type { CustomerTimeline } from './customer-timeline.ts'

type Meeting = Row<'meetings'>

/** The longest time from a meeting to its summary and its transcript. */
const AFTERWARDS = 5 * DAY

/** Creates a calendar with the customer's meetings alone, so that it does not depend on other customers. */
function readCalendar(timeline: CustomerTimeline): MeetingCalendar {
  const calendar = new MeetingCalendar()
  for (const meeting of timeline.listRows('meetings')) calendar.book(meeting)
  return calendar
}

/** Plans the next meeting at a time at which its host and the customer are free. What becomes of it happens later. */
export function planMeeting(timeline: CustomerTimeline): void {
  const final = generateNext(timeline)
  if (!final) return
  const { nowMs } = timeline
  const { id, startDate } = final
  const outcome = { summary: null, nextSteps: [], hasTranscript: false }
  timeline.put('meetings', { ...final, ...outcome, updatedDate: final.createdDate })
  const draw = drawAt(timeline.hash, id)
  const noticeMs = Math.floor(nowMs + (Date.parse(startDate) - nowMs) * 0.6)
  if (draw < 0.04) timeline.schedule(noticeMs, (later) => later.remove('meetings', id))
  else if (draw < 0.12) timeline.schedule(noticeMs, (later) => postponeMeeting(later, final))
  else scheduleOutcome(timeline, final)
}

function generateNext(timeline: CustomerTimeline): Meeting | undefined {
  const { customer, account, dataset, nowMs } = timeline
  const id = timeline.nextId('meetings')
  if (id === 0 || !account) return undefined
  const period = { fromMs: nowMs + 2 * DAY, toMs: nowMs + 45 * DAY }
  const times = [...new Set([account.owner, account.seller])].flatMap((host) =>
    dataset.listFreeTimes(host, customer, period).map((startMs) => ({ host, startMs })),
  )
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
    const memberIds = [hostId, ...others.filter((other) => !dataset.isHost(other))]
    const endMs = Math.min(Date.parse(meeting.endDate), startMs + HOUR)
    return { ...meeting, memberIds, endDate: formatInstant(endMs) }
  }
  return undefined
}

function postponeMeeting(timeline: CustomerTimeline, final: Meeting): void {
  const { id } = final
  const { customer, dataset } = timeline
  const meeting = timeline.find('meetings', id)
  const host = dataset.findMember(meeting?.memberIds[0] ?? 0)
  if (!meeting || !host) return
  const beforeMs = Date.parse(final.startDate)
  const length = Date.parse(final.endDate) - beforeMs
  const calendar = readCalendar(timeline)
  const period = { fromMs: beforeMs + 4 * DAY, toMs: beforeMs + 40 * DAY }
  const startMs = dataset
    .listFreeTimes(host, customer, period)
    .find((timeMs) =>
      calendar.isFree('customer', customer.id, { id, startMs: timeMs, endMs: timeMs + length }),
    )
  if (startMs === undefined) return timeline.remove('meetings', id)
  const times = { startDate: formatInstant(startMs), endDate: formatInstant(startMs + length) }
  timeline.put('meetings', { ...meeting, ...times, updatedDate: formatInstant(timeline.nowMs) })
  scheduleOutcome(timeline, { ...final, ...times })
}

/** Schedules the summary minutes after a meeting, and the transcript hours later. */
function scheduleOutcome(
  timeline: CustomerTimeline,
  { id, endDate, summary, nextSteps, hasTranscript }: Meeting,
): void {
  const update = (later: CustomerTimeline, fields: Partial<Meeting>): void => {
    const meeting = later.find('meetings', id)
    if (meeting) later.put('meetings', { ...meeting, ...fields, updatedDate: formatInstant(later.nowMs) })
  }
  const share = drawAt(timeline.hash, id + 1)
  const summaryMs = Date.parse(endDate) + Math.floor((3 + share * 12) * MINUTE)
  const transcriptMs = summaryMs + Math.floor((1 + share * 5) * HOUR)
  if (summary !== null) timeline.schedule(summaryMs, (later) => update(later, { summary, nextSteps }))
  if (hasTranscript) timeline.schedule(transcriptMs, (later) => update(later, { hasTranscript }))
}

const listContacts = ({ contacts }: Meeting): string => contacts.map(({ id }) => id).join()

/** Generates the outcome of a meeting of the dataset, if its generated people and topic are the same. */
export function describeMeeting(timeline: CustomerTimeline, id: number): void {
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
    listContacts(generated) === listContacts(meeting) &&
    generated.memberIds[0] === meeting.memberIds[0]
  const { hasTranscript } = generated
  scheduleOutcome(timeline, isSame ? { ...generated, endDate } : { ...meeting, endDate, hasTranscript })
}
