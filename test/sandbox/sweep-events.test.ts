import { expect, it } from 'vitest'

import { sweep, type SweepOptions, type SweepSession } from '../../src/index.ts'
import { failSweep, nothing, read, sandbox } from './sweep-support.ts'

const readAll = (session: SweepSession) => read(session, '/customers?limit=250')

const readDate = (headers: Headers, name: string): number => Date.parse(headers.get(name) ?? '')

it('tells the kinds of events that made no difference, and fails only if none did', async () => {
  const scenarios = ['page-drift', 'deleted'] as const
  const result = await sweep({ sandbox, run: readAll, events: { ...nothing, scenarios } })
  expect(result.idle).toEqual(['page-drift'])
  expect(String(result)).toContain('No difference made: page-drift.')
  const error = await failSweep({ run: readAll, events: ['page-drift'] })
  expect(error.message).toContain('no event made a difference: page-drift (times 1).')
})

it('chooses events by their kinds', async () => {
  const { events } = await sweep({ sandbox, run: readAll, events: ['kills', 'deleted'] })
  const kinds = events.map(({ kill, scenario }) => kill ?? scenario?.name)
  expect(new Set(kinds)).toEqual(new Set(['before', 'deleted']))
  await expect(sweep({ sandbox, run: readAll, events: JSON.parse('["deletd"]') })).rejects.toMatchObject({
    message: expect.stringContaining('did you mean deleted?'),
  })
})

const readProductsFirst = async (session: SweepSession) => {
  await read(session, '/products')
  await readAll(session)
}

it('kills a client at a page first, whatever it has asked for before', async () => {
  const { events } = await sweep({ sandbox, run: readProductsFirst, events: ['kills'], limit: 1 })
  expect(events).toMatchObject([{ operationId: 'listCustomers', kill: 'before' }])
})

/** Reads customers, and once more if it is told to come later. */
const retryAfter = (wait: (response: Response) => number): SweepOptions => ({
  sandbox,
  run: async (session) => {
    const headers = { authorization: 'Bearer sbx_harbor_1' }
    const send = () => session.fetch('/v1/organizations/harbor/customers?limit=250', { headers })
    const response = await send()
    if (response.status !== 429) return
    await new Promise((resolve) => setTimeout(resolve, wait(response)))
    await send()
  },
  events: { ...nothing, faults: [{ status: 429, retryAfterSeconds: 1, retryAfterDate: true, times: 1 }] },
  limit: 1,
})

it('fails a client that retries before Retry-After is over, unless that is accepted', async () => {
  const error = await failSweep(retryAfter(() => 5))
  expect(error.failure).toMatchObject({ kind: 'hasty' })
  expect(error.message).toMatch(
    /In the first run, hasty_retry: request \d+, GET \S+, was retried \d+ ms after request \d+ was answered with a 429 that asked for 1 s/,
  )
  expect(await sweep({ ...retryAfter(() => 5), allow: ['hasty_retry'] })).toMatchObject({ tried: 1 })
  const patient = retryAfter(({ headers }) => readDate(headers, 'retry-after') - readDate(headers, 'date'))
  expect(await sweep(patient)).toMatchObject({ tried: 1 })
})

it('takes the schedules that any sweep prints: one, a list, or those of a receipt', async () => {
  const schedule = [{ run: 'first', operationId: 'listCustomers', kill: 'before' }] as const
  const options = { sandbox, run: readAll }
  for (const [given, tried] of [
    [schedule, 1],
    [[schedule, schedule], 2],
    [JSON.parse(JSON.stringify({ schedule, passed: false })), 1],
  ] as const) {
    expect(await sweep({ ...options, schedules: given })).toMatchObject({
      tried,
      events: expect.arrayContaining([...schedule]),
    })
  }
})

it('finds a client that ends its walk by a totalCount that is too low by a page', async () => {
  const error = await failSweep({
    run: async (session) => {
      const rows: object[] = []
      if (session.state.has('rows')) return
      for (let total = 1; rows.length < total;) {
        const { items, totalCount } = await read(session, `/customers?limit=10&offset=${rows.length}`)
        rows.push(...items)
        total = totalCount
      }
      session.state.set('rows', rows)
    },
    copy: ({ state }) => ({ customers: [state.get('rows') ?? []].flat() }),
    events: ['wrong-total'],
    runs: 1,
  })
  expect(error.message).toContain('wrong-total (count 10)')
})
