import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Low } from 'lowdb'
import { expect, it, vi } from 'vitest'

import { JsonLines, type JsonLinesOptions } from '../../src/store/disk/json-lines.ts'
import {
  append,
  change,
  commit,
  createDatasetFile,
  loadFolder,
  member,
  openStorage,
  readChanges,
  readFiles,
  readLines,
  resetCommit,
  temporaryFolder,
  withDocuments,
} from '../folders.ts'

const header = (dataset: number) => `{"format":2,"dataset":${dataset}}`

it('has one record per line in dataset.json, and people may reorder and reformat it', async () => {
  const folder = temporaryFolder()
  const dataset = createDatasetFile([member(1), member(2)])
  await withDocuments(folder, (documents) => documents.replace(dataset, []))
  const path = join(folder, 'dataset.json')
  const text = readFileSync(path, 'utf8')
  expect(text.split('\n')).toContain(`      ${JSON.stringify(member(2))}`)
  const content = JSON.parse(text)
  content.rows.members.reverse()
  writeFileSync(path, JSON.stringify(content, null, 4))
  expect((await loadFolder(folder))?.dataset).toMatchObject({ ...dataset, id: 1, isEdited: true })
})

it('has one commit per line in changes.jsonl, with when, by what, and the rows', async () => {
  const folder = temporaryFolder()
  const clock = { at: '2026-03-01T00:00:00.000Z' }
  await withDocuments(folder, async (documents) => {
    await documents.replace(createDatasetFile(), [])
    await documents.append([{ at: clock.at, by: 'service', request: 3, clock, changes: [change(1)] }])
    // The clock stands where it stood.
    await documents.append([
      { ...commit(), clock },
      { ...commit(change(2)), clock },
    ])
    await documents.append([commit()])
  })
  const at = '2026-03-01T00:00:00.000Z'
  expect(readLines(folder).map((line) => JSON.parse(line))).toEqual([
    { format: 2, dataset: 1 },
    { at, by: 'service', request: 3, clock: { at }, changes: [change(1)] },
    { ...commit(change(2)), clock },
    commit(),
  ])
})

it('writes appends, resets and replacements in the order of the calls', async () => {
  const folder = temporaryFolder()
  const storage = await openStorage(folder)
  await storage.load()
  await Promise.all([
    storage.replace(createDatasetFile()),
    append(storage, commit(change(1))),
    storage.append({ decide: () => resetCommit, apply: () => undefined, mayDecideEarly: false }),
    append(storage, commit(change(2))),
    storage.replace(createDatasetFile([member(9)])),
    append(storage, commit(change(3))),
    append(storage, commit(change(4))),
    storage.close(),
  ])
  expect(await loadFolder(folder)).toMatchObject({
    dataset: { id: 2 },
    commits: [commit(change(3)), commit(change(4))],
  })
})

it('has the rows that are in force, and writes the file anew with the first write after a start if most are not', async () => {
  const folder = temporaryFolder()
  const deleted = commit({ table: 'members', id: 2, row: null })
  const last = { ...commit(change(4), change(3, 'Third')), by: 'service' } as const
  await withDocuments(folder, async (documents) => {
    await documents.replace(createDatasetFile([member(2)]), [])
    for (const write of [change(1), change(2), change(3, 'First'), change(3, 'Second')]) {
      await documents.append([commit(write)])
    }
    await documents.append([commit({ table: 'members', id: 1 }), deleted, last])
  })
  expect(readLines(folder)).toHaveLength(8)
  expect((await loadFolder(folder))?.commits).toEqual([deleted, last])
  expect(readLines(folder)).toHaveLength(8)
  await withDocuments(folder, (documents) => documents.append([commit(change(5))]))
  const commits = [deleted, last, commit(change(5))]
  expect(readLines(folder)).toEqual([header(1), ...commits.map((one) => JSON.stringify(one))])
})

it('writes changes anew that are superseded again and again, later if that fails, and never those that are in force', async () => {
  const folder = temporaryFolder()
  await withDocuments(folder, async (documents) => {
    await documents.replace(createDatasetFile(), [])
    const repeat = (count: number, write: (index: number) => ReturnType<typeof change>) =>
      documents.append(Array.from({ length: count }, (_, index) => commit(write(index))))
    await repeat(600, (index) => change(index + 1))
    expect(readLines(folder)).toHaveLength(601)
    await repeat(599, () => change(1))
    expect(readLines(folder)).toHaveLength(1_200)
    await repeat(2, () => change(1))
    expect(readLines(folder)).toHaveLength(1_202)
    vi.spyOn(JsonLines.prototype, 'write').mockRejectedValueOnce(new Error('the disk is full'))
    await repeat(1, () => change(1))
    expect(readLines(folder)).toHaveLength(1_203)
    await repeat(1, () => change(1))
    expect(readLines(folder)).toHaveLength(602)
  })
  expect(await readChanges(folder)).toHaveLength(600)
})

