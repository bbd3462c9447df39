import { expect, it } from 'vitest'

import { addSeconds, open, openSynced } from './sync-support.ts'

it('unread_tail: the cursor was moved before all pages were read, so that the next read begins after the rest', async () => {
  const { clock, readPage, readAll, judge } = open()
  const { items } = await readPage()
  await readAll(clock.now())
  const text = expect.stringContaining(
    `request 2, GET …/customers?offset=0&limit=10&updatedSince=${clock.now()}, goes on after the row's change at `,
  )
  const causes = [{ reason: 'unread_tail', count: 40 - items.length, requests: [1], text }]
  expect(await judge()).toMatchObject({ causes })
})

it('fault_not_retried: the cursor was moved by a run that failed, so that the next read begins after the row', async () => {
  const { faults, clock, data, readPage, readAll, judge } = await openSynced()
  const before = clock.now()
  clock.advance('PT1M')
  await data.customers.patch(4, { employeeCount: 7 })
  clock.advance('PT1M')
  faults.add({ operationId: 'listCustomers', status: 503, times: 1 })
  await readPage(0, before).catch(() => undefined)
  await readAll(clock.now())
  const text = expect.stringContaining(`goes on after the row's change at ${addSeconds(before, 60)}`)
  expect(await judge()).toMatchObject({
    stale: [{ id: 4, reason: 'fault_not_retried', requests: [5], text }],
  })
})
