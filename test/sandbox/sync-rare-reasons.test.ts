import { expect, it } from 'vitest'

import { addSeconds, open, openMeetings, openSynced, organizationId } from './sync-support.ts'

it('deleted_unseen: a deleted row stays until a full walk shows that it is gone, and for good in a copy that ignores that', async () => {
  const { scenarios, sync, readAll, findLatest, judge } = open()
  scenarios.add({ name: 'deleted', customerId: 7 })
  await readAll()
  await readAll(findLatest())
  const ghost = { id: 7, reason: 'deleted_unseen' }
  expect(await judge()).toMatchObject({ ghosts: [{ ...ghost, requests: [1], heals: 'full' }] })
  expect((await sync.verdict()).ghosts).toMatchObject([ghost])
  await readAll()
  expect(await judge()).toMatchObject({ ghosts: [{ ...ghost, requests: [6, 7, 8, 9], heals: 'never' }] })
  // The responses tell a client enough.
  expect((await sync.verdict()).ghosts).toEqual([])
})

it('deleted_unseen: the response 404 tells a client enough, too', async () => {
  const { client, clock, data, sync, readAll, judge } = await openSynced()
  await data.customers.delete(7)
  await readAll(clock.now())
  expect((await sync.verdict()).ghosts).toMatchObject([{ id: 7 }])
  await client.getCustomer({ organizationId, customerId: 7 }).catch(() => undefined)
  expect((await sync.verdict()).ghosts).toEqual([])
  const text = expect.stringContaining('request 6, GET …/customers/7, was answered with 404')
  expect((await judge()).ghosts).toMatchObject([{ reason: 'deleted_unseen', requests: [6], text }])
})

it('deleted_unseen: a walk whose cursor is before every row is a full one', async () => {
  const { data, sync, readAll, judge } = open()
  const start = '1970-01-01T00:00:00.000Z'
  await readAll(start)
  await data.customers.delete(7)
  await readAll(start)
  expect((await sync.verdict()).ghosts).toEqual([])
  const ghosts = [{ id: 7, reason: 'deleted_unseen', requests: [5, 6, 7, 8], heals: 'never' }]
  expect(await judge()).toMatchObject({ ghosts })
})

it('page_drift: a client whose cursor is before every row drops what it has lost', async () => {
  const { scenarios, copy, readAll, judge } = open()
  const start = '1970-01-01T00:00:00.000Z'
  await readAll(start)
  scenarios.add({ name: 'page-drift', times: 1 })
  copy.clear()
  await readAll(start)
  expect(await judge()).toMatchObject({ missed: [{ id: 11, reason: 'page_drift', requests: [5, 6] }] })
})

it('page_drift: a client that reads the last page first loses a row to one that has come meanwhile', async () => {
  const { data, readPage, judge } = open()
  await data.customers.delete(5)
  for (const offset of [30, 20, 10]) await readPage(offset)
  await data.customers.put({ id: 5, name: 'Late' })
  await readPage()
  const text = expect.stringMatching(/customer 5 came into the list between request 3, .*, and request 4, /)
  expect(await judge()).toMatchObject({ missed: [{ id: 11, reason: 'page_drift', requests: [3, 4], text }] })
})

it('page_drift: a row moves to a page that was already read, because the order of the list has changed', async () => {
  const { client, data, sync } = open()
  const path = { organizationId, automationId: 4, triggerId: 41, limit: 5 }
  const { items } = await client.listAutomationTriggerLogs(path)
  await data.triggerLogs.patch(items[0]?.id ?? 0, { createdDate: '2020-01-01T00:00:00.000Z' })
  items.push(...(await client.listAutomationTriggerLogs({ ...path, offset: 5 })).items)
  const { causes } = await sync.verdict({ triggerLogs: items })
  const text = expect.stringMatching(/the order of the list changed between request 1, .*, and request 2, /)
  expect(causes).toContainEqual(
    expect.objectContaining({ reason: 'page_drift', count: 1, requests: [1, 2], text }),
  )
})

it('deleted_unseen: the response 404 to a note says nothing about the note that has the id of its customer', async () => {
  const { client, data, faults, sync } = open()
  const note = { categoryId: 1, content: 'Called them' }
  const readNotes = () => client.listCustomerNotes({ organizationId, customerId: 1 }).catch(() => undefined)
  await data.notes.put({ id: 900, customerId: 1, ...note })
  await readNotes()
  await data.notes.delete(900)
  faults.add({ operationId: 'listCustomerNotes', status: 503 })
  await readNotes()
  await client.createCustomerNote({ organizationId, customerId: 900, body: note }).catch(() => undefined)
  expect((await sync.verdict()).ghosts).toMatchObject([{ collection: 'notes', id: 900 }])
})

it('deleted_unseen: a walk that has begun in the middle, and shown the row there, leaves it to the next one', async () => {
  const { data, readPage, judge } = open()
  for (const offset of [30, 0, 10, 20]) await readPage(offset)
  await data.customers.delete(35)
  await readPage(30)
  await readPage()
  const ghost = { id: 35, reason: 'deleted_unseen', requests: [1], heals: 'full' }
  expect(await judge()).toMatchObject({ ghosts: [ghost], walks: [{ isComplete: true }, {}] })
})

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

