import { afterAll, expect, it, onTestFinished } from 'vitest'

import { createSandbox, SandboxError, type SessionHandle, sweep } from '../../src/index.ts'
import { startSandbox } from '../../src/node.ts'
import { openRemoteSession, type RemoteSession } from '../../src/sandbox/remote/session.ts'
import { createWorker } from '../../src/worker.ts'
import { createJsonPost, openSandbox, tokens } from '../support.ts'

const sandbox = await openSandbox()
const server = await startSandbox({ port: 0, size: 'small' })
afterAll(() => server.close())
const session = sandbox.session()
const remote = await openRemoteSession(server, {})
const wrong = { nmae: 'x' } as never
const none = null as never

/** Calls of a session or a sandbox with a wrong argument, and the start of their errors. */
const calls: readonly (readonly [
  call: (handle: SessionHandle | RemoteSession) => unknown,
  message: RegExp,
])[] = [
  // @ts-expect-error -- a customer has no such field
  [(at) => at.data.customers.put({ nmae: 'x' }), /^record nmae: is not known\. Did you mean name\?$/],
  // @ts-expect-error -- a status is one of four
  [(at) => at.data.signals.patch(1, { status: 'done' }), /^patch status: must be one of /],
  [(at) => at.data.customers.patch(1, { id: 2 }), /^patch id: must be 1/],
  [(at) => at.data.customers.patch(99, {}), /^There is no customer 99\.$/],
  [(at) => at.data.customers.create([{}, wrong]), /^records\[1\]\.nmae: is not known/],
  [(at) => at.data.create({ customers: [wrong] }), /^batch customers\[0\]\.nmae: /],
  // @ts-expect-error -- no such collection
  [(at) => at.data.create({ customer: [{}] }), /^batch customer: is not known/],
  [(at) => at.data.customers.create([{}], wrong), /^argument nmae: is not known/],
  [(at) => at.data.create({ customers: [{}] }, wrong), /^argument nmae: is not known/],
  [(at) => at.data.customers.put({}, wrong), /^argument nmae: is not known/],
  [(at) => at.data.customers.counts('city', wrong), /^argument nmae: is not known/],
  [(at) => at.data.customers.list({ organizationId: 'habor' }), /^argument organizationId: habor/],
  // @ts-expect-error -- no such field
  [(at) => at.data.customers.counts('segmnet'), /^argument by: segmnet is not .* Did you mean segment\?$/],
  [(at) => at.data.customers.counts('products'), /^argument by: products is not a field of customers that /],
  [(at) => at.data.members.delete(1), /^Cannot delete member 1: /],
  // @ts-expect-error -- no such collection
  [(at) => at.data.undo('customer', 1), /Did you mean customers\?$/],
  [(at) => at.data.undo('customers', 1), /^Cannot undo the change of customer 1: it is unchanged\.$/],
  [(at) => at.explain({ path: 'x', token: 'y' }), /^input path: must start with \//],
  [(at) => at.preview({ path: 'x', token: 'y' }), /^input path: must start with \//],
  [(at) => at.clock.set('now'), /^instant(?: now)?: must be /],
  [(at) => at.clock.advance('1 day'), /^duration(?: by)?: must be an ISO 8601 duration/],
  [(at) => at.clock.advance(none), /^duration(?: by)?: must be a string$/],
  [(at) => at.clock.tick(none), /^tick: must be an object$/],
  [(at) => at.faults.get(none), /^There is no fault null\./],
  [(at) => at.scenarios.remove(none), /^There is no scenario null\./],
  [(at) => at.gates.release(none), /^No gate holds null:/],
  [(at) => at.faults.add({ status: 99 }), /^fault status: must be /],
  [(at) => at.faults.add({ delayMs: { min: 1, max: NaN } }), /^fault delayMs\.max: must be .* \(got NaN\)$/],
  [(at) => at.faults.addAll([{ status: 99 }]), /^faults\[0\]\.status: must be /],
  // @ts-expect-error -- no such profile
  [(at) => at.faults.add({ profile: 'flakey' }), /^fault profile: must be one of /],
  [(at) => at.faults.remove('fault-9'), /^There is no fault fault-9\./],
  // @ts-expect-error -- no such scenario
  [(at) => at.scenarios.add({ name: 'page-drit' }), /^scenario name: must be one of .*page-drift\?\)$/],
  [
    (at) => at.requests.assertNoWarnings({ ignore: ['unread_page' as never] }),
    /^options ignore\[0\]: .* \(did you mean unread_pages\?\)$/,
  ],
  // @ts-expect-error -- no such operation
  [(at) => at.requests.list({ operationId: 'listCustomer' }), /^filter operationId: .* listCustomers\?$/],
  [(at) => at.requests.list({ limit: -1 }), /^filter limit: must be/],
  [(at) => at.requests.har({ status: 600 }), /^filter status: must be/],
  [(at) => at.data.changes({ since: -1 }), /^filter since: must be/],
  [(at) => at.clock.events({ to: 'now' }), /^argument to: must be/],
  [(at) => at.clock.events({ to: '2026-01-01T00:00Z' }), /must not be before from/],
  [(at) => at.clock.events({ to: '2028-01-01T00:00Z' }), /at most 400 days/],
  [(at) => at.data.customers.history(99_999), /^There is no customer 99999\.$/],
  [(at) => at.sync.truth('customers', { limit: 0 }), /^argument limit: must be/],
  [(at) => at.restoreState([] as never), /^state: must be an object$/],
  [(at) => at.restoreState({ format: 7 } as never), /^state format: is 7/],
  [
    // @ts-expect-error -- no such operation
    (at) => at.requests.verify({ inOrder: [{ operationId: 'listCustomer' }] }),
    /^rule inOrder\[0\]\.operationId: .* Did you mean listCustomers\?$/,
  ],
  [() => sandbox.data.customers.put(wrong), /^record nmae: is not known/],
  [() => sandbox.reseed({ seed: -1 }), /^option seed: must be a whole number /],
  [() => createSandbox({ seed: -1 }), /^option seed: must be a whole number /],
  ...[none, 42 as never, 'small' as never, [] as never].map((options) => {
    return [() => createSandbox(options), /^The options must be an object like \{ seed: 42 \}\.$/] as const
  }),
  [() => createSandbox(JSON.parse('{"sed":7}')), /^option sed: is not known\. Did you mean seed\?$/],
  [
    // @ts-expect-error -- no such value
    () => createSandbox({ assumptions: { violationStatus: 423 } }),
    /^option assumptions\.violationStatus: must be one of 400, 422$/,
  ],
  // @ts-expect-error -- no such assumption
  [() => sandbox.session({ assumptions: { x: 1 } }), /^session assumptions\.x: is not known/],
  // @ts-expect-error -- no such meaning
  [() => sandbox.session({ assumptions: { signalStatuses: { NEW: 'x' } } }), /signalStatuses: .*meanings/],
  [
    () => createSandbox({ state: { format: 1 } as never }),
    /^state version: is required; .*; state changes: is required$/,
  ],
  // @ts-expect-error -- no options
  [() => sweep(), /^option: is required$/],
  [() => sweep({ run: none, copy: 'rows' as never }), /^option run: must be a function; option copy: must /],
  [() => createWorker({ port: 1 } as never), /^option port: is not known\. Known are seed, /],
  [() => sandbox.session({ id: '/' }), /^session id: must be 1 to 64 /],
  [() => sandbox.ensureSession('/'), /^session id: must be 1 to 64 /],
]

async function refusalOf(call: () => unknown): Promise<SandboxError> {
  try {
    await call()
  } catch (error) {
    if (error instanceof SandboxError) return error
    throw error
  }
  throw new Error('The call was not refused.')
}

it.each(calls)(
  'names the argument and the line of a call that is rejected, the same in this process and from another one: %s',
  async (call, expected) => {
    const refusals = [await refusalOf(() => call(session)), await refusalOf(() => call(remote))]
    for (const { code, message, stack = '' } of refusals) {
      expect([code, message]).toEqual([refusals[0]?.code, refusals[0]?.message])
      expect(message).toMatch(expected)
      expect(message).not.toMatch(/\b(?:body|query)\b/)
      expect(stack).toContain(message)
      const frames = stack.slice(stack.indexOf(message) + message.length).split('\n')
      expect(frames.find((line) => /^\s+at /.test(line))).toContain('in-process-errors.test.ts')
    }
  },
)

it('rejects a request that is given up before it is sent, as the global fetch does, and stores nothing', async () => {
  const client = sandbox.session()
  const note = createJsonPost({ categoryId: 1, content: 'Lost' }, { authorization: `Bearer ${tokens.mara}` })
  const url = 'http://sandbox/v1/organizations/harbor/customers/1/notes'
  const signal = AbortSignal.abort(new Error('gave up'))
  await expect(client.fetch(url, { ...note, signal })).rejects.toThrow('gave up')
  await expect(client.fetch(new Request(url, { ...note, signal }))).rejects.toThrow('gave up')
  expect(await client.data.changes()).toEqual([])
  expect(client.requests.list()).toEqual([])
  expect((await client.fetch(url, note)).status).toBe(200)
})

const authorization = `Bearer ${tokens.mara}`
const me = '/v1/members/me'

/** Opens a session that redirects the first request for the caller. */
function openRedirecting(status: number, location: string, times = 1) {
  const client = sandbox.session()
  client.faults.add({ method: 'GET', path: '/members/me', status, headers: { location }, times })
  return client
}

it('describes a response as the global fetch does', async () => {
  const response = await sandbox.session().fetch(`${me}?x=1#top`, { headers: { authorization } })
  for (const one of [response.clone(), response]) {
    expect(one).toMatchObject({ url: `http://sandbox${me}?x=1`, statusText: 'OK', redirected: false })
    expect(new URL('?limit=1', one.url).href).toBe(`http://sandbox${me}?limit=1`)
    expect(await one.json()).toMatchObject({ id: 1 })
  }
  expect(await sandbox.fetch('/v1/nowhere')).toMatchObject({ status: 401, statusText: 'Unauthorized' })
})

it('follows redirects, refuses them or returns them, as the request says', async () => {
  const headers = { authorization }
  const categories = '/v1/organizations/harbor/note-categories'
  for (const status of [301, 302, 303, 307, 308]) {
    const followed = await openRedirecting(status, categories).fetch(me, { headers })
    expect(followed).toMatchObject({ status: 200, url: `http://sandbox${categories}`, redirected: true })
    const manual = await openRedirecting(status, categories).fetch(me, { headers, redirect: 'manual' })
    expect(manual).toMatchObject({ status, url: `http://sandbox${me}`, redirected: false })
    const refused = openRedirecting(status, categories).fetch(
      new Request(`http://x${me}`, { headers, redirect: 'error' }),
    )
    await expect(refused).rejects.toThrow(TypeError)
  }
  await expect(openRedirecting(302, me, 100).fetch(me, { headers })).rejects.toThrow(TypeError)
  await expect(openRedirecting(302, 'ftp://x').fetch(me, { headers })).rejects.toThrow(TypeError)
  // Without the token, which another origin must not get.
  expect((await openRedirecting(302, `http://other${me}`).fetch(me, { headers })).status).toBe(401)
})

it('sends a body again after a redirect, unless that makes it a GET', async () => {
  const notes = '/v1/organizations/harbor/customers/1/notes'
  const note = createJsonPost({ categoryId: 1, content: 'Sent again' }, { authorization })
  for (const status of [301, 302, 303, 307, 308]) {
    const client = sandbox.session()
    client.faults.add({ method: 'POST', status, headers: { location: notes }, times: 1 })
    expect((await client.fetch(notes, note)).status).toBe(200)
    const [, again] = client.requests.list()
    const expected =
      status < 304 ? { method: 'GET', request: {} } : { method: 'POST', request: { body: note.body } }
    expect(again).toMatchObject(expected)
  }
})

it('needs no crypto.subtle, which pages without TLS do not have', async () => {
  const options = { fixture: { extends: 'empty', customers: [{ id: 1, name: 'Åsa & Søn' }] } }
  const expected = await (await openSandbox(options)).dataset.fingerprint()
  // Sandboxes share the latest datasets, and what is known of them.
  for (const seed of [8, 9]) await openSandbox({ seed, size: 3 })
  Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(crypto, 'subtle'))
  const insecure = await openSandbox(options)
  expect(await insecure.dataset.fingerprint()).toBe(expected)
  for (const path of ['/health', '/_sandbox/state']) expect((await insecure.fetch(path)).status).toBe(200)
})
