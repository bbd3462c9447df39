import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { openFolder } from '../../src/store/files.ts'
import {
  asKilled,
  changesIn,
  contentOf,
  journalOf,
  member,
  note,
  smallDataset,
  smallDisk,
  temporaryFolder,
} from '../folders.ts'

it('refuses a note that does not fit on the disk, and takes it once there is room', async (context) => {
  const disk = smallDisk(context, 64)
  const { storage } = await openFolder(disk)
  await storage.replace(smallDataset())
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(40_000))
  await storage.append([note(1)])
  const before = journalOf(disk)

  await expect(storage.append([note(2, 'x'.repeat(30_000))])).rejects.toMatchObject({
    code: 'storage_full',
    message: 'Cannot write changes.log: the disk is full. Free some space and try again.',
  })
  expect(journalOf(disk)).toBe(before)

  rmSync(join(disk, 'ballast'))
  await storage.append([note(2, 'x'.repeat(30_000))])
  const killed = await openFolder(asKilled(disk))
  expect((await killed.storage.load())?.changes).toEqual([note(1), note(2, 'x'.repeat(30_000))])
  await killed.storage.close()
  await storage.close()
})

it('keeps the old dataset where the new one does not fit on the disk', async (context) => {
  const disk = smallDisk(context, 64)
  const { storage } = await openFolder(disk)
  await storage.replace(smallDataset([member(1)]))
  const before = readFileSync(join(disk, 'seeded.json'))
  const many = Array.from({ length: 1_000 }, (_, index) => member(index + 1))
  await expect(storage.replace(smallDataset(many))).rejects.toMatchObject({
    code: 'storage_full',
    message: 'Cannot write seeded.json: the disk is full. Free some space and try again.',
  })
  expect(readFileSync(join(disk, 'seeded.json'))).toEqual(before)
  await storage.append([note(1)])
  await storage.close()
})

it('refuses to write into a journal that was deleted while in use', async () => {
  const folder = temporaryFolder()
  const { storage } = await openFolder(folder)
  await storage.replace(smallDataset())
  rmSync(join(folder, 'changes.log'))
  await expect(storage.append([note(1)])).rejects.toMatchObject({ code: 'storage_unavailable' })
  await storage.close()
})

it('writes nothing into a folder that another process has taken since', async () => {
  const folder = temporaryFolder()
  const { storage } = await openFolder(folder)
  await storage.replace(smallDataset())
  const other = '{"format":1,"pid":1,"started":null,"folder":"another","url":null}\n'
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'lock.json'), other)
  await expect(storage.replace(smallDataset([member(1)]))).rejects.toMatchObject({
    code: 'storage_unavailable',
  })
  await storage.close()
  expect(readFileSync(join(folder, 'lock.json'), 'utf8')).toBe(other)
})

it('refuses every write once another server has the folder, and leaves that one’s files alone', async () => {
  const folder = temporaryFolder()
  const { storage } = await openFolder(folder)
  await storage.replace(smallDataset())
  await storage.append([note(1)])
  rmSync(join(folder, 'lock.json'))
  const other = await openFolder(folder)
  await other.storage.replace(smallDataset([member(1)]))
  await other.storage.append([note(2)])

  const before = contentOf(folder)
  const writes = [
    storage.append([note(3)]),
    storage.append([note(4)]),
    storage.clear(),
    storage.replace(smallDataset()),
  ]
  for (const outcome of await Promise.allSettled(writes)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'storage_unavailable' } })
  }
  await storage.close()
  expect(contentOf(folder)).toEqual(before)
  await other.storage.append([note(5)])
  await other.storage.close()
  expect(await changesIn(folder)).toEqual([note(2), note(5)])
})
