import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Customer, ScenarioInput } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { addSeconds, open, openSynced, organizationId, type Syncing } from './sync-support.ts'

const codes = ({ requests }: Syncing) => requests.warnings().map(({ code }) => code)

it('rows_lost_in_walk names the requests between which a row moved, the one that left, and the one that was lost', async () => {
  const { scenarios, requests, readAll } = open()
  scenarios.add({ name: 'page-drift', times: 1 })
  await readAll()
  const message = expect.stringMatching(
    /^customer 11: customer 1 left the list between request 1, GET .*, and request 2, GET /,
  )
  expect(requests.warnings()).toMatchObject([{ code: 'rows_lost_in_walk', requestIds: [1, 2], message }])
  const perRequest = requests.list().map(({ warnings }) => warnings.map(({ code }) => code))
  expect(perRequest).toEqual([['rows_lost_in_walk'], ['rows_lost_in_walk'], [], []])
})

it('rows_lost_in_walk ends as soon as a response shows the row, or when the journal is cleared', async () => {
  const syncing = open()
  const { scenarios, readAll } = syncing
  scenarios.add({ name: 'page-drift', times: 1 })
  await readAll()
  // A walk that ends early does not show it either.
  await syncing.client.listCustomers({ organizationId, limit: 5 })
  expect(codes(syncing)).toContain('rows_lost_in_walk')
  await syncing.client.getCustomer({ organizationId, customerId: 11 })
  expect(codes(syncing)).toEqual([])
  scenarios.add({ name: 'page-drift', times: 1 })
  await readAll()
  expect(codes(syncing)).toEqual(['rows_lost_in_walk'])
  syncing.requests.clear()
  expect(codes(syncing)).toEqual([])
})

it('cursor_past_change names the cursor of the end of a run, the row that has changed while it ran, and when', async () => {
  const syncing = open()
  const { clock, readAll } = syncing
  await syncing.readPage()
  clock.advance('PT1M')
  await syncing.data.customers.patch(2, { employeeCount: 7 })
  clock.advance('PT1M')
  await readAll(undefined, 10)
  await readAll(clock.now())
  const warnings = syncing.requests.warnings()
  expect(warnings).toMatchObject([{ code: 'cursor_past_change', requestIds: [5] }])
  for (const text of ['2026-01-15T12:02:00.000Z', 'customer 2', '2026-01-15T12:01:00.000Z']) {
    expect(warnings[0]?.message).toContain(text)
  }
  const stale = [{ id: 2, reason: 'cursor_past_change', requests: [1, 5], heals: 'full' }]
  expect(await syncing.judge()).toMatchObject({ stale })
  await readAll(clock.now())
  expect(codes(syncing)).toEqual(['cursor_past_change'])
  await readAll('2026-01-15T12:00:30Z')
  expect(codes(syncing)).toEqual([])
})

it('cursor_past_change is not about what no cursor finds, nor about what a client that begins with a cursor leaves out', async () => {
  const syncing = open()
  const { clock, data, scenarios, readAll } = syncing
  await readAll(clock.now())
  clock.advance('PT1M')
  await data.customers.put({ name: 'Imported', updatedDate: '2020-01-01T00:00:00.000Z' })
  scenarios.add({ name: 'silent-change', times: 3 })
  await readAll()
  clock.advance('PT1M')
  await readAll(clock.now())
  await readAll(clock.now())
  expect(codes(syncing)).toEqual([])
})

it('cursor_past_change: a client whose cursor is the greatest date gets a warning if lists lag', async () => {
  const syncing = await openSynced()
  const { scenarios, clock, data, readAll, findLatest } = syncing
  scenarios.add({ name: 'late-visibility', seconds: 30 })
  clock.advance('PT1M')
  await data.customers.patch(4, { employeeCount: 7 })
  await readAll(findLatest())
  expect(codes(syncing)).toEqual([])
  const cursor = addSeconds(clock.now(), 5)
  clock.advance('PT1M')
  await readAll(cursor)
  expect(codes(syncing)).toEqual(['cursor_past_change'])
})

/** An event before a run of the client. */
const anyEvent = fc.oneof(
  fc.constantFrom('PT1S', 'PT40S', 'P1D'),
  fc.integer({ min: 1, max: 40 }),
  fc.constantFrom<ScenarioInput>(
    { name: 'page-drift', times: 2 },
    { name: 'late-visibility', seconds: 30 },
    { name: 'change-while-reading', after: 1, seconds: 5 },
    { name: 'bulk-update-ties', count: 20 },
    { name: 'update-at-cursor' },
    { name: 'silent-change' },
    { name: 'deleted' },
  ),
)

/** Reads a list until two walks in a row are the same, from a little before the run before. */
async function readSoundly({ readPage }: Syncing, updatedSince: string | undefined): Promise<void> {
  for (let before = ''; ;) {
    const rows: Customer[] = []
    for (let offset = 0, total = 1; offset < total; offset += 10) {
      const page = await readPage(offset, updatedSince)
      rows.push(...page.items)
      total = page.totalCount
    }
    const text = JSON.stringify(rows)
    if (text === before) return
    before = text
  }
}

it('a sound client gets neither warning, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyEvent, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      async (runs) => {
        const syncing = open()
        const { session, clock } = syncing
        let cursor: string | undefined
        for (const events of [[], ...runs]) {
          for (const event of events) {
            if (typeof event === 'string') clock.advance(event)
            else if (typeof event === 'object') syncing.scenarios.add({ ...event })
            else await syncing.data.customers.patch(event, { employeeCount: 7 }).catch(() => undefined)
          }
          const begun = clock.now()
          await readSoundly(syncing, cursor)
          // Further back than lists lag.
          cursor = addSeconds(begun, -60)
        }
        expect(codes(syncing).filter((code) => code !== 'repeated_page')).toEqual([])
        session.close()
      },
    ),
    { seed: 42, numRuns: chooseAmount(8, 500) },
  )
})
