import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { openFolder } from '../../src/store/files.ts'
import { largeJsonOf } from '../../src/store/json-content.ts'
import type { Change, Storage } from '../../src/store/storage.ts'
import { asKilled, contentOf, member, note, smallDataset, temporaryFolder } from '../folders.ts'

/** Opens a folder, does something, and lets go of it. */
async function within<T>(folder: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const { storage } = await openFolder(folder)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

const loaded = (folder: string) => within(folder, (storage) => storage.load())

async function changesIn(folder: string): Promise<readonly Change[] | undefined> {
  return (await loaded(folder))?.changes
}

/** A folder with a dataset and some notes, as a process leaves it that is killed: its changes in the journal. */
async function killedFolder(notes: readonly Change[]): Promise<string> {
  const folder = temporaryFolder()
  return within(folder, async (storage) => {
    await storage.replace(smallDataset())
    for (const one of notes) await storage.append([one])
    return asKilled(folder)
  })
}

it('finds nothing in an empty folder', async () => {
  expect(await loaded(temporaryFolder())).toBeUndefined()
})

it('makes the folder, and those above it', async () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  await within(folder, (storage) => storage.replace(smallDataset()))
  expect(Object.keys(contentOf(folder))).toEqual(['changes.json', 'changes.log', 'seeded.json'])
})

it('finds the dataset as it was written', async () => {
  const folder = temporaryFolder()
  const dataset = smallDataset([member(1), member(2)])
  await within(folder, (storage) => storage.replace(dataset))
  expect((await loaded(folder))?.seeded).toEqual({ format: 1, generation: 1, ...dataset })
})

it('keeps an own fixture with the dataset', async () => {
  const folder = temporaryFolder()
  const dataset = smallDataset()
  const key = { ...dataset.key, fixture: 'own', fixtureContent: { customers: [] } }
  await within(folder, (storage) => storage.replace({ ...dataset, key }))
  expect((await loaded(folder))?.seeded.key).toEqual(key)
})

it('writes one record a line, for a person to read and edit', async () => {
  const folder = temporaryFolder()
  await within(folder, (storage) => storage.replace(smallDataset([member(1), member(2)])))
  const lines = readFileSync(join(folder, 'seeded.json'), 'utf8').split('\n')
  expect(lines).toContain(`      ${JSON.stringify(member(2))}`)
})

it('takes a dataset that a person has reordered and reformatted', async () => {
  const folder = temporaryFolder()
  await within(folder, (storage) => storage.replace(smallDataset([member(1), member(2)])))
  const path = join(folder, 'seeded.json')
  const kept = JSON.parse(readFileSync(path, 'utf8'))
  kept.rows.members.reverse()
  writeFileSync(path, JSON.stringify(kept, null, 4))
  expect((await loaded(folder))?.seeded.rows.members).toEqual([member(1), member(2)])
})

it('reads a file that is too large for one text line by line', async () => {
  const folder = temporaryFolder()
  await within(folder, (storage) => storage.replace(smallDataset([member(1), member(2)])))
  const path = join(folder, 'seeded.json')
  expect(await largeJsonOf(path)).toEqual(JSON.parse(readFileSync(path, 'utf8')))
  writeFileSync(path, readFileSync(path, 'utf8').replace('"id":2,', '"id":2'))
  await expect(largeJsonOf(path)).rejects.toThrow('line 12 is not JSON')
})

it('finds the changes in the order in which their records appeared', async () => {
  const folder = await killedFolder([note(1), note(2), note(3)])
  expect(await changesIn(folder)).toEqual([note(1), note(2), note(3)])
})

it('finds each record as it was changed last', async () => {
  const folder = await killedFolder([
    note(1),
    note(2),
    note(1, 'Changed'),
    { table: 'notes', id: 2, row: null },
  ])
  expect(await changesIn(folder)).toEqual([note(1, 'Changed'), { table: 'notes', id: 2, row: null }])
})

