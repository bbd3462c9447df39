import { createHash } from 'node:crypto'

import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { CustomerNote, Sandbox, SessionHandle } from '../../src/index.ts'
import { endpoints } from '../../src/resources/index.ts'
import { tableNames } from '../../src/store/tables.ts'
import { as, crawl, openSandbox, type Page } from '../support.ts'
import { fixture, notes, type Opened, serve } from './control-support.ts'

/** Thousands of calls take a while on a busy machine. */
const long = { timeout: 60_000 }

/**
 * A hash over all that a session is: what members of both organizations read, what the control plane reads, and what
 * would be created next. The session is as before, but for its journal.
 */
async function digest(sandbox: Sandbox, session: Sandbox | SessionHandle = sandbox): Promise<string> {
  const parts: unknown[] = [session.requests.list(), session.clock.now(), session.faults.list()]
  for (const name of ['mara', 'theo', 'omar'] as const) parts.push(await crawl(as(session, name)))
  for (const name of tableNames) parts.push(await session.data[name].list())
  parts.push(await session.data.changes())
  const next = sandbox.session({ from: 'id' in session ? session.id : 'default' })
  next.clock.set('2026-01-15T12:00Z')
  parts.push(next.faults.add({ status: 503 }))
  for (const name of tableNames) parts.push(await next.data[name].create([{}]))
  next.close()
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

it(
  'keeps a hundred sessions apart that create, arrange, fault and move their clocks at once',
  long,
  async () => {
    const { url, sandbox } = await serve({ fixture })
    const before = await digest(sandbox)
    sandbox.requests.clear()
    const numbers = Array.from({ length: 100 }, (_, number) => number)
    const call = async <T>(method: string, path: string, session?: string, body?: unknown): Promise<T> => {
      const init = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = {
        authorization: 'Bearer sbx_harbor_1',
        'content-type': 'application/json',
        ...(session !== undefined && { 'sandbox-session': session }),
      }
      const response = await fetch(`${url}${path}`, { method, headers, ...init })
      const text = await response.text()
      expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300)
      return JSON.parse(text || 'null')
    }
    const lived = numbers.map(async (number) => {
      const { id } = await call<Opened>('POST', '/_sandbox/sessions', undefined, { id: `s${number}` })
      const mark = `mark-${number}-`
      await call('POST', '/_sandbox/clock/advance', id, { by: `P${number + 1}D` })
      const first = await call<CustomerNote>('POST', `/v1${notes}`, id, { categoryId: 1, content: mark })
      await call('PUT', '/_sandbox/data/customers/1', id, { name: mark })
      await call('POST', '/_sandbox/data/customers', id, [{ name: mark }, { name: mark }])
      await call('POST', '/_sandbox/faults', id, {
        path: '/members/me',
        status: 200,
        body: { mark },
        times: 2,
      })
      const faulted = await call('GET', '/v1/members/me', id)
      const second = await call<CustomerNote>('POST', `/v1${notes}`, id, { categoryId: 1, content: mark })
      return { id, number, mark, first, second, faulted }
    })
    for (const { id, number, mark, first, second, faulted } of await Promise.all(lived)) {
      const now = new Date(Date.UTC(2026, 0, 15 + number + 1, 12)).toISOString()
      expect([first, second]).toMatchObject([
        { id: 6, content: mark, createdDate: now },
        { id: 7, content: mark, createdDate: now },
      ])
      expect(faulted).toEqual({ mark })
      const base = `/_sandbox/sessions/${id}/v1`
      const written = await call<Page<CustomerNote>>('GET', `${base}${notes}?offset=1`)
      expect(written).toEqual({ items: [first, second], totalCount: 3 })
      const customers = await call<Page<unknown>>('GET', `${base}/organizations/harbor/customers`)
      expect(customers).toMatchObject({ items: [1, 2, 3].map((customer) => ({ id: customer, name: mark })) })
      expect(await call('GET', '/_sandbox/clock', id)).toEqual({ now })
      expect(await call('GET', '/_sandbox/faults', id)).toMatchObject({ items: [{ id: 'fault-1', left: 1 }] })
      expect(await call('GET', '/_sandbox/data/changes', id)).toMatchObject({ totalCount: 5 })
      const journal = await call<Page<{ session: string }>>('GET', '/_sandbox/requests?bodies=true', id)
      expect(new Set(journal.items.map(({ session }) => session))).toEqual(new Set([id]))
      expect(journal.totalCount).toBe(5)
      expect(new Set(JSON.stringify(journal).match(/mark-\d+-/g))).toEqual(new Set([mark]))
    }
    expect(sandbox.requests.list()).toEqual([])
    expect(await digest(sandbox)).toBe(before)
    await Promise.all(numbers.map((number) => call('DELETE', `/_sandbox/sessions/s${number}`)))
    expect(await call('GET', '/_sandbox/sessions')).toEqual({ items: [], totalCount: 0 })
  },
)

