import type { Row } from '../../src/store/tables.ts'
import { chooseWorkingTime, toLocalTime } from '../calendar.ts'
import { MeetingCalendar } from '../meeting-calendar.ts'
import { generateMeeting } from '../meetings.ts'
import { drawAt } from '../random.ts'
import { DAY, HOUR, instant, MINUTE, parseTime, startOfDay } from '../time.ts'
import type { Appointment, LifeDraft } from './life.ts'

type Meeting = Row<'meetings'>

/** The time after a meeting in which its summary and its transcript come. */
const AFTERWARDS = 5 * DAY

/** Enters the customer's meetings into a calendar. Other customers' are unknown, so that they change nothing here. */
function readOwnCalendar(life: LifeDraft): MeetingCalendar {
  const calendar = new MeetingCalendar()
  for (const meeting of life.own('meetings')) calendar.book(meeting)
  return calendar
}

/** Plans a meeting now, which takes place in the coming weeks. */
export function planMeeting(life: LifeDraft): void {
  const { customer, nowMs } = life
  const id = life.nextId('meetings')
  if (id === 0 || !customer || !life.account) return
  const calendar = readOwnCalendar(life)
  const faker = life.key('meeting').faker('start')
  let startMs = 0
  for (let tries = 0; tries < 8 && startMs === 0; tries += 1) {
    const chosenMs = chooseWorkingTime(faker, {
      fromMs: nowMs + 2 * DAY,
      toMs: nowMs + 20 * DAY,
      nowMs,
      workplace: customer,
      step: 30,
    })
    const local = toLocalTime(chosenMs, customer.timezone)
    const isEarly = local - startOfDay(local) <= 16 * HOUR
    const slot = { id, startMs: chosenMs, endMs: chosenMs + HOUR }
    if (isEarly && calendar.isFree('customer', customer.id, slot)) startMs = chosenMs
  }
  if (startMs === 0) return
  const final = generateMeeting(
    id,
    { createdDate: instant(nowMs), startDate: instant(startMs) },
    life.tenant(startMs + AFTERWARDS, calendar),
  )
  life.put('meetings', asPlanned(final))
  const fate = drawAt(life.hash, id)
  const noticeMs = Math.floor(nowMs + (startMs - nowMs) * 0.6)
  if (fate < 0.04) life.plan(noticeMs, (later) => later.remove('meetings', id))
  else if (fate < 0.12) life.plan(noticeMs, (later) => postpone(later, final))
  else holdMeeting(life, final)
}

/** Takes back what a meeting has once it was held. */
const asPlanned = (meeting: Meeting): Meeting => ({
  ...meeting,
  summary: null,
  nextSteps: [],
  hasTranscript: false,
  updatedDate: meeting.createdDate,
})

const addWeek = (time: string): string => instant(parseTime(time) + 7 * DAY)

/** Moves a meeting by a week. */
function postpone(life: LifeDraft, final: Meeting): void {
  const meeting = life.find('meetings', final.id)
  if (!meeting) return
  const times = { startDate: addWeek(final.startDate), endDate: addWeek(final.endDate) }
  life.put('meetings', { ...meeting, ...times, updatedDate: instant(life.nowMs) })
  holdMeeting(life, { ...final, ...times })
}

/** Plans the summary minutes after a meeting, and the transcript hours later. */
function holdMeeting(life: LifeDraft, final: Meeting): void {
  const endMs = parseTime(final.endDate)
  const share = drawAt(life.hash, final.id + 1)
  const summaryMs = endMs + Math.floor((3 + share * 12) * MINUTE)
  const { id, summary, nextSteps } = final
  const change = (fields: Partial<Meeting>) => (later: LifeDraft) => {
    const meeting = later.find('meetings', id)
    if (meeting) later.put('meetings', { ...meeting, ...fields, updatedDate: instant(later.nowMs) })
  }
  if (summary !== null) life.plan(summaryMs, change({ summary, nextSteps }))
  if (final.hasTranscript) {
    life.plan(summaryMs + Math.floor((1 + share * 5) * HOUR), change({ hasTranscript: true }))
  }
}

/** Plans how a meeting of the dataset goes on that has yet to take place. */
export function listMeetingCourse(meeting: Meeting): readonly Appointment[] {
  return [{ atMs: parseTime(meeting.endDate), happen: (life) => tellMeeting(life, meeting) }]
}

/** Generates what a meeting of the dataset was about, if its people and its topic come out the same. */
function tellMeeting(life: LifeDraft, before: Meeting): void {
  const meeting = life.find('meetings', before.id)
  if (!meeting || !life.account || meeting.summary !== null) return
  const { createdDate, startDate, endDate, memberIds, topic } = before
  const told = generateMeeting(
    before.id,
    { createdDate, startDate, endDate, memberIds, topic },
    life.tenant(life.nowMs + AFTERWARDS, readOwnCalendar(life)),
  )
  const isSame =
    told.topic === topic &&
    told.contacts.map(({ id }) => id).join() === meeting.contacts.map(({ id }) => id).join()
  const hasHost = told.memberIds[0] === meeting.memberIds[0]
  holdMeeting(
    life,
    isSame && hasHost ? { ...told, endDate } : { ...meeting, endDate, hasTranscript: told.hasTranscript },
  )
}
