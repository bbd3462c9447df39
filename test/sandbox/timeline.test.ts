import { expect, it } from 'vitest'

import { control, openSandbox } from '../support.ts'

const sandbox = openSandbox({ size: 40, future: 'living' })

const start = '2026-01-15T12:00:00.000Z'

it('lists the records that differ between two instants, with the time of their last change', async () => {
  const session = (await sandbox).session()
  session.clock.advance('P10D')
  const since = session.clock.now()
  const changed = session.clock.advance('P20D')
  const { counts, items, totalCount, until } = await session.clock.changes({ since, limit: 250 })
  expect(until).toBe(session.clock.now())
  expect(counts).toEqual(changed)
  expect(totalCount).toBe(Object.values(counts).reduce((sum, count) => sum + count, 0))
  expect(items).toHaveLength(Math.min(250, totalCount))
  for (const { at = '', name } of items) {
    expect(at > since && at <= until).toBe(true)
    expect(name).not.toBe('')
  }
  const customers = await session.clock.changes({ since, collection: 'customers' })
  expect(customers.totalCount).toBe(changed.customers)
  for (const { id, at, fields } of customers.items.filter(({ change }) => change === 'changed')) {
    expect((await session.data.customers.get(id)).updatedDate).toBe(at)
    expect(fields).toContain('updatedDate')
  }
})

it('looks ahead of the clock, and behind it', async () => {
  const session = (await sandbox).session()
  const ahead = await session.clock.changes({ until: '2026-02-14T12:00Z', limit: 250 })
  expect(session.clock.now()).toBe(start)
  session.clock.advance('P30D')
  expect(await session.clock.changes({ limit: 250 })).toEqual(ahead)
  const past = { until: '2020-01-01T00:00Z', since: '2019-01-01T00:00Z' }
  expect(await session.clock.changes(past)).toMatchObject({ items: [], totalCount: 0 })
})

it('tells the history of a record, version by version', async () => {
  const session = (await sandbox).session()
  session.clock.advance('P60D')
  const { items: changed } = await session.clock.changes({ collection: 'customers', limit: 250 })
  const original = (await sandbox).session()
  for (const { id, change, at } of changed) {
    const { items } = await session.data.customers.history(id)
    expect(items.at(-1)).toMatchObject({ at })
    const times = items.map((version) => version.at ?? '')
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(items[0]?.change === 'created').toBe(change === 'created')
  }
  // The versions lead from the record of the dataset to the present one.
  for (const { id } of changed.filter(({ change }) => change === 'changed')) {
    const record = new Map<string, unknown>(Object.entries(await original.data.customers.get(id)))
    const { items } = await session.data.customers.history(id)
    for (const { name, before, after } of items.flatMap(({ fields }) => fields)) {
      expect(record.get(name)).toEqual(before)
      record.set(name, after)
    }
    expect(Object.fromEntries(record)).toEqual(await session.data.customers.get(id))
  }
})

it('ends the history of each record with the change that the list of changes names', async () => {
  const session = (await sandbox).session()
  session.clock.advance('P30D')
  const { totalCount } = await session.clock.changes()
  for (let offset = 0; offset < totalCount; offset += 60) {
    const { items } = await session.clock.changes({ offset, limit: 10 })
    for (const { collection, id, change, at } of items) {
      const history = await session.data[collection].history(id)
      const last = history.items.at(-1)
      expect(last?.at, `${collection} ${id}`).toBe(at)
      expect(last?.change === 'deleted').toBe(change === 'deleted')
    }
  }
})

it('counts the events of each day, as the clock meets them', async () => {
  const session = (await sandbox).session()
  const { items, next = '' } = await session.clock.events({ to: '2026-02-20T00:00Z' })
  expect(items.length).toBeGreaterThan(30)
  for (const { day, counts } of items.slice(1, 8)) {
    session.clock.set(`${day}T00:00:00Z`)
    session.clock.set(new Date(Date.parse(`${day}T00:00:00Z`) - 1).toISOString())
    expect(Object.keys(session.clock.advance('P1D')).toSorted()).toEqual(Object.keys(counts).toSorted())
  }
  session.clock.reset()
  session.clock.set(new Date(Date.parse(next) - 1).toISOString())
  expect((await session.clock.changes()).totalCount).toBe(0)
  session.clock.set(next)
  expect((await session.clock.changes()).totalCount).toBeGreaterThan(0)
})