type Call = readonly [method: string, path: string, body?: unknown]

const id = fc.integer({ min: 1, max: 12 })
const text = fc.string({ maxLength: 20 })
const home = '/v1/organizations/harbor'
const lists = [
  'customers',
  'customers?scope=mine',
  'signals?limit=3',
  'members',
  'products',
  'briefs',
  'nowhere',
]
const instants = fc.constantFrom('2026-01-15T12:00:00.000Z', '2020-02-29T00:00Z', '9999-12-31T23:59:59.999Z')
const durations = fc.constantFrom('P1D', 'PT1.5H', 'P1000Y', 'P')
const names = fc.constantFrom('s1', 's2', 's3', 's4')
const controls = ['clock', 'faults', 'requests', 'requests.har', 'credentials', 'data', 'sessions', 'nowhere']

/** A record and what it is to become; what is not said is drawn. */
const arranged = fc.oneof(
  fc.tuple(fc.constantFrom(...tableNames), id, fc.constant({})),
  fc.tuple(
    fc.constant('customers'),
    id,
    fc.record({ name: text, employeeCount: fc.nat(), memberRoles: fc.constant([]) }),
  ),
  fc.tuple(fc.constant('notes'), id, fc.record({ customerId: id, content: text })),
  fc.tuple(fc.constant('members'), id, fc.record({ firstName: text, managerId: id })),
  fc.tuple(
    fc.constant('signals'),
    id,
    fc.record({ customerId: id, status: fc.constantFrom('open', 'closed', 'lost') }),
  ),
)
// Nobody deletes the members who make the calls.
const deletable = fc
  .tuple(fc.constantFrom(...tableNames), id)
  .filter(([name, at]) => name !== 'members' || at > 4)

const target = { operationId: fc.constantFrom(...endpoints.map((endpoint) => endpoint.id), 'nothing') }
const times = fc.integer({ min: 1, max: 3 })
const fault = fc.oneof(
  fc.record({
    ...target,
    times,
    status: fc.constantFrom(200, 429, 503),
    probability: fc.constantFrom(0.5, 1),
  }),
  fc.record({ ...target, times, malfunction: fc.constantFrom('reset', 'empty', 'truncate', 'malformed') }),
  fc.record({ ...target, times, delayMs: fc.nat(1), headers: fc.constant({ 'x-fault': 'yes' }) }),
)

