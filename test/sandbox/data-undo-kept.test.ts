import { expect, it } from 'vitest'

import { openSandbox } from '../../src/sandbox/sandbox.ts'
import {
  copyAsKilled,
  full,
  openStorage,
  readChanges,
  readLines,
  SimulatedDisk,
  temporaryFolder,
} from '../folders.ts'
import { as, crawl } from '../support.ts'

/** Opens a small sandbox in a folder. */
const openIn = async (folder: string) =>
  openSandbox({ size: 'small' }, { storage: await openStorage(folder) })

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
  expect(readLines(killed).at(-1)).toContain('[{"table":"customers","id":1}]')
  expect(await readChanges(killed)).toMatchObject([{ table: 'customers', id: 2 }])
  await first.data.undoAll()
  expect(await readChanges(copyAsKilled(folder))).toEqual([])
  await first.close()
})

it('undoes nothing when the disk rejects the write', async () => {
  const disk = new SimulatedDisk()
  const sandbox = await openSandbox({ size: 'small' }, { storage: disk.open() })
  await sandbox.data.customers.patch(2, { name: 'New' })
  await sandbox.data.customers.delete(1)
  const [changes, customers] = [await sandbox.data.changes(), await sandbox.data.customers.list()]
  disk.accepts = () => false
  await expect(sandbox.data.undo('customers', 1)).rejects.toMatchObject(full)
  await expect(sandbox.data.undoAll()).rejects.toMatchObject(full)
  expect(await sandbox.data.changes()).toEqual(changes)
  expect(await sandbox.data.customers.list()).toEqual(customers)
  disk.accepts = () => true
  await sandbox.data.undoAll()
  expect(await sandbox.data.changes()).toEqual([])
})

/** Resolves when a pending request waits for the disk. */
async function untilWriting(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

it('gives no id twice to writes that are pending while a creation is undone', async () => {
  const waiting: ((accepted: boolean) => void)[] = []
  const disk = new SimulatedDisk()
  const sandbox = await openSandbox({ size: 'small' }, { storage: disk.open() })
  const { id } = await addNote(sandbox)
  disk.accepts = () => new Promise((resolve) => waiting.push(resolve))
  const undone = sandbox.data.undo('notes', id)
  await expect.poll(() => waiting).toHaveLength(1)
  const first = addNote(sandbox)
  await untilWriting()
  waiting[0]?.(true)
  await undone
  const others = [addNote(sandbox), addNote(sandbox)]
  await untilWriting()
  waiting[1]?.(true)
  await expect.poll(() => waiting).toHaveLength(3)
  waiting[2]?.(true)
  const ids = (await Promise.all([first, ...others])).map((note) => note.id)
  expect(new Set(ids).size).toBe(3)
})

it('gives the ids again that rejected notes would have had', async () => {
  const disk = new SimulatedDisk()
  const sandbox = await openSandbox({ size: 'small' }, { storage: disk.open() })
  const { id } = await addNote(sandbox)
  disk.accepts = () => false
  await expect(Promise.all([addNote(sandbox), addNote(sandbox)])).rejects.toThrow('507')
  disk.accepts = () => true
  await expect.poll(async () => (await addNote(sandbox)).id).toBe(id + 1)
})