it('fault_not_retried: the request for a changed row by its id fails', async () => {
  const { client, data, faults, judge } = await openSynced()
  await data.customers.patch(4, { employeeCount: 7 })
  faults.add({ operationId: 'getCustomer', status: 503 })
  await client.getCustomer({ organizationId, customerId: 4 }).catch(() => undefined)
  expect((await judge()).stale).toMatchObject([{ id: 4, reason: 'fault_not_retried', requests: [5] }])
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

it('fault_not_retried: a list has shown the row, but the client keeps what its failed request by id would have shown', async () => {
  for (const status of [500, 429]) {
    const { client, faults, copy, readAll, judge } = open()
    await readAll()
    faults.add({ operationId: 'getCustomer', status, path: '/organizations/harbor/customers/4' })
    await client.getCustomer({ organizationId, customerId: 4 }).catch(() => copy.delete(4))
    const text = expect.stringContaining(
      `request 5, GET …/customers/4, was answered without records (${status}`,
    )
    expect((await judge()).missed).toMatchObject([
      { id: 4, reason: 'fault_not_retried', requests: [5], text },
    ])
    faults.clear()
    await client.getCustomer({ organizationId, customerId: 4 })
    expect((await judge()).missed).toMatchObject([{ id: 4, reason: 'delivered_not_stored', requests: [6] }])
  }
})

it('deleted_unseen: a record of a deleted customer is explained by what its customer’s lists, and its own, tell of that', async () => {
  const { client, data, sync, readAll, copy } = open()
  await data.notes.put({ id: 900, customerId: 4, content: 'Called them' })
  const readNotes = async (ids: Iterable<number>) => {
    const notes: object[] = []
    for (const customerId of ids) {
      const page = await client.listCustomerNotes({ organizationId, customerId }).catch(() => undefined)
      notes.push(...(page?.items ?? []))
    }
    return notes
  }
  await readAll()
  const notes = await readNotes(copy.keys())
  await data.customers.delete(4)
  const judge = async () => (await sync.verdict({ notes })).ghosts
  const deleted =
    'Note 900 is still there: it was deleted with customer 4 after request 8, GET …/customers/4/notes; '
  await readNotes([5])
  copy.clear()
  await readAll()
  await readNotes(copy.keys())
  const walk =
    'the full walk of requests 46 to 49 (from request 46, GET …/customers?offset=0&limit=10) does not show that customer any more: ask for it by its id, and remove it on a 404.'
  const ghost = { id: 900, reason: 'deleted_unseen' }
  expect(await judge()).toMatchObject([{ ...ghost, heals: 'never', text: `${deleted}${walk}` }])
  // The responses tell a client enough.
  expect((await sync.verdict()).ghosts).toEqual([])
  await readNotes([4])
  const refusal = 'request 89, GET …/customers/4/notes, was answered with 404: remove it then.'
  expect(await judge()).toMatchObject([{ ...ghost, text: `${deleted}${refusal}` }])
})

it('never_requested: a client that reads a changed customer again, but not its meetings', async () => {
  const { session, client, read, judge } = openMeetings()
  await read()
  const { customerId } = await session.data.meetings.get(1)
  await session.data.meetings.patch(1, { topic: 'Another topic' })
  session.clock.advance('PT1M')
  await session.data.customers.patch(customerId, { employeeCount: 7 })
  await client.listCustomers({ organizationId, limit: 250 })
  const text = expect.stringContaining(`customer ${customerId} has changed since request 2, GET `)
  expect(await judge()).toMatchObject({ stale: [{ id: 1, reason: 'never_requested', requests: [2], text }] })
})

it('never_requested: the minStartDate of a list leaves a meeting out', async () => {
  const { client, sync } = open()
  const minStartDate = '2026-01-01T00:00:00.000Z'
  const { items } = await client.listCustomerMeetings({ organizationId, customerId: 1, minStartDate })
  const { missed } = await sync.verdict({ meetings: items })
  const text = expect.stringContaining('leaves it out by its minStartDate')
  expect(missed[0]).toMatchObject({ id: 1, reason: 'never_requested', requests: [1], text })
})

it('never_requested: a delivered row is stale only if it has changed, though a filter leaves it out', async () => {
  const { client, data, sync } = open()
  await data.customers.patch(3, { segment: 'SMB' })
  await data.customers.patch(4, { segment: 'Enterprise' })
  const read = () => client.listCustomers({ organizationId, segment: ['SMB'], limit: 250 })
  await read()
  await client.getCustomer({ organizationId, customerId: 4 })
  expect(await sync.verdict()).toMatchObject({ correct: true })
  await data.customers.patch(3, { segment: 'Enterprise' })
  await read()
  const stale = [{ id: 3, reason: 'never_requested', fields: ['segment'] }]
  expect((await sync.verdict()).stale).toMatchObject(stale)
})
