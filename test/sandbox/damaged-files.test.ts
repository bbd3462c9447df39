import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { openFolder } from '../../src/store/files.ts'
import { asKilled, contentOf, journalOf, member, note, smallDataset, temporaryFolder } from '../folders.ts'

/** A folder with a dataset, a folded change, and two changes in the journal. */
async function keptFolder(): Promise<string> {
  const folder = temporaryFolder()
  const first = await openFolder(folder)
  await first.storage.replace(smallDataset([member(1), member(2)]))
  await first.storage.append([note(1)])
  await first.storage.close()
  const { storage } = await openFolder(folder)
  await storage.load()
  for (const id of [2, 3]) await storage.append([note(id)])
  const killed = asKilled(folder)
  await storage.close()
  rmSync(join(killed, 'lock.json'))
  return killed
}

/** Expects that a folder is refused for a reason, and left as it is. */
async function expectRefusal(folder: string, reason: string): Promise<void> {
  const before = contentOf(folder)
  const { storage } = await openFolder(folder)
  const refusal = await storage.load().catch((error: unknown) => error)
  await storage.close()
  expect(refusal).toMatchObject({ name: 'SandboxError', code: 'storage_unavailable' })
  expect(String(refusal)).toBe(`SandboxError: Cannot read ${reason.replace('HERE', `in ${folder}`)}`)
  expect(contentOf(folder)).toEqual(before)
}

const restore =
  'Restore it from a copy, replace all data with reseed, or start on another folder with --data.'
const newer = 'Use the newer version of workspace-sandbox, or start on another folder with --data.'

it.each([
  ['is empty', () => '', `it is empty. ${restore}`],
  ['breaks off', (text: string) => text.slice(0, -40), `it breaks off in the middle. ${restore}`],
  [
    'was filled with NUL bytes by a power failure',
    (text: string) => '\0'.repeat(text.length),
    `it holds NUL bytes, as a power failure leaves them. ${restore}`,
  ],
  [
    'is not JSON',
    (text: string) => text.replace('"generation": 1', '"generation" 1'),
    `it is not JSON from line 4, column 16 on. ${restore}`,
  ],
  [
    'is of a newer format',
    (text: string) => text.replace('"format": 1', '"format": 2'),
    `it has format 2, and this version knows formats up to 1. ${newer}`,
  ],
  [
    'is something else',
    () => '{"name":"package"}',
    `it has no format, so it is not a file of workspace-sandbox. ${restore}`,
  ],
  [
    'has a record without a field',
    (text: string) => text.replace('"firstName":"Mara",', ''),
    `rows.members[0].firstName is required. ${restore}`,
  ],
  [
    'has a record twice',
    (text: string) => text.replace('"id":2', '"id":1'),
    `rows.members has more than one record with id 1. ${restore}`,
  ],
])('refuses a seeded.json that %s, and does not touch it', async (_, damaged, reason) => {
  const folder = await keptFolder()
  const path = join(folder, 'seeded.json')
  writeFileSync(path, damaged(readFileSync(path, 'utf8')))
  await expectRefusal(folder, `seeded.json HERE: ${reason}`)
})

