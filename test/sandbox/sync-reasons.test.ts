import { expect, it } from 'vitest'

import type { Meeting } from '../../src/index.ts'
import {
  addSeconds,
  brief,
  findLatest,
  judge,
  open,
  openMeetings,
  organizationId,
  readAll,
  readPage,
} from './sync-support.ts'

it('a client that reads every page and stores every row is correct', async () => {
  const syncing = open()
  await readAll(syncing)
  const verdict = await judge(syncing)
  expect(verdict).toMatchObject({
    correct: true,
    judgedBy: 'copy',
    missed: [],
    stale: [],
    doubled: [],
    ghosts: [],
    pending: 0,
    causes: [],
  })
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
  const syncing = open()
  syncing.session.scenarios.add({ name: 'page-drift', times: 1, count: 3 })
  await readAll(syncing)
  const { missed, causes, correct, pending } = await judge(syncing)
  expect(correct).toBe(false)
  expect(brief(missed)).toEqual(
    [11, 12, 13].map((id) => ({ id, reason: 'page_drift', requests: [1, 2], heals: 'full' })),
  )
  expect(causes).toMatchObject([
    { reason: 'page_drift', kind: 'missed', count: 3, ids: [11, 12, 13], requests: [1, 2] },
  ])
  expect(causes[0]?.text).toContain('customer 1, customer 2 and customer 3')
  // They are gone since the run began.
  expect(pending).toBe(3)
})

it('page_drift: heals in the next run of a client whose runs are all full', async () => {
  const syncing = open()
  await readAll(syncing)
  syncing.session.scenarios.add({ name: 'page-drift', times: 1 })
  syncing.copy.clear()
  await readAll(syncing)
  expect(brief((await judge(syncing)).missed)).toEqual([
    { id: 11, reason: 'page_drift', requests: [5, 6], heals: 'next' },
  ])
})

it('page_drift: a row that is shown twice is doubled in a copy that only adds rows', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'page-drift', times: 2 })
  const rows = []
  for (let offset = 0; offset < 40; offset += 10) {
    rows.push(...(await client.listCustomers({ organizationId, offset, limit: 10 })).items)
  }
  const { doubled } = await session.sync.verdict({ customers: rows })
  expect(brief(doubled)).toEqual([{ id: 21, reason: 'page_drift', requests: [2, 3], heals: 'never' }])
})

it('tie_at_cursor: a row changes at the instant of the newest one, and the cursor excludes that instant', async () => {
  const syncing = open()
  const { customers } = syncing.session.data
  await readAll(syncing)
  await customers.patch(3, { employeeCount: 7 })
  await readAll(syncing, findLatest(syncing))
  await customers.patch(4, { employeeCount: 7 })
  await readAll(syncing, addSeconds(findLatest(syncing), 0.001))
  const { stale } = await judge(syncing)
  expect(brief(stale)).toEqual([{ id: 4, reason: 'tie_at_cursor', requests: [5, 6], heals: 'full' }])
  expect(stale[0]?.fields).toEqual(['employeeCount', 'updatedDate'])
})

it('cursor_past_change: the cursor of the end of a run is later than what has changed while it ran', async () => {
  const syncing = open()
  await readPage(syncing)
  syncing.session.clock.advance('PT1M')
  await syncing.session.data.customers.patch(2, { employeeCount: 7 })
  syncing.session.clock.advance('PT1M')
  await readAll(syncing, undefined, 10)
  await readAll(syncing, syncing.session.clock.now())
  expect(brief((await judge(syncing)).stale)).toEqual([
    { id: 2, reason: 'cursor_past_change', requests: [1, 5], heals: 'full' },
  ])
})

it('late_visible: a list that lags shows a change only after the cursor has passed it', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  session.scenarios.add({ name: 'late-visibility', seconds: 30 })
  session.clock.advance('PT1M')
  await session.data.customers.patch(4, { employeeCount: 7 })
  session.clock.advance('PT10S')
  const cursor = session.clock.now()
  await readAll(syncing, findLatest(syncing))
  expect(brief((await judge(syncing)).stale)).toEqual([
    { id: 4, reason: 'late_visible', requests: [5], heals: 'next' },
  ])
  session.clock.advance('PT10M')
  await readAll(syncing, cursor)
  expect(brief((await judge(syncing)).stale)).toEqual([
    { id: 4, reason: 'late_visible', requests: [5], heals: 'full' },
  ])
})

