import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { schedules, sweep, type SweepOptions, type SweepSession } from '../../src/index.ts'
import { as, note, notes } from '../support.ts'
import { failSweep, nothing, read, sandbox } from './sweep-support.ts'

/** Reads customers once. */
const readOnce = (session: SweepSession) => read(session, '/customers?limit=10')

it('runs the client twice without events, then once with each, in sessions of their own', async () => {
  const ids = new Set<string>()
  const times = new Set<string>()
  const run = async (session: SweepSession) => {
    ids.add(session.id)
    times.add(session.clock.now())
    await readOnce(session)
  }
  const result = await sweep({ sandbox, run, events: { ...nothing, kills: true } })
  // The first run and the incremental one can be killed, and both together.
  const events = ['first', 'incremental'].map((name) => ({ run: name, kill: 'before' }))
  expect(result).toMatchObject({ tried: 3, isDeterministic: true, slow: [], events })
  expect([ids.size, times.size]).toEqual([5, 3])
  expect(String(result)).toBe(
    'The client survives 3 schedules: 2 single events and 1 pair, and 2 runs without any event.',
  )
})

it('addresses an event by operation, query and occurrence', async () => {
  const { events } = await sweep({
    sandbox,
    run: async (session) => {
      await read(session, '/customers?limit=10&offset=0')
      await read(session, '/customers?offset=0&limit=10')
      await read(session, '/customers/3/meetings?limit=5')
      await read(session, `/customers?updatedSince=${session.clock.now()}`)
    },
    events: { ...nothing, ticks: ['PT1M'] },
    limit: 12,
  })
  const path = '/v1/organizations/harbor/customers/3/meetings'
  const addresses = [
    { operationId: 'listCustomers', query: 'limit=10&offset=0' },
    { operationId: 'listCustomerMeetings', path, query: 'limit=5' },
    { operationId: 'listCustomers', query: 'updatedSince=*' },
    { operationId: 'listCustomers', query: 'limit=10&offset=0', occurrence: 2 },
  ]
  expect(events.filter(({ run }) => run === 'first')).toEqual(
    addresses.map((address) => ({ run: 'first', ...address, advance: 'PT1M' })),
  )
})

it('a killed client starts again with what it has kept, and nothing of it runs on', async () => {
  const starts: unknown[] = []
  const { events } = await sweep({
    sandbox,
    client: (session) => {
      starts.push(session.state.get('page'))
      return session
    },
    run: async (session) => {
      session.state.set('page', 1)
      await readOnce(session)
      session.state.set('page', 2)
    },
    schedule: [{ run: 'first', operationId: 'listCustomers', kill: 'before' }],
  })
  expect(events).toHaveLength(1)
  // Twice without events, then once, and again after the kill.
  expect(starts).toEqual([undefined, undefined, undefined, 1])
})

it('other requests of a killed client come to nothing, too', async () => {
  let answered = 0
  const run = async (session: SweepSession) => {
    const requests = [readOnce(session), read(session, '/signals')]
    await Promise.all(requests.map((one) => one.then(() => (answered += 1))))
  }
  await sweep({ sandbox, run, schedule: [{ run: 'first', operationId: 'listSignals', kill: 'before' }] })
  // Three runs twice, then the killed one, its repetition and two more.
  expect(answered).toBe(2 * 3 * 2 + 3 * 2)
})

it('a run may fail while a fault acts on it, but must succeed after that', async () => {
  const tolerant = { sandbox, run: readOnce, events: { ...nothing, faults: [{ status: 503 }] } }
  expect(String(await sweep(tolerant))).toMatch(/^The client survives 3 schedules/)
  const error = await failSweep({
    ...tolerant,
    run: async (session) => {
      if (session.state.get('isBroken') === true) throw new Error('it never recovers')
      session.state.set('isBroken', true)
      await readOnce(session)
      session.state.delete('isBroken')
    },
  })
  expect(error).toMatchObject({
    failure: { kind: 'crash' },
    schedule: [{ run: 'first', fault: { status: 503 } }],
  })
  expect(error.message).toContain('In the incremental run, it failed: it never recovers')
})

