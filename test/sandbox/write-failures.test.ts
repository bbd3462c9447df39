import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, it } from 'vitest'

import type { CustomerNote } from '../../src/index.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import type { Commit } from '../../src/store/change.ts'
import { append, change, commit, full, SimulatedDisk } from '../folders.ts'
import { as, createJsonPost, customers, expectProblem, note } from '../support.ts'

async function openOnDisk() {
  const disk = new SimulatedDisk()
  const sandbox = await openSandbox({ size: 'small' }, { storage: disk.storage })
  const mara = as(sandbox, 'mara')
  const call = (id = 1) => mara.send(`${customers}/${id}/notes`, createJsonPost(note))
  const create = () => mara.post<CustomerNote>(`${customers}/1/notes`, note)
  return { sandbox, disk, call, create, before: await sandbox.data.notes.list() }
}

it('goes on after a write that fails when it is applied', async () => {
  const { storage } = new SimulatedDisk()
  const write = append(storage, commit(change(1)), () => {
    throw new Error('a bug')
  })
  const next = append(storage, commit(change(2)))
  await expect(write).rejects.toThrow('a bug')
  await expect(next).resolves.toBeUndefined()
})

it('writes together what waits, and what clients write at once after they were answered together', async () => {
  const disk = new SimulatedDisk()
  const groups: number[] = []
  disk.accepts = (commits) => groups.push(commits.length) > 0
  const write = (id: number) => append(disk.storage, commit(change(id)))
  const writeTwice = (id: number) =>
    write(id)
      .then(() => nextTurn())
      .then(() => write(id + 4))
  await Promise.all([1, 2, 3, 4].map(writeTwice))
  expect(groups).toEqual([1, 3, 4])
  expect(disk.commits).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((id) => commit(change(id))))
})

it('settles each write with its own outcome if they do not fit together', async () => {
  const disk = new SimulatedDisk()
  disk.accepts = (commits) => JSON.stringify(commits).length < 400
  const writes = [change(1), change(2), change(3, 'x'.repeat(500)), change(4)]
  const outcomes = await Promise.allSettled(writes.map((one) => append(disk.storage, commit(one))))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(disk.commits).toEqual([1, 2, 4].map((id) => commit(change(id))))
})

it('keeps the notes before and during a failed reset', async () => {
  const { sandbox, disk, call, before } = await openOnDisk()
  await call()
  disk.accepts = (commits) => commits.every(({ reset }) => !reset)
  const refusal = sandbox.reset().catch((error: unknown) => error)
  await call()
  expect(await refusal).toMatchObject(full)
  expect(await sandbox.data.notes.list()).toMatchObject({ totalCount: before.totalCount + 2 })
})

/** Rejects commits that change a customer. */
const noCustomer = (commits: readonly Commit[]) =>
  commits.every(({ changes }) => changes.every(({ table }) => table !== 'customers'))

it('rejects notes on a customer whose creation failed', async () => {
  const { sandbox, disk, call, before } = await openOnDisk()
  disk.accepts = noCustomer
  const creation = sandbox.data.customers.put({ id: 900 })
  const sent = Array.from({ length: 5 }, () => call(900))
  await expect(creation).rejects.toMatchObject(full)
  for (const response of await Promise.all([...sent, call(900)])) await expectProblem(response, 'not_found')
  expect(await sandbox.data.notes.list()).toEqual(before)
})

it('keeps every acknowledged note of a customer whose deletion failed', async () => {
  const { sandbox, disk, call, before } = await openOnDisk()
  disk.accepts = noCustomer
  const sent = Array.from({ length: 5 }, () => call())
  const deletion = sandbox.data.customers.delete(1)
  sent.push(...Array.from({ length: 5 }, () => call()))
  await expect(deletion).rejects.toMatchObject(full)
  const notes: CustomerNote[] = []
  for (const response of await Promise.all(sent)) notes.push(JSON.parse(await response.text()))
  const { items } = await sandbox.data.notes.list()
  const ids = [...before.items, ...notes].map(({ id }) => id)
  expect(items.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b))
  expect(await sandbox.data.customers.get(1)).toMatchObject({ id: 1 })
})

it('returns no note before it is durable', async () => {
  const { sandbox, disk, call, before } = await openOnDisk()
  let seen: unknown
  disk.accepts = async () => {
    seen = await sandbox.data.notes.list()
    return true
  }
  await call()
  expect(seen).toEqual(before)
  expect(await sandbox.data.notes.list()).toMatchObject({ totalCount: before.totalCount + 1 })
})

/** Resolves when a pending request waits for the disk. */
async function untilWriting(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
}

it('gives no id twice to writes that are pending while a creation is undone', async () => {
  const waiting: ((accepted: boolean) => void)[] = []
  const { sandbox, disk, create } = await openOnDisk()
  const { id } = await create()
  disk.accepts = () => new Promise((resolve) => waiting.push(resolve))
  const undone = sandbox.data.undo('notes', id)
  await expect.poll(() => waiting).toHaveLength(1)
  const first = create()
  await untilWriting()
  waiting[0]?.(true)
  await undone
  await expect.poll(() => waiting).toHaveLength(2)
  disk.accepts = () => true
  const others = [create(), create()]
  await untilWriting()
  waiting[1]?.(true)
  const ids = (await Promise.all([first, ...others])).map((created) => created.id)
  expect(new Set(ids).size).toBe(3)
})
