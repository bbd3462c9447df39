import { expect, it, onTestFinished, vi } from 'vitest'

import type { Customer, Signal } from '../../src/index.ts'
import { openSandbox as open } from '../../src/sandbox/sandbox.ts'
import { as, control as callControl, openSandbox, type Page } from '../support.ts'

const living = { size: 60, future: 'living' } as const
const sandbox = openSandbox(living)

/** The fields of responses of the control plane that tests read. */
interface Answer {
  readonly id: string
  readonly future: string
  readonly fingerprint: string
}

/** Calls the control plane, and reads the JSON of the response. */
const control = async (...call: Parameters<typeof callControl>): Promise<Answer> =>
  JSON.parse(await (await callControl(...call)).text())

const harbor = '/organizations/harbor'

it('changes what the service returns as the clock moves, and reports how much', async () => {
  const session = (await sandbox).session()
  const mara = as(session, 'mara')
  const before = await mara.get<Page<Customer>>(`${harbor}/customers?limit=250`)
  const changed = session.clock.advance('P40D')
  const after = await mara.get<Page<Customer>>(`${harbor}/customers?limit=250`)
  expect(after.items).not.toEqual(before.items)
  expect(changed.customers).toBeGreaterThan(20)
  session.clock.reset()
  expect(await mara.get(`${harbor}/customers?limit=250`)).toEqual(before)
})

it('stands still by default, whatever the time', async () => {
  const still = await openSandbox({ size: 25 })
  const mara = as(still, 'mara')
  const before = await mara.get(`${harbor}/customers`)
  expect(still.clock.advance('P100D')).toEqual({})
  expect(await mara.get(`${harbor}/customers`)).toEqual(before)
  expect(await control(still, 'GET', '/health')).toMatchObject({ future: 'still' })
})

it('shows over HTTP that it lives, and what a step changes', async () => {
  const lively = await openSandbox(living)
  const before = await control(lively, 'GET', '/health')
  expect(before).toMatchObject({ future: 'living', fingerprint: await lively.dataset.fingerprint() })
  const advanced = await control(lively, 'POST', '/clock/advance', { by: 'P3D' })
  expect(advanced).toMatchObject({ changed: { customers: expect.any(Number) } })
  expect((await control(lively, 'GET', '/health')).fingerprint).not.toBe(before.fingerprint)
})

it('lets one session live and another stand still', async () => {
  const still = await openSandbox({ size: 25 })
  const fingerprint = await still.dataset.fingerprint()
  expect(() => still.session({ future: 'living' })).toThrow("Cannot use future: 'living'")
  const { id, future } = await control(still, 'POST', '/sessions', { future: 'living' })
  expect(future).toBe('living')
  await control(still, 'POST', '/clock/advance', { by: 'P30D' }, id)
  expect((await control(still, 'GET', '/health', undefined, id)).fingerprint).not.toBe(fingerprint)
  const quiet = (await sandbox).session({ future: 'still' })
  expect(quiet.clock.advance('P30D')).toEqual({})
  expect((await sandbox).session({ from: quiet.id }).clock.advance('P30D')).toEqual({})
})

it('keeps what a test has arranged until it is undone', async () => {
  const session = (await sandbox).session()
  await session.data.customers.patch(20, { city: 'Bergen' })
  session.clock.advance('P60D')
  const arranged = await session.data.customers.get(20)
  expect(arranged).toMatchObject({ city: 'Bergen', updatedDate: '2026-01-15T12:00:00.000Z' })
  await session.data.undo('customers', 20)
  expect(await session.data.customers.get(20)).not.toEqual(arranged)
})

it('brings no record to a customer that a test has deleted', async () => {
  const session = (await sandbox).session()
  const plain = (await sandbox).session()
  plain.clock.advance('P60D')
  const mara = as(plain, 'mara')
  const { items } = await mara.get<Page<Signal>>(`${harbor}/signals?limit=250`)
  const { id = 0, customerId = 0 } = items.find((signal) => signal.id > 1e12) ?? {}
  await session.data.customers.delete(customerId)
  session.clock.advance('P60D')
  const own = as(session, 'mara')
  expect((await own.send(`${harbor}/signals/${id}`)).status).toBe(404)
  const after = await own.get<Page<Signal>>(`${harbor}/signals?limit=250`)
  expect(after.items.filter((signal) => signal.customerId === customerId)).toEqual([])
  expect(after.totalCount).toBeLessThan((await mara.get<Page<unknown>>(`${harbor}/signals`)).totalCount)
})

