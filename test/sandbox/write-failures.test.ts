import { Memory } from 'lowdb'
import { expect, it } from 'vitest'

import type { CustomerNote } from '../../src/index.ts'
import { openSandbox as wired } from '../../src/sandbox.ts'
import {
  type ChangesFile,
  createStorage,
  type JournalEntry,
  type SeededFile,
} from '../../src/store/storage.ts'
import { member, note, smallDataset } from '../folders.ts'
import { as, expectProblem, type Page, posted } from '../support.ts'

const diskFull = new Error('the disk is full')

/** What a disk takes. */
interface Takes {
  entry: (entry: JournalEntry) => boolean | Promise<boolean>
  seeded: boolean
  changes: boolean
}

/** A storage in memory whose disk takes an entry or a file only where it is let. */
function failing() {
  const seeded = new Memory<SeededFile>()
  const changes = new Memory<ChangesFile>()
  const entries: JournalEntry[] = []
  const takes: Takes = { entry: () => true, seeded: true, changes: true }
  const adapter = <T>(memory: Memory<T>, name: 'seeded' | 'changes') => ({
    read: () => memory.read(),
    write: async (data: T) => {
      if (!takes[name]) throw diskFull
      await memory.write(data)
    },
  })
  const journal = {
    size: 0,
    read: async () => [...entries],
    empty: async () => void entries.splice(0),
    append: async (entry: JournalEntry) => {
      // A disk takes its time, so that further writes wait.
      await new Promise((resolve) => setImmediate(resolve))
      if (!(await takes.entry(entry))) throw diskFull
      entries.push(entry)
      journal.size = entries.length
    },
  }
  const parts = { place: 'memory', seeded: adapter(seeded, 'seeded'), changes: adapter(changes, 'changes') }
  return { parts, journal, entries, takes, open: () => createStorage({ ...parts, journal }) }
}

const outcomes = async (writes: readonly Promise<void>[]) =>
  (await Promise.allSettled(writes)).map(({ status }) => status)

it('writes what waits together, in one go', async () => {
  const { open, entries } = failing()
  const storage = open()
  await storage.replace(smallDataset())
  await Promise.all([1, 2, 3, 4].map((id) => storage.append([note(id)])))
  expect(entries.flatMap(({ changes }) => changes)).toEqual([1, 2, 3, 4].map((id) => note(id)))
  expect(entries.length).toBeLessThanOrEqual(2)
})

