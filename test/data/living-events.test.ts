import { expect, it } from 'vitest'

import { findMember } from '../../src/http/middleware/authenticate.ts'
import { SessionData } from '../../src/store/session-data.ts'
import { daysLater, openLiving } from './living-support.ts'
import { DAY, expectNone, groupBy, isGenerated, type Row } from './tenants.ts'

const seeds = [1, 42, 2026]

/** Returns the dataset of a seed, and the data some years later; in two years, several members leave. */
async function readYears(seed: number, years: number) {
  const { dataset: before, moments } = await openLiving(seed)
  return { before, after: moments.at(daysLater(365 * years)) }
}

const cast = new Set([1, 2, 3, 4, 5, 6, 7, 501])

/** Returns the share of closed signals that have an outcome. */
function measureOutcomes(rows: readonly Row<'signals'>[]): number {
  const closed = rows.filter(({ status }) => status === 'closed')
  return closed.filter(({ outcome }) => outcome !== null).length / closed.length
}

it('closes signals with an outcome as often as the dataset does', async () => {
  const years = await Promise.all(seeds.map((seed) => readYears(seed, 1)))
  const wasOpen = years.flatMap(({ before, after }) =>
    after.rows.signals.filter(({ id }) => before.tables.signals.get(id)?.closedDate === null),
  )
  const later = years.flatMap(({ after }) => after.rows.signals.filter(({ id }) => id > 1e12))
  const usual = measureOutcomes(years.flatMap(({ before }) => before.rows.signals))
  expect(wasOpen.length).toBeGreaterThan(30)
  expect(Math.abs(measureOutcomes(wasOpen) - usual)).toBeLessThan(0.12)
  expect(Math.abs(measureOutcomes(later) - usual)).toBeLessThan(0.06)
})

it.each(seeds)('reviews a product once in a quarter, and not twice in a month: seed %i', async (seed) => {
  const { after } = await readYears(seed, 2)
  const reviews = after.rows.meetings.filter(
    (meeting) =>
      /^(?:Quarterly business review|Business review|QBR)/.test(meeting.topic) && isGenerated(meeting),
  )
  const products = groupBy(reviews, ({ customerId, topic }) => `${customerId} ${topic.split(': ').at(-1)}`)
  expect(products.size).toBeGreaterThan(5)
  expectNone([...products.values()], (list) => {
    const times = list.map(({ startDate }) => Date.parse(startDate)).toSorted((a, b) => a - b)
    return times.some((timeMs, index) => timeMs - (times[index - 1] ?? 0) < 30 * DAY)
  })
})

it.each(seeds)('soon stops talking about a customer that has left: seed %i', async (seed) => {
  const { after } = await readYears(seed, 2)
  const ends = new Map(
    after.rows.customers
      .filter(({ products }) => products.length > 0 && products.every(({ status }) => status === 'churned'))
      .map(({ id, products }) => [id, Math.max(...products.map((entry) => Date.parse(entry.renewalDate)))]),
  )
  const talk = [after.rows.signals, after.rows.meetings, after.rows.notes].flat().filter(isGenerated)
  expect(ends.size).toBeGreaterThan(5)
  expectNone(
    talk,
    ({ customerId, createdDate }) => Date.parse(createdDate) > (ends.get(customerId) ?? Infinity) + 70 * DAY,
  )
})

it('lets signals start each automation that they start in the dataset', async () => {
  const { after } = await readYears(42, 2)
  // Usage drop watch with its children, escalation routing with its child, and survey follow-up.
  const started = after.rows.automations
    .filter(({ id }) => [1, 11, 12, 4, 41, 5].includes(id))
    .filter(({ id }) => after.rows.triggerLogs.some((log) => log.automationId === id && log.id > 1e12))
  expect(started.map(({ id }) => id)).toEqual([1, 4, 5, 11, 12, 41])
})

it('lets members leave, but nobody of the cast and no manager', async () => {
  const { after } = await readYears(42, 2)
  const former = after.rows.members.filter(({ leftDate }) => leftDate !== undefined)
  expect(former.length).toBeGreaterThan(2)
  const managers = new Set(after.rows.members.map(({ managerId }) => managerId))
  expectNone(former, ({ id }) => cast.has(id) || managers.has(id))
  const data = new SessionData(() => after)
  const listed = data.select('members', [['organizationId', 'harbor']])
  for (const member of former) {
    expect(listed.page()).not.toContain(member)
    expect(findMember(`Bearer sbx_harbor_${member.id}`, data)).toBeUndefined()
  }
})

it.each(seeds)('looks after open signals, the severe ones first: seed %i', async (seed) => {
  const { after } = await readYears(seed, 1)
  const open = after.rows.signals.filter((signal) => signal.closedDate === null && isGenerated(signal))
  expect(open.length).toBeGreaterThan(5)
  expectNone(open, ({ updatedDate, severity }) => updatedDate < daysLater(365 - (severity === 5 ? 10 : 60)))
})

it.each(seeds)('updates a customer whenever its contracts or roles change: seed %i', async (seed) => {
  const { before, after } = await readYears(seed, 1)
  expectNone(after.rows.customers, (customer) => {
    const { products, memberRoles, updatedDate } = before.tables.customers.get(customer.id) ?? customer
    const hasChanged =
      JSON.stringify([products, memberRoles]) !== JSON.stringify([customer.products, customer.memberRoles])
    const renewals = customer.products.map(({ renewalDate, status }) => {
      const renewal = new Date(renewalDate)
      if (status !== 'churned') renewal.setUTCFullYear(renewal.getUTCFullYear() - 1)
      return renewal.toISOString()
    })
    const isLate = renewals.some((renewal) => renewal < daysLater(364) && renewal > customer.updatedDate)
    return isLate || (hasChanged && customer.updatedDate <= updatedDate)
  })
})