it('ticks after each request of an operation, so that pages drift', async () => {
  const session = (await sandbox).session()
  const mara = as(session, 'mara')
  session.clock.tick({ by: 'PT3M', on: 'listCustomers' })
  await mara.get('/members/me')
  expect(session.clock.now()).toBe('2026-01-15T12:00:00.000Z')
  await mara.get(`${harbor}/customers?limit=10`)
  await mara.get(`${harbor}/customers?limit=10&offset=10`)
  expect(session.clock.now()).toBe('2026-01-15T12:06:00.000Z')
  session.clock.tick(undefined)
  await mara.get(`${harbor}/customers`)
  expect(session.clock.now()).toBe('2026-01-15T12:06:00.000Z')
  expect(() => session.clock.tick({ by: 'PT0S' })).toThrow('longer than nothing')
})

it('runs faster than the real time on request', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-01T00:00:00.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const fast = await open({ size: 25, now: 'system', future: 'living' }, { clockRate: 60 })
  const before = await as(fast, 'mara').get(`${harbor}/customers?limit=250`)
  vi.setSystemTime(new Date('2027-01-01T12:00:00.000Z'))
  expect(fast.clock.now()).toBe('2027-01-31T00:00:00.000Z')
  expect(await as(fast, 'mara').get(`${harbor}/customers?limit=250`)).not.toEqual(before)
  fast.clock.set('2030-01-01T00:00Z')
  vi.setSystemTime(new Date('2027-01-01T12:00:01.000Z'))
  expect(fast.clock.now()).toBe('2030-01-01T00:01:00.000Z')
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

it('lets happen what a fixture says', async () => {
  const told = await openSandbox({ size: 25, future: 'living', fixture: scripted })
  const mara = as(told, 'mara')
  expect(await mara.get(`${harbor}/customers/900`)).toMatchObject({ segment: 'Enterprise' })
  told.clock.advance('P2D')
  expect(await mara.get(`${harbor}/customers/900`)).toMatchObject({
    name: 'Tern & Co',
    segment: 'SMB',
    updatedDate: '2026-01-17T12:00:00.000Z',
  })
  const signal = await mara.get<Signal>(`${harbor}/signals/70000`)
  expect(signal).toMatchObject({ customerId: 900, createdDate: '2026-01-17T12:00:00.000Z' })
  expect((await mara.send(`${harbor}/customers/901`)).status).toBe(200)
  told.clock.set('2026-02-01T08:00:00Z')
  expect((await mara.send(`${harbor}/customers/901`)).status).toBe(404)
  expect((await mara.send(`${harbor}/customers/901/notes`)).status).toBe(404)
  expect((await told.data.notes.list()).items.filter(({ id }) => id === 70_000)).toEqual([])
  told.clock.advance('P1Y')
  expect(await mara.get(`${harbor}/customers/900`)).toMatchObject({ updatedDate: '2026-01-17T12:00:00.000Z' })
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
  [{ at: 'now+1d', custmers: [] }, 'timeline[0].custmers is not a known field'],
])('rejects the step %j of a timeline', async (step, message) => {
  const fixture = { ...scripted, timeline: [step] }
  await expect(openSandbox({ size: 25, future: 'living', fixture })).rejects.toThrow(message)
})

it('shows no record of a customer who is deleted or not there yet, however the clock moves', async () => {
  const session = (await sandbox).session()
  const { data, clock } = session
  const list = async (id: number) => (await data.signals.list({ customerId: id, limit: 100 })).items
  const [first] = await list(4)
  clock.advance('P3D')
  await data.signals.patch(first?.id ?? 0, { summary: 'Changed' })
  await data.customers.delete(4)
  const state = await session.saveState()
  clock.reset()
  expect(await list(4)).toEqual([])
  await expect(data.signals.get(first?.id ?? 0)).rejects.toMatchObject({ code: 'not_found' })
  const mara = as(session, 'mara')
  const all = await mara.get<Page<{ customerId: number }>>(`${harbor}/signals?limit=250`)
  expect(all.items.filter(({ customerId }) => customerId === 4)).toEqual([])
  const other = (await sandbox).session()
  await other.restoreState(state)
  expect(await other.saveState()).toEqual(state)

  clock.set('2027-01-15T12:00:00.000Z')
  const { items } = await data.customers.list({ limit: 250 })
  const born = items.findLast(({ organizationId }) => organizationId === 'harbor')
  const [arranged] = await data.signals.create([{ customerId: born?.id ?? 0 }])
  expect(await list(born?.id ?? 0)).toContainEqual(arranged)
  clock.reset()
  await expect(data.signals.get(arranged?.id ?? 0)).rejects.toMatchObject({ code: 'not_found' })
  expect(await data.changes()).not.toContainEqual(expect.objectContaining({ id: arranged?.id }))
})

it('keeps no record of another time in a session that stands still', async () => {
  const opened = await sandbox
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
