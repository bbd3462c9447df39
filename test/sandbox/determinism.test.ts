import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'

import { type RunningSandbox, startSandbox } from '../../src/node.ts'
import { copyAsKilled, temporaryFolder } from '../folders.ts'
import { type Answering, as, crawl, notes, openSandbox } from '../support.ts'

/** Hashes over size `small`. They change with the generators and the default fixture, and then on purpose. */
const golden = {
  1: 'ce435cc52ed464b8cebc108ba22e9797d62340fd2f9923156d675095abe82714',
  42: '3b8911effcf8e3f8996a8fde7b06f9c7129ca3b2a4f8db0e8c528df42230a47b',
}

it.each(Object.entries(golden))(
  'seed %i has the fingerprint that it always had',
  async (seed, fingerprint) => {
    const { dataset } = await openSandbox({ seed: Number(seed) })
    expect(await dataset.fingerprint()).toBe(fingerprint)
  },
)

it('the fingerprint changes with seed, size, fixture and now', async () => {
  const base = { seed: 1, size: 3, fixture: 'empty', now: '2026-01-15T12:00:00.000Z' }
  const variants = [
    base,
    { ...base, seed: 2, fixture: 'default' },
    { ...base, fixture: 'default' },
    { ...base, size: 4, fixture: 'default' },
    { ...base, now: '2026-01-15T12:00:00.001Z' },
  ]
  const opened = await Promise.all(variants.map((each) => openSandbox(each)))
  const fingerprints = await Promise.all(opened.map(({ dataset }) => dataset.fingerprint()))
  expect(new Set(fingerprints).size).toBe(variants.length)
})

it('what a program does to the rows and exports of a sandbox changes no other one', async () => {
  const shared = { size: 4, seed: 5 }
  const first = await openSandbox(shared)
  const text = JSON.stringify(first.dataset.export())
  for (const customer of first.dataset.export().customers) Object.assign(customer, { name: 'Changed' })
  expect(() => Object.assign(first.dataset.rows.customers[0]?.products ?? {}, ['another'])).toThrow(TypeError)
  expect(JSON.stringify((await openSandbox(shared)).dataset.export())).toBe(text)
})

const options = { seed: 7, size: 4 } as const

/** Opens other datasets, so that the rows that were generated before are not shared. */
const forget = () => Promise.all([3, 4].map((size) => openSandbox({ seed: 9, size })))

/** Opens a sandbox in which no rows of customers have been generated. */
async function openUnread(fixture = 'default') {
  await forget()
  return openSandbox({ ...options, fixture })
}

/** Reads every record from first to last. Shape: the text of each path. */
async function readAll(sandbox: Answering): Promise<Map<string, string>> {
  const visits = await crawl(as(sandbox, 'mara'))
  return new Map(visits.map(({ path, text }) => [path, text]))
}

async function readEach(sandbox: Answering, paths: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const path of paths) texts.set(path, await (await as(sandbox, 'mara').send(path)).text())
  return texts
}

async function startOn(data: string): Promise<RunningSandbox> {
  const server = await startSandbox({ ...options, data, port: 0 })
  onTestFinished(() => server.close())
  return server
}

const readDataset = (folder: string): { rows?: object; about: string; version: string } =>
  JSON.parse(readFileSync(join(folder, 'dataset.json'), 'utf8'))

const expected = await readAll(await openUnread())
const paths = [...expected.keys()]

it('records are the same if several sessions read them at once in different orders, with resets between', async () => {
  expect(paths.length).toBeGreaterThan(100)
  const sandbox = await openUnread()
  const readHalf = async (stride: number): Promise<void> => {
    const place = (path: string) => (paths.indexOf(path) * stride) % 17
    const order = paths.toSorted((a, b) => place(a) - place(b))
    const half = Math.floor(order.length / 2)
    const session = sandbox.session()
    await readEach(session, order.slice(0, half))
    await session.reset()
    for (const [path, text] of await readEach(session, order.slice(half))) {
      expect({ path, text }).toEqual({ path, text: expected.get(path) })
    }
  }
  await Promise.all([1, 7, 11, 13].map(readHalf))
})

it('new records are the same, whether or not others have been read', async () => {
  const [read, unread] = [await openUnread('edge-cases'), await openUnread('edge-cases')]
  await readAll(read)
  for (const collection of ['signals', 'meetings', 'notes', 'triggerLogs', 'actionLogs'] as const) {
    const created = [read, unread].map(({ data }) => data.create({ [collection]: [{}] }))
    const [one, other] = await Promise.all(created)
    expect({ collection, one }).toEqual({ collection, one: other })
  }
})

it('a new folder has all rows before its server answers, and starts again with the same bytes after a kill', async () => {
  await forget()
  const folder = temporaryFolder()
  const server = await startOn(folder)
  expect(readDataset(folder).rows).toEqual((await openSandbox(options)).dataset.rows)
  const note = await as(server.sandbox, 'mara').post(notes, { categoryId: 1, content: 'Before the kill' })
  await forget()
  const { sandbox } = await startOn(copyAsKilled(folder))
  expect(await as(sandbox, 'mara').get(notes)).toMatchObject({ items: expect.arrayContaining([note]) })
  await sandbox.reset()
  expect(await readAll(sandbox)).toEqual(expected)
})

it('a folder with tables that have no records starts again with those that the others have', async () => {
  const data = temporaryFolder()
  const exportStored = async (fixture?: string) => {
    await using server = await startSandbox({ data, port: 0, fixture })
    return server.sandbox.dataset.export()
  }
  const exported = await exportStored('empty')
  expect(exported.customers).toEqual([])
  expect(await exportStored()).toEqual(exported)
})

it('a folder of more than 1,000 customers has no rows, says so, and gives the same data for the same version only', async () => {
  const large = { ...options, size: 1_001, fixture: 'empty', port: 0 } as const
  const data = temporaryFolder()
  const fingerprint = await readFingerprint(await startSandbox(large))
  expect(await readFingerprint(await startSandbox({ ...large, data }))).toBe(fingerprint)
  expect(await readFingerprint(await startSandbox({ data, port: 0 }))).toBe(fingerprint)
  const { rows, about, version } = readDataset(data)
  expect(rows).toBeUndefined()
  expect(about).toContain('workspace-sandbox export')
  const path = join(data, 'dataset.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(`"version": "${version}"`, '"version": "0.0.1"'))
  await expect(startSandbox({ data, port: 0 })).rejects.toThrow(
    `version 0.0.1, but you requested a dataset of version ${version}. Run reseed with the options that you want,`,
  )
})

/** Reads the fingerprint of a server's data, and closes it. */
async function readFingerprint(server: RunningSandbox): Promise<string> {
  const health = await fetch(`${server.url}/_sandbox/health`)
  await server.close()
  return z.object({ fingerprint: z.string() }).parse(await health.json()).fingerprint
}
