import { expect, it, onTestFinished, vi } from 'vitest'

import type { Sandbox, Signal } from '../../src/index.ts'
import { openSandbox as open } from '../../src/sandbox/sandbox.ts'
import { openStorage, temporaryFolder } from '../folders.ts'
import { as, crawl, customers, home, openSandbox, type Page, readControl } from '../support.ts'

const shared = openSandbox({ size: 25, future: 'living' })

it('stands still by default, whatever the time', async () => {
  const still = await openSandbox({ size: 25 })
  const mara = as(still, 'mara')
  const before = await mara.get(customers)
  expect(still.clock.advance('P100D')).toEqual({})
  expect(await mara.get(customers)).toEqual(before)
  expect(await readControl(still, 'GET', '/health')).toMatchObject({ future: 'still' })
})

it('lets one session live and another stand still', async () => {
  const still = await openSandbox({ size: 25 })
  const fingerprint = await still.dataset.fingerprint()
  expect(() => still.session({ future: 'living' })).toThrow("Cannot use future: 'living'")
  const { id } = await readControl<{ id: string }>(still, 'POST', '/sessions', { future: 'living' })
  await readControl(still, 'POST', '/clock/advance', { by: 'P30D' }, id)
  const health = await readControl(still, 'GET', '/health', undefined, id)
  expect(health).toMatchObject({ future: 'living', fingerprint: expect.not.stringMatching(fingerprint) })
  const quiet = (await shared).session({ future: 'still' })
  expect(quiet.clock.advance('P30D')).toEqual({})
  expect((await shared).session({ from: quiet.id }).clock.advance('P30D')).toEqual({})
})

it('ticks after each request of an operation, so that pages drift', async () => {
  const session = (await shared).session()
  const mara = as(session, 'mara')
  session.clock.tick({ by: 'PT3M', on: 'listCustomers' })
  await mara.get('/members/me')
  expect(session.clock.now()).toBe('2026-01-15T12:00:00.000Z')
  await mara.get(`${customers}?limit=10`)
  await mara.get(`${customers}?limit=10&offset=10`)
  expect(session.clock.now()).toBe('2026-01-15T12:06:00.000Z')
  session.clock.tick(undefined)
  await mara.get(customers)
  expect(session.clock.now()).toBe('2026-01-15T12:06:00.000Z')
  expect(() => session.clock.tick({ by: 'PT0S' })).toThrow('longer than nothing')
})

const timeline = [
  { at: 'now+2d', customers: [{ id: 900, segment: 'SMB' }], signals: [{ id: 70_000, customerId: 900 }] },
  { at: '2026-02-01T08:00:00.000Z', delete: { customers: [901] } },
]
const scripted = {
  name: 'scripted',
  customers: [
    { id: 900, name: 'Tern & Co', segment: 'Enterprise' },
    { id: 901, name: 'Wren Ltd' },
  ],
  notes: [{ id: 70_000, customerId: 901 }],
  timeline,
}

it('deletes a definition in a step that also ends the last use of it', async () => {
  const step = { at: 'now+1d', customers: [{ id: 900, customFields: [] }], delete: { customFields: [90] } }
  const fixture = {
    extends: 'empty',
    customFields: [{ id: 90, key: 'club', type: 'text' }],
    customers: [{ id: 900, customFields: [{ key: 'club', value: 'gold' }] }],
    timeline: [step],
  }
  const told = await openSandbox({ future: 'living', fixture })
  told.clock.advance('P2D')
  await expect(told.data.customFields.get(90)).rejects.toMatchObject({ code: 'not_found' })
  expect(await told.data.customers.get(900)).toMatchObject({ customFields: [] })
})

it('lets happen what a fixture says', async () => {
  const told = await openSandbox({ size: 25, future: 'living', fixture: scripted })
  const mara = as(told, 'mara')
  expect(await mara.get(`${customers}/900`)).toMatchObject({ segment: 'Enterprise' })
  told.clock.advance('P2D')
  expect(await mara.get(`${customers}/900`)).toMatchObject({
    name: 'Tern & Co',
    segment: 'SMB',
    updatedDate: '2026-01-17T12:00:00.000Z',
  })
  const signal = await mara.get<Signal>(`${home}/signals/70000`)
  expect(signal).toMatchObject({ customerId: 900, createdDate: '2026-01-17T12:00:00.000Z' })
  expect((await mara.send(`${customers}/901`)).status).toBe(200)
  told.clock.set('2026-02-01T08:00:00Z')
  expect((await mara.send(`${customers}/901`)).status).toBe(404)
  expect((await mara.send(`${customers}/901/notes`)).status).toBe(404)
  expect((await told.data.notes.list()).items.filter(({ id }) => id === 70_000)).toEqual([])
  told.clock.advance('P1Y')
  expect(await mara.get(`${customers}/900`)).toMatchObject({ updatedDate: '2026-01-17T12:00:00.000Z' })
})

