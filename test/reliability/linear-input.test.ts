import { expect, it } from 'vitest'

import { as, openSandbox, readCpuTime, tokens } from '../support.ts'
import { chooseAmount } from './figures.ts'

/** The length of the shorter of two inputs. Units: characters. */
const SHORT = 4_000

/** The factor by which the other input is longer. */
const FACTOR = 4

/** Measures the CPU time that work takes at best. Units: milliseconds. */
async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let time = 0; time < 3; time += 1) {
    const before = readCpuTime()
    await work()
    times.push(readCpuTime() - before)
  }
  return Math.min(...times)
}

/** Expects that an input of four times the length takes about four times as long, not sixteen times. */
async function expectLinear(work: (length: number) => Promise<unknown>, length = SHORT): Promise<void> {
  await work(100)
  const short = await measureTime(() => work(length))
  const long = await measureTime(() => work(FACTOR * length))
  expect(long).toBeLessThan(2 * FACTOR * short + 100)
}

const sandbox = await openSandbox()
const mara = as(sandbox, 'mara')
const customers = '/organizations/harbor/customers'

const call = (path: string, body: unknown, method: 'POST' | 'PUT' = 'POST'): Promise<Response> =>
  sandbox.fetch(new Request(`http://sandbox/_sandbox${path}`, { method, body: JSON.stringify(body) }))

const findCustomer = async (): Promise<number> => (await sandbox.data.customers.list()).items[0]?.id ?? 0

const zeros = (count: number): string => `2026-01-01T00:00:00.${'0'.repeat(count)}1Z`

it('a request reads the digits of updatedSince in linear time', async () => {
  await expectLinear(async (length) => {
    expect((await mara.send(`${customers}?limit=1&updatedSince=${zeros(length)}`)).status).toBe(200)
  })
})

it(
  'a verdict is judged in linear time, however many changes and rows there were',
  { timeout: 60_000 },
  async () => {
    await expectLinear(
      async (length) => {
        const session = sandbox.session()
        const { fetch, data, sync } = session
        await fetch(`/v1${customers}?limit=250`, { headers: { authorization: `Bearer ${tokens.mara}` } })
        for (let at = 1; at <= length; at += 1) await data.customers.patch(1, { employeeCount: at })
        const unknown = Array.from({ length }, (_, at) => 1_000_000 + at)
        expect((await sync.verdict({ customers: [1, 2, 3, ...unknown] })).counts.ghosts).toBe(length)
        session.close()
      },
      chooseAmount(100, 600),
    )
  },
)

it.each([
  ['meetings', { customerId: await findCustomer() }],
  ['automations', {}],
])('many %s are created by one call in linear time', { timeout: 60_000 }, async (collection, record) => {
  await expectLinear(
    async (length) => {
      await sandbox.reset()
      const records = Array.from({ length }, () => record)
      expect((await call(`/data/${collection}`, records)).status).toBe(200)
    },
    chooseAmount(100, 1_000),
  )
})

it('a request reads the values of a list with many indexes in linear time', async () => {
  await expectLinear(
    async (length) => {
      const values = Array.from({ length: length / 4 }, (_, at) => `segment[${at}]=SMB`)
      expect((await mara.send(`${customers}?limit=1&${values.join('&')}`)).status).toBe(200)
    },
    chooseAmount(40_000, 100_000),
  )
})

it.each([
  ['colons', (length: number) => `${':'.repeat(length)}\n`],
  ['a colon and spaces', (length: number) => `:${' '.repeat(length)}\n`],
  ['colons and spaces', (length: number) => `${': '.repeat(length / 2)}\n`],
])('a meeting with many %s in its topic is read in linear time', async (_, topic) => {
  const path = `${customers}/1/meetings`
  await expectLinear(async (length) => {
    const about = { customerId: 1, memberIds: [1, 2], hasTranscript: true, startDate: '2026-01-14T10:00:00Z' }
    expect((await call('/data/meetings/900001', { ...about, topic: topic(length) }, 'PUT')).status).toBe(200)
    const { transcript } = await mara.get<{ readonly transcript: unknown }>(`${path}/900001`)
    expect(transcript).not.toEqual([])
  }, 1_000)
})

it('a fault path with many slashes is rejected in linear time', async () => {
  await expectLinear(async (length) => {
    const response = await call('/faults', { path: `${'/'.repeat(length)}x`, status: 503 })
    expect(response.status).toBe(400)
  })
})

/** Bodies of many small parts, by the number of parts: valid ones, and others that are refused. */
const bodies: readonly (readonly [call: string, status: number, body: (count: number) => unknown])[] = [
  ['POST /reseed', 400, (count) => ({ fixture: { customers: many(count, () => ({})) } })],
  ['POST /reseed', 400, (count) => ({ fixture: { customers: many(count, (id) => ({ id: `${id}` })) } })],
  ['POST /reseed', 200, (count) => ({ fixture: { notes: many(count / 20, (at) => ({ id: 1e6 + at, customerId: 1 })) } })],
  ['PUT /state', 400, (count) => ({ format: 1, changes: many(count, () => ({})) })],
  ['PATCH /data/customers/1', 400, (count) => ({ products: many(count, () => ({})) })],
  ['PATCH /data/customers/1', 400, (count) => ({ ...many(count / 10, () => 1) })],
  ['POST /data/customers', 400, (count) => many(count, () => ({}))],
  ['POST /faults', 400, (count) => many(count, () => ({}))],
  ['POST /sessions', 400, (count) => ({ faults: many(count, () => ({ status: 1 })) })],
  ['POST /sync/verdict', 200, (count) => ({ as: 1, copy: { customers: many(count / 2, (at) => at + 1) } })],
  ['POST /sync/verdict', 400, (count) => ({ as: 1, copy: { customers: many(2 * count, () => ({})) } })],
  ['POST /sync/verdict', 400, (count) => ({ as: 1, mapped: { customers: many(count, () => ({})) } })],
  ['PUT /clock', 400, (count) => many(count, () => 0.1234567890123456)],
]

const many = <T>(length: number, create: (at: number) => T): T[] => Array.from({ length }, (_, at) => create(at))

it.each(bodies)(
  '%s with a large body, answered with %i, lets others run all the time',
  { timeout: 120_000 },
  async (name, status, createBody) => {
    const [method = '', path = ''] = name.split(' ')
    const init = { method, headers: { 'content-type': 'application/json' } }
    const send = async (count: number): Promise<number> => {
      const body = JSON.stringify(createBody(count))
      return (await sandbox.fetch(`/_sandbox${path}`, { ...init, body })).status
    }
    await mara.send(customers)
    await send(100)
    await mara.send(customers)
    const before = readCpuTime()
    let last = before
    let longest = 0
    let isOver = false
    const run = () => {
      const now = readCpuTime()
      longest = Math.max(longest, now - last)
      last = now
      if (!isOver) setImmediate(run)
    }
    const sent = send(chooseAmount(100_000, 1_000_000)).finally(() => (isOver = true))
    setImmediate(run)
    expect(await sent).toBe(status)
    expect(longest).toBeLessThan((readCpuTime() - before) / 3)
  },
)
