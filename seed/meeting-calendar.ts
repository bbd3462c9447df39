import type { Row } from '../src/store/tables.ts'
import { DAY, parseTime } from './time.ts'

type Meeting = Row<'meetings'>

/** A meeting's place in a calendar. Units: milliseconds since 1970. */
export interface Slot {
  readonly id: number
  readonly startMs: number
  readonly endMs: number
}

/** The most meetings in a day (in UTC) of a member, of a user without membership and of a customer. */
const limits = { member: 5, user: 5, customer: 1 } as const

type Attendee = keyof typeof limits

/** The meetings of somebody by day, counted from 1970. */
type Days = Map<number, Slot[]>

/** The calendars of everybody who takes part in meetings. */
export class MeetingCalendar {
  readonly #calendars: Readonly<Record<Attendee, Map<number, Days>>> = {
    member: new Map(),
    user: new Map(),
    customer: new Map(),
  }

  /** Enters a meeting into the calendars of its participants. */
  book(meeting: Pick<Meeting, 'id' | 'startDate' | 'endDate' | 'customerId' | 'memberIds' | 'users'>): void {
    const slot = { id: meeting.id, startMs: parseTime(meeting.startDate), endMs: parseTime(meeting.endDate) }
    this.#enter('customer', meeting.customerId, slot)
    for (const id of meeting.memberIds) this.#enter('member', id, slot)
    for (const { id } of meeting.users) this.#enter('user', id, slot)
  }

  #enter(attendee: Attendee, id: number, slot: Slot): void {
    const days: Days = this.#calendars[attendee].get(id) ?? new Map()
    this.#calendars[attendee].set(id, days)
    const day = Math.floor(slot.startMs / DAY)
    const slots = days.get(day)
    if (slots) slots.push(slot)
    else days.set(day, [slot])
  }

  /** Reports whether somebody has time for a meeting, and not too many others on that day. */
  isFree(attendee: Attendee, id: number, meeting: Slot): boolean {
    const days = this.#calendars[attendee].get(id)
    if (!days) return true
    const day = Math.floor(meeting.startMs / DAY)
    const overlaps = (slot: Slot) =>
      slot.id !== meeting.id && slot.endMs > meeting.startMs && slot.startMs < meeting.endMs
    const others = days.get(day)?.filter((slot) => slot.id !== meeting.id) ?? []
    if (others.length >= limits[attendee] || others.some(overlaps)) return false
    return !days.get(day - 1)?.some(overlaps) && !days.get(day + 1)?.some(overlaps)
  }
}

/** Reads the calendar of the people who work with a customer from the existing meetings. */
export function readCalendar(
  customerId: number,
  memberIds: ReadonlySet<number>,
  meetings: readonly Meeting[],
): MeetingCalendar {
  const calendar = new MeetingCalendar()
  for (const meeting of meetings) {
    const isRelevant =
      meeting.customerId === customerId ||
      meeting.users.length > 0 ||
      meeting.memberIds.some((id) => memberIds.has(id))
    if (isRelevant) calendar.book(meeting)
  }
  return calendar
}