it('tells the first of several writes as soon as it is done', async () => {
  const { open, entries, takes } = failing()
  const storage = open()
  await storage.replace(smallDataset())
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

it('tells each of several writes what became of it, where they do not fit together', async () => {
  const { open, entries, takes } = failing()
  const storage = open()
  await storage.replace(smallDataset())
  takes.entry = ({ changes }) => JSON.stringify(changes).length < 300
  const writes = [note(1), note(2), note(3, 'x'.repeat(500)), note(4)].map((one) => storage.append([one]))
  expect(await outcomes(writes)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
})

it('keeps none of a failed write, and takes the next', async () => {
  const { open, takes } = failing()
  const storage = open()
  await storage.replace(smallDataset())
  takes.entry = () => false
  await expect(storage.append([note(1)])).rejects.toBe(diskFull)
  takes.entry = () => true
  await storage.append([note(2)])
  expect((await open().load())?.changes).toEqual([note(2)])
})

it('keeps the changes where they cannot be dropped', async () => {
  const { open, takes } = failing()
  const storage = open()
  await storage.replace(smallDataset())
  await storage.append([note(1)])
  takes.entry = () => false
  await expect(storage.clear()).rejects.toBe(diskFull)
  expect((await open().load())?.changes).toEqual([note(1)])
})

it('keeps each note that is written while a reset fails, and those before it', async () => {
  const { open, takes } = failing()
  const sandbox = await wired({ size: 'small' }, { storage: open() })
  const notes = '/organizations/harbor/customers/1/notes'
  const write = (content: string) => as(sandbox, 'mara').post(notes, { categoryId: 1, content })
  await write('before')
  takes.entry = ({ changes }) => changes !== null
  const refusal = sandbox.reset().catch((error: unknown) => error)
  await write('meanwhile')
  expect(await refusal).toBe(diskFull)
  const { items } = await as(sandbox, 'mara').get<Page<{ content: string }>>(`${notes}?limit=250`)
  expect(items.map(({ content }) => content)).toEqual(expect.arrayContaining(['before', 'meanwhile']))
})

/** Refuses entries that change a customer. */
const noCustomer = ({ changes }: JournalEntry) => changes?.every(({ table }) => table !== 'customers') ?? true

const called = posted({ categoryId: 1, content: 'Called.' })

it('refuses notes on a customer whose creation the disk refuses', async () => {
  const { open, takes } = failing()
  const sandbox = await wired({ size: 'small' }, { storage: open() })
  takes.entry = noCustomer
  const before = await sandbox.data.notes.list()
  const creation = sandbox.data.customers.put({ id: 900 })
  const mara = as(sandbox, 'mara')
  const send = () => mara.send('/organizations/harbor/customers/900/notes', called)
  const sent = Array.from({ length: 5 }, send)
  await expect(creation).rejects.toBe(diskFull)
  for (const response of await Promise.all([...sent, send()])) await expectProblem(response, 'not_found')
  expect(await sandbox.data.notes.list()).toEqual(before)
})

it('keeps every acknowledged note of a customer whose deletion the disk refuses', async () => {
  const { open, takes } = failing()
  const sandbox = await wired({ size: 'small' }, { storage: open() })
  const before = await sandbox.data.notes.list()
  takes.entry = noCustomer
  const mara = as(sandbox, 'mara')
  const send = () => mara.send('/organizations/harbor/customers/1/notes', called)
  const sent = Array.from({ length: 5 }, send)
  const deletion = sandbox.data.customers.delete(1)
  sent.push(...Array.from({ length: 5 }, send))
  await expect(deletion).rejects.toBe(diskFull)
  const notes: CustomerNote[] = []
  for (const response of await Promise.all(sent)) notes.push(JSON.parse(await response.text()))
  const { items } = await sandbox.data.notes.list()
  const ids = [...before.items, ...notes].map(({ id }) => id)
  expect(items.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b))
  expect(await sandbox.data.customers.get(1)).toMatchObject({ id: 1 })
})

it('shows no note before the disk has it', async () => {
  const { open, takes } = failing()
  const sandbox = await wired({ size: 'small' }, { storage: open() })
  const before = await sandbox.data.notes.list()
  let seen: unknown
  takes.entry = async () => {
    seen = await sandbox.data.notes.list()
    return true
  }
  await as(sandbox, 'mara').send('/organizations/harbor/customers/1/notes', called)
  expect(seen).toEqual(before)
  expect(await sandbox.data.notes.list()).toMatchObject({ totalCount: before.totalCount + 1 })
})

it('keeps dataset and changes where they cannot be replaced', async () => {
  const { open, takes } = failing()
  const storage = open()
  await storage.replace(smallDataset())
  await storage.append([note(1)])
  takes.seeded = false
  await expect(storage.replace(smallDataset([member(1)]))).rejects.toBe(diskFull)
  takes.seeded = true
  await storage.append([note(2)])
  const kept = await open().load()
  expect(kept?.seeded.rows.members).toEqual([])
  expect(kept?.changes).toEqual([note(1), note(2)])
})

it('counts a dataset as replaced that the disk has taken, whatever it said', async () => {
  const { parts, journal } = failing()
  const seeded = {
    read: () => parts.seeded.read(),
    write: async (data: SeededFile) => {
      await parts.seeded.write(data)
      throw diskFull
    },
  }
  const storage = createStorage({ ...parts, seeded, journal })
  await storage.replace(smallDataset())
  await storage.append([note(1)])
  expect((await createStorage({ ...parts, journal }).load())?.changes).toEqual([note(1)])
})

it('acknowledges a write whose journal cannot be folded', async () => {
  const { open, journal, takes } = failing()
  const storage = open()
  await storage.replace(smallDataset())
  takes.changes = false
  await storage.append([note(1)])
  journal.size = 2_000_000
  await storage.close()
  expect((await open().load())?.changes).toEqual([note(1)])
})

it('keeps none of a failed write where there is no journal', async () => {
  const { parts, takes } = failing()
  const storage = createStorage(parts)
  await storage.replace(smallDataset())
  await storage.append([note(1)])
  takes.changes = false
  await expect(storage.append([note(2)])).rejects.toBe(diskFull)
  takes.changes = true
  await storage.append([note(3)])
  expect((await createStorage(parts).load())?.changes).toEqual([note(1), note(3)])
})
