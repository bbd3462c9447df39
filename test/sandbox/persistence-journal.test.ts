import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import {
  asKilled,
  changesIn,
  contentOf,
  journalOf,
  killedFolder,
  loaded,
  note,
  smallDataset,
  temporaryFolder,
  within,
} from '../folders.ts'

it('folds the journal into changes.json at the start', async () => {
  const folder = await killedFolder([note(1), note(2)])
  await within(folder, async (storage) => {
    await storage.load()
    const { 'changes.json': changes = '', 'changes.log': journal } = contentOf(folder)
    expect(JSON.parse(changes)).toMatchObject({
      format: 1,
      generation: 1,
      sequence: 2,
      changes: [note(1), note(2)],
    })
    expect(journal).toBe('')
  })
})

it('folds the journal into changes.json at the end', async () => {
  const folder = temporaryFolder()
  await within(folder, async (storage) => {
    await storage.replace(smallDataset())
    await storage.append([note(1)])
  })
  const { 'changes.json': changes = '', 'changes.log': journal } = contentOf(folder)
  expect(JSON.parse(changes).changes).toEqual([note(1)])
  expect(journal).toBe('')
})

it('folds a journal that outgrows a mebibyte once half of it counts no more', async () => {
  const folder = temporaryFolder()
  await within(folder, async (storage) => {
    await storage.replace(smallDataset())
    for (const letter of ['x', 'y', 'z']) await storage.append([note(1, letter.repeat(400_000))])
    await storage.append([note(2)])
    const { 'changes.json': changes = '' } = contentOf(folder)
    expect(JSON.parse(changes).changes).toEqual([note(1, 'z'.repeat(400_000))])
    expect(journalOf(folder).split('\n')).toHaveLength(2)
  })
  expect(await changesIn(folder)).toHaveLength(2)
})

it('folds a journal that outgrows a mebibyte once half of its changes are taken back', async () => {
  const folder = temporaryFolder()
  await within(folder, async (storage) => {
    await storage.replace(smallDataset())
    for (let id = 1; id <= 3; id += 1) await storage.append([note(id, 'x'.repeat(400_000))])
    await storage.append([{ table: 'notes', id: 1 }])
    const { 'changes.json': changes = '' } = contentOf(folder)
    expect(JSON.parse(changes).changes).toHaveLength(2)
    expect(contentOf(folder)['changes.log']).toBe('')
  })
})

it('folds no journal of which everything counts, so that a write costs the same however many there are', async () => {
  const folder = temporaryFolder()
  await within(folder, async (storage) => {
    await storage.replace(smallDataset())
    for (let id = 1; id <= 4; id += 1) await storage.append([note(id, 'x'.repeat(400_000))])
    expect(JSON.parse(contentOf(folder)['changes.json'] ?? '').changes).toEqual([])
    expect(journalOf(folder).split('\n')).toHaveLength(5)
  })
  expect(await changesIn(folder)).toHaveLength(4)
})

it('folds a long journal at the next write after the changes were dropped', async () => {
  const folder = temporaryFolder()
  await within(folder, async (storage) => {
    await storage.replace(smallDataset())
    for (let id = 1; id <= 3; id += 1) await storage.append([note(id, 'x'.repeat(400_000))])
    await storage.clear()
    await storage.append([note(4)])
    expect(JSON.parse(contentOf(folder)['changes.json'] ?? '').changes).toEqual([note(4)])
    expect(contentOf(folder)['changes.log']).toBe('')
  })
})

it('drops a torn last line of the journal, which nobody was told of', async () => {
  const folder = await killedFolder([note(1), note(2)])
  writeFileSync(join(folder, 'changes.log'), journalOf(folder).slice(0, -10))
  expect(await changesIn(folder)).toEqual([note(1)])
})

it('goes on writing behind a torn line without leaving any of it', async () => {
  const folder = await killedFolder([])
  writeFileSync(join(folder, 'changes.log'), `{"format":1,"sum":"${'0'.repeat(5_000)}`)
  const killed = await within(folder, async (storage) => {
    await storage.append([note(1)])
    return asKilled(folder)
  })
  expect(journalOf(killed)).toMatch(/^.*A note.*\n$/)
  expect(await changesIn(killed)).toEqual([note(1)])
})

it('counts nothing twice after a kill between writing changes.json and emptying the journal', async () => {
  const folder = await killedFolder([note(1), note(2)])
  const journal = readFileSync(join(folder, 'changes.log'))
  await loaded(folder)
  writeFileSync(join(folder, 'changes.log'), journal)
  expect(await changesIn(folder)).toEqual([note(1), note(2)])
})

it('does not bring back what older lines of the journal say', async () => {
  const folder = await killedFolder([note(1)])
  const journal = readFileSync(join(folder, 'changes.log'))
  await within(folder, (storage) => storage.append([note(1, 'Second')]))
  writeFileSync(join(folder, 'changes.log'), journal)
  expect(await changesIn(folder)).toEqual([note(1, 'Second')])
})
