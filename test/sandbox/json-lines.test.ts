import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Low } from 'lowdb'
import { expect, it } from 'vitest'

import { JsonLines, type JsonLinesOptions } from '../../src/store/disk/json-lines.ts'
import { temporaryFolder } from '../folders.ts'

function openVisits(options: Partial<JsonLinesOptions<unknown>> = {}, folder = temporaryFolder()) {
  const path = join(folder, 'visits.jsonl')
  const adapter = new JsonLines<unknown>(path, { parse: (line) => JSON.parse(line), ...options })
  const db = new Low<unknown[]>(adapter, [])
  return { path, adapter, db, text: () => readFileSync(path, 'utf8') }
}

it('replaces the file with the first write, appends what was pushed since, and replaces it if anything else has changed', async () => {
  const { db, path, text } = openVisits()
  db.data.push({ page: 1 })
  await db.write()
  const { ino } = statSync(path)
  db.data.push({ page: 2 }, 'three')
  await db.write()
  await db.write()
  expect(text()).toBe('{"page":1}\n{"page":2}\n"three"\n')
  expect(statSync(path).ino).toBe(ino)
  db.data = db.data.slice(1)
  await db.write()
  db.data.push(4)
  await db.write()
  expect(text()).toBe('{"page":2}\n"three"\n4\n')
  expect(statSync(path).ino).not.toBe(ino)
  const again = openVisits({}, join(path, '..'))
  await again.db.read()
  expect(again.db.data).toEqual([{ page: 2 }, 'three', 4])
  again.db.data.push(5)
  await again.db.write()
  expect(text()).toBe('{"page":2}\n"three"\n4\n5\n')
})

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
