import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { version } from '../../src/core/version.ts'
import { startSandbox } from '../../src/node.ts'
import { openFolder } from '../../src/store/disk/folder.ts'
import { runAlone } from '../entry-points/command.ts'
import {
  change,
  commit,
  createDatasetFile,
  folderWith,
  loadFolder,
  member,
  readChanges,
  readFiles,
  temporaryFolder,
  withDocuments,
} from '../folders.ts'

const restore =
  'Restore it from a copy or correct it, replace all data with reseed, or start on another folder with the option data.'

const swap = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to)

/** A way to damage or edit a file of a folder with two members and two commits, and what is said about it. */
type Damage = readonly [name: string, damage: (text: string) => string | Buffer, reason: string]

async function createFolder(): Promise<string> {
  const folder = temporaryFolder()
  await withDocuments(folder, async (documents) => {
    await documents.replace(createDatasetFile([member(1), member(2)]), [])
    await documents.append([commit(change(3, 'One'))])
    await documents.append([commit(change(4, 'Two'))])
  })
  return folder
}

/** Expects that a folder is rejected with a reason, and what to do unless it says so itself, and left untouched. */
async function expectRejection(folder: string, file: string, reason: string): Promise<void> {
  const before = readFiles(folder)
  const error: unknown = await startSandbox({ port: 0, data: folder }).catch((cause: unknown) => cause)
  expect(error).toMatchObject({ name: 'SandboxError', code: 'storage_unavailable' })
  const told = reason.endsWith('.') ? reason : `${reason.replace(/(?<!\?)$/, '.')} ${restore}`
  expect(String(error)).toBe(`SandboxError: Cannot read ${file} in ${folder}: ${told}`)
  expect(readFiles(folder)).toEqual(before)
}

/** Expects that a folder is rejected whose file was damaged, and left untouched. */
async function expectDamage(file: string, [, damage, reason]: Damage): Promise<void> {
  const folder = await createFolder()
  const path = join(folder, file)
  writeFileSync(path, damage(readFileSync(path, 'utf8')))
  await expectRejection(folder, file, reason)
}

const datasetDamages: readonly Damage[] = [
  ['is empty', () => '', `it is empty`],
  ['is cut off', (text) => text.slice(0, 300), `it is cut off`],
  ['is NUL bytes', (text) => '\0'.repeat(text.length), 'it contains NUL bytes, as after a power failure'],
  ['has a comma too many', swap('"rows": {', '"rows": {,'), 'it is not valid JSON (line 14, column 12)'],
  [
    'has a newer format',
    swap('"format": 2', '"format": 3'),
    'it has format 3, and this version knows formats up to 2. Use the newer version of workspace-sandbox, or start on another folder with the option data.',
  ],
  [
    'is another file',
    () => '{"name":"package"}',
    'it has no format, so it is not a file of workspace-sandbox',
  ],
  [
    'has a field of another type, in a layout of its own',
    (text) => JSON.stringify(JSON.parse(text), null, 1).replace('"managerId": 2', '"managerId": "2"'),
    'rows.members[1].managerId in line 35 must be a number',
  ],
  [
    'has two records with one id',
    swap('"id":2', '"id":1'),
    'rows.members[1].id in line 17 must not be that of another record',
  ],
  [
    'has a record that refers to none',
    swap('"managerId":2', '"managerId":20'),
    'rows.members[1].managerId in line 17 is wrong: 20 matches no member',
  ],
  [
    'is not UTF-8',
    (text) => Buffer.from(text.replace('Mara', 'M\u00e5ra'), 'latin1'),
    'it is not UTF-8 (line 16)',
  ],
  [
    'has the size 1',
    swap('"size": 3', '"size": 1'),
    'size in line 7 must be a whole number from 3 to 100000',
  ],
  [
    'has another seed than its records',
    swap('"seed": 1', '"seed": 2'),
    'the seed, size, fixture or time in line 6 or below was edited, but the records and changes are those of the dataset before',
  ],
  [
    'has an unknown fixture',
    swap('"fixture": "default"', '"fixture": "defualt"'),
    'fixture in line 8 must be the name of a fixture. Did you mean default?',
  ],
  [
    'has a fixture that is nested too deep',
    swap('"now"', `"fixtureContent": {"about":${'['.repeat(1e5)}${']'.repeat(1e5)}},\n  "now"`),
    'fixtureContent in line 9 must not be nested more than 200 levels deep',
  ],
  [
    'has a time that no dataset can have',
    swap('"now": "2026', '"now": "9999'),
    'now in line 9 must be from 1970-01-01T00:00Z to 9899-12-31T23:59Z',
  ],
]

