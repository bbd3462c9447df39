import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { openFolder } from '../../src/disk/folder.ts'
import { startSandbox } from '../../src/node.ts'
import {
  copyAsKilled,
  readFiles,
  readLog,
  member,
  note,
  createDatasetFile,
  temporaryFolder,
} from '../folders.ts'

/** Creates a folder with a dataset, a merged change, and two changes in the write-ahead log. */
async function createStoredFolder(): Promise<string> {
  const folder = temporaryFolder()
  const first = await openFolder(folder)
  await first.storage.replace(createDatasetFile([member(1), member(2)]))
  await first.storage.append([note(1)])
  await first.storage.close()
  const { storage } = await openFolder(folder)
  await storage.load()
  for (const id of [2, 3]) await storage.append([note(id)])
  const killed = copyAsKilled(folder)
  await storage.close()
  rmSync(join(killed, 'lock.json'))
  return killed
}

/** Expects that a folder is rejected with a message, and left untouched. */
async function expectRejection(folder: string, reason: string): Promise<void> {
  const before = readFiles(folder)
  const { storage } = await openFolder(folder)
  const error = await storage.load().catch((cause: unknown) => cause)
  await storage.close()
  expect(error).toMatchObject({ name: 'SandboxError', code: 'storage_unavailable' })
  expect(String(error)).toBe(`SandboxError: Cannot read ${reason.replace('HERE', `in ${folder}`)}`)
  expect(readFiles(folder)).toEqual(before)
}

const restore =
  'Restore it from a copy, replace all data with reseed, or start on another folder with the option data.'
const newer = (format: number) =>
  `it has format ${format}, and this version knows formats up to 1. Use the newer version of ` +
  'workspace-sandbox, or start on another folder with the option data.'

const swap = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to)
const cut = (text: string) => text.slice(0, -10)
const empty = () => ''

it.for<readonly [file: string, damage: string, (text: string) => string | Buffer, reason: string]>([
  ['seeded.json', 'is empty', empty, `it is empty. ${restore}`],
  ['seeded.json', 'is cut off', cut, `it is cut off. ${restore}`],
  [
    'seeded.json',
    'was filled with NUL bytes by a power failure',
    (text) => '\0'.repeat(text.length),
    `it contains NUL bytes, as after a power failure. ${restore}`,
  ],
  [
    'seeded.json',
    'is not JSON',
    swap('"generation": 1', '"generation" 1'),
    `it is not valid JSON (line 4, column 16). ${restore}`,
  ],
  ['seeded.json', 'has a newer format', swap('"format": 1', '"format": 2'), newer(2)],
  [
    'seeded.json',
    'is another file',
    () => '{"name":"package"}',
    `it has no format, so it is not a file of workspace-sandbox. ${restore}`,
  ],
  [
    'seeded.json',
    'has a record without a field',
    swap('"firstName":"Mara",', ''),
    `rows.members[0].firstName is required. ${restore}`,
  ],
  [
    'seeded.json',
    'has two records with one id',
    swap('"id":2', '"id":1'),
    `rows.members has more than one record with id 1. ${restore}`,
  ],
  [
    'seeded.json',
    'is not UTF-8',
    (text) => Buffer.from(text.replace('Mara', 'M\u00e5ra'), 'latin1'),
    `it is not UTF-8. ${restore}`,
  ],
  ['changes.json', 'is empty', empty, `it is empty. ${restore}`],
  ['changes.json', 'is cut off', cut, `it is cut off. ${restore}`],
  ['changes.json', 'has a newer format', swap('"format": 1', '"format": 3'), newer(3)],
  [
    'changes.json',
    'has an invalid record',
    swap('"content":"A note"', '"content":5'),
    `changes[0].row.content must be a string. ${restore}`,
  ],
  [
    'changes.json',
    'is older than the write-ahead log',
    swap('"sequence": 1', '"sequence": 0'),
    `it is older than the changes.log beside it. ${restore}`,
  ],
  [
    'changes.log',
    'is damaged before its last line',
    swap('A note', 'A nope'),
    `line 1 is damaged. ${restore}`,
  ],
  [
    'changes.log',
    'has a complete last line that is damaged',
    swap(/A note(?=[^\n]*\n$)/, 'A nope'),
    `line 2 is damaged. ${restore}`,
  ],
  [
    'changes.log',
    'has a complete last line of another program',
    (text) => `${text}A line of another program\n`,
    `line 3 is damaged. ${restore}`,
  ],
  [
    'changes.log',
    'lacks a line',
    (text) => text.replace(/\n.*\n$/, '\n') + text,
    `lines are missing. ${restore}`,
  ],
  ['changes.log', 'has a newer format', (text) => text.replaceAll('"format":1', '"format":2'), newer(2)],
])('rejects a %s that %s, and leaves it untouched', async ([file, , damage, reason]) => {
  const folder = await createStoredFolder()
  const path = join(folder, file)
  const text = file === 'changes.log' ? readLog(folder) : readFileSync(path, 'utf8')
  writeFileSync(path, damage(text))
  await expectRejection(folder, `${file} HERE: ${reason}`)
})

