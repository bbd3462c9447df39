import { expect, it } from 'vitest'

import { as, customers, openSandbox, readControl, readCpuTime } from '../support.ts'

/** The factor by which the longer of two calls is longer. */
const FACTOR = 4

const sandbox = await openSandbox()
const mara = as(sandbox, 'mara')

const many = <T>(length: number, create: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => create(at))

/** Bodies of many small parts, by the number of parts: valid ones, and others that are refused. */
const bodies: readonly (readonly [call: string, status: number, body: (count: number) => unknown])[] = [
  ['POST /reseed of empty records', 400, (count) => ({ fixture: { customers: many(count, () => ({})) } })],
  [
    'POST /reseed of wrong ids',
    400,
    (count) => ({ fixture: { customers: many(count, (at) => ({ id: `${at}` })) } }),
  ],
  ['PUT /state of empty changes', 400, (count) => ({ format: 1, changes: many(count, () => ({})) })],
  ['PATCH /data/customers/1 of a list', 400, (count) => ({ products: many(count, () => ({})) })],
  ['POST /data/customers of records', 400, (count) => many(count, () => ({ id: '1' }))],
  ['POST /sessions of faults', 400, (count) => ({ faults: many(count, () => ({ status: 1 })) })],
  [
    'POST /sync/verdict of ids',
    200,
    (count) => ({ as: 1, copy: { customers: many(count / 4, (at) => at + 1) } }),
  ],
  [
    'POST /sync/verdict of forms',
    400,
    (count) => ({ as: 1, mapped: { customers: many(count, () => ({})) } }),
  ],
  ['PUT /clock of numbers', 400, (count) => many(count / 2, () => 0.1234567890123456)],
  // The next calls take less time than others may wait, unless they are as large as at full scale.
  [
    'POST /reseed of notes',
    200,
    (count) => ({ fixture: { notes: many(count / 20, (at) => ({ id: 1e6 + at, customerId: 1 })) } }),
  ],
  [
    'PATCH /data/customers/1 of unknown fields',
    400,
    (count) =>
      Object.assign(
        {},
        many(count / 2, () => 1),
      ),
  ],
  ['POST /faults of a list', 400, (count) => many(count, () => ({}))],
  [
    'POST /sync/verdict of rows without id',
    400,
    (count) => ({ as: 1, copy: { customers: many(count, () => ({})) } }),
  ],
]

/** Measures the longest CPU time for which work lets nobody else run. Units: milliseconds. */
async function measureBlock(work: () => Promise<unknown>): Promise<number> {
  let last = readCpuTime()
  let longest = 0
  let isOver = false
  const run = () => {
    const now = readCpuTime()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(run)
  }
  setImmediate(run)
  await work().finally(() => (isOver = true))
  return Math.max(longest, readCpuTime() - last)
}

/** Expects that a call with four times as much to do lets nobody else wait much longer. Measures again if it seems to. */
async function expectTurns(measure: (count: number) => Promise<number>, count: number): Promise<void> {
  await measure(10)
  let [short, long] = [Infinity, Infinity]
  for (let time = 0; time < 2 && !(long < 2 * short + 50); time += 1) {
    // First the longer one, after which the code of the shorter one is compiled.
    long = Math.min(long, await measure(FACTOR * count))
    short = Math.min(short, await measure(count))
  }
  expect(long).toBeLessThan(2 * short + 50)
}

it.each(bodies)(
  '%s, answered with %i, lets others run as often if the body is longer',
  { timeout: 120_000 },
  async (name, status, createBody) => {
    const [method = '', path = ''] = name.split(' ')
    await expectTurns(async (count) => {
      // A verdict judges what the requests since the last reset have delivered.
      await mara.send(customers)
      const body = JSON.stringify(createBody(count))
      const headers = { 'content-type': 'application/json' }
      return measureBlock(async () => {
        const response = await sandbox.fetch(`/_sandbox${path}`, { method, headers, body })
        expect(response.status).toBe(status)
      })
    }, 250_000)
  },
)

const letOthersRun = () => new Promise((resolve) => setImmediate(resolve))

it.each([
  ['customers', {}],
  ['notes', { customerId: 1 }],
] as const)(
  'many new %s let others run as often, although notes are written meanwhile',
  { timeout: 120_000 },
  async (collection, record) => {
    const measure = async (count: number): Promise<number> => {
      const session = sandbox.session()
      const client = as(session, 'mara')
      const records = { [collection]: many(count, () => record) }
      const progress = { isOver: false }
      const ids: unknown[] = []
      const write = async () => {
        while (!progress.isOver) {
          await letOthersRun()
          const note = { categoryId: 1, content: 'A note.' }
          ids.push((await client.post<{ readonly id: number }>(`${customers}/2/notes`, note)).id)
        }
      }
      const block = await measureBlock(async () => {
        const writing = write()
        const created = await session.data.create(records).finally(() => (progress.isOver = true))
        await writing
        if (collection === 'notes') ids.push(...(created.notes ?? []).map(({ id }) => id))
      })
      const notes = collection === 'notes' ? count : 0
      expect(ids.length).toBeGreaterThan(notes)
      expect(new Set(ids).size).toBe(ids.length)
      expect(await session.data.changes()).toHaveLength(ids.length + count - notes)
      session.close()
      return block
    }
    await expectTurns(measure, 2_000)
  },
)

async function measureVerdict(count: number): Promise<number> {
  const session = sandbox.session()
  const client = as(session, 'mara')
  for (let at = 0; at < count; at += 1) await client.send(`${customers}/1`)
  const block = await measureBlock(() => session.sync.verdict({ customers: [1] }))
  session.close()
  return block
}

it('a verdict after many requests lets others run as often', { timeout: 120_000 }, () =>
  expectTurns(measureVerdict, 10_000),
)

async function measureCopy(count: number): Promise<number> {
  const session = sandbox.session()
  await as(session, 'mara').send(customers)
  const rows = many(count, (at) => ({ id: at + 1, updatedDate: new Date(0) }))
  const block = await measureBlock(() => session.sync.verdict({ customers: rows }))
  session.close()
  return block
}

it('a verdict of a longer copy in process, whose dates become texts, lets others run as often', () =>
  expectTurns(measureCopy, 25_000))

async function measureMove(size: number): Promise<number> {
  await using living = await openSandbox({ size: Math.max(size, 25), future: 'living' })
  const move = async () => {
    const moved: unknown = await readControl(living, 'POST', '/clock/advance', { by: 'P7D' })
    expect(Object(moved).changed.customers).toBeGreaterThan(0)
  }
  const first = await measureBlock(move)
  // The events until then are known now, and only compared.
  living.clock.reset()
  return Math.max(first, await measureBlock(move))
}

it('a move of the clock of a larger living tenant lets others run as often', { timeout: 300_000 }, () =>
  expectTurns(measureMove, 2_500),
)