it('refuses a seeded.json that is not UTF-8, and does not touch it', async () => {
  const folder = await keptFolder()
  const path = join(folder, 'seeded.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('Mara', 'M\u00e5ra'), 'latin1')
  await expectRefusal(folder, `seeded.json HERE: it is not UTF-8. ${restore}`)
})

it.each([
  ['is empty', () => '', `it is empty. ${restore}`],
  ['breaks off', (text: string) => text.slice(0, -10), `it breaks off in the middle. ${restore}`],
  [
    'is of a newer format',
    (text: string) => text.replace('"format": 1', '"format": 3'),
    `it has format 3, and this version knows formats up to 1. ${newer}`,
  ],
  [
    'has a record of another form',
    (text: string) => text.replace('"content":"A note"', '"content":5'),
    `changes[0].row.content must be a string. ${restore}`,
  ],
  [
    'is older than the journal',
    (text: string) => text.replace('"sequence": 1', '"sequence": 0'),
    `it is older than the changes.log beside it. ${restore}`,
  ],
])('refuses a changes.json that %s, and does not touch it', async (_, damaged, reason) => {
  const folder = await keptFolder()
  const path = join(folder, 'changes.json')
  writeFileSync(path, damaged(readFileSync(path, 'utf8')))
  await expectRefusal(folder, `changes.json HERE: ${reason}`)
})

it.each([
  [
    'is damaged before its last line',
    (text: string) => text.replace('A note', 'A nope'),
    `line 1 is damaged. ${restore}`,
  ],
  [
    'has a complete last line that is damaged',
    (text: string) => text.replace(/A note(?=[^\n]*\n$)/, 'A nope'),
    `line 2 is damaged. ${restore}`,
  ],
  [
    'has a complete last line that is something else',
    (text: string) => `${text}A line of another program\n`,
    `line 3 is damaged. ${restore}`,
  ],
  [
    'lacks a line',
    (text: string) => text.replace(/\n.*\n$/, '\n') + text,
    `lines of it are missing. ${restore}`,
  ],
  [
    'is of a newer format',
    (text: string) => text.replaceAll('"format":1', '"format":2'),
    `it has format 2, and this version knows formats up to 1. ${newer}`,
  ],
])('refuses a changes.log that %s, and does not touch it', async (_, damaged, reason) => {
  const folder = await keptFolder()
  writeFileSync(join(folder, 'changes.log'), damaged(journalOf(folder)))
  await expectRefusal(folder, `changes.log HERE: ${reason}`)
})

it('refuses changes whose dataset is missing, and does not touch them', async () => {
  const folder = await keptFolder()
  rmSync(join(folder, 'seeded.json'))
  const reason = 'it is missing, although there are changes of its records'
  await expectRefusal(folder, `seeded.json HERE: ${reason}. ${restore}`)
})

it('refuses a dataset that is older than its changes, and does not touch them', async () => {
  const folder = await keptFolder()
  const path = join(folder, 'changes.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"generation": 1', '"generation": 2'))
  await expectRefusal(folder, `seeded.json HERE: it is older than the changes beside it. ${restore}`)
})

/** A folder with a note and a second change in its changes.json, as a server leaves it that has ended. */
async function servedFolder(): Promise<string> {
  const data = temporaryFolder()
  const { sandbox, close } = await startSandbox({ size: 'small', port: 0, data })
  await sandbox.data.notes.create([{ id: 900, customerId: 1, categoryId: 1, content: 'A note' }])
  await sandbox.data.customers.patch(2, { name: 'Tern & Co' })
  await close()
  return data
}

it.each([
  [
    'with the id of another record',
    (text: string) => text.replace('"id":900,"row"', '"id":901,"row"'),
    'changes[0].row.id must be 901, the id of the change (got 900)',
  ],
  [
    'of an unknown category',
    (text: string) => text.replace('"categoryId":1,', '"categoryId":99,'),
    'changes[0].row.categoryId: 99 matches no note category',
  ],
  [
    'of an unknown organization',
    (text: string) => text.replace('"organizationId":"harbor"', '"organizationId":"harbour"'),
    'changes[0].row.organizationId: harbour matches no organization',
  ],
  [
    'of an unknown customer',
    (text: string) => text.replace('"customerId":1,', '"customerId":777777,'),
    'changes[0].row.customerId: 777777 matches no customer',
  ],
  [
    'that is there twice',
    (text: string) => text.replace(/\n( +\{"table":"notes".*),\n/, '\n$1,\n$1,\n'),
    'changes[1] changes the same record as changes[0]',
  ],
])('refuses a changes.json that a person has given a change %s', async (_, edit, reason) => {
  const data = await servedFolder()
  const path = join(data, 'changes.json')
  writeFileSync(path, edit(readFileSync(path, 'utf8')))
  const before = contentOf(data)
  await expect(startSandbox({ port: 0, data })).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: `Cannot read changes.json in ${data}: ${reason}. ${restore}`,
  })
  expect(contentOf(data)).toEqual(before)
})

it('takes a changes.json that a person has changed with care', async () => {
  const data = await servedFolder()
  const path = join(data, 'changes.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('A note', 'My note'))
  const { sandbox, close } = await startSandbox({ port: 0, data })
  expect(await sandbox.data.notes.get(900)).toMatchObject({ content: 'My note' })
  await close()
})

it('refuses a folder where a file should be', async () => {
  const folder = await keptFolder()
  rmSync(join(folder, 'seeded.json'))
  mkdirSync(join(folder, 'seeded.json'))
  const { storage } = await openFolder(folder)
  await expect(storage.load()).rejects.toThrow(`Cannot read seeded.json in ${folder}: it is a folder.`)
  await storage.close()
})

it('refuses a file where the folder should be', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const reason = 'it is not a folder. Choose another folder with --data.'
  await expect(openFolder(file)).rejects.toThrow(`Cannot use ${file}: ${reason}`)
  await expect(openFolder(join(file, 'inside'))).rejects.toThrow(
    `Cannot use ${join(file, 'inside')}: ${reason}`,
  )
})
