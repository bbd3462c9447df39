import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import type { Change } from '../../src/store/change.ts'
import {
  copyAsKilled,
  readChanges,
  readFiles,
  readLog,
  createKilledFolder,
  loadFolder,
  note,
  createDatasetFile,
  temporaryFolder,
  withStorage,
} from '../folders.ts'

it('opens without an invalid change, without what depends on it, and names both', async () => {
  const folder = await createKilledFolder([note(1)])
  const customer = { table: 'customers', id: 1, row: { id: 1, organizationId: 'harbor', name: 'Tern' } }
  await withStorage(folder, async (storage) => {
    // As a version with a defect would store it.
    await storage.append([note(2), customer as unknown as Change, { ...note(1), id: 3 }])
  })
  const stored = await loadFolder(folder)
  expect(stored?.changes).toEqual([])
  expect(stored?.leftOut).toEqual([
    'note 3: its id is 1',
    'customer 1: city is required',
    'note 1: customerId refers to a record that was left out',
    'note 2: customerId refers to a record that was left out',
  ])
  expect((await loadFolder(folder))?.leftOut).toEqual([])
})

it('merges the log into changes.json at the start', async () => {
  const folder = await createKilledFolder([note(1), note(2)])
  await withStorage(folder, async (storage) => {
    await storage.load()
    const { 'changes.json': changes = '', 'changes.log': log } = readFiles(folder)
    expect(JSON.parse(changes)).toMatchObject({
      format: 1,
      generation: 1,
      sequence: 2,
      changes: [note(1), note(2)],
    })
    expect(log).toBe('')
  })
})

it('merges the log into changes.json at the end', async () => {
  const folder = temporaryFolder()
  await withStorage(folder, async (storage) => {
    await storage.replace(createDatasetFile())
    await storage.append([note(1)])
  })
  const { 'changes.json': changes = '', 'changes.log': log } = readFiles(folder)
  expect(JSON.parse(changes).changes).toEqual([note(1)])
  expect(log).toBe('')
})

it('merges a log above 1 MiB once half of it is superseded', async () => {
  const folder = temporaryFolder()
  await withStorage(folder, async (storage) => {
    await storage.replace(createDatasetFile())
    for (const letter of ['x', 'y', 'z']) await storage.append([note(1, letter.repeat(400_000))])
    await storage.append([note(2)])
    const { 'changes.json': changes = '' } = readFiles(folder)
    expect(JSON.parse(changes).changes).toEqual([note(1, 'z'.repeat(400_000))])
    expect(readLog(folder).split('\n')).toHaveLength(2)
  })
  expect(await readChanges(folder)).toHaveLength(2)
})

it('merges a log above 1 MiB once half of its changes are undone', async () => {
  const folder = temporaryFolder()
  await withStorage(folder, async (storage) => {
    await storage.replace(createDatasetFile())
    for (let id = 1; id <= 3; id += 1) await storage.append([note(id, 'x'.repeat(400_000))])
    await storage.append([{ table: 'notes', id: 1 }])
    const { 'changes.json': changes = '' } = readFiles(folder)
    expect(JSON.parse(changes).changes).toHaveLength(2)
    expect(readFiles(folder)['changes.log']).toBe('')
  })
})

it('does not merge a log without superseded changes, so that the cost of a write is constant', async () => {
  const folder = temporaryFolder()
  await withStorage(folder, async (storage) => {
    await storage.replace(createDatasetFile())
    for (let id = 1; id <= 4; id += 1) await storage.append([note(id, 'x'.repeat(400_000))])
    expect(JSON.parse(readFiles(folder)['changes.json'] ?? '').changes).toEqual([])
    expect(readLog(folder).split('\n')).toHaveLength(5)
  })
  expect(await readChanges(folder)).toHaveLength(4)
})

it('merges a long log at the next write after the changes were dropped', async () => {
  const folder = temporaryFolder()
  await withStorage(folder, async (storage) => {
    await storage.replace(createDatasetFile())
    for (let id = 1; id <= 3; id += 1) await storage.append([note(id, 'x'.repeat(400_000))])
    await storage.clear()
    await storage.append([note(4)])
    expect(JSON.parse(readFiles(folder)['changes.json'] ?? '').changes).toEqual([note(4)])
    expect(readFiles(folder)['changes.log']).toBe('')
  })
})

it('drops a torn last line, which was never acknowledged', async () => {
  const folder = await createKilledFolder([note(1), note(2)])
  writeFileSync(join(folder, 'changes.log'), readLog(folder).slice(0, -10))
  expect(await readChanges(folder)).toEqual([note(1)])
})

it('overwrites a torn line', async () => {
  const folder = await createKilledFolder([])
  writeFileSync(join(folder, 'changes.log'), `{"format":1,"sum":"${'0'.repeat(5_000)}`)
  const killed = await withStorage(folder, async (storage) => {
    await storage.append([note(1)])
    return copyAsKilled(folder)
  })
  expect(readLog(killed)).toMatch(/^.*A note.*\n$/)
  expect(await readChanges(killed)).toEqual([note(1)])
})

it('applies nothing twice after a kill between writing changes.json and emptying the log', async () => {
  const folder = await createKilledFolder([note(1), note(2)])
  const log = readFileSync(join(folder, 'changes.log'))
  await loadFolder(folder)
  writeFileSync(join(folder, 'changes.log'), log)
  expect(await readChanges(folder)).toEqual([note(1), note(2)])
})

it('does not restore what older lines of the log say', async () => {
  const folder = await createKilledFolder([note(1)])
  const log = readFileSync(join(folder, 'changes.log'))
  await withStorage(folder, (storage) => storage.append([note(1, 'Second')]))
  writeFileSync(join(folder, 'changes.log'), log)
  expect(await readChanges(folder)).toEqual([note(1, 'Second')])
})
