import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import { getBuiltinFixture } from '../../seed/fixtures/fixtures.ts'
import type { Row } from '../../src/store/tables.ts'
import { type Dataset, datasets, now } from './datasets.ts'
import { createLookup, draft } from './generated.ts'

type Meeting = Row<'meetings'>

const DAY = 86_400_000
const { meetings: written } = getBuiltinFixture('default').records

/** Lists the meetings that no fixture states. */
const listGenerated = ({ rows }: Dataset): readonly Meeting[] =>
  rows.meetings.filter(({ id }) => !written.has(id))

const formats = new Map<string, Intl.DateTimeFormat>()

/** Reads the clocks of a zone as `2026-01-15 09:00`. */
function readClock(iso: string, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  formats.set(timeZone, format)
  return format.format(Date.parse(iso))
}

/** Counts values. */
function count<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const large = datasets.filter(({ size }) => size >= 300)

describe.each(datasets)('$name', (dataset) => {
  const { rows, seed } = dataset
  const meetings = listGenerated(dataset)
  const customers = new Map(rows.customers.map((customer) => [customer.id, customer]))
  const zoneOf = ({ customerId }: Meeting) => customers.get(customerId)?.timezone ?? 'UTC'
  const local = meetings.map((meeting) => ({
    meeting,
    start: readClock(meeting.startDate, zoneOf(meeting)),
    end: readClock(meeting.endDate, zoneOf(meeting)),
  }))

  it('meetings take place on weekdays, but neither at Christmas nor at New Year', () => {
    const wrong = local.filter(
      ({ start }) =>
        [0, 6].includes(new Date(start.slice(0, 10)).getUTCDay()) || /-(?:12-2[56]|01-01) /.test(start),
    )
    expect(wrong.map(({ start }) => start)).toEqual([])
  })

  it('meetings take place in office hours of the customer’s zone, on quarter hours', () => {
    const wrong = local.filter(
      ({ start, end }) =>
        start.slice(11) < '09:00' || end.slice(11) > '17:30' || !/:(?:00|15|30|45)$/.test(start),
    )
    expect(wrong.map(({ start, end }) => `${start} to ${end}`)).toEqual([])
  })

  it('nobody is in two meetings at once, or in more than five a day', () => {
    const slots = new Map<string, Meeting[]>()
    for (const meeting of rows.meetings) {
      const people = [
        ...meeting.memberIds.map((id) => `member ${id}`),
        ...meeting.users.map(({ id }) => `user ${id}`),
        ...meeting.contacts.map(({ id }) => `contact ${id}`),
      ]
      for (const person of people) slots.set(person, [...(slots.get(person) ?? []), meeting])
    }
    const doubled = [...slots].flatMap(([person, own]) => {
      const sorted = own.toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1))
      return sorted.filter((meeting, index) => {
        const before = sorted[index - 1]
        return before !== undefined && before.endDate > meeting.startDate && [person, before.id, meeting.id]
      })
    })
    expect(doubled).toEqual([])
    const days = count(
      [...slots].flatMap(([person, own]) => own.map((row) => `${person} ${row.startDate.slice(0, 10)}`)),
    )
    expect([...days].filter(([, meetingsOfDay]) => meetingsOfDay > 5)).toEqual([])
  })

  it('meetings are about a product while its contract runs, or offer it before', () => {
    const wrong = meetings.filter(({ customerId, organizationId, topic, startDate }) => {
      const customer = customers.get(customerId)
      const product = rows.products.find(
        (row) => row.organizationId === organizationId && new RegExp(`(?:: | and )${row.name}$`).test(topic),
      )
      const entry = customer?.products.find(({ key }) => key === product?.key)
      if (!customer || !product) return !/^(?:Escalation|Incident)/.test(topic)
      const isOffer = /^(?:Demo|Introduction|Discovery)/.test(topic)
      if (!entry) return !isOffer
      const startMs = Date.parse(startDate)
      const isBefore = startMs < computeStart(customerId, entry, seed)
      const isAfter = entry.status === 'churned' && startMs > Date.parse(entry.renewalDate)
      const isFarewell = /^(?:Offboarding|Data handover)/.test(topic)
      return isBefore !== isOffer || (isAfter && !isFarewell)
    })
    expect(wrong.map(({ id, topic, startDate }) => `${id} ${topic} ${startDate}`)).toEqual([])
  })

  it('customers are met no more than 18 months ago, and not after they have left', () => {
    const wrong = meetings.filter(({ customerId, startDate }) => {
      const products = customers.get(customerId)?.products ?? []
      const isGone = products.length > 0 && products.every(({ status }) => status === 'churned')
      const end = Math.max(...products.map(({ renewalDate }) => Date.parse(renewalDate)))
      const startMs = Date.parse(startDate)
      return isGone
        ? startMs > end + 14 * DAY || startMs < end - 24 * 31 * DAY
        : startMs < Date.parse(now) - 550 * DAY
    })
    expect(wrong.map(({ id, startDate }) => `${id} ${startDate}`)).toEqual([])
  })

  it('contacts who have left come to no meetings any more', () => {
    const leavers = rows.signals.flatMap((signal) => {
      if (signal.subCategory?.name !== 'Sponsor change' || written.has(signal.id)) return []
      const met = rows.meetings.filter(({ customerId }) => customerId === signal.customerId)
      const names = new Set(
        met.flatMap(({ contacts }) => contacts.map((person) => `${person.firstName} ${person.lastName}`)),
      )
      const leaver = [...names].find(
        (name) =>
          signal.summary.includes(name) &&
          /left|leav|retir|no longer|lost|bounce|new employer/i.test(signal.summary),
      )
      return leaver === undefined ? [] : [{ leaver, signal, met }]
    })
    const back = leavers.filter(({ leaver, signal, met }) =>
      met.some(
        ({ contacts, startDate }) =>
          startDate > signal.createdDate &&
          contacts.some((person) => `${person.firstName} ${person.lastName}` === leaver),
      ),
    )
    expect(back.map(({ leaver }) => leaver)).toEqual([])
  })

  it('next steps are given to people who are there', () => {
    const members = new Map(rows.members.map((member) => [member.id, member]))
    const wrong = meetings.filter(({ memberIds, users, contacts, nextSteps }) => {
      const people = [...memberIds.flatMap((id) => members.get(id) ?? []), ...users, ...contacts]
      const names = people.map(({ firstName, lastName }) => `${firstName} ${lastName}: `)
      return nextSteps.some((step) => !names.some((name) => step.startsWith(name)))
    })
    expect(wrong.map(({ id, startDate }) => `${id} ${startDate}`)).toEqual([])
  })

  it('a kickoff is held once for a product', () => {
    const kickoffs = meetings.filter(({ topic }) => /kickoff/i.test(topic))
    const topics = kickoffs.map(({ customerId, topic }) => `${customerId} ${topic.split(': ').at(-1)}`)
    expect([...count(topics)].filter(([, times]) => times > 1)).toEqual([])
  })

  it('a meeting generated alone is the one of the dataset', () => {
    const context = { seed, now, data: createLookup(dataset) }
    const sample = meetings.filter((_, index) => index % Math.ceil(meetings.length / 20) === 0)
    expect(sample.map(({ id }) => draft('meetings', id, {}, context))).toEqual(sample)
  })
})