it.each([
  [{ at: 'now-1d' }, 'timeline[0].at must be after'],
  [{ at: 'tomorrow' }, 'timeline[0].at'],
  [
    { at: 'now+1d', customers: [{ id: 900, memberRoles: [{ key: 'csm', memberIds: [404] }] }] },
    '404 matches no member',
  ],
  [
    {
      at: 'now+1d',
      delete: { customers: [900] },
      notes: [
        { id: 70_001, customerId: 901 },
        { id: 70_002, customerId: 404 },
      ],
    },
    'timeline[0].notes[1].customerId 404 matches no customer',
  ],
  [
    { at: 'now+1d', notes: [{ id: 70_000, updatedDate: 'now-900d' }] },
    'timeline[0].notes[0].updatedDate must not be before createdDate',
  ],
  [
    { at: 'now+1d', delete: { customers: [901], products: [404, 1] } },
    'timeline[0].delete.products[1] leaves customer 1 without the product it refers to',
  ],
  [
    { at: 'now+1d', delete: { productMetrics: [11] } },
    'timeline[0].delete.productMetrics[0] leaves customer 1 without the product metric it refers to',
  ],
  [
    { at: 'now+1d', memberRoles: [{ id: 1, key: 'owner' }] },
    'timeline[0].memberRoles[0].key leaves customer 1 without the member role it refers to',
  ],
])('rejects the step %j of a timeline', async (step, message) => {
  const fixture = { ...scripted, timeline: [step] }
  await expect(openSandbox({ size: 25, future: 'living', fixture })).rejects.toThrow(message)
})

it('shows no record of a customer who is deleted or not there yet, however the clock moves', async () => {
  const session = (await shared).session()
  const { data, clock } = session
  const list = async (id: number) => (await data.signals.list({ customerId: id, limit: 100 })).items
  const [first] = await list(5)
  clock.advance('P3D')
  await data.signals.patch(first?.id ?? 0, { summary: 'Changed' })
  await data.customers.delete(5)
  const state = await session.saveState()
  // Time adds signals to this customer.
  clock.advance('P60D')
  expect(await list(5)).toEqual([])
  clock.reset()
  expect(await list(5)).toEqual([])
  await expect(data.signals.get(first?.id ?? 0)).rejects.toMatchObject({ code: 'not_found' })
  const mara = as(session, 'mara')
  const all = await mara.get<Page<{ customerId: number }>>(`${home}/signals?limit=250`)
  expect(all.items.filter(({ customerId }) => customerId === 5)).toEqual([])
  const other = (await shared).session()
  await other.restoreState(state)
  expect(await other.saveState()).toEqual(state)
})

it('leaves a moved automation where the dataset has it while time puts the one above it below it', async () => {
  const automations = [{ id: 901 }, { id: 902 }]
  const loop = { automations, timeline: [{ at: 'now+2d', automations: [{ id: 901, parentId: 902 }] }] }
  const session = (await openSandbox({ size: 3, future: 'living', fixture: loop })).session()
  const moved = async () => {
    const all = await as(session, 'mara').get<{ id: number }[]>(`${home}/automations`)
    return all.map(({ id }) => id).filter((id) => id > 900)
  }
  await session.data.automations.patch(902, { parentId: 901 })
  expect(await moved()).toEqual([901])
  session.clock.advance('P3D')
  expect(await moved()).toEqual([902])
  expect(await session.data.automations.get(902)).toMatchObject({ parentId: null, children: [{ id: 901 }] })
  session.clock.reset()
  expect(await session.data.automations.get(901)).toMatchObject({ parentId: null, children: [{ id: 902 }] })
})

it('keeps no record of another time in a session that stands still', async () => {
  const opened = await shared
  const session = opened.session()
  session.clock.set('2027-01-15T12:00:00.000Z')
  const { items } = await session.data.customers.list({ limit: 250 })
  const born = items.findLast(({ organizationId }) => organizationId === 'harbor')
  await session.data.signals.create([{ customerId: born?.id ?? 0 }, { customerId: 4 }])
  const still = opened.session({ from: session.id, future: 'still' })
  expect(await still.data.changes()).toMatchObject([{ collection: 'signals', kind: 'created' }])
  const state = await still.saveState()
  await opened.session().restoreState(state)
  expect(state.changes).toHaveLength(1)
})