it('folds the journal into changes.json at the start', async () => {
  const folder = await killedFolder([note(1), note(2)])
  await within(folder, async (storage) => {
    await storage.load()
    const { 'changes.json': changes = '', 'changes.log': journal } = contentOf(folder)
    expect(JSON.parse(changes)).toEqual({
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

it('folds a journal that outgrows a mebibyte', async () => {
  const folder = temporaryFolder()
  await within(folder, async (storage) => {
    await storage.replace(smallDataset())
    for (let id = 1; id <= 3; id += 1) await storage.append([note(id, 'x'.repeat(400_000))])
    await storage.append([note(4)])
    const { 'changes.json': changes = '', 'changes.log': journal = '' } = contentOf(folder)
    expect(JSON.parse(changes).changes).toHaveLength(3)
    expect(journal.split('\n')).toHaveLength(2)
  })
  expect(await changesIn(folder)).toHaveLength(4)
})

it('drops the changes', async () => {
  const folder = temporaryFolder()
  await within(folder, async (storage) => {
    await storage.replace(smallDataset())
    await storage.append([note(1)])
    await storage.clear()
    await storage.append([note(2)])
  })
  expect(await changesIn(folder)).toEqual([note(2)])
})

it('drops the changes of a process that is killed right after', async () => {
  const folder = temporaryFolder()
  const killed = await within(folder, async (storage) => {
    await storage.replace(smallDataset())
    await storage.append([note(1)])
    await storage.clear()
    return asKilled(folder)
  })
  expect(await changesIn(killed)).toEqual([])
})

it('writes appends, clears and replacements in the order of the calls', async () => {
  const folder = temporaryFolder()
  await within(folder, async (storage) => {
    await Promise.all([
      storage.replace(smallDataset()),
      storage.append([note(1)]),
      storage.clear(),
      storage.append([note(2)]),
      storage.append([note(3)]),
      storage.replace(smallDataset([member(1)])),
      storage.append([note(4)]),
      storage.append([note(5)]),
    ])
  })
  expect(await loaded(folder)).toMatchObject({ seeded: { generation: 2 }, changes: [note(4), note(5)] })
})

it('drops the changes when the dataset is replaced', async () => {
  const folder = await killedFolder([note(1)])
  await within(folder, async (storage) => {
    await storage.load()
    await storage.replace(smallDataset([member(1)]))
  })
  expect(await loaded(folder)).toMatchObject({ seeded: { generation: 2 }, changes: [] })
})

it('drops a torn last line of the journal, which nobody was told of', async () => {
  const folder = await killedFolder([note(1), note(2)])
  const journal = join(folder, 'changes.log')
  truncateSync(journal, readFileSync(journal).length - 10)
  expect(await changesIn(folder)).toEqual([note(1)])
})

it.each([
  ['with NUL bytes in it', (line: string) => `${line.slice(0, 60)}${'\0'.repeat(40)}${line.slice(100)}`],
  ['of NUL bytes only', () => '\0'.repeat(4096)],
  ['with another checksum', (line: string) => line.replace('A note', 'A nope')],
])('drops a torn last line of the journal %s', async (_, tear) => {
  const folder = await killedFolder([note(1), note(2)])
  const journal = join(folder, 'changes.log')
  const [first = '', last = ''] = readFileSync(journal, 'utf8').split(/(?<=\n)/)
  writeFileSync(journal, first + tear(last))
  expect(await changesIn(folder)).toEqual([note(1)])
})

it('goes on writing behind a torn line without leaving any of it', async () => {
  const folder = await killedFolder([])
  appendFileSync(join(folder, 'changes.log'), `{"format":1,"sum":"${'0'.repeat(5_000)}`)
  const killed = await within(folder, async (storage) => {
    await storage.append([note(1)])
    return asKilled(folder)
  })
  expect(readFileSync(join(killed, 'changes.log'), 'utf8')).toMatch(/^.*A note.*\n$/)
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

it('drops what is left of the changes of an earlier dataset after a kill in a reseed', async () => {
  const folder = await killedFolder([note(1)])
  const before = await within(folder, async (storage) => {
    await storage.append([note(2)])
    const left = contentOf(folder)
    await storage.replace(smallDataset([member(1)]))
    return left
  })
  for (const name of ['changes.json', 'changes.log'])
    writeFileSync(join(folder, name), before[name] ?? '', 'latin1')
  expect(await loaded(folder)).toMatchObject({ seeded: { generation: 2 }, changes: [] })
  await within(folder, (storage) => storage.append([note(3)]))
  expect(await changesIn(folder)).toEqual([note(3)])
})

it('removes what a killed process left half written', async () => {
  const folder = await killedFolder([note(1)])
  for (const name of ['seeded.json.tmp', 'changes.json.tmp', 'own.tmp'])
    writeFileSync(join(folder, name), '{')
  await loaded(folder)
  const files = ['changes.json', 'changes.log', 'own.tmp', 'seeded.json']
  expect(Object.keys(contentOf(folder))).toEqual(files)
})

it('refuses to write once it is closed', async () => {
  const { storage } = await openFolder(temporaryFolder())
  await storage.replace(smallDataset())
  await storage.close()
  await expect(storage.append([note(1)])).rejects.toMatchObject({ code: 'storage_unavailable' })
})
