import { expect, it } from 'vitest'

import { open, organizationId, readAll, readTruth } from './scenarios-support.ts'

it('page-drift: restores exactly what it has deleted, and with `times: 1` nothing', async () => {
  const { session, client } = open()
  await session.data.customers.patch(1, { employeeCount: 4_321 })
  const before = {
    customers: await readTruth(session),
    signals: await session.data.signals.list({ limit: 250 }),
  }
  const once = { name: 'page-drift', times: 1, customerId: 2 } as const
  for (const scenario of [{ name: 'page-drift' }, { ...once, times: 2 }] as const)
    session.scenarios.add(scenario)
  await readAll(client)
  expect(session.scenarios.list()).toMatchObject([{ acted: 2 }, { acted: 2 }])
  expect(await readTruth(session)).toEqual(before.customers)
  expect(await session.data.signals.list({ limit: 250 })).toEqual(before.signals)
  expect((await session.data.changes()).map(({ id }) => id)).toEqual([1])
  session.scenarios.add(once)
  await readAll(client)
  expect((await readTruth(session)).has(2)).toBe(false)
})

it('merged: a 404 is not the end of an account whose id lives on in the sources of another one', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'merged' })
  const accounts = new Map((await readAll(client)).map((customer) => [customer.id, customer.sources]))
  const after = new Set((await readAll(client)).map(({ id }) => id))
  const gone = [...accounts.keys()].find((id) => !after.has(id)) ?? 0
  // The wrong client deletes the account. The sound one asks who has its id in the external system.
  const [source] = accounts.get(gone) ?? []
  const found = await client.listCustomers({
    organizationId,
    sourceKey: source?.key,
    sourceExternalId: source && [source.externalId],
  })
  const [act] = session.requests.list().flatMap(({ scenarios = [] }) => scenarios)
  expect(act?.did).toBe(`merged customer ${gone} into customer ${found.items[0]?.id}`)
})

it('member-leaves: signals still name a member that nobody can read', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'member-leaves', memberId: 2 })
  const before = await client.listMembers({ organizationId })
  await readAll(client)
  const members = new Map((await client.listMembers({ organizationId })).map((member) => [member.id, member]))
  const { items } = await client.listSignals({ organizationId, limit: 250 })
  const owners = items.map(({ ownerId }) => members.get(ownerId))
  expect(before).toHaveLength(members.size + 1)
  // The wrong client reads the email of an owner that it does not know.
  expect(() => owners.map((owner) => Object(owner).email.toLowerCase())).toThrow(TypeError)
  expect(owners.map((owner) => owner?.email ?? 'former member')).toContain('former member')
  const error = await client.getMember({ organizationId, memberId: 2 }).catch((reason) => reason)
  expect(error.status).toBe(404)
})