it('finds a client that stores a note twice when a response is lost', async () => {
  const error = await failSweep({
    run: async (session) => {
      if (session.state.get('isWritten') === true) return
      const write = () => as(session, 'mara').post(notes, note)
      await write().catch(write)
      session.state.set('isWritten', true)
    },
    allow: ['hasty_retry'],
  })
  expect(error.failure).toMatchObject({ kind: 'doubled', text: expect.stringContaining('Called them') })
  expect(error.schedule).toMatchObject([{ run: 'first', operationId: 'createCustomerNote' }])
})

it('finds a client that asks for ever, and one that waits for ever', async () => {
  const ticks = { ...nothing, ticks: ['PT1H'] }
  const asking = await failSweep({
    run: async (session) => {
      const start = session.clock.now()
      await readOnce(session)
      while (session.clock.now() !== start) await readOnce(session)
    },
    events: ticks,
  })
  expect(asking.failure).toMatchObject({
    kind: 'hang',
    text: expect.stringMatching(
      /requests, and more\. Its last request, request \d+, GET …\/customers\?limit=10, was answered with 200\. Before it came request \d+, GET …\/customers\?limit=10\./,
    ),
  })
  const waiting = await failSweep({
    run: async (session) => {
      const start = session.clock.now()
      await readOnce(session)
      if (session.clock.now() !== start) await new Promise(() => undefined)
    },
    events: ticks,
    timeoutMs: 200,
  })
  expect(waiting.failure).toMatchObject({ kind: 'hang', text: expect.stringContaining('0.2 seconds') })
})

/** The options of a client that sits out some runs after one that has failed. */
const sitOut = (pause: number): SweepOptions => ({
  sandbox,
  run: async (session) => {
    const left = Number(session.state.get('left') ?? 0)
    session.state.set('left', left > 0 ? left - 1 : pause)
    if (left > 0) return
    session.state.set('rows', (await read(session, '/customers?limit=250')).items)
    session.state.set('left', 0)
  },
  copy: ({ state }) => ({ customers: [state.get('rows') ?? []].flat() }),
  events: { ...nothing, faults: [{ status: 503, times: 1 }] },
  limit: 1,
})

it('says after how many quiet runs the client converges, and when it never does', async () => {
  expect(await sweep(sitOut(1))).toMatchObject({ tried: 1, slow: [] })
  const second = await sweep(sitOut(2))
  expect(second.slow).toMatchObject([[{ run: 'first', fault: { status: 503 } }]])
  expect(String(second)).toContain(
    'It converges after 2 quiet runs, not the first, under: first run, listCustomers',
  )
  const never = await failSweep(sitOut(3))
  expect(never.message).toContain(
    'It never converges: after 2 quiet runs, its copy is not correct (25 missed).',
  )
  expect(await sweep({ ...sitOut(3), runs: 3 })).toMatchObject({ tried: 1 })
})

it('fails if a function for the copy returns none', async () => {
  // @ts-expect-error -- code without types can forget to return
  const { message } = await failSweep({ run: readOnce, copy: () => undefined })
  expect(message).toContain('its copy is empty, without any collection.')
})

it('stops when its budget is spent, and is not content if nothing was tried by then', async () => {
  const options: SweepOptions = {
    sandbox,
    run: (session) => readOnce(session).then(() => new Promise((resolve) => setTimeout(resolve, 20))),
    events: { ...nothing, kills: true },
  }
  expect((await failSweep({ ...options, budgetMs: 1 })).message).toContain(
    'The budget was spent before anything',
  )
  const { tried } = await sweep({ ...options, budgetMs: 60_000 })
  expect(tried).toBe(3)
  expect((await failSweep({ ...options, events: nothing })).message).toContain('There was no event to try')
})

it('fails if the client fails without any event, or sends no request through its session', async () => {
  const failed = await failSweep({ run: () => Promise.reject(new Error('no connection')) })
  expect(failed).toMatchObject({ schedule: [], tried: 0 })
  expect(failed.message).toContain('The client fails although nothing has happened to it.')
  expect(failed.message).toContain('no connection')
  const idle = await failSweep({ run: () => undefined })
  expect(idle).toMatchObject({ schedule: undefined, failure: undefined })
  expect(idle.message).toContain('has sent no request through its session')
})

