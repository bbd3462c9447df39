import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { createRandom } from '../../seed/random/random.ts'
import { SandboxError } from '../../src/core/errors.ts'
import { parseJson } from '../../src/core/json.ts'
import { startSandbox } from '../../src/node.ts'
import { OpenSandbox, openSandbox } from '../../src/sandbox/sandbox.ts'
import { FolderInUse } from '../../src/store/disk/lock.ts'
import { Storage } from '../../src/store/disk/storage.ts'
import { rowSchemas, tableNames } from '../../src/store/tables.ts'
import { copyAsKilled, openStorage, readFiles, temporaryFolder } from '../folders.ts'
import { as } from '../support.ts'

type Draw = (count: number) => number

const strange: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e9,
  1e21,
  Number.MAX_SAFE_INTEGER,
  '',
  'x',
  '\u0000',
  '2026-02-30T09:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2026-01-15T12:00Z',
  'x'.repeat(100_000),
  [],
  {},
  [[]],
  JSON.parse('{"__proto__":1}'),
]

/** Changes, removes, adds or moves one field somewhere in a value. */
function editField(value: unknown, draw: Draw): void {
  let place: unknown = value
  for (;;) {
    const names = Object.keys(Object(place))
    const name = names[draw(names.length)] ?? 'zzz'
    const inner: unknown = Reflect.get(Object(place), name)
    if (typeof inner === 'object' && inner !== null && draw(4) > 0) {
      place = inner
      continue
    }
    const kind = draw(4)
    if (kind === 0) Reflect.deleteProperty(Object(place), name)
    else Reflect.set(Object(place), kind === 1 ? 'zzz' : name, strange[draw(strange.length)])
    return
  }
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

/** Edits a text in lines of which each, or all together, are JSON. */
const edits: readonly ((text: string, draw: Draw) => string | Buffer)[] = [
  (text, draw) => {
    const bytes = Buffer.from(text)
    for (let count = 1 + draw(4); count > 0; count -= 1) {
      const at = draw(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << draw(8))
    }
    return bytes
  },
  (text, draw) => editLines(text, (lines) => void lines.splice(draw(lines.length), 1 + draw(3))),
  (text, draw) =>
    editLines(text, (lines) => void lines.splice(draw(lines.length), 0, lines[draw(lines.length)] ?? '')),
  (text, draw) =>
    editLines(text, (lines) => {
      const [one, other] = [draw(lines.length), draw(lines.length)]
      ;[lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? '']
    }),
  (text, draw) => {
    const whole: unknown = parseJson(text)
    if (whole !== undefined) {
      editField(whole, draw)
      return `${JSON.stringify(whole, null, draw(3))}\n`
    }
    return editLines(text, (lines) => {
      const at = draw(lines.length)
      const line: unknown = parseJson(lines[at] ?? '')
      editField(line, draw)
      if (line !== undefined) lines[at] = JSON.stringify(line)
    })
  },
  (text, draw) => text.slice(0, draw(text.length)),
  (text, draw) => Buffer.concat([Buffer.from(text), Buffer.alloc(draw(2_000))]),
  (text, draw) => Buffer.from(text.slice(0, -1)).fill(0, draw(text.length)),
  (text, draw) =>
    [`\uFEFF${text}`, Buffer.from(text, 'utf16le'), Buffer.from(`é${text}`, 'latin1')][draw(3)] ?? '',
  (text, draw) => text.replaceAll('\n', ['\r\n', '\n\n', '\r', ' '][draw(4)] ?? ''),
  (text, draw) =>
    replaceOne(text, /\d+/g, ['1000000000', '0', '-1', '1e400', '1'.repeat(400), '0.5'][draw(6)] ?? '', draw),
  (text, draw) =>
    replaceOne(text, /"[^"]*"(?!:)/g, [nested(100_000), 'null', '"\\ud800"', '{"a":1}'][draw(4)] ?? '', draw),
  (text, draw) => replaceOne(text, /[{}[\],:"]/g, '', draw),
]

function editLines(text: string, edit: (lines: string[]) => void): string {
  const lines = text.split('\n')
  edit(lines)
  return lines.join('\n')
}

function replaceOne(text: string, pattern: RegExp, by: string, draw: Draw): string {
  const matches = [...text.matchAll(pattern)]
  const match = matches[draw(matches.length)]
  return match ? text.slice(0, match.index) + by + text.slice(match.index + match[0].length) : text
}

/** Creates a folder with records, changes of several kinds, and the lock of a process that has ended. */
async function createFolder(seed: number): Promise<string> {
  const folder = temporaryFolder()
  const now = seed % 2 === 0 ? 'system' : undefined
  const { sandbox, close } = await startSandbox({ port: 0, size: 3, data: folder, seed, now })
  const mara = as(sandbox, 'mara')
  for (const content of ['One', 'Two'])
    await mara.post('/organizations/harbor/customers/1/notes', { categoryId: 1, content })
  await sandbox.data.customers.patch(1, { customFields: [{ key: 'tier', value: { deep: [1] } }] })
  await sandbox.data.customers.delete(2)
  sandbox.clock.advance('P1D')
  await sandbox.data.signals.create([{ customerId: 1 }])
  const killed = copyAsKilled(folder)
  await close()
  const lock = join(killed, 'lock.json')
  writeFileSync(lock, readFileSync(lock, 'utf8').replace(/"started":"[^"]*"/, '"started":"before"'))
  return killed
}

/** Starts on a folder. @returns the sandbox, or the error, and how long that took in milliseconds */
async function start(storage: Storage) {
  const begun = performance.now()
  const outcome = await openSandbox({}, { storage }).catch((error: unknown) => error)
  return { outcome, tookMs: performance.now() - begun }
}

/** Finds out what is wrong with the data that a sandbox serves. */
async function findInvalidData(sandbox: OpenSandbox): Promise<string | undefined> {
  for (const table of tableNames) {
    const row = sandbox.state.dataset.rows[table].find((one) => !rowSchemas[table].safeParse(one).success)
    if (row) return `has an invalid row: ${JSON.stringify(row)}`
  }
  const saved = await sandbox.saveState()
  await sandbox.restoreState(saved)
  const again = await sandbox.saveState()
  if (JSON.stringify(again.changes) !== JSON.stringify(saved.changes)) return 'does not restore its own state'
  const { status } = await as(sandbox, 'mara').send('/organizations/harbor/customers')
  return status < 500 ? undefined : `answers with ${status}`
}

/** The facts about a file as a whole, which has no line to name. */
const whole =
  /it is (?:empty|cut off|missing|UTF-16)|it has (?:no |format )|NUL bytes|it belongs to another dataset/

/** Finds out what is wrong with how a start deals with a folder one of whose files was edited. */
async function findProblem(folder: string, name: string): Promise<string | undefined> {
  const before = readFiles(folder)
  const storage = await openStorage(folder).catch((error: unknown) => error)
  if (!(storage instanceof Storage))
    return storage instanceof FolderInUse ? undefined : `cannot be opened: ${String(storage)}`
  try {
    if (name === 'lock.json') return undefined
    const { outcome, tookMs } = await start(storage)
    if (tookMs > 2_000) return `took ${tookMs} ms`
    if (outcome instanceof OpenSandbox) return await findInvalidData(outcome)
    const text = String(outcome)
    if (!(outcome instanceof SandboxError) || /\n|bug|call stack|undefined|Invalid input/.test(text))
      return text
    if (!text.includes(name) || !(whole.test(text) || /line \d+/.test(text))) return `names no place: ${text}`
    const { 'lock.json': _, ...after } = readFiles(folder)
    const { 'lock.json': __, ...untouched } = before
    return JSON.stringify(after) === JSON.stringify(untouched) ? undefined : 'has changed'
  } catch (error) {
    return String(error)
  } finally {
    await storage.close()
  }
}

it.for(['dataset.json', 'changes.jsonl', 'lock.json'])(
  'starts with valid data, or names file, line and field, whatever somebody has done to %s',
  { timeout: 600_000 },
  async (name) => {
    const problems: string[] = []
    const seeds = Array.from({ length: 5 }, (_, index) => 1 + index)
    for (const seed of seeds) {
      const folder = await createFolder(seed)
      const text = readFileSync(join(folder, name), 'utf8')
      const random = createRandom(seed, name, 0, 'edits')
      const draw: Draw = (count) => Math.floor(random.next() * count)
      const contents = Array.from({ length: 200 }, (_, index) =>
        Buffer.from(edits[index % edits.length]?.(text, draw) ?? ''),
      )
      const check = async (content: Buffer, index: number): Promise<void> => {
        const copy = copyAsKilled(folder)
        writeFileSync(join(copy, name), content)
        const problem = await findProblem(copy, name)
        if (problem !== undefined) problems.push(`${name}, seed ${seed}, edit ${index}: ${problem}`)
      }
      // All locks at once, since some are waited for.
      if (name === 'lock.json') await Promise.all(contents.map(check))
      else for (const [index, content] of contents.entries()) await check(content, index)
    }
    expect(problems).toEqual([])
  },
)
