import { fdatasync, ftruncate, writeSync, writevSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'

import { expect, it, onTestFinished, vi } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { temporaryFolder } from '../folders.ts'
import { posted } from '../support.ts'

vi.mock('node:fs', { spy: true })
vi.mock('node:fs/promises', { spy: true })

/** What a write does to the disk is counted, not timed: a clock would tell of the machine. */
const calls = () => ({
  writes: vi.mocked(writeSync).mock.calls.length + vi.mocked(writevSync).mock.calls.length,
  flushes: vi.mocked(fdatasync).mock.calls.length,
  cuts: vi.mocked(ftruncate).mock.calls.length,
  /** Files that are written anew, and folders that are flushed. */
  files: vi.mocked(open).mock.calls.length + vi.mocked(rename).mock.calls.length,
})

/** What some work asks of the disk. */
async function asked(work: () => Promise<unknown>) {
  vi.clearAllMocks()
  await work()
  return calls()
}

/** A server over a folder. */
async function opened() {
  const { baseUrl, sandbox, close } = await startSandbox({ size: 'small', port: 0, data: temporaryFolder() })
  onTestFinished(close)
  const note = async () => {
    const init = posted({ categoryId: 1, content: 'Called' })
    const headers = new Headers(init.headers)
    headers.set('authorization', 'Bearer sbx_harbor_1')
    const response = await fetch(`${baseUrl}/organizations/harbor/customers/1/notes`, { ...init, headers })
    expect(response.status).toBe(200)
  }
  /** More than a mebibyte of them. */
  const manyNotes = () =>
    sandbox.data.notes.create(
      Array.from({ length: 4_000 }, () => ({ customerId: 1, content: 'x'.repeat(150) })),
    )
  return { sandbox, note, manyNotes }
}

const once = { writes: 1, flushes: 1, cuts: 0, files: 0 }

it('writes and flushes once for a note', async () => {
  const { note } = await opened()
  expect(await asked(() => note())).toEqual(once)
  expect(await asked(() => note())).toEqual(once)
})

it('asks no more of the disk for a note when there are many, and never rewrites them', async () => {
  const { note, manyNotes } = await opened()
  expect(await asked(manyNotes)).toEqual(once)
  expect(await asked(() => note())).toEqual(once)
})

it('writes and flushes once for a reset, whatever there is to drop', async () => {
  const { sandbox, manyNotes } = await opened()
  await manyNotes()
  expect(await asked(() => sandbox.reset())).toEqual(once)
  expect(await asked(() => sandbox.reset())).toEqual({ ...once, writes: 0, flushes: 0 })
})
