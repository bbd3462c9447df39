import { expect, it } from 'vitest'

import type { Customer, Signal } from '../../src/index.ts'
import { as, type Client, openSandbox, type Page } from '../support.ts'

/** Mara and Theo are managed by Nadia (4), Priya by Lucas (5); Nadia, Lucas and Jonas (7) by Helen (6). */
const customers = [
  { id: 1, memberRoles: [{ key: 'csm', memberIds: [1] }] },
  { id: 2, memberRoles: [{ key: 'accountManager', memberIds: [2] }] },
  { id: 3, memberRoles: [{ key: 'csm', memberIds: [3] }] },
  { id: 4, memberRoles: [{ key: 'csm', memberIds: [4] }] },
  { id: 5, memberRoles: [] },
]
const signals = customers.map(({ id }) => ({ id: id * 10, customerId: id }))
const fixture = { extends: 'empty', customers, signals }

async function idsIn(client: Client, list: 'customers' | 'signals', scope: string): Promise<number[]> {
  const { items } = await client.get<Page<Customer | Signal>>(
    `/organizations/harbor/${list}?scope=${scope}&limit=250`,
  )
  return items.map(({ id }) => id)
}

it('all: covers every customer of the organization', async () => {
  const mara = as(await openSandbox({ fixture }), 'mara')
  expect(await idsIn(mara, 'customers', 'all')).toEqual([1, 2, 3, 4, 5])
})

it('mine: covers the customers on which the caller holds a role', async () => {
  const sandbox = await openSandbox({ fixture })
  expect(await idsIn(as(sandbox, 'mara'), 'customers', 'mine')).toEqual([1])
  expect(await idsIn(as(sandbox, 'theo'), 'customers', 'mine')).toEqual([2])
})

it('team: covers those where members under a shared manager with the caller hold a role', async () => {
  const sandbox = await openSandbox({ fixture })
  expect(await idsIn(as(sandbox, 'theo'), 'customers', 'team')).toEqual([1, 2])
})

it('team: includes the caller, but not the manager (assumed A-12)', async () => {
  const sandbox = await openSandbox({ fixture })
  expect(await idsIn(as(sandbox, 'mara'), 'customers', 'team')).toEqual([1, 2])
  expect(await idsIn(as(sandbox, 'priya'), 'customers', 'team')).toEqual([3])
})

it('team: a member without a role still sees the team’s customers (assumed A-12)', async () => {
  const jonas = as(await openSandbox({ fixture }), 'jonas')
  expect(await idsIn(jonas, 'customers', 'mine')).toEqual([])
  expect(await idsIn(jonas, 'customers', 'team')).toEqual([4])
})

it('covers all customers without a scope', async () => {
  const mara = as(await openSandbox({ fixture }), 'mara')
  const page = await mara.get<Page<Customer>>('/organizations/harbor/customers')
  expect(page.totalCount).toBe(5)
  expect((await mara.get<Page<Signal>>('/organizations/harbor/signals')).totalCount).toBe(5)
})

it('covers the signals of the same customers', async () => {
  const mara = as(await openSandbox({ fixture }), 'mara')
  expect(await idsIn(mara, 'signals', 'all')).toEqual([10, 20, 30, 40, 50])
  expect(await idsIn(mara, 'signals', 'team')).toEqual([10, 20])
  expect(await idsIn(mara, 'signals', 'mine')).toEqual([10])
})

it('counts the scope in totalCount, and narrows it by other filters', async () => {
  const mara = as(await openSandbox({ fixture }), 'mara')
  const page = await mara.get<Page<Customer>>('/organizations/harbor/customers?scope=team&memberId=2&limit=1')
  expect(page.items.map(({ id }) => id)).toEqual([2])
  expect(page.totalCount).toBe(1)
})

it('does not hide a customer from its own address, whatever the caller’s scope (assumed A-12)', async () => {
  const jonas = as(await openSandbox({ fixture }), 'jonas')
  expect(await jonas.get('/organizations/harbor/customers/5')).toMatchObject({ id: 5 })
})

it.each([
  { fixture: 'default' },
  { fixture: 'default', size: 3 },
  { fixture: 'edge-cases' },
  { fixture: 'edge-cases', size: 3 },
])('for the default caller, mine is part of team and team part of all, none empty: %j', async (options) => {
  const client = as(await openSandbox(options), 'mara')
  for (const list of ['customers', 'signals'] as const) {
    const mine = await idsIn(client, list, 'mine')
    const team = await idsIn(client, list, 'team')
    const all = await idsIn(client, list, 'all')
    expect(mine.length).toBeGreaterThan(0)
    expect(team).toEqual(expect.arrayContaining(mine))
    expect(team.length).toBeGreaterThan(mine.length)
    expect(all).toEqual(expect.arrayContaining(team))
    expect(all.length).toBeGreaterThan(team.length)
  }
})
