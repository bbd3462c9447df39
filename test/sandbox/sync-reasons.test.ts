import { expect, it } from 'vitest'

import { createSandbox, type Meeting } from '../../src/index.ts'
import { connect } from './scenarios-support.ts'
import { addSeconds, open, openMeetings, openSynced, organizationId } from './sync-support.ts'

it('a client that reads every page and stores every row is correct', async () => {
  const { judge } = await openSynced()
  const nothing = { missed: [], stale: [], doubled: [], ghosts: [], pending: 0, causes: [] }
  const verdict = await judge()
  expect(verdict).toMatchObject({ correct: true, judgedBy: 'copy', ...nothing })
  expect(verdict.walks).toEqual([
    {
      operationId: 'listCustomers',
      list: '/v1/organizations/harbor/customers',
      run: 1,
      isFull: true,
      isComplete: true,
      requests: [1, 2, 3, 4],
      failed: [],
      rows: 40,
    },
  ])
})

it('page_drift: a row moves to a page that was already read, because another one has left the list', async () => {
  const { scenarios, readAll, judge } = open()
  scenarios.add({ name: 'page-drift', times: 1, count: 3 })
  await readAll()
  expect(await judge()).toMatchObject({
    correct: false,
    missed: [11, 12, 13].map((id) => ({ id, reason: 'page_drift', requests: [1, 2], heals: 'full' })),
    causes: [
      {
        reason: 'page_drift',
        kind: 'missed',
        count: 3,
        ids: [11, 12, 13],
        requests: [1, 2],
        text: expect.stringContaining('customer 1, customer 2 and customer 3'),
      },
    ],
    // They are gone since the run began.
    pending: 3,
    text: expect.stringMatching(/may differ: customer 1, customer 2, customer 3\.$/),
  })
})

it('page_drift: heals in the next run of a client whose runs are all full', async () => {
  const { scenarios, copy, readAll, judge } = await openSynced()
  scenarios.add({ name: 'page-drift', times: 1 })
  copy.clear()
  await readAll()
  const missed = [{ id: 11, reason: 'page_drift', requests: [5, 6], heals: 'next' }]
  expect(await judge()).toMatchObject({ missed })
})

it('page_drift: a row that is shown twice is doubled in a copy that only adds rows', async () => {
  const { scenarios, sync, readPage } = open()
  scenarios.add({ name: 'page-drift', times: 2 })
  const customers = []
  for (const offset of [0, 10, 20, 30]) customers.push(...(await readPage(offset)).items)
  const doubled = [{ id: 21, reason: 'page_drift', requests: [2, 3], heals: 'never' }]
  expect(await sync.verdict({ customers })).toMatchObject({ doubled })
})

it('tie_at_cursor: a row changes at the instant of the newest one, and the cursor excludes that instant', async () => {
  const { data, readAll, findLatest, judge } = await openSynced()
  await data.customers.patch(3, { employeeCount: 7 })
  await readAll(findLatest())
  await data.customers.patch(4, { employeeCount: 7 })
  await readAll(addSeconds(findLatest(), 0.001))
  const fields = ['employeeCount', 'updatedDate']
  const text = expect.stringContaining('which excludes that instant')
  const stale = [{ id: 4, reason: 'tie_at_cursor', requests: [5, 6], heals: 'full', fields, text }]
  expect(await judge()).toMatchObject({ stale })
})

it('tie_at_cursor: a filter of the client itself leaves out the instant of its cursor', async () => {
  const { data, client, readAll, findLatest, judge } = await openSynced()
  await data.customers.patch(3, { employeeCount: 7 })
  await readAll(findLatest())
  await data.customers.patch(4, { employeeCount: 7 })
  const updatedSince = findLatest()
  // It stores only what is newer than that.
  await client.listCustomers({ organizationId, limit: 50, updatedSince })
  const text = expect.stringMatching(
    /request 6, GET …\/customers\?limit=50&updatedSince=2026-01-15T12:00:00.000Z, has delivered it.*equals that updatedSince/,
  )
  expect(await judge()).toMatchObject({ stale: [{ id: 4, reason: 'tie_at_cursor', requests: [6], text }] })
})

it('cursor_past_change: a cursor of the machine is after the time of the service', async () => {
  const { clock, data, readAll, judge } = await openSynced()
  clock.advance('PT1H')
  await data.customers.patch(3, { city: 'Bergen' })
  await readAll('2026-11-24T20:00:00.000Z')
  const text = expect.stringContaining("after the service's time (2026-01-15T13:00:00.000Z)")
  expect(await judge()).toMatchObject({ stale: [{ id: 3, reason: 'cursor_past_change', text }] })
})

