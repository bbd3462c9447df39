import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'

import { type RunningSandbox, startSandbox } from '../../src/node.ts'
import { copyAsKilled, temporaryFolder } from '../folders.ts'
import { chooseSample } from '../reliability/figures.ts'
import { type Answering, as, crawl, openSandbox } from '../support.ts'

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

const notes = '/organizations/harbor/customers/1/notes'

const readSeeded = (folder: string): { rows?: object; isPending?: boolean } =>
  JSON.parse(readFileSync(join(folder, 'seeded.json'), 'utf8'))

const expected = await readAll(await openUnread())
const paths = [...expected.keys()]
const backwards = new Map([...expected].toReversed())

it('records are the same if they are read from last to first', async () => {
  expect(paths.length).toBeGreaterThan(100)
  expect(await readEach(await openUnread(), [...backwards.keys()])).toEqual(backwards)
})

it('records are the same if several sessions read them at once in different orders, with resets between', async () => {
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

it('records are the same after some were arranged, and after reseeding there and back', async () => {
  const sandbox = await openUnread()
  await sandbox.session().data.create({ customers: [{ name: 'Arranged' }], meetings: [{ customerId: 4 }] })
  expect(await readAll(sandbox)).toEqual(expected)
  await sandbox.reseed({ seed: 8 })
  await forget()
  await sandbox.reseed({ seed: 7 })
  expect(await readEach(sandbox, [...backwards.keys()])).toEqual(backwards)
})

const fixtures = ['default', 'edge-cases']

it.for(fixtures)('new records are the same, whether or not others have been read: %s', async (fixture) => {
  const [read, unread] = [await openUnread(fixture), await openUnread(fixture)]
  await readAll(read)
  for (const collection of ['signals', 'meetings', 'notes', 'triggerLogs', 'actionLogs'] as const) {
    const created = [read, unread].map(({ data }) => data.create({ [collection]: [{}] }))
    const [one, other] = await Promise.all(created)
    expect({ collection, one }).toEqual({ collection, one: other })
  }
})

it('a server on a new folder answers first, and a folder of a killed one starts again with the same bytes', async () => {
  await forget()
  const folder = temporaryFolder()
  const server = await startOn(folder)
  const note = await as(server.sandbox, 'mara').post(notes, { categoryId: 1, content: 'Before the rows' })
  expect(readSeeded(folder)).toMatchObject({ isPending: true })
  await forget()
  const { sandbox } = await startOn(copyAsKilled(folder))
  expect(await as(sandbox, 'mara').get(notes)).toMatchObject({ items: expect.arrayContaining([note]) })
  await sandbox.reset()
  expect(await readAll(sandbox)).toEqual(expected)
})

it('a server stores the rows of a new folder once nobody sends requests, and when it closes', async () => {
  const [quiet, closed] = [temporaryFolder(), temporaryFolder()]
  await startOn(quiet)
  await (await startOn(closed)).close()
  const { rows } = (await openSandbox(options)).dataset
  expect(readSeeded(closed).rows).toEqual(rows)
  await expect.poll(() => readSeeded(quiet).rows, { timeout: 20_000 }).toEqual(rows)
})

it.runIf(chooseSample(false, true))(
  'a large folder has the fingerprint of a sandbox without one, until a record is edited',
  async () => {
    const large = { ...options, size: 1_001, fixture: 'empty', port: 0 } as const
    const data = temporaryFolder()
    const fingerprint = await readFingerprint(await startSandbox(large))
    const server = await startSandbox({ ...large, data })
    await expect.poll(() => readSeeded(data), { timeout: 20_000 }).not.toHaveProperty('isPending')
    expect(await readFingerprint(server)).toBe(fingerprint)
    expect(await readFingerprint(await startSandbox({ data, port: 0 }))).toBe(fingerprint)
    const path = join(data, 'seeded.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"Mara"', '"Maria"'))
    expect(await readFingerprint(await startSandbox({ data, port: 0 }))).not.toBe(fingerprint)
  },
)

/** Reads the fingerprint of a server's data, and closes it. */
async function readFingerprint(server: RunningSandbox): Promise<string> {
  const health = await fetch(`${server.url}/_sandbox/health`)
  await server.close()
  return z.object({ fingerprint: z.string() }).parse(await health.json()).fingerprint
}