it('removes the temporary files of a killed process, and no other files', async () => {
  const folder = temporaryFolder()
  await withDocuments(folder, (documents) => documents.replace(createDatasetFile(), []))
  for (const name of ['dataset.json.tmp', 'changes.jsonl.tmp', 'lock.json.4711', 'own.tmp'])
    writeFileSync(join(folder, name), '{')
  await loadFolder(folder)
  expect(Object.keys(readFiles(folder))).toEqual(['changes.jsonl', 'dataset.json', 'own.tmp'])
})

it('writes nothing to a folder that another process has taken over', async () => {
  const folder = temporaryFolder()
  const other = '{"pid":1,"started":null,"folder":"another","url":null}\n'
  await withDocuments(folder, async (documents) => {
    await documents.replace(createDatasetFile(), [])
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    writeFileSync(join(folder, 'lock.json'), other)
    const unavailable = { code: 'storage_unavailable' }
    await expect(documents.replace(createDatasetFile(), [])).rejects.toMatchObject(unavailable)
    await expect(documents.append([commit(change(1))])).rejects.toMatchObject(unavailable)
  })
  expect(readFiles(folder)).toEqual({ 'lock.json': other })
})

it('rejects writes after it is closed', async () => {
  const storage = await openStorage(temporaryFolder())
  await storage.replace(createDatasetFile())
  await Promise.all([storage.close(), storage.close()])
  await expect(storage.replace(createDatasetFile())).rejects.toMatchObject({ code: 'storage_unavailable' })
})

function openVisits(options: Partial<JsonLinesOptions<unknown>> = {}, folder = temporaryFolder()) {
  const path = join(folder, 'visits.jsonl')
  const adapter = new JsonLines<unknown>(path, { parse: (line) => JSON.parse(line), ...options })
  const db = new Low<unknown[]>(adapter, [])
  return { path, adapter, db, text: () => readFileSync(path, 'utf8') }
}

const long = JSON.stringify('x'.repeat(2_000))

// After a power failure, any sector of a line may be unwritten: NUL bytes.
it.each([
  ['without its end', '"tw'],
  ['that lacks only its end', '2'],
  ['cut within a letter', Buffer.from('"é').subarray(0, 2)],
  ['of NUL bytes', '\0'.repeat(700)],
  ['whose first sectors are missing', `${'\0'.repeat(1_024 - 2)}${long}\n`],
  ['whose last sectors are missing', `${long.slice(0, 1_024 - 2)}${'\0'.repeat(900)}\n`],
])('drops a last line %s, and overwrites it', async (_, torn) => {
  const { adapter, db, path, text } = openVisits()
  writeFileSync(path, Buffer.concat([Buffer.from('1\n'), Buffer.from(torn)]))
  await db.read()
  expect([db.data, adapter.isTorn]).toEqual([[1], true])
  db.data.push(2)
  await db.write()
  expect(text()).toBe('1\n2\n')
  await db.read()
  expect(adapter.isTorn).toBe(false)
})

it.each([
  ['in the middle of the file', '1\n\0\0\0\n3\n'],
  ['in the middle of a sector', `1\n${long.slice(0, 300)}${'\0'.repeat(900)}`],
])('rejects NUL bytes %s, which no power failure leaves', async (_, content) => {
  const { db, path, text } = openVisits()
  writeFileSync(path, content)
  await expect(db.read()).rejects.toThrow(SyntaxError)
  expect(text()).toBe(content)
})

it('has nothing of a write that a check rejects before it is durable', async () => {
  let checks = 0
  const refusal = new Error('no')
  const { db, text } = openVisits({
    check: () => {
      checks += 1
      if (checks === 3) throw refusal
    },
  })
  await db.write()
  db.data.push(1)
  await expect(db.write()).rejects.toBe(refusal)
  expect(text()).toBe('')
  await db.write()
  expect(text()).toBe('1\n')
})

it('writes a file anew that was deleted while in use', async () => {
  const { db, path, text } = openVisits()
  db.data.push(1)
  await db.write()
  rmSync(path)
  db.data.push(2)
  await db.write()
  expect(text()).toBe('1\n2\n')
})
