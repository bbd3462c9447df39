import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, onTestFinished, vi } from 'vitest'

import type { DatasetOptions } from '../../src/index.ts'
import { startSandbox, type StartOptions } from '../../src/node.ts'
import { type OpenSandbox, openSandbox as open } from '../../src/sandbox/sandbox.ts'
import { Storage } from '../../src/store/disk/storage.ts'
import { copyAsKilled, openStorage, temporaryFolder } from '../folders.ts'
import { as, control as callControl, createJsonPost, customers, note, notes } from '../support.ts'

async function openIn(folder: string, options: DatasetOptions = {}): Promise<OpenSandbox> {
  return open(options, { storage: await openStorage(folder) })
}

/** Opens a copy of a folder, as if its process had been killed now. */
async function reopen(folder: string): Promise<OpenSandbox> {
  const copy = copyAsKilled(folder)
  rmSync(join(copy, 'lock.json'))
  return openIn(copy)
}

/** Calls the control plane, and returns the status. */
const control = async (...call: Parameters<typeof callControl>): Promise<number> =>
  (await callControl(...call)).status

it('stores a note with the time at which its customer exists', async () => {
  const folder = temporaryFolder()
  const sandbox = await openIn(folder, { size: 25, future: 'living' })
  const mara = as(sandbox, 'mara')
  const listed = async () => {
    const { items } = await mara.get<{ items: { id: number }[] }>(`${customers}?limit=250`)
    return items.map(({ id }) => id)
  }
  const before = await listed()
  sandbox.clock.tick({ by: 'P1Y', on: 'getCurrentMember' })
  await mara.get('/members/me')
  const born = (await listed()).find((id) => !before.includes(id))
  await mara.post(`${customers}/${born}/notes`, note)
  const killed = await reopen(folder)
  const { items } = await as(killed, 'mara').get<{ items: object[] }>(`${customers}/${born}/notes`)
  expect(items).toContainEqual(expect.objectContaining({ content: note.content }))
})

it('keeps whether data changes with time when a state is restored into the default session', async () => {
  const folder = temporaryFolder()
  const sandbox = await openIn(folder, { size: 3, future: 'living' })
  const session = sandbox.session({ future: 'still' })
  session.clock.set('2027-01-01T00:00Z')
  await sandbox.restoreState(await session.saveState())
  expect(sandbox.dataset.future).toBe('still')
  const killed = await reopen(folder)
  expect([killed.dataset.future, killed.clock.now()]).toEqual(['still', '2027-01-01T00:00:00.000Z'])
})

/** Sets the machine's time. */
const setMachineTime = (time: string) => vi.setSystemTime(new Date(time))

it('continues a running clock from the latest change if the machine’s clock went back meanwhile, and says so', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-01T12:00:00.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const folder = temporaryFolder()
  const sandbox = await openIn(folder, { size: 3, now: 'system' })
  setMachineTime('2027-01-02T12:00:00.000Z')
  const { createdDate } = await as(sandbox, 'mara').post<{ createdDate: string }>(notes, note)
  expect(createdDate).toBe('2027-01-02T12:00:00.000Z')
  setMachineTime('2027-01-02T09:00:00.000Z')
  const killed = await reopen(folder)
  expect(killed.clock.now()).toBe(createdDate)
  expect(killed.state.warnings).toEqual([
    `The clock of this sandbox would be at 2027-01-02T09:00:00.000Z, before its latest change, so it continues from ${createdDate}. The machine's clock has gone back, or the clock rate is another.`,
  ])
  setMachineTime('2027-01-02T09:00:01.000Z')
  expect(killed.clock.now()).toBe('2027-01-02T12:00:01.000Z')
})

it('keeps a running clock within years of four digits, however far the folder says that it was moved', async () => {
  const folder = temporaryFolder()
  const sandbox = await openIn(folder, { size: 3, now: 'system' })
  expect(await control(sandbox, 'PUT', '/clock', { now: '2026-12-31T00:00Z' })).toBe(200)
  await sandbox.close()
  const path = join(folder, 'changes.jsonl')
  const text = readFileSync(path, 'utf8')
  for (const [ms, time] of [
    [Number.MIN_SAFE_INTEGER, '2026-12-31T00:00'],
    [Number.MAX_SAFE_INTEGER, '9999-12-31T23:59'],
  ] as const) {
    writeFileSync(path, text.replace(/"aheadMs":-?\d+/, `"aheadMs":${ms}`))
    const again = await openIn(folder)
    expect(again.clock.now().slice(0, 16)).toBe(time)
    await again.close()
  }
})

