import { Memory } from 'lowdb'
import { expect, it } from 'vitest'

import { type ChangesFile, type LogEntry, type SeededFile } from '../../src/disk/documents.ts'
import { createStorage } from '../../src/disk/storage.ts'
import { type CustomerNote, SandboxError } from '../../src/index.ts'
import { openSandbox as openWithStorage } from '../../src/sandbox/sandbox.ts'
import { member, note, createDatasetFile } from '../folders.ts'
import { as, expectProblem, createJsonPost } from '../support.ts'

const diskFull = new Error('the disk is full')
const full = new SandboxError('storage_full', 'Cannot write changes.log: the disk is full.')

/** The operations that a disk accepts. */
interface Takes {
  entry: (entry: LogEntry) => boolean | Promise<boolean>
  seeded: boolean
  changes: boolean
}

/** Creates a storage in memory whose disk can reject entries and files. */
function failing() {
  const seeded = new Memory<SeededFile>()
  const changes = new Memory<ChangesFile>()
  const entries: LogEntry[] = []
  const takes: Takes = { entry: () => true, seeded: true, changes: true }
  const adapter = <T>(memory: Memory<T>, name: 'seeded' | 'changes') => ({
    read: () => memory.read(),
    write: async (data: T) => {
      if (!takes[name]) throw diskFull
      await memory.write(data)
    },
  })
  const log = {
    size: 0,
    read: async () => [...entries],
    empty: async () => void entries.splice(0),
    append: async (entry: LogEntry) => {
      // The delay lets further writes wait.
      await new Promise((resolve) => setImmediate(resolve))
      if (!(await takes.entry(entry))) throw diskFull
      entries.push(entry)
      log.size = entries.length
    },
  }
  const parts = { place: 'memory', seeded: adapter(seeded, 'seeded'), changes: adapter(changes, 'changes') }
  return { parts, log, entries, takes, open: () => createStorage({ ...parts, log }) }
}

/** Opens such a storage with a dataset. */
async function openFailing() {
  const disk = failing()
  const storage = disk.open()
  await storage.replace(createDatasetFile())
  return { ...disk, storage }
}

/** Opens a sandbox over such a storage. */
async function openSandbox() {
  const { open, takes } = failing()
  const sandbox = await openWithStorage({ size: 'small' }, { storage: open() })
  const mara = as(sandbox, 'mara')
  const call = (customerId = 1) => mara.send(`/organizations/harbor/customers/${customerId}/notes`, called)
  return { sandbox, takes, call, before: await sandbox.data.notes.list() }
}

const called = createJsonPost({ categoryId: 1, content: 'Called.' })

const fail = (): never => {
  throw new Error('a bug')
}

const outcomes = async (writes: readonly Promise<void>[]) =>
  (await Promise.allSettled(writes)).map(({ status }) => status)

it('goes on after a write that fails when it is applied', async () => {
  const { storage } = await openFailing()
  const write = storage.append({ decide: () => ({ changes: [note(1)] }), apply: fail, isIndependent: true })
  const next = storage.append([note(2)])
  await expect(write).rejects.toThrow('a bug')
  await expect(next).resolves.toBeUndefined()
})

it('merges a log of superseded changes before it rejects a write on a full disk', async () => {
  const { storage, entries, takes } = await openFailing()
  for (const content of ['One', 'Two', 'Three']) await storage.append([note(1, content)])
  takes.entry = () => (entries.length < 3 ? true : Promise.reject(full))
  await storage.append([note(2)])
  expect(entries).toHaveLength(1)
  expect((await storage.load())?.changes).toEqual([note(1, 'Three'), note(2)])
  takes.entry = () => Promise.reject(full)
  await expect(storage.append([note(3)])).rejects.toBe(full)
})

it('writes waiting changes together', async () => {
  const { storage, entries } = await openFailing()
  await Promise.all([1, 2, 3, 4].map((id) => storage.append([note(id)])))
  expect(entries.flatMap(({ changes }) => changes)).toEqual([1, 2, 3, 4].map((id) => note(id)))
  expect(entries.length).toBeLessThanOrEqual(2)
})

it('resolves the first of several writes as soon as it is durable', async () => {
  const { storage, entries, takes } = await openFailing()
  const further: Promise<void>[] = []
  takes.entry = ({ sequence }) => {
    if (sequence < 5) further.push(storage.append([note(sequence + 1)]))
    return true
  }
  await storage.append([note(1)])
  expect(entries).toHaveLength(1)
  while (further.length < 4) await Promise.all(further)
  await Promise.all(further)
})