it('late_visible: a row appears with a date before an answer that did not have it', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  const { id } = await session.data.customers.put({ name: 'Late', updatedDate: '2026-01-15T11:00:00.000Z' })
  await readAll(syncing, session.clock.now())
  expect(brief((await judge(syncing)).missed)).toEqual([
    { id, reason: 'late_visible', requests: [4, 5], heals: 'full' },
  ])
})

it('silent_change: no cursor shows a change without a new updatedDate, which can be allowed', async () => {
  const syncing = open()
  syncing.session.scenarios.add({ name: 'silent-change', customerId: 7 })
  await readAll(syncing)
  await readAll(syncing, findLatest(syncing))
  const { stale, correct } = await judge(syncing)
  expect(correct).toBe(false)
  expect(brief(stale)).toEqual([{ id: 7, reason: 'silent_change', requests: [5], heals: 'full' }])
  expect(stale[0]?.fields).toEqual(['employeeCount'])
  const { copy, session } = syncing
  const allowed = await session.sync.verdict({ customers: [...copy.values()] }, { allow: ['silent_change'] })
  expect(allowed).toMatchObject({ correct: true, stale: [{ id: 7 }] })
})

it('child_only_change: a meeting changes, but not its customer, so that nothing announces it', async () => {
  const { session, meetings, read } = openMeetings()
  await read()
  const { id } = await session.data.meetings.get(1)
  await session.data.meetings.patch(id, { topic: 'Another topic' })
  await read(session.clock.now())
  const { stale } = await session.sync.verdict({ meetings: [...meetings.values()] })
  expect(brief(stale)).toEqual([{ id, reason: 'child_only_change', requests: [2], heals: 'full' }])
})

it('compares fields that only single records have, if the client reads those', async () => {
  const { session, client } = open()
  const { items } = await client.listCustomerMeetings({ organizationId, customerId: 1, limit: 250 })
  const rows: Meeting[] = []
  for (const { id } of items) {
    rows.push(await client.getCustomerMeeting({ organizationId, customerId: 1, meetingId: id }))
  }
  const { correct, missed } = await session.sync.verdict({ meetings: rows })
  expect(correct).toBe(false)
  // Those of customers whose lists were not requested.
  expect(new Set(missed.map(({ reason }) => reason))).toEqual(new Set(['never_requested']))
  expect(await session.sync.verdict({ meetings: rows }, { allow: ['never_requested'] })).toMatchObject({
    correct: true,
    stale: [],
  })
  const others = rows.map((row) => ({ ...row, transcript: [] }))
  const { stale } = await session.sync.verdict({ meetings: others })
  expect(stale[0]).toMatchObject({ reason: 'delivered_not_stored', fields: ['transcript'] })
})

it('deleted_unseen: a deleted row stays until a full walk shows that it is gone, and for good in a copy that ignores that', async () => {
  const syncing = open()
  syncing.session.scenarios.add({ name: 'deleted', customerId: 7 })
  await readAll(syncing)
  await readAll(syncing, findLatest(syncing))
  expect(brief((await judge(syncing)).ghosts)).toEqual([
    { id: 7, reason: 'deleted_unseen', requests: [1], heals: 'full' },
  ])
  expect((await syncing.session.sync.verdict()).ghosts).toMatchObject([{ id: 7 }])
  await readAll(syncing)
  expect(brief((await judge(syncing)).ghosts)).toEqual([
    { id: 7, reason: 'deleted_unseen', requests: [6, 7, 8, 9], heals: 'never' },
  ])
  // The responses tell a client enough.
  expect((await syncing.session.sync.verdict()).ghosts).toEqual([])
})

it('unread_tail: a client that reads the first page only never sees the rest', async () => {
  const syncing = open()
  await readPage(syncing)
  const { missed, causes } = await judge(syncing)
  expect(missed.length).toBe(30)
  expect(brief(missed)[0]).toEqual({ id: 11, reason: 'unread_tail', requests: [1], heals: 'never' })
  expect(causes).toMatchObject([{ reason: 'unread_tail', kind: 'missed', count: 30, requests: [1] }])
})