it('rejects changes without a dataset, and leaves them untouched', async () => {
  const folder = await createStoredFolder()
  rmSync(join(folder, 'seeded.json'))
  const reason = 'it is missing, although there are changes to its records'
  await expectRejection(folder, `seeded.json HERE: ${reason}. ${restore}`)
})

it('rejects a dataset that is older than its changes, and leaves it untouched', async () => {
  const folder = await createStoredFolder()
  const path = join(folder, 'changes.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"generation": 1', '"generation": 2'))
  await expectRejection(folder, `seeded.json HERE: it is older than the changes beside it. ${restore}`)
})

/** Creates a folder as a server leaves it: with a note and a second change in its changes.json. */
async function serveFolder(): Promise<string> {
  const data = temporaryFolder()
  const { sandbox, close } = await startSandbox({ size: 'small', port: 0, data })
  await sandbox.data.notes.create([{ id: 900, customerId: 1, categoryId: 1, content: 'A note' }])
  await sandbox.data.customers.patch(2, { name: 'Tern & Co' })
  await close()
  return data
}

it.for([
  [
    'with the id of another record',
    swap('"id":900,"row"', '"id":901,"row"'),
    'changes[0].row.id must be 901, the id of the change (got 900)',
  ],
  [
    'of an unknown category',
    swap('"categoryId":1,', '"categoryId":99,'),
    'changes[0].row.categoryId: 99 matches no note category',
  ],
  [
    'of an unknown organization',
    swap('"organizationId":"harbor"', '"organizationId":"harbour"'),
    'changes[0].row.organizationId: harbour matches no organization',
  ],
  [
    'of an unknown customer',
    swap('"customerId":1,', '"customerId":777777,'),
    'changes[0].row.customerId: 777777 matches no customer',
  ],
  [
    'twice',
    swap(/\n( +\{"table":"notes".*),\n/, '\n$1,\n$1,\n'),
    'changes[1] changes the same record as changes[0]',
  ],
] as const)('rejects a changes.json in which somebody has added a change %s', async ([, edit, reason]) => {
  const data = await serveFolder()
  const path = join(data, 'changes.json')
  writeFileSync(path, edit(readFileSync(path, 'utf8')))
  const before = readFiles(data)
  await expect(startSandbox({ port: 0, data })).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: `Cannot read changes.json in ${data}: ${reason}. ${restore}`,
  })
  expect(readFiles(data)).toEqual(before)
})

it('accepts a changes.json that was edited correctly', async () => {
  const data = await serveFolder()
  const path = join(data, 'changes.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('A note', 'My note'))
  const { sandbox, close } = await startSandbox({ port: 0, data })
  expect(await sandbox.data.notes.get(900)).toMatchObject({ content: 'My note' })
  await close()
})

it('rejects a folder in place of a file', async () => {
  const folder = await createStoredFolder()
  rmSync(join(folder, 'seeded.json'))
  mkdirSync(join(folder, 'seeded.json'))
  const { storage } = await openFolder(folder)
  await expect(storage.load()).rejects.toThrow(`Cannot read seeded.json in ${folder}: it is a folder.`)
  await storage.close()
})

it('rejects a file in place of the folder', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  for (const path of [file, join(file, 'inside')]) {
    await expect(openFolder(path)).rejects.toThrow(
      `Cannot use ${path}: it is not a folder. Choose another folder with the option data.`,
    )
  }
})

it('rejects a folder that cannot be created', { skip: process.platform !== 'linux' }, async () => {
  // A recursive mkdir never returns there.
  const folder = '/proc/workspace-sandbox/data'
  await expect(openFolder(folder)).rejects.toThrow(
    `Cannot use ${folder}: it cannot be created there. Choose another folder with the option data.`,
  )
})
