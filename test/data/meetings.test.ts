import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import { createGenerator } from '../../seed/index.ts'
import { SessionData } from '../../src/store/session-data.ts'
import {
  allTenants,
  countEach,
  DAY,
  expectNone,
  formatName,
  isGenerated,
  listDoubled,
  listParticipants,
  now,
  nowMs,
  readClock,
} from './tenants.ts'

describe.each(allTenants)('$name', ({ dataset, rows, seed, get }) => {
  const meetings = rows.meetings.filter(isGenerated)
  const local = meetings.map(({ customerId, startDate, endDate }) => {
    const zone = get('customers', customerId)?.timezone ?? 'UTC'
    return { start: readClock(startDate, zone), end: readClock(endDate, zone) }
  })

  it('meetings take place on weekdays, but neither at Christmas nor at New Year', () =>
    expectNone(
      local,
      ({ start }) =>
        [0, 6].includes(new Date(start.slice(0, 10)).getUTCDay()) || /-(?:12-2[56]|01-01) /.test(start),
    ))

  it('meetings take place in office hours of the customer’s zone, on quarter hours', () =>
    expectNone(
      local,
      ({ start, end }) =>
        start.slice(11) < '09:00' || end.slice(11) > '17:30' || !/:(?:00|15|30|45)$/.test(start),
    ))

  it('nobody is in two meetings at once, or in more than five a day', () => {
    expect(listDoubled(rows.meetings)).toEqual([])
    const days = rows.meetings.flatMap((meeting) =>
      listParticipants(meeting).map((person) => `${person} ${meeting.startDate.slice(0, 10)}`),
    )
    expectNone([...countEach(days)], ([, meetingsOfDay]) => meetingsOfDay > 5)
  })

  it('meetings are about a product while its contract runs, or offer it before', () =>
    expectNone(meetings, ({ customerId, organizationId, topic, startDate }) => {
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
    }))

  it('customers are met no more than 18 months ago, and not after they have left', () =>
    expectNone(meetings, ({ customerId, startDate }) => {
      const products = get('customers', customerId)?.products ?? []
      const isGone = products.length > 0 && products.every(({ status }) => status === 'churned')
      const end = Math.max(...products.map(({ renewalDate }) => Date.parse(renewalDate)))
      const startMs = Date.parse(startDate)
      return isGone ? startMs > end + 14 * DAY || startMs < end - 24 * 31 * DAY : startMs < nowMs - 550 * DAY
    }))

  it('next steps are given to people who are there', () =>
    expectNone(meetings, ({ memberIds, users, contacts, nextSteps }) => {
      const people = [...memberIds.flatMap((id) => get('members', id) ?? []), ...users, ...contacts]
      const names = people.map((person) => `${formatName(person)}: `)
      return nextSteps.some((step) => !names.some((name) => step.startsWith(name)))
    }))

  it('a kickoff is held once for a product', () => {
    const kickoffs = meetings.filter(({ topic }) => /kickoff/i.test(topic))
    const topics = kickoffs.map(({ customerId, topic }) => `${customerId} ${topic.split(': ').at(-1)}`)
    expectNone([...countEach(topics)], ([, times]) => times > 1)
  })

  it('a meeting generated alone is the one of the dataset', () => {
    const sample = meetings.filter((_, index) => index % Math.ceil(meetings.length / 20) === 0)
    const data = new SessionData(() => dataset)
    expectNone(sample, (meeting) => {
      const alone = createGenerator({ seed, now, data })('meetings', meeting.id, {})
      return JSON.stringify(alone) !== JSON.stringify(meeting)
    })
  })
})
