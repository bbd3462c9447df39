import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { createSandbox, type SessionHandle } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { openSandbox, readControl } from '../support.ts'

const sandbox = openSandbox({ size: 40, future: 'living' })

const start = '2026-01-15T12:00:00.000Z'

/** Lists the records that time has changed in a session since the dataset. */
const listChanges = (session: SessionHandle) => session.data.changes({ since: start, by: 'clock' })

it('tells the history of a record, version by version', async () => {
  const session = (await sandbox).session()
  session.clock.advance('P40D')
  const changed = (await listChanges(session)).filter(({ collection }) => collection === 'customers')
  const original = (await sandbox).session()
  expect(changed.length).toBeGreaterThan(20)
  for (const { id, kind, at } of changed) {
    const { items } = await session.data.customers.history(id)
    expect(items.at(-1)).toMatchObject(at === undefined ? { change: 'deleted' } : { at })
    const times = items.map((version) => version.at ?? '')
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(items[0]?.change === 'created').toBe(kind === 'created')
  }
  // The versions lead from the record of the dataset to the present one.
  for (const { id } of changed.filter(({ kind }) => kind === 'replaced')) {
    const record = new Map<string, unknown>(Object.entries(await original.data.customers.get(id)))
    const { items } = await session.data.customers.history(id)
    for (const { name, before, after } of items.flatMap(({ fields }) => fields)) {
      expect(record.get(name)).toEqual(before)
      record.set(name, after)
    }
    expect(Object.fromEntries(record)).toEqual(await session.data.customers.get(id))
  }
})

it('counts the events of a month, and tells when the next one happens', async () => {
  const session = (await sandbox).session()
  const { items, next = '' } = await session.clock.events({ to: '2026-02-20T00:00Z' })
  expect(items.length).toBeGreaterThan(30)
  session.clock.set(new Date(Date.parse(next) - 1).toISOString())
  expect(await listChanges(session)).toEqual([])
  session.clock.set(next)
  expect(await listChanges(session)).not.toEqual([])
})

it('counts no event of a record that the session has written or deleted, nor of one that belongs to it', async () => {
  const session = (await sandbox).session()
  const all = (await session.clock.events()).items
  const { items } = await session.data.customers.list()
  for (const { id } of items.slice(0, 30)) await session.data.customers.delete(id)
  await session.data.customers.patch(items[35]?.id ?? 0, { city: 'Bergen' })
  const left = (await session.clock.events()).items
  const count = (days: typeof all) =>
    days.reduce((sum, { counts: { customers = 0, signals = 0 } }) => sum + customers + signals, 0)
  expect(count(left)).toBeGreaterThan(0)
  expect(count(left)).toBeLessThan(count(all) / 2)
  for (const { day, counts } of left.slice(1, 8)) {
    session.clock.set(new Date(Date.parse(`${day}T00:00:00Z`) - 1).toISOString())
    expect(session.clock.advance('P1D')).toEqual(counts)
  }
  session.clock.reset()
  const { next = '' } = await session.clock.events()
  session.clock.set(new Date(Date.parse(next) - 1).toISOString())
  expect(session.clock.advance('PT0.001S')).not.toEqual({})
  await session.data.undoAll()
  session.clock.reset()
  expect((await session.clock.events()).items).toEqual(all)
})

it('shows the changes of the session where the data stands still', async () => {
  const still = await openSandbox({ size: 3 })
  const to = '2026-02-14T12:00:00.000Z'
  expect(await still.clock.events()).toEqual({ from: start, to, items: [], totalCount: 0 })
  await still.data.customers.patch(1, { city: 'Bergen' })
  expect((await still.data.customers.history(1)).items).toMatchObject([{ at: start, bySession: true }])
  expect((await still.data.customers.history(2)).items).toEqual([])
})

it('reports over HTTP which records a step has changed first', async () => {
  const lively = await openSandbox({ size: 40, future: 'living' })
  const advanced = await readControl(lively, 'POST', '/clock/advance', { by: 'P30D' })
  const changed = (await lively.data.changes({ by: 'clock' })).filter((one) => one.collection === 'customers')
  const ids = changed.slice(0, 10).map(({ id }) => expect.objectContaining({ id }))
  expect(advanced).toMatchObject({ changed: { customers: changed.length }, first: { customers: ids } })
})

const options = { size: 25, future: 'living' } as const
const startMs = Date.parse('2026-01-15T12:00:00.000Z')
const at = (day: number): string => new Date(startMs + day * 86_400_000).toISOString()

/** Reports what happens between two days, and what a move of the clock from one to the other changes. */
async function report(session: SessionHandle, from: number, to: number) {
  const now = session.clock.now()
  const events = await session.clock.events({ from: at(from), to: at(to) })
  session.clock.set(at(from))
  const moved = session.clock.advance(`P${to - from}D`)
  const list = await session.data.changes({ since: at(from), by: 'clock' })
  session.clock.set(now)
  return JSON.stringify({ list, moved, days: events.items })
}

it('reports the same for two instants, wherever the clock has been', async () => {
  const day = fc.integer({ min: 0, max: 30 })
  const lively = await createSandbox(options)
  await fc.assert(
    fc.asyncProperty(fc.array(day, { maxLength: 4 }), day, day, async (path, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const fresh = await createSandbox(options)
      const expected = await report(fresh.session(), from, to)
      const session = lively.session()
      for (const stop of path) session.clock.set(at(stop))
      expect(await report(session, from, to)).toBe(expected)
      const restored = lively.session()
      await restored.restoreState(await session.saveState())
      expect(await report(restored, from, to)).toBe(expected)
    }),
    { seed: 42, numRuns: chooseAmount(1, 5) },
  )
})
