import type { Row } from '../../src/store/tables.ts'
import { chooseWorkingTime, toLocalTime } from '../calendar/calendar.ts'
import { DAY, HOUR, MINUTE, formatInstant, parseTime, startOfDay } from '../calendar/time.ts'
import { MeetingCalendar } from '../meetings/meeting-calendar.ts'
import { generateMeeting } from '../meetings/meetings.ts'
import { canMeet, findWorkplace, isInReach } from '../people/offices.ts'
import { drawAt } from '../random/random.ts'
import type { TimelineBuilder } from './customer-timeline.ts'
import type { ScheduledEvent, MeetingEnd } from './events.ts'

type Meeting = Row<'meetings'>

/** The longest time from a meeting to its summary and its transcript. */
const AFTERWARDS = 5 * DAY

/** Creates a calendar with the customer's meetings alone, so that it does not depend on other customers. */
function readCalendar(timeline: TimelineBuilder): MeetingCalendar {
  const calendar = new MeetingCalendar()
  for (const meeting of timeline.listRows('meetings')) calendar.book(meeting)
  return calendar
}

export function planMeeting(timeline: TimelineBuilder): void {
  const { customer, nowMs } = timeline
  const id = timeline.nextId('meetings')
  if (id === 0 || !customer || !timeline.account) return
  const { owner } = timeline.account
  const calendar = readCalendar(timeline)
  const faker = timeline.createKey('meeting').faker('start')
  let startMs = 0
  for (let tries = 0; tries < 16 && startMs === 0; tries += 1) {
    const chosenMs = chooseWorkingTime(faker, {
      fromMs: nowMs + 2 * DAY,
      toMs: nowMs + 20 * DAY,
      workplace: customer,
      step: 30,
    })
    const local = toLocalTime(chosenMs, customer.timezone)
    const isEarly = local - startOfDay(local) <= 16 * HOUR
    const slot = { id, startMs: chosenMs, endMs: chosenMs + HOUR }
    const isNight =
      canMeet(owner, customer.timezone) && !isInReach(chosenMs, slot.endMs, findWorkplace(owner))
    if (isEarly && !isNight && calendar.isFree('customer', customer.id, slot)) startMs = chosenMs
  }
  if (startMs === 0) return
  const final = generateMeeting(
    id,
    { createdDate: formatInstant(nowMs), startDate: formatInstant(startMs) },
    timeline.createTenant(startMs + AFTERWARDS, calendar),
  )
  timeline.put('meetings', removeOutcome(final))
  const draw = drawAt(timeline.hash, id)
  const noticeMs = Math.floor(nowMs + (startMs - nowMs) * 0.6)
  if (draw < 0.04) timeline.schedule(noticeMs, { event: 'cancelMeeting', id })
  else if (draw < 0.12) {
    const { startDate } = final
    timeline.schedule(noticeMs, { event: 'postponeMeeting', final: { ...pickOutcome(final), startDate } })
  } else scheduleOutcome(timeline, final)
}

/** Removes fields that only a past meeting has. */
const removeOutcome = (meeting: Meeting): Meeting => ({
  ...meeting,
  summary: null,
  nextSteps: [],
  hasTranscript: false,
  updatedDate: meeting.createdDate,
})

const pickOutcome = ({ id, endDate, summary, nextSteps, hasTranscript }: Meeting): MeetingEnd => ({
  id,
  endDate,
  summary,
  nextSteps,
  hasTranscript,
})

const addWeek = (time: string): string => formatInstant(parseTime(time) + 7 * DAY)

export function postponeMeeting(
  timeline: TimelineBuilder,
  final: MeetingEnd & { readonly startDate: string },
): void {
  const meeting = timeline.find('meetings', final.id)
  if (!meeting) return
  const times = { startDate: addWeek(final.startDate), endDate: addWeek(final.endDate) }
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
