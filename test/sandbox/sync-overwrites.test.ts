import { expect, it } from 'vitest'

import { openSynced, organizationId } from './sync-support.ts'

it('older_overwrote_newer: a list that lags overwrites what a single read has shown', async () => {
  const { scenarios, client, clock, data, copy, readPage, judge } = await openSynced()
  clock.advance('PT1M')
  scenarios.add({ name: 'late-visibility', seconds: 30 })
  await data.customers.patch(4, { employeeCount: 7 })
  await readPage()
  copy.set(4, await client.getCustomer({ organizationId, customerId: 4 }))
  expect((await judge()).stale).toEqual([])
  await readPage()
  const stale = [{ id: 4, reason: 'older_overwrote_newer', requests: [6, 7], heals: 'next' }]
  expect(await judge()).toMatchObject({ stale })
})

it('older_overwrote_newer: of two requests in flight, the first one is stored last', async () => {
  const { scenarios, faults, client, clock, data, copy, readPage, judge } = await openSynced()
  clock.advance('PT1M')
  scenarios.add({ name: 'late-visibility', seconds: 30 })
  faults.add({ operationId: 'listCustomers', delayMs: 50 })
  await data.customers.patch(4, { employeeCount: 7 })
  const page = readPage()
  copy.set(4, await client.getCustomer({ organizationId, customerId: 4 }))
  await page
  expect(await judge()).toMatchObject({
    stale: [{ id: 4, reason: 'older_overwrote_newer', requests: [6, 5] }],
  })
})