it.each(datasetDamages)('rejects a dataset.json that %s, and leaves it untouched', async (...damage) => {
  await expectDamage('dataset.json', damage)
})

it('rejects changes without a dataset, and leaves them untouched', async () => {
  const folder = await createFolder()
  rmSync(join(folder, 'dataset.json'))
  const reason = 'it is missing, although there are changes to its records'
  await expectRejection(folder, 'dataset.json', reason)
})

it('rejects a folder in place of a file', async () => {
  const folder = await createFolder()
  rmSync(join(folder, 'dataset.json'))
  mkdirSync(join(folder, 'dataset.json'))
  const documents = await openFolder(folder)
  await expect(documents.load()).rejects.toThrow(`Cannot read dataset.json in ${folder}: it is a folder.`)
  documents.close()
})

it('names the file whose fixture does not fit any more', async () => {
  const folder = await createFolder()
  const path = join(folder, 'dataset.json')
  const { rows: _, keyChecksum: __, ...rest } = JSON.parse(readFileSync(path, 'utf8'))
  const fixtureContent = { name: 'ours', customers: [{}] }
  writeFileSync(path, JSON.stringify({ ...rest, version, fixtureContent }))
  const reason = `Cannot load fixture default: customers[0].id is required. Add it`
  await expectRejection(folder, 'dataset.json', reason)
})

it('reads files that begin with a byte order mark, as some editors write it', async () => {
  const folder = await createFolder()
  const files = ['dataset.json', 'changes.jsonl'].map((name) => join(folder, name))
  for (const path of files) writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8')}`)
  expect((await readChanges(folder))?.map(({ id }) => id)).toEqual([3, 4])
})

it('shows what somebody has written into both files', async () => {
  const data = temporaryFolder()
  const { sandbox, close } = await startSandbox({ size: 3, port: 0, data })
  await sandbox.data.notes.create([{ id: 900, customerId: 1, categoryId: 1, content: 'A note' }])
  const { name } = await sandbox.data.customers.get(2)
  await close()
  const edit = (file: string, from: string, to: string) => {
    const path = join(data, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
  }
  edit('dataset.json', JSON.stringify(name), '"Tern & Co"')
  edit('changes.jsonl', 'A note', 'My note')
  const again = await startSandbox({ port: 0, data })
  expect(await again.sandbox.data.notes.get(900)).toMatchObject({ content: 'My note' })
  expect(await again.sandbox.data.customers.get(2)).toMatchObject({ name: 'Tern & Co' })
  await again.close()
})

it('rejects a folder of the format before, says how to keep its changes, and leaves it untouched', async () => {
  const folder = folderWith({ 'seeded.json': '{"format":1}', 'changes.log': '' })
  const before = readFiles(folder)
  await expect(startSandbox({ port: 0, data: folder })).rejects.toThrow(
    /seeded\.json.*\/_sandbox\/state.* --state FILE/,
  )
  expect(readFiles(folder)).toEqual(before)
})

it.each(['dataset.json', 'changes.jsonl', 'lock.json'])(
  'rejects a pipe in place of %s, which would never end',
  { skip: process.platform === 'win32' },
  async (name) => {
    const data = await createFolder()
    rmSync(join(data, name), { force: true })
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(data, name)])
    // In a process of its own, since reading a pipe would block this one.
    const { code, stderr } = await runAlone(['start', '--port', '0', '--data', data])
    expect(stderr).toMatch(/^Cannot (?:read|use) .*: it is a pipe\. Remove it, or start on another .*\n$/)
    expect(stderr).toContain(name)
    expect(code).toBe(1)
  },
)

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

