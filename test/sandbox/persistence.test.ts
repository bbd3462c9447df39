import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { openFolder } from '../../src/disk/folder.ts'
import { readRecordLines } from '../../src/disk/parse-json.ts'
import {
  copyAsKilled,
  readChanges,
  readFiles,
  readLog,
  createKilledFolder,
  loadFolder,
  member,
  note,
  createDatasetFile,
  temporaryFolder,
  withStorage,
} from '../folders.ts'

it('writes one record per line, so that people can read, reorder and reformat it', async () => {
  const folder = temporaryFolder()
  await withStorage(folder, (storage) => storage.replace(createDatasetFile([member(1), member(2)])))
  const path = join(folder, 'seeded.json')
  const text = readFileSync(path, 'utf8')
  expect(text.split('\n')).toContain(`      ${JSON.stringify(member(2))}`)
  const kept = JSON.parse(text)
  kept.rows.members.reverse()
  writeFileSync(path, JSON.stringify(kept, null, 4))
  expect((await loadFolder(folder))?.seeded.rows.members).toEqual([member(1), member(2)])
})

/** Members of more than 1 MiB, one of them more than half of that. */
const longMembers = [member(1), { ...member(2), lastName: 'é–𝛑'.repeat(100_000) }, member(3)]

it('reads long files as written, and after an edit', async () => {
  const folder = temporaryFolder()
  const changes = [note(1), note(2, 'é–𝛑'.repeat(150_000))]
  await withStorage(folder, async (storage) => {
    await storage.replace(createDatasetFile(longMembers))
    await storage.append(changes)
  })
  const path = join(folder, 'seeded.json')
  expect(await loadFolder(folder)).toMatchObject({ seeded: { rows: { members: longMembers } }, changes })

  writeFileSync(path, readFileSync(path, 'utf8').replace('"lastName":"Holm"', '"lastName":"Elm"'))
  const [first, ...others] = longMembers
  expect(await loadFolder(folder)).toMatchObject({
    seeded: { rows: { members: [{ ...first, lastName: 'Elm' }, ...others] } },
    changes,
  })
})

it('reads a file that is too large for one string line by line', async () => {
  const folder = temporaryFolder()
  await withStorage(folder, (storage) => storage.replace(createDatasetFile(longMembers)))
  const path = join(folder, 'seeded.json')
  expect(readRecordLines(path)).toEqual(JSON.parse(readFileSync(path, 'utf8')))
  writeFileSync(path, readFileSync(path, 'utf8').replace('"id":3,', '"id":3'))
  expect(() => readRecordLines(path)).toThrow('line 13 is not valid JSON')
})

it('returns the changes in the order in which their records first changed, and none after an undo', async () => {
  const undone = [1, 3].map((id) => ({ table: 'notes', id }) as const)
  const folder = await createKilledFolder([note(1), note(2), ...undone, note(3)])
  expect(await readChanges(folder)).toEqual([note(2), note(3)])
  await withStorage(folder, (storage) => storage.append([note(1), ...undone]))
  expect(await readChanges(folder)).toEqual([note(2)])
})

it('rejects a change without a row', async () => {
  const folder = temporaryFolder()
  await withStorage(folder, async (storage) => {
    await storage.replace(createDatasetFile())
    await storage.append([note(1), note(2)])
  })
  const path = join(folder, 'changes.json')
  const kept = JSON.parse(readFileSync(path, 'utf8'))
  delete kept.changes[1].row
  writeFileSync(path, JSON.stringify(kept))
  await expect(loadFolder(folder)).rejects.toThrow('changes[1].row is required')
})

it('writes appends, clears and replacements in the order of the calls', async () => {
  const folder = temporaryFolder()
  await withStorage(folder, async (storage) => {
    await Promise.all([
      storage.replace(createDatasetFile()),
      storage.append([note(1)]),
      storage.clear(),
      storage.append([note(2)]),
      storage.append([note(3)]),
      storage.replace(createDatasetFile([member(1)])),
      storage.append([note(4)]),
      storage.append([note(5)]),
    ])
  })
  expect(await loadFolder(folder)).toMatchObject({ seeded: { generation: 2 }, changes: [note(4), note(5)] })
})

