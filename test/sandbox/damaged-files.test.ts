import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { version } from '../../src/core/version.ts'
import { startSandbox } from '../../src/node.ts'
import { openFolder } from '../../src/store/disk/folder.ts'
import { runAlone } from '../entry-points/command.ts'
import { readChanges, readFiles, temporaryFolder } from '../folders.ts'
import { createFolder, type Damage, expectDamage, expectRejection, newer, swap } from './damaged-support.ts'

const damages: readonly Damage[] = [
  ['is empty', () => '', `it is empty`],
  ['is cut off', (text) => text.slice(0, 300), `it is cut off`],
  ['is NUL bytes', (text) => '\0'.repeat(text.length), 'it contains NUL bytes, as after a power failure'],
  ['has a comma too many', swap('"rows": {', '"rows": {,'), 'it is not valid JSON (line 14, column 12)'],
  ['has a newer format', swap('"format": 2', '"format": 3'), newer(3)],
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

it.each(damages)('rejects a dataset.json that %s, and leaves it untouched', async (...damage) => {
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
  const { documents } = await openFolder(folder)
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
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'seeded.json'), '{"format":1}')
  writeFileSync(join(folder, 'changes.log'), '')
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