it('fault_not_retried: a page that failed is skipped', async () => {
  const syncing = open()
  syncing.session.faults.add({ operationId: 'listCustomers', status: 503, after: 1, times: 1 })
  await readPage(syncing)
  await readPage(syncing, 10).catch(() => undefined)
  await readAll(syncing, undefined, 20)
  const { missed, causes } = await judge(syncing)
  expect(brief(missed)[0]).toEqual({ id: 11, reason: 'fault_not_retried', requests: [2], heals: 'full' })
  expect(causes).toMatchObject([{ reason: 'fault_not_retried', count: 10, requests: [2] }])
  expect(causes[0]?.text).toContain('503, fault-1')
})

it('fault_not_retried: a page that was requested again is not lost', async () => {
  const syncing = open()
  syncing.session.faults.add({ operationId: 'listCustomers', reset: true, after: 1, times: 1 })
  await readPage(syncing)
  await readPage(syncing, 10).catch(() => undefined)
  await readAll(syncing, undefined, 10)
  const verdict = await judge(syncing)
  expect(verdict.correct).toBe(true)
  expect(verdict.walks).toMatchObject([{ requests: [1, 2, 3, 4, 5], failed: [2], isComplete: true }])
})

it('delivered_not_stored: a row was in a response, but is not in the copy', async () => {
  const syncing = open()
  await readAll(syncing)
  syncing.copy.delete(17)
  expect(brief((await judge(syncing)).missed)).toEqual([
    { id: 17, reason: 'delivered_not_stored', requests: [2], heals: 'full' },
  ])
  expect(await syncing.session.sync.verdict()).toMatchObject({ correct: true, judgedBy: 'delivered' })
})

it('older_overwrote_newer: a list that lags overwrites what a single read has shown', async () => {
  const syncing = open()
  const { session, client, copy } = syncing
  await readAll(syncing)
  session.clock.advance('PT1M')
  session.scenarios.add({ name: 'late-visibility', seconds: 30 })
  await session.data.customers.patch(4, { employeeCount: 7 })
  await readPage(syncing)
  copy.set(4, await client.getCustomer({ organizationId, customerId: 4 }))
  expect((await judge(syncing)).stale).toEqual([])
  await readPage(syncing)
  expect(brief((await judge(syncing)).stale)).toEqual([
    { id: 4, reason: 'older_overwrote_newer', requests: [6, 7], heals: 'next' },
  ])
})

it('never_requested: nothing asks for the rows, or for those of a list with a filter', async () => {
  const syncing = open()
  const page = await syncing.client.listCustomers({ organizationId, scope: 'mine', limit: 250 })
  for (const customer of page.items) syncing.copy.set(customer.id, customer)
  const { missed, ghosts, stale } = await judge(syncing)
  expect(missed.length).toBe(40 - page.items.length)
  expect(missed).toMatchObject(missed.map(() => ({ reason: 'never_requested', heals: 'never' })))
  expect({ ghosts, stale }).toEqual({ ghosts: [], stale: [] })
  // The verdict on what was delivered considers only lists that were read.
  expect((await syncing.session.sync.verdict()).correct).toBe(true)
})

it('the meetings of a customer that was lost are lost with it, by the same cause', async () => {
  const syncing = open()
  const { session, client } = syncing
  session.scenarios.add({ name: 'page-drift', times: 1 })
  await readAll(syncing)
  const meetings: object[] = []
  for (const customerId of syncing.copy.keys()) {
    const page = await client
      .listCustomerMeetings({ organizationId, customerId, limit: 250 })
      .catch(() => ({ items: [] }))
    meetings.push(...page.items)
  }
  const { causes } = await session.sync.verdict({ meetings })
  expect(causes).toMatchObject([{ reason: 'page_drift', kind: 'missed', requests: [1, 2] }])
  expect(causes[0]?.text).toContain('customer 11 is missing')
})

it('unknown: a row changes while a scenario hides it from the list', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  session.scenarios.add({ name: 'scope-narrowed', after: 0 })
  await session.data.customers.patch(3, { city: 'Bergen' })
  await readAll(syncing)
  const { stale } = await judge(syncing)
  expect(brief(stale)).toEqual([{ id: 3, reason: 'unknown', requests: [5], heals: 'never' }])
  expect(stale[0]?.text).toContain('request 5 has not shown it, although the service had it')
})