const call: fc.Arbitrary<Call> = fc.oneof(
  fc.constantFrom(...lists).map((path): Call => ['GET', `${home}/${path}`]),
  id.map((at): Call => ['GET', `${home}/customers/${at}/meetings`]),
  fc.tuple(id, text).map(([at, content]): Call => {
    return ['POST', `${home}/customers/${at}/notes`, { categoryId: 1, content }]
  }),
  arranged.map(([name, at, body]): Call => ['PUT', `/_sandbox/data/${name}/${at}`, body]),
  arranged.map(([name, at, body]): Call => ['PATCH', `/_sandbox/data/${name}/${at}`, body]),
  deletable.map(([name, at]): Call => ['DELETE', `/_sandbox/data/${name}/${at}`]),
  fc.constantFrom(...controls).map((path): Call => ['GET', `/_sandbox/${path}`]),
  fault.map((body): Call => ['POST', '/_sandbox/faults', body]),
  fc.constantFrom('faults', 'requests').map((path): Call => ['DELETE', `/_sandbox/${path}`]),
  instants.map((now): Call => ['PUT', '/_sandbox/clock', { now }]),
  durations.map((by): Call => ['POST', '/_sandbox/clock/advance', { by }]),
  fc.record({ id: names, from: fc.constantFrom('default', 's1') }).map((body): Call => {
    return ['POST', '/_sandbox/sessions', body]
  }),
  names.map((name): Call => ['DELETE', `/_sandbox/sessions/${name}`]),
)

/** Five thousand calls, most of them in the session itself, the others in sessions that it may have opened. */
const calls = fc.sample(fc.tuple(call, fc.option(names, { freq: 1, nil: undefined })), {
  seed: 42,
  numRuns: 5_000,
})

/** Makes the calls, one after the other. Gives how many of each kind were answered with 200 or 204. */
async function play(
  { fetch }: Pick<Sandbox, 'fetch'>,
  count = calls.length,
): Promise<Readonly<Record<string, number>>> {
  const done: Record<string, number> = {}
  for (const [[method, path, body], session] of calls.slice(0, count)) {
    const named = session === undefined ? undefined : { 'sandbox-session': session }
    const headers = { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json', ...named }
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const request = new Request(`http://sandbox${path}`, { method, headers, ...init })
    // A fault may break the connection, or the answer.
    const response = await fetch(request).catch(() => undefined)
    await response?.text().catch(() => undefined)
    if (!response || response.headers.has('sandbox-fault')) continue
    expect(response.status, `${method} ${path} ${JSON.stringify(body)}`).toBeLessThan(500)
    const kind = `${method} ${/^\/(v1|_sandbox\/\w+)/.exec(path)?.[1]}`
    if (response.ok) done[kind] = (done[kind] ?? 0) + 1
  }
  return done
}

/** Expects that calls of every kind have done something. */
function expectBusy(done: Readonly<Record<string, number>>): void {
  expect(Object.keys(done).filter((kind) => !kind.startsWith('GET'))).toHaveLength(11)
  expect(Math.min(...Object.values(done))).toBeGreaterThan(10)
}

it('gives the bytes of the first moment after a reset, whatever 5,000 calls did', long, async () => {
  // Of another sandbox: whatever this one keeps to be quick, it learns from the calls.
  const before = await digest(await openSandbox({ size: 3 }))
  const sandbox = await openSandbox({ size: 3 })
  expectBusy(await play(sandbox))
  expect(await sandbox.data.changes()).not.toEqual([])
  await sandbox.reset()
  expect(await digest(sandbox)).toBe(before)
})

it('gives them after a reseed and back, too', long, async () => {
  const sandbox = await openSandbox({ size: 3 })
  const before = await digest(sandbox)
  await play(sandbox)
  await sandbox.reseed({ seed: 43 })
  expect(await digest(sandbox)).not.toBe(before)
  await sandbox.reseed({ seed: 42 })
  expect(await digest(sandbox)).toBe(before)
})

it('does the same again after a reset, call by call, in any session', long, async () => {
  const sandbox = await openSandbox({ size: 3 })
  const session = sandbox.session({ id: 'again' })
  const before = await digest(sandbox, session)
  const played = async () => {
    await session.reset()
    const done = await play(session, 1_000)
    for (const name of ['s1', 's2', 's3', 's4']) {
      await session.fetch(new Request(`http://sandbox/_sandbox/sessions/${name}`, { method: 'DELETE' }))
    }
    // The journal tells of real time.
    session.requests.clear()
    session.faults.clear()
    return { done, after: await digest(sandbox, session) }
  }
  expect(await played()).toEqual(await played())
  await session.reset()
  expect(await digest(sandbox, session)).toBe(before)
})
