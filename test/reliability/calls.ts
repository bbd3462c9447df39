import { createHash } from 'node:crypto'

import * as fc from 'fast-check'
import { expect } from 'vitest'

import type { Sandbox, SessionHandle } from '../../src/index.ts'
import { endpoints } from '../../src/service/index.ts'
import { tableNames } from '../../src/store/tables.ts'
import { as, crawl } from '../support.ts'
import { chooseAmount } from './figures.ts'

/**
 * Hashes the state of a session: everything that members of both organizations and the control plane can read, and the
 * records that would be created next. Changes only the journal of the session.
 */
export async function digest(sandbox: Sandbox, session: Sandbox | SessionHandle = sandbox): Promise<string> {
  const settings = [session.requests.list(), session.clock.now(), session.faults.list()]
  const next = sandbox.session({ from: 'id' in session ? session.id : 'default' })
  const fault = next.faults.add({ status: 503 })
  next.close()
  return hash([settings, fault, await readRecords(sandbox, session)])
}

/** Hashes the part of the default session that is stored on disk. */
export async function digestStored(sandbox: Sandbox): Promise<string> {
  return hash(await readRecords(sandbox, sandbox))
}

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

async function readRecords(sandbox: Sandbox, session: Sandbox | SessionHandle): Promise<unknown> {
  const parts: unknown[] = []
  for (const name of ['mara', 'theo', 'omar'] as const) parts.push(await crawl(as(session, name)))
  for (const name of tableNames) parts.push(await session.data[name].list())
  parts.push(await session.data.changes())
  const next = sandbox.session({ from: 'id' in session ? session.id : 'default' })
  next.clock.set('2026-01-15T12:00Z')
  for (const name of tableNames) parts.push(await next.data[name].create([{}]))
  next.close()
  return parts
}

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

/** A record and its new fields; the others are generated. */
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
// The members who make the calls must stay.
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
  fc.record({ ...target, times, malfunction: fc.constantFrom('empty', 'truncate', 'malformed') }),
  fc.record({ ...target, times, reset: fc.constant(true) }),
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

/** Calls, most of them in the session itself, the others in sessions that it may have opened. */
const calls = fc.sample(fc.tuple(call, fc.option(names, { freq: 1, nil: undefined })), {
  seed: 42,
  numRuns: chooseAmount(250, 5_000),
})

/** Makes the calls one after the other; returns how many of each kind succeeded. */
export async function play({ fetch }: Pick<Sandbox, 'fetch'>): Promise<Readonly<Record<string, number>>> {
  const done: Record<string, number> = {}
  for (const [[method, path, body], session] of calls) {
    const named = session === undefined ? undefined : { 'sandbox-session': session }
    const headers = { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json', ...named }
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const request = new Request(`http://sandbox${path}`, { method, headers, ...init })
    // A fault may break the connection or the response.
    const response = await fetch(request).catch(() => undefined)
    await response?.text().catch(() => undefined)
    if (!response || response.headers.has('sandbox-fault')) continue
    expect(response.status, `${method} ${path} ${JSON.stringify(body)}`).toBeLessThan(500)
    const kind = `${method} ${/^\/(v1|_sandbox\/\w+)/.exec(path)?.[1]}`
    if (response.ok) done[kind] = (done[kind] ?? 0) + 1
  }
  return done
}
