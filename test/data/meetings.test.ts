import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import { createLookup, draft, generated } from './generated.ts'
import {
  allTenants,
  countEach,
  DAY,
  fullName,
  isGenerated,
  listDoubled,
  listParticipants,
  now,
  nowMs,
  readClock,
} from './tenants.ts'

describe.each(allTenants)('$name', ({ rows, seed, size, get }) => {
  const meetings = rows.meetings.filter(isGenerated)
  const local = meetings.map(({ customerId, startDate, endDate }) => {
    const zone = get('customers', customerId)?.timezone ?? 'UTC'
    return { start: readClock(startDate, zone), end: readClock(endDate, zone) }
  })

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
    expect(listDoubled(rows.meetings, listParticipants)).toEqual([])
    const days = rows.meetings.flatMap((meeting) =>
      listParticipants(meeting).map((person) => `${person} ${meeting.startDate.slice(0, 10)}`),
    )
    expect([...countEach(days)].filter(([, meetingsOfDay]) => meetingsOfDay > 5)).toEqual([])
  })

  it('meetings are about a product while its contract runs, or offer it before', () => {
    const wrong = meetings.filter(({ customerId, organizationId, topic, startDate }) => {
      const customer = get('customers', customerId)
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
      const products = get('customers', customerId)?.products ?? []
      const isGone = products.length > 0 && products.every(({ status }) => status === 'churned')
      const end = Math.max(...products.map(({ renewalDate }) => Date.parse(renewalDate)))
      const startMs = Date.parse(startDate)
      return isGone ? startMs > end + 14 * DAY || startMs < end - 24 * 31 * DAY : startMs < nowMs - 550 * DAY
    })
    expect(wrong.map(({ id, startDate }) => `${id} ${startDate}`)).toEqual([])
  })

  it('next steps are given to people who are there', () => {
    const wrong = meetings.filter(({ memberIds, users, contacts, nextSteps }) => {
      const people = [...memberIds.flatMap((id) => get('members', id) ?? []), ...users, ...contacts]
      const names = people.map((person) => `${fullName(person)}: `)
      return nextSteps.some((step) => !names.some((name) => step.startsWith(name)))
    })
    expect(wrong.map(({ id, startDate }) => `${id} ${startDate}`)).toEqual([])
  })

  it('a kickoff is held once for a product', () => {
    const kickoffs = meetings.filter(({ topic }) => /kickoff/i.test(topic))
    const topics = kickoffs.map(({ customerId, topic }) => `${customerId} ${topic.split(': ').at(-1)}`)
    expect([...countEach(topics)].filter(([, times]) => times > 1)).toEqual([])
  })

  it('a meeting generated alone is the one of the dataset', () => {
    const context = { seed, now, data: createLookup(generated({ seed, size })) }
    const sample = meetings.filter((_, index) => index % Math.ceil(meetings.length / 20) === 0)
    expect(sample.map(({ id }) => draft('meetings', id, {}, context))).toEqual(sample)
  })
})
