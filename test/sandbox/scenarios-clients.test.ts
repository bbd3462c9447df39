import { expect, it } from 'vitest'

import { as } from '../support.ts'
import { connect, open, organizationId, readAll } from './scenarios-support.ts'

it('new-enum-value: a record keeps the value, in lists and by itself', async () => {
  const { scenarios, client } = open()
  scenarios.add({ name: 'new-enum-value', count: 2 })
  const first = await client.listSignals({ organizationId, limit: 5 })
  const second = await client.listSignals({ organizationId, limit: 5, offset: 5 })
  const statuses: string[] = [...first.items, ...second.items].map(({ status }) => status)
  expect(statuses.filter((status) => status === 'paused')).toHaveLength(2)
  const signalId = first.items[0]?.id ?? 0
  expect((await client.getSignal({ organizationId, signalId })).status).toBe('paused')
})

it('extra-field: every customer has a field that is not known, in lists and by itself', async () => {
  const { scenarios, client } = open()
  scenarios.add({ name: 'extra-field' })
  const { items } = await client.listCustomers({ organizationId, limit: 3 })
  const readOne = () => client.getCustomer({ organizationId, customerId: 1 })
  for (const one of [...items, await readOne()]) expect(one).toHaveProperty('lifecycleStage')
  expect(await readOne()).toHaveProperty('lifecycleStage', 'expansion')
  scenarios.clear()
  expect(await readOne()).not.toHaveProperty('lifecycleStage')
})

it('late-visibility: the list lags behind the single record and the own note', async () => {
  const { scenarios, clock, data, client } = open()
  scenarios.add({ name: 'late-visibility', seconds: 20 })
  const one = { organizationId, customerId: 1 }
  const readLists = async () => ({
    city: (await client.listCustomers({ organizationId })).items[0]?.city,
    notes: (await client.listCustomerNotes(one)).items.map(({ content }) => content),
  })
  const before = await readLists()
  await data.customers.patch(1, { city: 'Bergen' })
  await client.createCustomerNote({ ...one, body: { categoryId: 1, content: 'Called them.' } })
  expect((await client.getCustomer(one)).city).toBe('Bergen')
  expect(await readLists()).toEqual(before)
  clock.advance('PT20S')
  expect(await readLists()).toEqual({ city: 'Bergen', notes: [...before.notes, 'Called them.'] })
})

it('page-drift: restores exactly what it has deleted, and with `times: 1` nothing', async () => {
  const { scenarios, data, client } = open()
  await data.customers.patch(1, { employeeCount: 4_321 })
  const readBoth = async () => [await data.customers.list(), await data.signals.list({ limit: 250 })]
  const before = await readBoth()
  scenarios.add({ name: 'page-drift' })
  scenarios.add({ name: 'page-drift', times: 2, customerId: 2 })
  await readAll(client)
  expect(scenarios.list()).toMatchObject([{ acted: 2 }, { acted: 2 }])
  expect(await readBoth()).toEqual(before)
  expect((await data.changes()).map(({ id }) => id)).toEqual([1])
  scenarios.add({ name: 'page-drift', times: 1, customerId: 2 })
  await readAll(client)
  await expect(data.customers.get(2)).rejects.toMatchObject({ code: 'not_found' })
})

it('merged: a 404 is not the end of an account whose id lives on in the sources of another one', async () => {
  const { scenarios, data, listActs, client } = open()
  scenarios.add({ name: 'merged' })
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
  expect(listActs()).toEqual([`merged customer ${gone} into customer ${found.items[0]?.id}`])
  const moved = { collection: 'meetings', id: expect.any(Number), kind: 'replaced' }
  expect(await data.changes()).toContainEqual(moved)
})

it('token-expires: the error names the renewed token, and former ones stay expired', async () => {
  const { session, scenarios, clock, client } = open()
  scenarios.add({ name: 'token-expires', minutes: 30 })
  await client.getCurrentMember()
  clock.advance('PT30M')
  const error = await client.getCurrentMember().catch((reason) => reason)
  expect(error.status).toBe(401)
  expect(error.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  expect(error.message).toContain('sbx_harbor_1~1')
  expect((await connect(session, 'sbx_harbor_1~1').getCurrentMember()).id).toBe(1)
  clock.set('2026-01-15T12:00:00Z')
  await expect(client.getCurrentMember()).rejects.toThrow('expired')
  expect((await connect(session, 'sbx_harbor_2').getCurrentMember()).id).toBe(2)
})

it('token-revoked: neither the token of the member works nor a renewed one, but those of others do', async () => {
  const { session, scenarios, client } = open()
  scenarios.add({ name: 'token-revoked' })
  await client.getCurrentMember()
  for (const one of [client, connect(session, 'sbx_harbor_1~1')])
    await expect(readAll(one)).rejects.toMatchObject({ status: 401 })
  expect((await connect(session, 'sbx_harbor_2').getCurrentMember()).id).toBe(2)
})

it('scope-narrowed: the member sees nothing of other customers, and colleagues see everything', async () => {
  const { session, scenarios, client } = open()
  scenarios.add({ name: 'scope-narrowed', scope: 'mine', after: 0 })
  const mine = new Set((await readAll(client)).map(({ id }) => id))
  const { items } = await client.listSignals({ organizationId, limit: 250 })
  expect(items.length).toBeGreaterThan(0)
  expect(items.filter(({ customerId }) => !mine.has(customerId))).toEqual([])
  const others = await readAll(connect(session, 'sbx_harbor_2'))
  const hidden = others.find(({ id }) => !mine.has(id))?.id ?? 0
  for (const read of [
    client.getCustomer({ organizationId, customerId: hidden }),
    client.listCustomerMeetings({ organizationId, customerId: hidden }),
    client.createCustomerNote({ organizationId, customerId: hidden, body: { categoryId: 1, content: 'Hi' } }),
  ]) {
    expect((await read.catch((reason) => reason)).status).toBe(404)
  }
})

it('daily-quota: a member may send a number of requests in 24 hours of the session', async () => {
  const { session, scenarios, clock } = open()
  scenarios.add({ name: 'daily-quota', requests: 2 })
  const statuses = []
  for (const by of ['PT0S', 'PT1H', 'PT1H', 'PT21H', 'PT1H', 'PT1H', 'PT1H']) {
    clock.advance(by)
    statuses.push((await as(session, 'mara').send('/members/me')).status)
  }
  expect(statuses).toEqual([200, 200, 429, 429, 200, 200, 429])
})
