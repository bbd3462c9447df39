import { expect, it } from 'vitest'

import { as, customers, home, openSandbox } from '../support.ts'
import { readIds } from './support.ts'

/** Mara and Theo are managed by Nadia (4), Priya by Lucas (5); Nadia, Lucas and Jonas (7) by Helen (6). */
const given = [
  { id: 1, memberRoles: [{ key: 'csm', memberIds: [1] }] },
  { id: 2, memberRoles: [{ key: 'accountManager', memberIds: [2] }] },
  { id: 3, memberRoles: [{ key: 'csm', memberIds: [3] }] },
  { id: 4, memberRoles: [{ key: 'csm', memberIds: [4] }] },
  { id: 5, memberRoles: [] },
]
const signals = given.map(({ id }) => ({ id: id * 10, customerId: id }))
const sandbox = await openSandbox({ fixture: { extends: 'empty', customers: given, signals } })

/** Expects the ids of the customers that a member of the cast sees in a scope, and the same in its signals. */
async function expectSeen(
  name: 'mara' | 'theo' | 'priya' | 'jonas',
  scope: string,
  ...ids: readonly number[]
): Promise<void> {
  const client = as(sandbox, name)
  expect(await readIds(client, `customers${scope}`)).toEqual(ids)
  expect(await readIds(client, `signals${scope}`)).toEqual(ids.map((id) => id * 10))
}

it('all: covers every customer of the organization, and is the default', async () => {
  await expectSeen('mara', '?scope=all', 1, 2, 3, 4, 5)
  await expectSeen('mara', '', 1, 2, 3, 4, 5)
})

it('mine: covers the customers on which the caller holds a role', async () => {
  await expectSeen('mara', '?scope=mine', 1)
  await expectSeen('theo', '?scope=mine', 2)
})

it('team: covers those where members under a shared manager with the caller hold a role', () =>
  expectSeen('theo', '?scope=team', 1, 2))

it('team: includes the caller, but not the manager (assumed A-12)', async () => {
  await expectSeen('mara', '?scope=team', 1, 2)
  await expectSeen('priya', '?scope=team', 3)
})

it('team: a member without a role still sees the team’s customers (assumed A-12)', async () => {
  await expectSeen('jonas', '?scope=mine')
  await expectSeen('jonas', '?scope=team', 4)
})

it('counts the scope in totalCount, and narrows it by other filters', async () => {
  const page = await as(sandbox, 'mara').get(`${customers}?scope=team&memberId=2&limit=1`)
  expect(page).toMatchObject({ items: [{ id: 2 }], totalCount: 1 })
})

it('does not hide a customer from its own address, whatever the caller’s scope (assumed A-12)', async () => {
  expect(await as(sandbox, 'jonas').get(`${home}/customers/5`)).toMatchObject({ id: 5 })
})

it('shows every customer of the organization in the scope all, to every member (assumed A-43)', async () => {
  for (const name of ['mara', 'theo', 'priya', 'jonas'] as const) {
    await expectSeen(name, '?scope=all', 1, 2, 3, 4, 5)
  }
})

it.each([
  { fixture: 'default' },
  { fixture: 'default', size: 3 },
  { fixture: 'edge-cases' },
  { fixture: 'edge-cases', size: 3 },
])('for the default caller, mine is part of team and team part of all, none empty: %j', async (options) => {
  const mara = as(await openSandbox(options), 'mara')
  for (const list of ['customers', 'signals']) {
    const [mine = [], team = [], all = []] = await Promise.all(
      ['mine', 'team', 'all'].map((scope) => readIds(mara, `${list}?scope=${scope}&limit=250`)),
    )
    expect(mine.length).toBeGreaterThan(0)
    expect(team).toEqual(expect.arrayContaining(mine))
    expect(team.length).toBeGreaterThan(mine.length)
    expect(all).toEqual(expect.arrayContaining(team))
    expect(all.length).toBeGreaterThan(team.length)
  }
})
