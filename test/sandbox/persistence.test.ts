import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { openFolder } from '../../src/store/files.ts'
import { largeJsonOf } from '../../src/store/record-lines.ts'
import {
  asKilled,
  changesIn,
  contentOf,
  journalOf,
  killedFolder,
  loaded,
  member,
  note,
  smallDataset,
  temporaryFolder,
  within,
} from '../folders.ts'

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

/** Members in more than a mebibyte, one of them in more than half of one. */
const longMembers = [member(1), { ...member(2), lastName: 'é–𝛑'.repeat(100_000) }, member(3)]

it('finds long files as they were written, and as a person has changed them', async () => {
  const folder = temporaryFolder()
  const changes = [note(1), note(2, 'é–𝛑'.repeat(150_000))]
  await within(folder, async (storage) => {
    await storage.replace(smallDataset(longMembers))
    await storage.append(changes)
  })
  const path = join(folder, 'seeded.json')
  expect(await loaded(folder)).toMatchObject({ seeded: { rows: { members: longMembers } }, changes })

  writeFileSync(path, readFileSync(path, 'utf8').replace('"lastName":"Holm"', '"lastName":"Elm"'))
  const [first, ...others] = longMembers
  expect(await loaded(folder)).toMatchObject({
    seeded: { rows: { members: [{ ...first, lastName: 'Elm' }, ...others] } },
    changes,
  })
})

it('reads a file that is too large for one text line by line', async () => {
  const folder = temporaryFolder()
  await within(folder, (storage) => storage.replace(smallDataset(longMembers)))
  const path = join(folder, 'seeded.json')
  expect(largeJsonOf(path)).toEqual(JSON.parse(readFileSync(path, 'utf8')))
  writeFileSync(path, readFileSync(path, 'utf8').replace('"id":3,', '"id":3'))
  expect(() => largeJsonOf(path)).toThrow('line 13 is not JSON')
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

it('finds no change of a record that is again as in the dataset', async () => {
  const undone = [
    { table: 'notes', id: 1 },
    { table: 'notes', id: 3 },
  ] as const
  const folder = await killedFolder([note(1), note(2), undone[0], undone[1], note(3)])
  expect(await changesIn(folder)).toEqual([note(2), note(3)])
  await within(folder, (storage) => storage.append([note(1), ...undone]))
  expect(await changesIn(folder)).toEqual([note(2)])
})

it('refuses a change whose row a person has lost', async () => {
  const folder = temporaryFolder()
  await within(folder, async (storage) => {
    await storage.replace(smallDataset())
    await storage.append([note(1), note(2)])
  })
  const path = join(folder, 'changes.json')
  const kept = JSON.parse(readFileSync(path, 'utf8'))
  delete kept.changes[1].row
  writeFileSync(path, JSON.stringify(kept))
  await expect(loaded(folder)).rejects.toThrow('changes[1].row is required')
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

// A disk that loses power may have written any of a line's pages, in any order; the others are NUL bytes.
it.each([
  ['with NUL bytes in it', (line: string) => `${line.slice(0, 60)}${'\0'.repeat(40)}${line.slice(100)}`],
  ['of NUL bytes only', () => '\0'.repeat(4096)],
  [
    'whose beginning was not written, but its end was',
    (line: string) => line.replace(/^.{60}/, '\0'.repeat(60)),
  ],
  ['without its end', (line: string) => line.slice(0, -1)],
])('drops a torn last line of the journal %s', async (_, tear) => {
  const folder = await killedFolder([note(1), note(2)])
  const [first = '', last = ''] = journalOf(folder).split(/(?<=\n)/)
  const room = '\0'.repeat(4096)
  writeFileSync(join(folder, 'changes.log'), first + tear(last) + room)
  expect(await changesIn(folder)).toEqual([note(1)])
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