it('shows the tenant as it is two years after the dataset from then on, wherever time is asked for', async () => {
  const sandbox = await openSandbox({ size: 3, future: 'living' })
  const at = async (now: string) => {
    await readControl(sandbox, 'PUT', '/clock', { now })
    return crawl(as(sandbox, 'mara'))
  }
  const [before, last] = [await at('2027-12-01T00:00Z'), await at('2028-01-17T00:00Z')]
  expect(last).not.toEqual(before)
  expect(await at('2036-01-15T00:00Z')).toEqual(last)
  await readControl(sandbox, 'POST', '/clock/advance', { by: 'P1000Y' })
  expect(await crawl(as(sandbox, 'mara'))).toEqual(last)
  const events = await sandbox.clock.events({ from: '2028-01-10T00:00Z', to: '2028-02-10T00:00Z' })
  expect(events.items.map(({ day }) => day)).toContain('2028-01-15')
  expect(events.items.at(-1)?.day).toBe('2028-01-16')
  expect(events.next).toBeUndefined()
  expect(await sandbox.data.changes({ since: '2028-02-01T00:00Z', by: 'clock' })).toEqual([])
  sandbox.clock.tick({ by: 'P6Y' })
  const now = sandbox.clock.now()
  await as(sandbox, 'mara').get('/members/me')
  expect(sandbox.clock.now() > now).toBe(true)
})

it('lives in a session whose time is far from the dataset’s', async () => {
  const sandbox = await openSandbox({ size: 3 })
  await readControl(sandbox, 'PUT', '/clock', { now: '2206-01-15T00:00Z' })
  await readControl(sandbox, 'POST', '/sessions', { id: 'far', from: 'default', future: 'living' })
  await readControl(sandbox, 'GET', '/data/history/members/7', undefined, 'far')
  const events = '/clock/events?from=2026-02-01T00:00Z'
  const { items } = await readControl<{ items: object[] }>(sandbox, 'GET', events, undefined, 'far')
  expect(items.length).toBeGreaterThan(20)
})

/** Reads every record that the default caller sees. */
const readAll = (at: Pick<Sandbox, 'fetch'>) => crawl(as(at, 'mara'))

it('shows the same bytes after reset, fork, snapshot, reseed and restart, with time moved', async () => {
  const folder = temporaryFolder()
  const start = async (options = {}) => open(options, { storage: await openStorage(folder) })
  const first = await start({ size: 4, future: 'living' })
  first.clock.advance('P50D')
  const expected = await readAll(first)
  const present = await readAll(first.session())
  expect(present).not.toEqual(expected)

  const fork = first.session()
  fork.clock.advance('P50D')
  const snapshot = fork.snapshot()
  expect(await readAll(first.session({ from: fork.id }))).toEqual(expected)
  fork.clock.advance('P50D')
  expect(await readAll(fork)).not.toEqual(expected)
  fork.restore(snapshot)
  expect(await readAll(fork)).toEqual(expected)

  await first.reset()
  expect(await readAll(first)).toEqual(present)
  first.clock.advance('P50D')
  expect(await readAll(first)).toEqual(expected)

  await first.reseed({ seed: 7 })
  await first.reseed({ seed: 42 })
  first.clock.advance('P20D')
  first.clock.advance('P30D')
  expect(await readAll(first)).toEqual(expected)

  await first.close()
  expect(await readAll(await start())).toEqual(expected)
})

it('goes on after a restart where a faster clock would be by then', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-01T00:00:00.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const folder = temporaryFolder()
  const start = async (options = {}) => open(options, { storage: await openStorage(folder), clockRate: 60 })
  const first = await start({ size: 4, now: 'system', future: 'living' })
  vi.setSystemTime(new Date('2027-01-01T12:00:00.000Z'))
  expect(first.clock.now()).toBe('2027-01-31T00:00:00.000Z')
  const expected = await readAll(first)
  await first.close()
  const second = await start()
  expect(second.clock.now()).toBe('2027-01-31T00:00:00.000Z')
  expect(await readAll(second)).toEqual(expected)
  second.clock.advance('P10D')
  await second.close()
  const third = await start()
  expect(third.clock.now()).toBe('2027-02-10T00:00:00.000Z')
  vi.setSystemTime(new Date('2027-01-01T12:01:00.000Z'))
  expect(third.clock.now()).toBe('2027-02-10T01:00:00.000Z')
})