it('counts the same days, whichever range was counted first', async () => {
  const fresh = await openSandbox({ size: 40, future: 'living' })
  const late = await fresh.clock.events({ from: '2026-03-01T00:00Z', to: '2026-03-20T00:00Z' })
  const all = await fresh.clock.events({ to: '2026-03-20T00:00Z' })
  expect(all.items.slice(-late.items.length)).toEqual(late.items)
  expect(await (await sandbox).session().clock.events({ to: '2026-03-20T00:00Z' })).toEqual(all)
})

it('includes the changes of the session, with their time as far as it is known', async () => {
  const session = (await sandbox).session()
  session.clock.advance('P3D')
  await session.data.customers.patch(20, { city: 'Bergen' })
  await session.data.products.patch(1, { name: 'Boards' })
  await session.data.customers.delete(21)
  const at = session.clock.now()
  session.clock.advance('P60D')
  const own = (await session.clock.changes({ limit: 250 })).items.filter(({ bySession }) => bySession)
  expect(own).toContainEqual({
    collection: 'customers',
    id: 20,
    name: expect.any(String),
    change: 'changed',
    at,
    bySession: true,
    fields: expect.arrayContaining(['city', 'updatedDate']),
  })
  expect(own).toContainEqual(expect.objectContaining({ collection: 'customers', id: 21, change: 'deleted' }))
  expect((await session.clock.changes({ collection: 'products' })).items).toEqual([
    { collection: 'products', id: 1, name: 'Boards', change: 'changed', bySession: true, fields: ['name'] },
  ])
  const later = await session.clock.changes({ since: at, limit: 250 })
  expect(later.items.filter(({ bySession }) => bySession)).toEqual([])
  expect(later.items.filter(({ collection, id }) => collection === 'customers' && id === 20)).toEqual([])
  const { items } = await session.data.customers.history(20)
  expect(items.at(-1)).toMatchObject({ at, bySession: true, change: 'changed' })
  expect(items.at(-1)?.fields).toContainEqual({ name: 'city', before: expect.any(String), after: 'Bergen' })
  const deleted = { change: 'deleted', bySession: true, fields: [] }
  expect((await session.data.customers.history(21)).items.at(-1)).toEqual(deleted)
})

it('shows the changes of the session where the data stands still', async () => {
  const still = await openSandbox({ size: 3 })
  const to = '2026-02-14T12:00:00.000Z'
  expect(await still.clock.events()).toEqual({ from: start, to, items: [], totalCount: 0 })
  await still.data.customers.patch(1, { city: 'Bergen' })
  const items = [{ id: 1, at: start }]
  expect(await still.clock.changes()).toMatchObject({ counts: { customers: 1 }, items })
  expect((await still.data.customers.history(2)).items).toEqual([])
})

it('rejects records that never were, and ranges that end before they begin or last too long', async () => {
  const { clock, data } = (await sandbox).session()
  await expect(data.customers.history(99_999)).rejects.toThrow('There is no customer 99999.')
  await expect(clock.changes({ since: '2026-03-01T00:00Z' })).rejects.toThrow('must not be before since')
  await expect(clock.events({ to: '2026-01-01T00:00Z' })).rejects.toThrow('must not be before from')
  await expect(clock.events({ to: '2028-01-01T00:00Z' })).rejects.toThrow('at most 400 days')
})

it('reports over HTTP which records a step has changed first', async () => {
  const lively = await openSandbox({ size: 40, future: 'living' })
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    JSON.parse(await (await control(lively, method, path, body)).text())
  const advanced = await send('POST', '/clock/advance', { by: 'P30D' })
  const { items } = await lively.clock.changes({ collection: 'customers', limit: 10 })
  expect(advanced).toMatchObject({
    changed: { customers: expect.any(Number) },
    first: { customers: items.map(({ id, change }) => ({ id, change })) },
  })
  expect(await send('GET', '/clock/changes?collection=customers&limit=10')).toMatchObject({ items })
  const [{ id } = { id: 0 }] = items
  const history = await lively.data.customers.history(id)
  expect(await send('GET', `/data/history/customers/${id}`)).toEqual(history)
  expect(await send('GET', '/clock/events')).toEqual(await lively.clock.events())
})
