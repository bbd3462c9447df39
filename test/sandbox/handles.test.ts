import { setImmediate } from 'node:timers/promises'
import { inspect, isDeepStrictEqual } from 'node:util'

import { expect, it } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import { openRemoteSession } from '../../src/sandbox/remote/session.ts'
import type { SessionInput } from '../../src/sessions/open-session.ts'
import { tableNames } from '../../src/store/tables.ts'
import { as, type Page, words } from '../support.ts'
import { serve } from './control-support.ts'
import { calls, fault, harbor } from './handle-calls.ts'

/** Those that also return in process what they have removed. */
const returningMore = new Set(['faults.remove', 'scenarios.remove'])

/** Values that callers without types may give. */
const oddValues = [null, -1, NaN, '1', new Date(0), new Map(), JSON.parse('{"__proto__":1}')]

/** Makes a change, a fault and a scenario, sends three requests, and one that is held. */
async function arrange(session: SessionHandle): Promise<void> {
  const mara = as(session, 'mara')
  await mara.get(`${harbor}/customers?limit=2`)
  await mara.post(`${harbor}/customers/1/notes`, { categoryId: 1, content: 'Asked for a call.' })
  await session.fetch('/v1/members/me')
  await session.data.customers.patch(2, { segment: 'Startup' })
  session.faults.addAll([
    { operationId: 'getCurrentMember', gate: true },
    { operationId: 'listProducts', ...fault },
  ])
  session.scenarios.add({ name: 'new-enum-value', field: 'customers.segment', value: 'frozen' })
  void mara.send('/members/me')
  await expect.poll(() => session.gates.list(), { interval: 1 }).toHaveLength(1)
}

/** Calls a method, and returns its result, or the error. */
async function call(handle: object, path: string, args: readonly unknown[]): Promise<unknown> {
  const names = path.split('.')
  const [target, method] = [names.slice(0, -1), names].map((parts) =>
    parts.reduce<unknown>((value, name) => Reflect.get(Object(value), name), handle),
  )
  if (typeof method !== 'function') throw new TypeError(`There is no method ${path}.`)
  try {
    return toComparable(await Reflect.apply(method, target, args))
  } catch (error) {
    return toComparable({ error: String(error), ...Object(error) })
  }
}

/** Reads everything that a call can change, once the requests that it has released are answered. */
async function observe(session: SessionHandle): Promise<unknown> {
  try {
    session.clock.now()
    await setImmediate()
    const countPending = () => session.requests.list({ status: 'pending' }).length
    await expect
      .poll(() => countPending() - session.gates.list().length, { interval: 1 })
      .toBeLessThanOrEqual(0)
    const requests = session.requests.list()
    return toComparable({ requests, held: session.gates.list(), state: await session.saveState() })
  } catch (error) {
    return toComparable(String(error))
  }
}

const realTimes = new Set(['startedMs', 'startedAt', 'startedDateTime', 'durationMs', 'wait'])

/** Turns a value into JSON without real times and the names of sessions. */
function toComparable(value: unknown): unknown {
  const text = JSON.stringify(value, (name, one: unknown) => {
    const isReal = realTimes.has(name) || (name === 'time' && typeof one === 'number')
    return isReal ? undefined : one
  })
  return text === undefined ? undefined : JSON.parse(text.replaceAll(/\b(?:local|remote)-\d+/g, 'session'))
}

it('a method does the same in process and over HTTP, with each of its options and with odd values', async () => {
  const server = await serve({ future: 'living' })
  let count = 0
  const openPair = async () => {
    count += 1
    const local = server.sandbox.session({ id: `local-${count}` })
    const remote = await openRemoteSession(server, { id: `remote-${count}` })
    const seen = server.sandbox.ensureSession(remote.id)
    await Promise.all([local, seen].map(arrange))
    return { local, remote, seen, before: await observe(local) }
  }
  let pair = await openPair()
  const play = async (path: string, args: readonly unknown[]) => {
    const { local, remote, seen, before } = pair
    const here = { result: await call(local, path, args), after: await observe(local) }
    const there = { result: await call(remote, path, args), after: await observe(seen) }
    if (!isDeepStrictEqual(here.after, before)) {
      // The next call finds a new pair.
      for (const one of [local, seen]) one.close()
      pair = await openPair()
    }
    return { here, there }
  }
  for (const [path, { usual, ...options }] of Object.entries(calls)) {
    const { here, there } = await play(path, usual)
    const expected = returningMore.has(path) ? { ...here, result: undefined } : here
    expect.soft(there, path).toEqual(expected)
    for (const [option, args] of Object.entries(options)) {
      const other = await play(path, args)
      expect.soft(other.there, `${path}, ${option}`).toEqual(other.here)
      expect.soft(other.here, `${path} ignores ${option}`).not.toEqual(here)
    }
    const parameters = usual.length > 0 ? usual : Object.keys(options).slice(0, 1)
    for (const [at] of parameters.entries()) {
      for (const value of oddValues) {
        const odd = await play(path, usual.toSpliced(at, 1, value))
        expect.soft(odd.there, `${path}, ${inspect(value)} at ${at}`).toEqual(odd.here)
      }
    }
  }
})