const changesDamages: readonly Damage[] = [
  ['is cut off in its first line', () => '{"format":2', `it has no complete line`],
  [
    'has a field that is not known',
    swap('"by":', '"zzz":1,"by":'),
    'zzz in line 2 is not known. Known are at, by, request, scenario, reset, clock, changes',
  ],
  [
    'is NUL bytes with an end',
    (text) => `${text}\0\0\0\n${text}`,
    'line 4 contains NUL bytes, as after a power failure',
  ],
  ['has a line that is cut off', (text) => text.replace(/\}\]\}\n(?=\{"at")/, '\n'), 'line 2 is cut off'],
  [
    'has a line that is not JSON',
    swap('"by":"control"', '"by":control'),
    'it is not valid JSON (line 2, column 39)',
  ],
  [
    'has a row with the id of another record',
    swap('"id":3,"row"', '"id":4,"row"'),
    'changes[0].row.id in line 2 must be 4, the id of the change (got 3)',
  ],
  [
    'has a row that refers to no record, and empty lines',
    (text) => text.replaceAll('\n', '\n\n').replace('"managerId":4', '"managerId":40'),
    'managerId of member 4 in line 5: 40 matches no member',
  ],
  [
    'has a row whose dates are not in order',
    swap(
      /"table":"members","id":4.*\}(?=\]\})/,
      `"table":"notes","id":4,"row":{"id":4,"organizationId":"harbor","customerId":1,"categoryId":1,"content":"","createdById":1,"createdDate":"2026-01-15T12:00:00.000Z","updatedDate":"2026-01-14T12:00:00.000Z"}}`,
    ),
    'changes[0].row.updatedDate in line 3 must not be before createdDate, which is 2026-01-15T12:00:00.000Z',
  ],
  [
    'has its first line twice',
    (text) => text.replace(/(?<=\n)(?=.*"Two")/, text.slice(0, text.indexOf('\n') + 1)),
    'line 3 is a header again, of dataset 1 after dataset 1, so that the lines before it would be lost. Remove it',
  ],
  [
    'has the first line of another dataset in its middle',
    (text) => text.replace(/(?<=\n)(?=.*"One")/, '{"format":2,"dataset":7}\n'),
    'line 2 is the header of dataset 7, which is not the one in dataset.json, so that the lines after it would be lost. Remove it',
  ],
  [
    'has a record that is too long',
    swap('One', 'x'.repeat(1_048_576)),
    'changes[0].row in line 2 must not be longer than 1048576 characters as JSON',
  ],
  [
    'is of another dataset',
    swap('"dataset":1', '"dataset":2'),
    'it belongs to another dataset than the one in dataset.json',
  ],
]

it.each(changesDamages)('rejects a changes.jsonl that %s, and leaves it untouched', async (...damage) => {
  await expectDamage('changes.jsonl', damage)
})

it('drops the commit of a reseed that was interrupted, and says so', async () => {
  const folder = await createFolder()
  const path = join(folder, 'changes.jsonl')
  appendFileSync(path, `{"format":2,"dataset":2}\n${JSON.stringify(commit(change(5)))}\n`)
  const stored = await loadFolder(folder)
  expect(stored?.commits.flatMap(({ changes }) => changes.map(({ id }) => id))).toEqual([3, 4])
  expect(stored?.warnings).toEqual([
    `A reseed of ${folder} was interrupted before it took effect: the dataset before it is in use.`,
  ])
})
