import { expect, it } from 'vitest'

import { fixtureNames } from '../../src/contract/fields.ts'
import { findInvalidRows, generated, rowsOf } from './generated.ts'
import type { Row } from './tenants.ts'

const organizationOf = (id: string) => (row: { organizationId: string }) => row.organizationId === id

it('another seed gives other customers, but the same cast', () => {
  const [one, other] = [rowsOf({ seed: 1 }), rowsOf({ seed: 2 })]
  expect(one.customers.at(10)?.name).not.toBe(other.customers.at(10)?.name)
  expect(one.members.slice(0, 7)).toEqual(other.members.slice(0, 7))
})

it('another now moves the times, and keeps the customers and their records', () => {
  const [one, other] = [rowsOf({}), rowsOf({ now: '2031-06-01T00:00:00.000Z' })]
  expect(other.customers.map(({ name, city }) => [name, city])).toEqual(
    one.customers.map(({ name, city }) => [name, city]),
  )
  expect(other.signals.map(({ id, customerId }) => [id, customerId])).toEqual(
    one.signals.map(({ id, customerId }) => [id, customerId]),
  )
  expect(other.signals.at(0)?.createdDate).toMatch(/^2031-05/)
})

const isOther = (row: { readonly id: number; readonly customerId?: number }): boolean =>
  (row.customerId ?? row.id) !== 20

/** Describes meetings without their times, which depend on the free hours of members. */
const describeMeetings = (meetings: readonly Row<'meetings'>[]) =>
  meetings.map(({ id, topic, nextSteps }) => ({ id, topic, steps: nextSteps.length }))

it('a record of a fixture changes only the generated records of its customer', () => {
  const plain = rowsOf({ size: 40 })
  const laid = rowsOf({ size: 40, fixture: { customers: [{ id: 20, name: 'Laid Over' }] } })
  expect(laid.customers.filter(isOther)).toEqual(plain.customers.filter(isOther))
  expect(laid.signals).toEqual(plain.signals.filter(isOther))
  expect(describeMeetings(laid.meetings)).toEqual(describeMeetings(plain.meetings.filter(isOther)))
  expect(laid.customers.find(({ id }) => id === 20)).toMatchObject({
    name: 'Laid Over',
    domain: 'laidover.example',
  })
})

it('every row fits its table, every reference leads to a record of the same organization, and ids are unique', () => {
  for (const fixture of fixtureNames) {
    for (const size of [3, 40]) expect(findInvalidRows(generated({ seed: 9, fixture, size }))).toEqual([])
  }
})

it('the size is the number of customers of the first organization; the second has a tenth', () => {
  for (const [size, second] of [
    [3, 3],
    [25, 3],
    [120, 12],
  ] as const) {
    const { customers } = rowsOf({ size })
    expect(customers.filter(organizationOf('harbor'))).toHaveLength(size)
    expect(customers.filter(organizationOf('quill'))).toHaveLength(second)
  }
})

it('a fixture with more customers than the size keeps all of its own', () => {
  expect(rowsOf({ size: 3, fixture: 'edge-cases' }).customers.filter(organizationOf('harbor'))).toHaveLength(
    26,
  )
})

it('the number of members grows with the size, from 12 to 60, in a tree with one root', () => {
  for (const [size, count] of [
    [3, 12],
    [300, 24],
    [2000, 60],
  ] as const) {
    const members = rowsOf({ size }).members.filter(organizationOf('harbor'))
    expect(members).toHaveLength(count)
    expect(members.filter((member) => member.managerId === member.id).map(({ id }) => id)).toEqual([6])
    for (const member of members) expect(topOf(member, members)).toBe(6)
    expect(new Set(members.map(({ email }) => email)).size).toBe(count)
  }
})

function topOf(member: Row<'members'>, members: readonly Row<'members'>[]): number {
  const above = members.find(({ id }) => id === member.managerId)
  if (!above) throw new Error(`member ${member.id} has no manager`)
  return above.id === member.id ? above.id : topOf(above, members)
}
