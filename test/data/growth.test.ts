import { expect, it } from 'vitest'

import type { Dataset } from '../../src/store/dataset.ts'
import { expectNone, generated } from './generated.ts'
import { countEach, listDoubled } from './tenants.ts'

/** A size beyond which members grow with the customers. */
const small = generated({ size: 2000 })
const large = generated({ size: 30_000 })

/** Tells records of the first organization, whose number of customers is the size. */
const inHarbor = (row: { readonly organizationId: string }): boolean => row.organizationId === 'harbor'

const count = ({ rows }: Dataset, table: 'members' | 'customers'): number =>
  rows[table].filter(inHarbor).length

/** Counts the customers of the member who looks after most of them. */
function findHighestLoad({ rows }: Dataset): number {
  const roles = rows.customers.filter(inHarbor).flatMap(({ memberRoles }) => memberRoles)
  return Math.max(...countEach(roles.flatMap(({ memberIds }) => memberIds)).values())
}

it('an organization has a member more for every 25 customers, however many there are', () => {
  const more = count(large, 'customers') - count(small, 'customers')
  expect(count(large, 'members') - count(small, 'members')).toBe(more / 25)
})

it('nobody looks after more customers in a larger organization', () => {
  expect(findHighestLoad(large)).toBeLessThan(1.2 * findHighestLoad(small))
})

it('members who came with later customers have titles, managers and addresses like the others', () => {
  const members = large.rows.members.filter(inHarbor)
  const ids = new Set(members.map(({ id }) => id))
  const later = members.slice(60)
  expectNone(later, ({ managerId }) => managerId === null || !ids.has(managerId))
  expect(new Set(members.map(({ email }) => email)).size).toBe(members.length)
})

it('a larger size keeps members, customers and meetings of the smaller one, beyond the first 60 members', () => {
  for (const table of ['members', 'customers'] as const) {
    const rows: readonly { readonly id: number }[] = small.rows[table]
    expectNone(rows, (row) => JSON.stringify(large.tables[table].get(row.id)) !== JSON.stringify(row))
  }
  const meetings = large.rows.meetings.filter(
    ({ customerId }, index) => index % 50 === 0 && small.tables.customers.get(customerId),
  )
  expectNone(meetings, (row) => JSON.stringify(small.tables.meetings.get(row.id)) !== JSON.stringify(row))
})

it('nobody is in two meetings at once, however many customers there are', () => {
  expect(listDoubled(large.rows.meetings)).toEqual([])
})