it('cursor_past_change: a meeting whose changed customer a cursor has passed is stale by the same cause', async () => {
  const { session, read, judge } = openMeetings()
  const { clock, data } = session
  await read()
  clock.advance('PT1M')
  const { customerId } = await data.meetings.get(1)
  await data.meetings.patch(1, { topic: 'Another topic' })
  await data.customers.patch(customerId, { employeeCount: 7 })
  clock.advance('PT1M')
  await read(clock.now())
  const text = expect.stringContaining(`the change of customer ${customerId} was not seen`)
  expect(await judge()).toMatchObject({ stale: [{ id: 1, reason: 'cursor_past_change', text }] })
})

it('late_visible: a list that lags shows a change only after the cursor has passed it', async () => {
  const { scenarios, clock, data, readAll, findLatest, judge } = await openSynced()
  scenarios.add({ name: 'late-visibility', seconds: 30 })
  clock.advance('PT1M')
  await data.customers.patch(4, { employeeCount: 7 })
  clock.advance('PT10S')
  const cursor = clock.now()
  await readAll(findLatest())
  const late = { id: 4, reason: 'late_visible', requests: [5] }
  expect(await judge()).toMatchObject({ stale: [{ ...late, heals: 'next' }] })
  clock.advance('PT10M')
  await readAll(cursor)
  expect(await judge()).toMatchObject({ stale: [{ ...late, heals: 'full' }] })
})

it('late_visible: a list that lags still shows a row that is gone', async () => {
  const { scenarios, clock, data, readAll, judge } = await openSynced()
  scenarios.add({ name: 'late-visibility', seconds: 30 })
  clock.advance('PT1M')
  await data.customers.delete(4)
  clock.advance('PT10S')
  await readAll()
  const ghosts = [{ id: 4, reason: 'late_visible', requests: [5], heals: 'next' }]
  expect(await judge()).toMatchObject({ ghosts })
})

it('late_visible: a row appears with a date before an answer that did not have it', async () => {
  const { clock, data, readAll, judge } = await openSynced()
  const { id } = await data.customers.put({ name: 'Late', updatedDate: '2026-01-15T11:00:00.000Z' })
  await readAll(clock.now())
  const missed = [{ id, reason: 'late_visible', requests: [4, 5], heals: 'full' }]
  expect(await judge()).toMatchObject({ missed })
})

it('silent_change: no cursor shows a change without a new updatedDate, which can be allowed, so that no text names it', async () => {
  const { scenarios, readAll, findLatest, copy, judge } = open()
  scenarios.add({ name: 'silent-change', customerId: 7 })
  await readAll()
  await readAll(findLatest())
  const fields = ['employeeCount']
  const stale = [{ id: 7, reason: 'silent_change', requests: [5], heals: 'full', fields }]
  expect(await judge()).toMatchObject({ correct: false, stale })
  expect(await judge({ allow: ['silent_change'] })).toMatchObject({ correct: true, stale })
  copy.delete(3)
  const { correct, text } = await judge({ allow: ['silent_change'] })
  expect([correct, text.split('\n')[0]]).toEqual([false, 'The copy is not correct (1 missed).'])
  expect(text).not.toContain('silent_change')
})

it('child_only_change: a meeting changes, but not its customer, so that nothing announces it', async () => {
  const { session, read, judge } = openMeetings()
  await read()
  await session.data.meetings.patch(1, { topic: 'Another topic' })
  await read(session.clock.now())
  const stale = [{ id: 1, reason: 'child_only_change', requests: [2], heals: 'full' }]
  expect(await judge()).toMatchObject({ stale })
})

it('compares fields that only single records have, if the client reads those', async () => {
  const session = (await createSandbox({ size: 3 })).session()
  const { sync } = session
  const client = connect(session)
  const place = { organizationId, customerId: 1 }
  const { items } = await client.listCustomerMeetings({ ...place, limit: 250 })
  const meetings: Meeting[] = []
  for (const { id } of items) meetings.push(await client.getCustomerMeeting({ ...place, meetingId: id }))
  // Those of customers whose lists were not requested are missed.
  const allowed = await sync.verdict({ meetings }, { allow: ['never_requested'] })
  expect(allowed).toMatchObject({ correct: true, stale: [] })
  const { stale } = await sync.verdict({ meetings: meetings.map((row) => ({ ...row, transcript: [] })) })
  expect(stale[0]).toMatchObject({ reason: 'delivered_not_stored', fields: ['transcript'] })
})