it('replaces the dataset and the changes in one step', async () => {
  const folder = await createKilledFolder([note(1)])
  const left = await withStorage(folder, async (storage) => {
    await storage.load()
    const before = readFiles(folder)
    const clock = { at: '2026-03-01T00:00:00.000Z' }
    await storage.replace({ ...createDatasetFile([member(1)]), changes: [note(2), note(3)], clock })
    await storage.append([note(4)])
    return { before, killed: copyAsKilled(folder) }
  })
  expect(await loadFolder(left.killed)).toMatchObject({
    seeded: { generation: 2 },
    changes: [note(2), note(3), note(4)],
    clock: { at: '2026-03-01T00:00:00.000Z' },
  })
})

it.each([
  ['before the new dataset is stored', 'seeded.json.tmp', 1, [note(1)]],
  ['after the new dataset is stored', 'changes.json.tmp', 2, [note(2)]],
])('replaces the dataset and the changes together or not at all, if it is killed %s', async (...row) => {
  const [, obstacle, generation, changes] = row
  const folder = temporaryFolder()
  const killed = await withStorage(folder, async (storage) => {
    await storage.replace(createDatasetFile())
    await storage.append([note(1)])
    // A folder in place of the temporary file makes the next step fail.
    mkdirSync(join(folder, obstacle))
    const replaced = storage.replace({ ...createDatasetFile([member(1)]), changes: [note(2)] })
    await replaced.catch(() => undefined)
    const copy = copyAsKilled(folder)
    rmSync(join(copy, obstacle), { recursive: true })
    rmSync(join(folder, obstacle), { recursive: true })
    await storage.append([note(3)])
    return copy
  })
  expect(await loadFolder(killed)).toMatchObject({ seeded: { generation }, changes })
  expect(await readChanges(folder)).toEqual([...changes, note(3)])
  await withStorage(folder, (storage) => storage.replace(createDatasetFile()))
  expect(await readChanges(folder)).toEqual([])
})

// After a power failure any of a line's pages may be written; the others are NUL bytes.
it.each([
  ['with NUL bytes', (line: string) => `${line.slice(0, 60)}${'\0'.repeat(40)}${line.slice(100)}`],
  ['of only NUL bytes', () => '\0'.repeat(4096)],
  ['without its beginning', (line: string) => line.replace(/^.{60}/, '\0'.repeat(60))],
  ['without its end', (line: string) => line.slice(0, -1)],
])('drops a torn last line of the write-ahead log %s', async (_, tear) => {
  const folder = await createKilledFolder([note(1), note(2)])
  const [first = '', last = ''] = readLog(folder).split(/(?<=\n)/)
  const room = '\0'.repeat(4096)
  writeFileSync(join(folder, 'changes.log'), first + tear(last) + room)
  expect(await readChanges(folder)).toEqual([note(1)])
})

it('drops the changes of an earlier dataset after a kill during a reseed', async () => {
  const folder = await createKilledFolder([note(1)])
  const before = await withStorage(folder, async (storage) => {
    await storage.append([note(2)])
    const left = readFiles(folder)
    await storage.replace(createDatasetFile([member(1)]))
    return left
  })
  for (const name of ['changes.json', 'changes.log'])
    writeFileSync(join(folder, name), before[name] ?? '', 'latin1')
  expect(await loadFolder(folder)).toMatchObject({ seeded: { generation: 2 }, changes: [] })
  await withStorage(folder, (storage) => storage.append([note(3)]))
  expect(await readChanges(folder)).toEqual([note(3)])
})

it('removes the temporary files of a killed process', async () => {
  const folder = await createKilledFolder([note(1)])
  for (const name of ['seeded.json.tmp', 'changes.json.tmp', 'own.tmp'])
    writeFileSync(join(folder, name), '{')
  await loadFolder(folder)
  const files = ['changes.json', 'changes.log', 'own.tmp', 'seeded.json']
  expect(Object.keys(readFiles(folder))).toEqual(files)
})

it('rejects writes after it is closed', async () => {
  const { storage } = await openFolder(temporaryFolder())
  await storage.replace(createDatasetFile())
  await storage.close()
  await expect(storage.append([note(1)])).rejects.toMatchObject({ code: 'storage_unavailable' })
})