it('settles each write with its own outcome if they do not fit together', async () => {
  const { storage, entries, takes } = await openFailing()
  takes.entry = ({ changes }) => JSON.stringify(changes).length < 300
  const writes = [note(1), note(2), note(3, 'x'.repeat(500)), note(4)].map((one) => storage.append([one]))
  expect(await outcomes(writes)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
})

it('stores nothing of a failed write, and accepts the next', async () => {
  const { storage, open, takes } = await openFailing()
  takes.entry = () => false
  await expect(storage.append([note(1)])).rejects.toBe(diskFull)
  takes.entry = () => true
  await storage.append([note(2)])
  expect((await open().load())?.changes).toEqual([note(2)])
})

it('keeps the changes if they cannot be dropped', async () => {
  const { storage, open, takes } = await openFailing()
  await storage.append([note(1)])
  takes.entry = () => false
  await expect(storage.clear()).rejects.toBe(diskFull)
  expect((await open().load())?.changes).toEqual([note(1)])
})

it('keeps the notes before and during a failed reset', async () => {
  const { sandbox, takes, call, before } = await openSandbox()
  await call()
  takes.entry = ({ changes }) => changes !== null
  const refusal = sandbox.reset().catch((error: unknown) => error)
  await call()
  expect(await refusal).toBe(diskFull)
  expect(await sandbox.data.notes.list()).toMatchObject({ totalCount: before.totalCount + 2 })
})

/** Rejects entries that change a customer. */
const noCustomer = ({ changes }: LogEntry) => changes?.every(({ table }) => table !== 'customers') ?? true

it('rejects notes on a customer whose creation failed', async () => {
  const { sandbox, takes, call, before } = await openSandbox()
  takes.entry = noCustomer
  const creation = sandbox.data.customers.put({ id: 900 })
  const sent = Array.from({ length: 5 }, () => call(900))
  await expect(creation).rejects.toBe(diskFull)
  for (const response of await Promise.all([...sent, call(900)])) await expectProblem(response, 'not_found')
  expect(await sandbox.data.notes.list()).toEqual(before)
})

it('keeps every acknowledged note of a customer whose deletion failed', async () => {
  const { sandbox, takes, call, before } = await openSandbox()
  takes.entry = noCustomer
  const sent = Array.from({ length: 5 }, () => call())
  const deletion = sandbox.data.customers.delete(1)
  sent.push(...Array.from({ length: 5 }, () => call()))
  await expect(deletion).rejects.toBe(diskFull)
  const notes: CustomerNote[] = []
  for (const response of await Promise.all(sent)) notes.push(JSON.parse(await response.text()))
  const { items } = await sandbox.data.notes.list()
  const ids = [...before.items, ...notes].map(({ id }) => id)
  expect(items.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b))
  expect(await sandbox.data.customers.get(1)).toMatchObject({ id: 1 })
})

it('returns no note before it is durable', async () => {
  const { sandbox, takes, call, before } = await openSandbox()
  let seen: unknown
  takes.entry = async () => {
    seen = await sandbox.data.notes.list()
    return true
  }
  await call()
  expect(seen).toEqual(before)
  expect(await sandbox.data.notes.list()).toMatchObject({ totalCount: before.totalCount + 1 })
})

it('keeps the dataset and the changes if they cannot be replaced', async () => {
  const { storage, open, takes } = await openFailing()
  await storage.append([note(1)])
  takes.seeded = false
  await expect(storage.replace(createDatasetFile([member(1)]))).rejects.toBe(diskFull)
  takes.seeded = true
  await storage.append([note(2)])
  const kept = await open().load()
  expect(kept?.seeded.rows.members).toEqual([])
  expect(kept?.changes).toEqual([note(1), note(2)])
})

it('accepts a replaced dataset that is on disk although the disk reported an error', async () => {
  const { parts, log } = failing()
  const seeded = {
    read: () => parts.seeded.read(),
    write: async (data: SeededFile) => {
      await parts.seeded.write(data)
      throw diskFull
    },
  }
  const storage = createStorage({ ...parts, seeded, log })
  await storage.replace(createDatasetFile())
  await storage.append([note(1)])
  expect((await createStorage({ ...parts, log }).load())?.changes).toEqual([note(1)])
})

it('acknowledges a write whose log cannot be merged', async () => {
  const { storage, open, log, takes } = await openFailing()
  takes.changes = false
  await storage.append([note(1)])
  log.size = 2_000_000
  await storage.close()
  expect((await open().load())?.changes).toEqual([note(1)])
})