it('unread_tail: a client that reads the first page only never sees the rest', async () => {
  const { readPage, judge } = open()
  await readPage()
  const { missed, causes } = await judge()
  expect(missed[0]).toMatchObject({ id: 11, reason: 'unread_tail', requests: [1], heals: 'never' })
  expect(causes).toMatchObject([{ reason: 'unread_tail', kind: 'missed', count: 30, requests: [1] }])
})

it('unread_tail: a client ends its walk at a totalCount that is too low', async () => {
  const { scenarios, readAll, judge } = open()
  scenarios.add({ name: 'wrong-total', count: 10 })
  await readAll()
  const text = expect.stringContaining('up to 30 of 40 (wrong-total answered with a totalCount of 30')
  expect((await judge()).missed[0]).toMatchObject({ id: 31, reason: 'unread_tail', requests: [3], text })
})

it.for([
  ['a page that failed is skipped', { status: 503, after: 1, times: 1 }, [0, 10, 20, 30], 10, [2]],
  ['a page that failed has also lost what comes after it', { status: 503, after: 2 }, [0, 10, 20], 20, [3]],
] as const)('fault_not_retried: %s', async ([, fault, offsets, count, requests]) => {
  const { faults, readPage, judge } = open()
  faults.add({ operationId: 'listCustomers', ...fault })
  for (const offset of offsets) await readPage(offset).catch(() => undefined)
  const { missed, causes } = await judge()
  const lost = { reason: 'fault_not_retried', requests }
  expect(missed[0]).toMatchObject({ ...lost, heals: 'full' })
  expect(causes).toMatchObject([{ ...lost, count, text: expect.stringContaining('503, fault-1') }])
})

it('fault_not_retried: a page was repeated before the wait that a 429 asked for was over', async () => {
  const { faults, readPage, judge } = open()
  const headers = { 'retry-after': '2' }
  faults.add({ operationId: 'listCustomers', status: 429, headers, after: 1, times: 2 })
  for (const offset of [0, 10, 10]) await readPage(offset).catch(() => undefined)
  const text = expect.stringMatching(
    /request 3, GET …\/customers\?offset=10&limit=10, was sent \d+ ms after request 2 was answered with a 429 that asked for 2 s/,
  )
  const causes = [{ reason: 'fault_not_retried', count: 30, requests: [2, 3], text }]
  expect(await judge()).toMatchObject({ causes })
})

it('fault_not_retried: the body of a 400 says what to correct', async () => {
  const { readPage, judge } = open()
  await readPage(-1).catch(() => undefined)
  expect((await judge()).text).toContain('without records (400): its body says what to correct.')
})

it('fault_not_retried: a run that fails with its first request has read nothing', async () => {
  const { faults, clock, data, readPage, judge } = await openSynced()
  clock.advance('PT1M')
  for (let id = 1; id <= 12; id += 1) await data.customers.patch(id, { employeeCount: 7 })
  faults.add({ operationId: 'listCustomers', status: 503 })
  await readPage(0, clock.now()).catch(() => undefined)
  const causes = [{ reason: 'fault_not_retried', kind: 'stale', count: 12, requests: [5] }]
  expect(await judge()).toMatchObject({ causes })
})

it('fault_not_retried: a page that was requested again is not lost', async () => {
  const { faults, readPage, readAll, judge } = open()
  faults.add({ operationId: 'listCustomers', reset: true, after: 1, times: 1 })
  await readPage()
  await readPage(10).catch(() => undefined)
  await readAll(undefined, 10)
  const walks = [{ requests: [1, 2, 3, 4, 5], failed: [2], isComplete: true }]
  expect(await judge()).toMatchObject({ correct: true, walks })
})

it('delivered_not_stored: a row was in a response, but is not in the copy', async () => {
  const { copy, sync, judge } = await openSynced()
  copy.delete(17)
  const missed = [{ id: 17, reason: 'delivered_not_stored', requests: [2], heals: 'full' }]
  expect(await judge()).toMatchObject({ missed })
  expect(await sync.verdict()).toMatchObject({ correct: true, judgedBy: 'delivered' })
})
