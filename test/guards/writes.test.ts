import { fdatasync, ftruncateSync, renameSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'

import { expect, it, onTestFinished, vi } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { temporaryFolder } from '../folders.ts'
import { as, note, notes, overHttp } from '../support.ts'

vi.mock('node:fs', { spy: true })
vi.mock('node:fs/promises', { spy: true })

/** Counts the disk operations so far. Timings would depend on the machine. */
const countOperations = () => ({
  writes: vi.mocked(writeSync).mock.calls.length,
  flushes: vi.mocked(fdatasync).mock.calls.length,
  cuts: vi.mocked(ftruncateSync).mock.calls.length,
  /** Rewritten files and flushed folders. */
  files: vi.mocked(open).mock.calls.length + vi.mocked(renameSync).mock.calls.length,
})

/** Counts the disk operations of some work. */
async function countDuring(work: () => Promise<unknown>) {
  vi.clearAllMocks()
  await work()
  return countOperations()
}

const once = { writes: 1, flushes: 1, cuts: 0, files: 0 }

it('writes and flushes once for a note, however many there are, and for a reset, which removes a long file', async () => {
  const { url, sandbox, close } = await startSandbox({ size: 'small', port: 0, data: temporaryFolder() })
  onTestFinished(close)
  const writeNote = () => as(overHttp(url), 'mara').post(notes, note)
  expect(await countDuring(writeNote)).toEqual(once)
  expect(await countDuring(writeNote)).toEqual(once)
  // More than a mebibyte, which no later note rewrites.
  const many = Array.from({ length: 4_000 }, () => ({ customerId: 1, content: 'x'.repeat(150) }))
  expect(await countDuring(() => sandbox.data.notes.create(many))).toEqual(once)
  expect(await countDuring(writeNote)).toEqual(once)
  expect(await countDuring(() => sandbox.reset())).toEqual({ ...once, files: 1 })
  expect(await countDuring(() => sandbox.reset())).toEqual({ ...once, writes: 0, flushes: 0 })
})