/** Opens a session, and a function that expects a method of it to do the same in process and over HTTP. */
async function openTwice() {
  const server = await serve()
  const remote = await openRemoteSession(server, {})
  const local = server.sandbox.ensureSession(remote.id)
  const expectAlike = async (path: string, args: readonly unknown[]) => {
    const here = await call(local, path, args)
    expect.soft(await call(remote, path, args), `${path}, ${inspect(args)}`).toEqual(here)
    return here
  }
  return { local, expectAlike }
}

it('a copy and a saved state mean what they are as JSON, in process and over HTTP', async () => {
  const { local, expectAlike } = await openTwice()
  await local.data.customers.patch(1, { segment: 'Startup' })
  const { items } = await as(local, 'mara').get<Page<Readonly<Record<string, unknown>>>>(
    `${harbor}/customers`,
  )
  const judge = (change: (row: (typeof items)[number]) => unknown, options?: object) =>
    expectAlike('sync.verdict', [{ customers: items.map(change) }, options])
  const same = await judge(({ updatedDate, ...row }) => {
    const id = { toJSON: () => row['id'] }
    return { ...row, id, updatedDate: new Date(String(updatedDate)), city: undefined }
  })
  expect(same).toMatchObject({ correct: true })
  await judge((row) => ({ ...row, employeeCount: NaN }))
  await judge((row) => ({ ...row, id: -0 }))
  await judge((row) => row, { ignore: new Set() })
  await judge(() => undefined)
  await judge(({ id }) => BigInt(Number(id)))
  const state: object = JSON.parse(JSON.stringify(await local.saveState()))
  await expectAlike('restoreState', [{ ...state, changes: [undefined] }])
  await expectAlike('restoreState', [{ ...state, faults: new Map() }])
  const restored = await expectAlike('restoreState', [
    { ...state, clock: { now: new Date(0), isMoved: true } },
  ])
  expect(restored).toBeUndefined()
  expect(local.clock.now()).toBe(new Date(0).toISOString())
})

it('an id that a path can hardly carry is refused alike in process and over HTTP', async () => {
  const { expectAlike } = await openTwice()
  for (const id of ['', ' ', '\ud800', 'ä'.repeat(20_000), ...words('. .. %2e % / ../faults a/b # ?a=b')]) {
    for (const path of ['faults.get', 'faults.remove', 'scenarios.remove', 'gates.release']) {
      await expectAlike(path, [id])
    }
    await expectAlike('data.undo', [id, 1])
  }
})

it('every collection is listed by the same options, and refuses the same, in process and over HTTP', async () => {
  const { expectAlike } = await openTwice()
  for (const name of tableNames) {
    for (const options of [
      { customerId: 1, limit: 300 },
      { text: 'e', offset: 1 },
      { limit: -1 },
      { offset: 1.5 },
      { customerId: 0, organizationId: '' },
      { text: '' },
    ]) {
      await expectAlike(`data.${name}.list`, [options])
    }
  }
})

it('a session opens with the same options in process and over HTTP', async () => {
  const inputs: { readonly [K in keyof Required<SessionInput>]: SessionInput } = {
    id: { id: 'checkout' },
    name: { name: 'Checkout' },
    now: { now: '2026-03-01T09:00Z' },
    future: { future: 'still' },
    from: { from: 'template' },
    assumptions: { assumptions: { violationStatus: 422 } },
    faults: { faults: [{ profile: 'flaky' }] },
  }
  const { sandbox, url } = await serve({ future: 'living' })
  await sandbox.session({ id: 'template' }).data.customers.patch(1, { name: 'Tern & Co' })
  const describeSession = async (session: SessionHandle) => {
    const { id } = session
    const shown = await fetch(`${url}/_sandbox/sessions/${id}`)
    const text = JSON.stringify([await shown.json(), await session.saveState()])
    session.close()
    return JSON.parse(text.replaceAll(id, 'session'))
  }
  const usual = await describeSession(sandbox.session())
  for (const [option, input] of Object.entries(inputs)) {
    const here = await describeSession(sandbox.session(input))
    const { id } = await openRemoteSession({ url }, input)
    const there = await describeSession(sandbox.ensureSession(id))
    expect({ option, opened: there }).toEqual({ option, opened: here })
    expect(id === input.id ? id : here, `${option} is ignored`).not.toEqual(usual)
  }
})
