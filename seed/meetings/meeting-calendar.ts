import { addTo, getOrCreate, groupBy } from '../../src/core/maps.ts'
import type { Lookup } from '../../src/store/references.ts'
import type { Row } from '../../src/store/tables.ts'
import { DAY } from '../calendar/time.ts'

type Meeting = Row<'meetings'>

export interface Slot {
  readonly id: number
  readonly startMs: number
  readonly endMs: number
}

/** The most meetings in a day (in UTC) of a member, of a user without membership and of a customer. */
const limits = { member: 5, user: 5, customer: 1 } as const

type Attendee = keyof typeof limits

type Days = Map<number, Slot[]>

export class MeetingCalendar {
  readonly #calendars: Readonly<Record<Attendee, Map<number, Days>>> = {
    member: new Map(),
    user: new Map(),
    customer: new Map(),
  }
  readonly #data: Lookup | undefined

  /** @param data has meetings that are entered when the calendar of a participant is first read */
  constructor(data?: Lookup) {
    this.#data = data
  }

  book(meeting: Pick<Meeting, 'id' | 'startDate' | 'endDate' | 'customerId' | 'memberIds' | 'users'>): void {
    const slot = toSlot(meeting)
    addTo(this.#read('customer', meeting.customerId), getDay(slot), slot)
    for (const id of meeting.memberIds) addTo(this.#read('member', id), getDay(slot), slot)
    for (const { id } of meeting.users) addTo(this.#read('user', id), getDay(slot), slot)
  }

  #read(attendee: Attendee, id: number): Days {
    return getOrCreate(this.#calendars[attendee], id, () =>
      groupBy((this.#data?.find('meetings', `${attendee}Id`, id) ?? []).map(toSlot), getDay),
    )
  }

  isFree(attendee: Attendee, id: number, meeting: Slot): boolean {
    const days = this.#read(attendee, id)
    const day = getDay(meeting)
    const overlaps = (slot: Slot) =>
      slot.id !== meeting.id && slot.endMs > meeting.startMs && slot.startMs < meeting.endMs
    const others = (days.get(day) ?? []).filter(({ id: other }) => other !== meeting.id)
    if (others.length >= limits[attendee]) return false
    return ![day - 1, day, day + 1].some((each) => days.get(each)?.some(overlaps))
  }
}

const toSlot = ({ id, startDate, endDate }: Pick<Meeting, 'id' | 'startDate' | 'endDate'>): Slot => ({
  id,
  startMs: Date.parse(startDate),
  endMs: Date.parse(endDate),
})

const getDay = ({ startMs }: Slot): number => Math.floor(startMs / DAY)