describe.each(large)('$name', (dataset) => {
  const meetings = listGenerated(dataset)
  const zones = new Map(dataset.rows.customers.map(({ id, timezone }) => [id, timezone]))

  it('meetings are spread evenly over the weekdays, with a few less on Fridays', () => {
    const days = count(
      meetings.map(({ startDate, customerId }) =>
        new Date(readClock(startDate, zones.get(customerId) ?? 'UTC').slice(0, 10)).getUTCDay(),
      ),
    )
    const shares = [1, 2, 3, 4].map((day) => (days.get(day) ?? 0) / meetings.length)
    expect(Math.max(...shares)).toBeLessThan(0.25)
    expect(Math.min(...shares)).toBeGreaterThan(0.17)
    expect((days.get(5) ?? 0) / meetings.length).toBeGreaterThan(0.11)
  })

  it('the number of meetings grows gently, without an explosion towards now', () => {
    const ageDays = meetings.map(({ startDate }) => (Date.parse(now) - Date.parse(startDate)) / DAY)
    const within = (from: number, to: number) => ageDays.filter((age) => age >= from && age < to).length
    const weekly = (from: number, to: number) => within(from, to) / ((to - from) / 7)
    expect(weekly(0, 28)).toBeLessThan(1.5 * weekly(56, 168))
    expect(weekly(0, 180)).toBeLessThan(1.8 * weekly(360, 540))
    expect(weekly(0, 180)).toBeGreaterThan(weekly(360, 540))
    expect(within(-30, 0)).toBeGreaterThan(0.02 * meetings.length)
  })
})

it('a larger size has the meetings of a smaller one', () => {
  for (const seed of [1, 42, 2026]) {
    const [smaller, larger] = datasets.filter((dataset) => dataset.seed === seed).slice(-2)
    const known = new Map(larger?.rows.meetings.map((meeting) => [meeting.id, meeting]))
    const meetings = smaller?.rows.meetings ?? []
    expect(meetings.map(({ id }) => known.get(id))).toEqual(meetings)
  }
})
