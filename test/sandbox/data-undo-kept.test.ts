import { Memory } from 'lowdb'
import { expect, it } from 'vitest'

import { type LogEntry } from '../../src/disk/documents.ts'
import { openFolder } from '../../src/disk/folder.ts'
import { createStorage } from '../../src/disk/storage.ts'
import { SandboxError } from '../../src/index.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { copyAsKilled, readChanges, readLog, temporaryFolder } from '../folders.ts'
import { as, crawl } from '../support.ts'

/** Opens a small sandbox in a folder. */
async function openIn(folder: string) {
  const { storage } = await openFolder(folder)
  return openSandbox({ size: 'small' }, { storage })
}

/** Opens a small sandbox on a simulated disk. */
async function openOn(disk: { append: (entry: LogEntry) => Promise<void> }) {
  const log = {
    size: 0,
    read: () => Promise.resolve([]),
    append: (entry: LogEntry) => disk.append(entry),
    empty: () => Promise.resolve(),
  }
  const storage = createStorage({ place: 'here', seeded: new Memory(), changes: new Memory(), log })
  return openSandbox({ size: 'small' }, { storage })
}

type Opened = Awaited<ReturnType<typeof openSandbox>>

/** All responses to Mara, byte by byte. */
const answers = (sandbox: Opened) => crawl(as(sandbox, 'mara'))

const addNote = (sandbox: Opened) => {
  const note = { categoryId: 1, content: 'Called.' }
  return as(sandbox, 'mara').post<{ readonly id: number }>('/organizations/harbor/customers/3/notes', note)
}

it('keeps an undo over a restart, without a trace of the change', async () => {
  const folder = temporaryFolder()
  const first = await openIn(folder)
  const untouched = await answers(first)
  await first.data.customers.delete(1)
  await first.data.customers.patch(2, { name: 'New' })
  const { id } = await addNote(first)
  await first.data.undo('customers', 1)
  await first.data.undo('customers', 2)
  await first.data.undo('notes', id)
  await first.close()
  expect(await readChanges(folder)).toEqual([])
  const second = await openIn(folder)
  expect(await second.data.changes()).toEqual([])
  expect(await answers(second)).toEqual(untouched)
  expect((await addNote(second)).id).toBe(id)
  await second.close()
})

it('keeps an undo when the process is killed right after it', async () => {
  const folder = temporaryFolder()
  const first = await openIn(folder)
  await first.data.customers.patch(1, { name: 'New' })
  await first.data.customers.patch(2, { name: 'New' })
  await first.data.undo('customers', 1)
  const killed = copyAsKilled(folder)
  expect(readLog(killed)).toContain('[{"table":"customers","id":1}]')
  expect(await readChanges(killed)).toMatchObject([{ table: 'customers', id: 2 }])
  await first.data.undoAll()
  expect(await readChanges(copyAsKilled(folder))).toEqual([])
  await first.close()
})

it('undoes nothing when the disk rejects the write', async () => {
  const disk = { append: () => Promise.resolve() }
  const sandbox = await openOn(disk)
  await sandbox.data.customers.patch(2, { name: 'New' })
  await sandbox.data.customers.delete(1)
  const [changes, customers] = [await sandbox.data.changes(), await sandbox.data.customers.list()]
  const full = new SandboxError('storage_full', 'There is no room.')
  disk.append = () => Promise.reject(full)
  await expect(sandbox.data.undo('customers', 1)).rejects.toBe(full)
  await expect(sandbox.data.undoAll()).rejects.toBe(full)
  expect(await sandbox.data.changes()).toEqual(changes)
  expect(await sandbox.data.customers.list()).toEqual(customers)
  disk.append = () => Promise.resolve()
  await sandbox.data.undoAll()
  expect(await sandbox.data.changes()).toEqual([])
})

/** Resolves when a pending request waits for the disk. */
async function untilWriting(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

it('gives no id twice to writes that are pending while a creation is undone', async () => {
  const waiting: (() => void)[] = []
  const disk = { append: () => Promise.resolve() }
  const sandbox = await openOn(disk)
  const { id } = await addNote(sandbox)
  disk.append = () => new Promise((resolve) => waiting.push(resolve))
  const undone = sandbox.data.undo('notes', id)
  await expect.poll(() => waiting).toHaveLength(1)
  const first = addNote(sandbox)
  await untilWriting()
  waiting[0]?.()
  await undone
  const others = [addNote(sandbox), addNote(sandbox)]
  await untilWriting()
  waiting[1]?.()
  await expect.poll(() => waiting).toHaveLength(3)
  waiting[2]?.()
  const ids = (await Promise.all([first, ...others])).map((note) => note.id)
  expect(new Set(ids).size).toBe(3)
})