it('fails if nothing of a given schedule makes a difference, unless that is accepted', async () => {
  const options = {
    sandbox,
    run: readOnce,
    schedule: [{ run: 'first', operationId: 'listSignals', kill: 'before' }],
  } as const
  expect((await failSweep(options)).message).toContain('Nothing of this schedule has made a difference')
  expect(await sweep({ ...options, allowIdle: true })).toMatchObject({ events: [] })
})

it('says that a client is not deterministic, and claims no minimum then', async () => {
  let count = 0
  const run = async (session: SweepSession) => {
    await read(session, `/customers?updatedSince=${new Date((count += 1)).toISOString()}`)
  }
  const events = { ...nothing, ticks: ['PT1H'] }
  const result = await sweep({ sandbox, run, events, limit: 2 })
  expect(result.isDeterministic).toBe(false)
  expect(String(result)).toContain('It is not deterministic: when it runs again, it sends GET /v1/')
  const error = await failSweep({
    run: async (session) => {
      const start = session.clock.now()
      await run(session)
      if (session.clock.now() !== start) throw new Error('time has passed')
    },
    events,
  })
  expect(error.isDeterministic).toBe(false)
  expect(error.message).toContain('The client is not deterministic')
  expect(error.message).not.toContain('smallest')
})

it('tries pairs once every single event has passed', async () => {
  const error = await failSweep({
    run: async (session) => {
      const failures = Number(session.state.get('failures') ?? 0)
      if (failures > 1) throw new Error('twice was too much')
      await readOnce(session).catch(() => session.state.set('failures', failures + 1))
    },
    events: { ...nothing, faults: [{ status: 503, times: 1 }] },
  })
  expect(error.schedule?.map(({ run }) => run)).toEqual(['first', 'incremental'])
  expect(error.message).toContain(
    'a schedule of 2 events. It is the smallest: the client has survived 2 schedules before it.',
  )
})

it('tries an event that alone makes no difference together with a change', async () => {
  const tried = new Set<string>()
  const scenarios = [{ name: 'late-visibility', seconds: 60 }, 'page-drift', 'change-while-reading'] as const
  const run = async (session: SweepSession) => {
    for (const offset of [0, 10]) await read(session, `/customers?limit=10&offset=${offset}`)
    tried.add(
      session.scenarios
        .list()
        .map(({ name }) => name)
        .join(' and '),
    )
  }
  await sweep({ sandbox, run, events: { ...nothing, scenarios }, limit: 1 })
  expect([...tried]).toEqual(['', 'change-while-reading and late-visibility'])
})

it('draws schedules of several events, which shrink to fewer', async () => {
  const drawn = fc.sample(schedules(fc, { maxEvents: 3 }), { numRuns: 200, seed: 1 })
  expect(new Set(drawn.map(({ length }) => length))).toEqual(new Set([0, 1, 2, 3]))
  const all = { ...nothing, kills: true, ticks: ['PT1H'] }
  const { events } = await sweep({ sandbox, run: readOnce, events: all })
  const details = await fc.check(
    fc.asyncProperty(schedules(fc, { events }), async (schedule) => {
      await sweep({ sandbox, run: readOnce, schedule })
      expect(JSON.stringify(schedule)).not.toContain('kill')
    }),
    { seed: 1, numRuns: 20 },
  )
  expect(details.counterexample?.[0]).toHaveLength(1)
})

it.each([
  [{ limit: 0 }, 'limit: must be at least 1'],
  [{ between: 'soon' }, 'between: must be an ISO 8601 duration'],
  [{ timeoutMs: 0 }, 'timeoutMs: must be at least 1'],
  [{ runs: 0 }, 'runs: must be at least 1'],
  [{ budgetMs: 0 }, 'budgetMs: must be greater than 0'],
  [{ events: { scenarios: ['page-drft'] } }, 'page-drift'],
  [
    { schedule: [{ run: 'first', operationId: 'listCustomers' }] },
    'exactly one of kill, fault, scenario, advance',
  ],
  [{ schedule: [{ run: 'first', operationId: 'listCustomer', kill: 'before' }] }, 'listCustomers'],
])('rejects %j', async (options, message) => {
  const run = sweep({ sandbox, run: readOnce, ...JSON.parse(JSON.stringify(options)) })
  const error = { code: 'invalid_request', message: expect.stringContaining(message) }
  await expect(run).rejects.toMatchObject(error)
})
