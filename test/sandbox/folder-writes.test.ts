import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { openFolder } from '../../src/disk/folder.ts'
import {
  copyAsKilled,
  readChanges,
  readFiles,
  readLog,
  member,
  note,
  createDatasetFile,
  mountDisk,
  temporaryFolder,
} from '../folders.ts'

it('rejects a note when the disk is full, and accepts it when there is space', async (context) => {
  const disk = mountDisk(context, 64)
  const { storage } = await openFolder(disk)
  await storage.replace(createDatasetFile())
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(40_000))
  await storage.append([note(1)])
  const before = readLog(disk)

  await expect(storage.append([note(2, 'x'.repeat(30_000))])).rejects.toMatchObject({
    code: 'storage_full',
    message: 'Cannot write changes.log: the disk is full. Free some space and try again.',
  })
  expect(readLog(disk)).toBe(before)

  rmSync(join(disk, 'ballast'))
  await storage.append([note(2, 'x'.repeat(30_000))])
  const killed = await openFolder(copyAsKilled(disk))
  expect((await killed.storage.load())?.changes).toEqual([note(1), note(2, 'x'.repeat(30_000))])
  await killed.storage.close()
  await storage.close()
})

it('keeps the old dataset when the new one does not fit on the disk', async (context) => {
  const disk = mountDisk(context, 64)
  const { storage } = await openFolder(disk)
  await storage.replace(createDatasetFile([member(1)]))
  const before = readFileSync(join(disk, 'seeded.json'))
  const many = Array.from({ length: 1_000 }, (_, index) => member(index + 1))
  await expect(storage.replace(createDatasetFile(many))).rejects.toMatchObject({
    code: 'storage_full',
    message: 'Cannot write seeded.json: the disk is full. Free some space and try again.',
  })
  expect(readFileSync(join(disk, 'seeded.json'))).toEqual(before)
  await storage.append([note(1)])
  await storage.close()
})

it('rejects writes to a log that was deleted while in use', async () => {
  const folder = temporaryFolder()
  const { storage } = await openFolder(folder)
  await storage.replace(createDatasetFile())
  rmSync(join(folder, 'changes.log'))
  await expect(storage.append([note(1)])).rejects.toMatchObject({ code: 'storage_unavailable' })
  await storage.close()
})

it('writes nothing to a folder that another process has taken over', async () => {
  const folder = temporaryFolder()
  const { storage } = await openFolder(folder)
  await storage.replace(createDatasetFile())
  const other = '{"format":1,"pid":1,"started":null,"folder":"another","url":null}\n'
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'lock.json'), other)
  await expect(storage.replace(createDatasetFile([member(1)]))).rejects.toMatchObject({
    code: 'storage_unavailable',
  })
  await storage.close()
  expect(readFileSync(join(folder, 'lock.json'), 'utf8')).toBe(other)
})

it('rejects every write after another server has taken over the folder, and does not touch its files', async () => {
  const folder = temporaryFolder()
  const { storage } = await openFolder(folder)
  await storage.replace(createDatasetFile())
  await storage.append([note(1)])
  rmSync(join(folder, 'lock.json'))
  const other = await openFolder(folder)
  await other.storage.replace(createDatasetFile([member(1)]))
  await other.storage.append([note(2)])

  const before = readFiles(folder)
  const writes = [
    storage.append([note(3)]),
    storage.append([note(4)]),
    storage.clear(),
    storage.replace(createDatasetFile()),
  ]
  for (const outcome of await Promise.allSettled(writes)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'storage_unavailable' } })
  }
  await storage.close()
  expect(readFiles(folder)).toEqual(before)
  await other.storage.append([note(5)])
  await other.storage.close()
  expect(await readChanges(folder)).toEqual([note(2), note(5)])
})
