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
    const merged = { format: 1, generation: 1, sequence: 2, changes: [note(1), note(2)] }
    expect(JSON.parse(changes)).toMatchObject(merged)
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

const long = (id: number, letter: string) => [note(id, letter.repeat(400_000))]

it.each<[string, (Change[] | 'clear')[], number, number]>([
  ['once half of it is superseded', [long(1, 'x'), long(1, 'y'), long(1, 'z'), [note(2)]], 1, 1],
  [
    'once half of it is undone',
    [long(1, 'x'), long(2, 'x'), long(3, 'x'), [{ table: 'notes', id: 1 }]],
    2,
    0,
  ],
  [
    'never if nothing is, so that the cost of a write is constant',
    [1, 2, 3, 4].map((id) => long(id, 'x')),
    0,
    4,
  ],
  [
    'at the next write after all of it was dropped',
    [long(1, 'x'), long(2, 'x'), long(3, 'x'), 'clear', [note(4)]],
    1,
    0,
  ],
])('merges a log above 1 MiB %s', async (_, writes, merged, lines) => {
  const folder = temporaryFolder()
  await withStorage(folder, async (storage) => {
    await storage.replace(createDatasetFile())
    for (const write of writes) await (write === 'clear' ? storage.clear() : storage.append(write))
    expect(JSON.parse(readFiles(folder)['changes.json'] ?? '').changes).toHaveLength(merged)
    expect(readLog(folder).split('\n')).toHaveLength(lines + 1)
  })
  expect(await readChanges(folder)).toHaveLength(merged + lines)
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
