import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Customer, ScenarioInput } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import {
  addSeconds,
  findLatest,
  judge,
  open,
  organizationId,
  readAll,
  readPage,
  type Syncing,
} from './sync-support.ts'

const codes = ({ session }: Syncing) => session.requests.warnings().map(({ code }) => code)

it('rows_lost_in_walk names the requests between which a row moved, the one that left, and the one that was lost', async () => {
  const syncing = open()
  syncing.session.scenarios.add({ name: 'page-drift', times: 1 })
  await readAll(syncing)
  const { requests } = syncing.session
  const [warning, ...others] = requests.warnings()
  expect(others).toEqual([])
  expect(warning).toMatchObject({ code: 'rows_lost_in_walk', requestIds: [1, 2] })
  expect(warning?.message).toContain('customer 1 left the list')
  expect(warning?.message).toContain('showed customer 11')
  expect(() => requests.assertNoWarnings()).toThrow(
    'rows_lost_in_walk: between requests 1 and 2 of listCustomers',
  )
  expect(() => requests.assertNoWarnings({ ignore: ['rows_lost_in_walk'] })).not.toThrow()
  expect(requests.list().map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([
    ['rows_lost_in_walk'],
    ['rows_lost_in_walk'],
    [],
    [],
  ])
})

it('rows_lost_in_walk ends as soon as a response shows the row, or when the journal is cleared', async () => {
  const syncing = open()
  syncing.session.scenarios.add({ name: 'page-drift', times: 1 })
  await readAll(syncing)
  await syncing.client.getCustomer({ organizationId, customerId: 11 })
  expect(codes(syncing)).toEqual([])
  syncing.session.scenarios.add({ name: 'page-drift', times: 1 })
  await readAll(syncing)
  expect(codes(syncing)).toEqual(['rows_lost_in_walk'])
  syncing.session.requests.clear()
  expect(codes(syncing)).toEqual([])
})

it('cursor_past_change names the cursor, the row and the time of its change', async () => {
  const syncing = open()
  const { session } = syncing
  await readPage(syncing)
  session.clock.advance('PT1M')
  await session.data.customers.patch(2, { employeeCount: 7 })
  session.clock.advance('PT1M')
  await readAll(syncing, undefined, 10)
  await readAll(syncing, session.clock.now())
  const [warning, ...others] = session.requests.warnings()
  expect(others).toEqual([])
  expect(warning).toMatchObject({ code: 'cursor_past_change', requestIds: [5] })
  for (const text of ['2026-01-15T12:02:00.000Z', 'customer 2', '2026-01-15T12:01:00.000Z']) {
    expect(warning?.message).toContain(text)
  }
  await readAll(syncing, session.clock.now())
  expect(codes(syncing)).toEqual(['cursor_past_change'])
  await readAll(syncing, '2026-01-15T12:00:30Z')
  expect(codes(syncing)).toEqual([])
})

it('cursor_past_change is not about what no cursor finds, nor about what a client that begins with a cursor leaves out', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing, session.clock.now())
  session.clock.advance('PT1M')
  await session.data.customers.put({ name: 'Imported', updatedDate: '2020-01-01T00:00:00.000Z' })
  session.scenarios.add({ name: 'silent-change', times: 3 })
  await readAll(syncing)
  session.clock.advance('PT1M')
  await readAll(syncing, session.clock.now())
  await readAll(syncing, session.clock.now())
  expect(codes(syncing)).toEqual([])
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
async function readSoundly(syncing: Syncing, updatedSince: string | undefined): Promise<void> {
  for (let before = ''; ;) {
    const rows: Customer[] = []
    for (let offset = 0, total = 1; offset < total; offset += 10) {
      const page = await readPage(syncing, offset, updatedSince)
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
        const { session } = syncing
        let cursor: string | undefined
        for (const events of [[], ...runs]) {
          for (const event of events) {
            if (typeof event === 'string') session.clock.advance(event)
            else if (typeof event === 'object') session.scenarios.add({ ...event })
            else await session.data.customers.patch(event, { employeeCount: 7 }).catch(() => undefined)
          }
          const begun = session.clock.now()
          await readSoundly(syncing, cursor)
          // Further back than lists lag.
          cursor = addSeconds(begun, -60)
        }
        expect(codes(syncing).filter((code) => code !== 'repeated_page')).toEqual([])
        session.close()
      },
    ),
    { seed: 42, numRuns: chooseAmount(20, 500) },
  )
})

it('a client whose cursor is the greatest date gets a warning if lists lag', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  session.scenarios.add({ name: 'late-visibility', seconds: 30 })
  session.clock.advance('PT1M')
  await session.data.customers.patch(4, { employeeCount: 7 })
  await readAll(syncing, findLatest(syncing))
  expect(codes(syncing)).toEqual([])
  const cursor = addSeconds(session.clock.now(), 5)
  session.clock.advance('PT1M')
  await readAll(syncing, cursor)
  expect(codes(syncing)).toEqual(['cursor_past_change'])
})

it('cursor_past_change: a cursor of the machine is after the time of the service', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  session.clock.advance('PT1H')
  await session.data.customers.patch(3, { city: 'Bergen' })
  await readAll(syncing, '2026-11-24T20:00:00.000Z')
  const { stale } = await judge(syncing)
  expect(stale).toMatchObject([{ id: 3, reason: 'cursor_past_change' }])
  expect(stale[0]?.text).toContain("after the service's time (2026-01-15T13:00:00.000Z)")
})