it('keeps a running clock where somebody has set it back to, and says nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-01T12:00:00.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const folder = temporaryFolder()
  const sandbox = await openIn(folder, { size: 3, now: 'system' })
  await as(sandbox, 'mara').post(notes, note)
  const state = await sandbox.saveState()
  expect(await control(sandbox, 'PUT', '/clock', { now: '2026-12-31T00:00Z' })).toBe(200)
  const expectQuiet = async (time: string) => {
    const killed = await reopen(folder)
    expect([killed.clock.now(), killed.state.warnings]).toEqual([time, []])
  }
  await expectQuiet('2026-12-31T00:00:00.000Z')
  expect(await control(sandbox, 'DELETE', '/clock')).toBe(200)
  await expectQuiet('2027-01-01T12:00:00.000Z')
  await sandbox.restoreState({ ...state, clock: { ...state.clock, now: '2026-12-30T00:00:00.000Z' } })
  await expectQuiet('2026-12-30T00:00:00.000Z')
})

it('rejects a state that is restored while the sandbox is reseeded, and goes on', async () => {
  const storage = new Storage()
  let reseed: (() => Promise<void>) | undefined
  const append = storage.append.bind(storage)
  // Lets the reseed come between the checks of the state and its write.
  storage.append = async (write) => {
    await reseed?.()
    return append(write)
  }
  const sandbox = await open({ size: 3 }, { storage })
  await as(sandbox, 'mara').post(notes, note)
  const state = await sandbox.saveState()
  reseed = async () => {
    reseed = undefined
    await sandbox.reseed({ seed: 7 })
  }
  await expect(sandbox.restoreState(state)).rejects.toMatchObject({ code: 'conflict' })
  expect(await sandbox.data.changes()).toEqual([])
  await as(sandbox, 'mara').post(notes, note)
  expect(await sandbox.data.changes()).toHaveLength(1)
})

it('says so when the ids of a collection are used up', async () => {
  const last = { id: Number.MAX_SAFE_INTEGER - 1, customerId: 1, categoryId: 1, content: 'A note' }
  const mara = as(await open({ size: 3, fixture: { notes: [last] } }), 'mara')
  expect(await mara.post(notes, note)).toMatchObject({ id: Number.MAX_SAFE_INTEGER })
  const response = await mara.send(notes, createJsonPost(note))
  expect([response.status, await response.text()]).toEqual([507, expect.stringContaining('all ids up to')])
})

it('rejects a rate for a clock that does not run, and stores nothing then', async () => {
  const data = temporaryFolder()
  const start = async (options: StartOptions): Promise<unknown> => {
    await using server = await startSandbox({ data, port: 0, size: 'small', clockRate: 60, ...options })
    return server.sandbox.saveState()
  }
  const error = {
    code: 'invalid_request',
    message:
      'Cannot use the option clockRate, because the clock is frozen. Set the option now to system, or remove the option clockRate.',
  }
  await expect(start({})).rejects.toMatchObject(error)
  expect(await start({ now: 'system' })).toMatchObject({ clock: { rate: 60 } })
  expect(await start({})).toMatchObject({ clock: { rate: 60 } })
  const other = { data: temporaryFolder() }
  const frozen = await start({ ...other, clockRate: undefined })
  await expect(start(other)).rejects.toMatchObject(error)
  const state = { ...Object(frozen), clock: { ...Object(frozen).clock, rate: 60 } }
  await expect(start({ data: temporaryFolder(), state })).rejects.toMatchObject(error)
  const started = await start({ data: temporaryFolder(), state, clockRate: undefined })
  expect(started).toMatchObject({ clock: { now: '2026-01-15T12:00:00.000Z' } })
})
