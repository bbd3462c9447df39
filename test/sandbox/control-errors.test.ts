import { expect, it } from 'vitest'

import { expectInvalid, expectProblem } from '../support.ts'
import { expectRefusal, open, serve } from './control-support.ts'

/** Requests in error change nothing. */
const { sandbox } = await open()

/** Requests below `/_sandbox` with a wrong field, and the fields that the errors name. A string body is sent as it is. */
const invalid: readonly (readonly [call: string, body: unknown, ...places: string[]])[] = [
  ['POST /reseed', { fixture: JSON.parse('{"__proto__":{}}') }, 'body fixture.__proto__'],
  ['POST /reseed', { fixture: { notes: [{ id: 1, customerId: 77 }] } }, 'body fixture.notes[0].customerId'],
  ['POST /reseed', { seed: -1, size: 1, now: 'noon' }, 'body seed', 'body size', 'body now'],
  ['POST /reseed', { now: '9999-06-01T00:00Z' }, 'body now'],
  ['POST /reseed', [], 'body '],
  ['POST /reseed', { sede: 1 }, 'body sede'],
  // A fixture has a name or content, never a path.
  ['POST /reseed', { fixture: './fixtures/empty.json' }, 'body fixture'],
  ['POST /reseed', { fixture: '__proto__' }, 'body fixture'],
  ['POST /reseed', { fixture: { complete: true, madeWith: { size: 1 } } }, 'body fixture.madeWith.size'],
  ['POST /reset', { seed: 7 }, 'body seed'],
  ['PUT /clock', undefined, 'body now'],
  ['POST /clock/tick', { by: 'P1D', on: 'listCustomer' }, 'body on'],
  ['POST /faults', 7, 'body '],
  ['POST /faults', { status: 500, operationId: { toString: 1 } }, 'body operationId'],
  ['POST /faults', [{ status: 500 }, { status: 1 }], 'body [1].status'],
  ['GET /requests?limit=x&caller=y', undefined, 'query caller', 'query limit'],
  ['GET /requests?method=x&path=/v1/x', undefined, 'query path', 'query method'],
  [
    'GET /requests?status=99&since=y&limit=1&limit=2',
    undefined,
    'query status',
    'query since',
    'query limit',
  ],
  ['GET /sync/truth?collection=customers&at=2026&limit=1001', undefined, 'query at', 'query limit'],
  ['GET /sync/truth?collection=customers&as=0', undefined, 'query as'],
  ['GET /requests.har?operationId=x', undefined, 'query operationId'],
  ['POST /requests/verify', { query: JSON.parse('{"__proto__":1}') }, 'body query.__proto__'],
  ['POST /requests/verify', { operationId: 'x', method: 'x' }, 'body operationId', 'body method'],
  ['POST /requests/verify', { path: '/nothing/here' }, 'body path'],
  ['POST /requests/verify', { operationId: 'getSignal', path: '/members/me', never: true }, 'body path'],
  [
    'POST /requests/verify',
    { inOrder: [{ operationId: 'getSignal', method: 'POST' }] },
    'body inOrder[0].method',
  ],
  ['POST /requests/verify', { count: -1 }, 'body count'],
  ['POST /requests/verify', { count: 1, atLeast: 1 }, 'body count'],
  ['POST /requests/verify', { atLeast: 2, atMost: 1 }, 'body atLeast'],
  ['POST /requests/verify', { inOrder: [] }, 'body inOrder'],
  ['POST /requests/verify', { inOrder: [{ operationid: 'x' }] }, 'body inOrder[0].operationid'],
  ['POST /requests/verify', { inOrder: [{}], count: 1 }, 'body inOrder', 'body count'],
  ['POST /requests/verify', { status: 'x' }, 'body status'],
  ['POST /requests/verify', { query: { limit: {} } }, 'body query.limit'],
  ['POST /requests/verify', [], 'body '],
  ...['preview', 'explain'].flatMap((name): (typeof invalid)[number][] => [
    [`POST /${name}`, { path: '/%2e%2e/health', token: 'sbx_harbor_1' }, 'body path'],
    [`POST /${name}`, { path: '/members/me', token: 'sbx_hårbor_1\n' }, 'body token'],
  ]),
  ['POST /explain', { path: '/members/me', token: 'x', id: 'y' }, 'body id'],
  ['POST /preview', { tokn: 1 }, 'body path', 'body token', 'body tokn'],
  ['PATCH /assumptions', { errorFormat: 'x', y: 1 }, 'body errorFormat', 'body y'],
  [
    'POST /sessions',
    { name: 'x'.repeat(201), now: '2026-02-29T00:00Z', from: 7 },
    'body name',
    'body now',
    'body from',
  ],
  ['POST /sessions', { nmae: 'x', faults: [] }, 'body faults', 'body nmae'],
  ['POST /sessions', { assumptions: { x: 1 } }, 'body assumptions.x'],
  ['PUT /sessions/a', { id: 'b' }, 'body id'],
  ['PUT /sessions/a', { faults: { status: 1 } }, 'body faults.status'],
  ['GET /data/changes?since=yesterday&by=me', undefined, 'query since', 'query by'],
  ['GET /data/customers?organizationId=x', undefined, 'query organizationId'],
  ['GET /data/customers?limit=-1&offset=1.5&id=1', undefined, 'query offset', 'query limit', 'query id'],
  ['GET /data/customers/counts?by=x', undefined, 'query by'],
  ['DELETE /data/changes/customers/x', undefined, 'path id'],
  ['PUT /data/customers/1?organizationId=quill', {}, 'query organizationId'],
  ['PUT /data/customers/901?organizationId=quil', {}, 'query organizationId'],
  ['PUT /data/customers/901', { id: 902 }, 'body id'],
  ['PUT /data/customers/1', 'x', 'body '],
  ['PATCH /data/customers/1', [], 'body '],
  ['POST /data/customers', [{}, { name: 1 }], 'body [1].name'],
  ['POST /data', { signals: [{ status: 1 }] }, 'body signals[0].status'],
  ['POST /data', { custumers: [], notes: {} }, 'body notes', 'body custumers'],
]

it.for(invalid)('names the wrong fields of %s with %j', async ([call, body, ...places]) => {
  const [method = '', path = ''] = call.split(' ')
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const init = { method, ...(sent !== undefined && { body: sent }) }
  await expectInvalid(await sandbox.fetch(`/_sandbox${path}`, init), ...places)
})

const list = (length: number): number[] => Array.from({ length }, () => 1)

it.for([
  ['PUT', '/state', 20_000, 'changes[98]', 'changes'],
  ['POST', '/faults', 1_000, '[98].path', ''],
] as const)(
  'ends with the first hundred errors of a long list of %s %s, and counts the items that it leaves out',
  async ([method, path, length, lastListed, name]) => {
    const faults = Array.from({ length }, () => ({ path: '/none', status: 503 }))
    const body = method === 'PUT' ? { ...(await sandbox.saveState()), changes: list(length) } : faults
    const init = { method, body: JSON.stringify(body) }
    const response = await sandbox.fetch(`/_sandbox${path}`, init)
    const { errors = [], detail } = await expectProblem(response, 'invalid_request')
    expect(errors).toHaveLength(100)
    expect(errors[98]).toMatchObject({ name: lastListed })
    const message = `has ${length - 100} more items, which are not validated`
    expect(errors[99]).toEqual({ in: 'body', name, message })
    expect(detail).toContain(message)
  },
)

/** Sends a call that is refused, and returns the detail. */
async function send(method: string, path: string, body: unknown): Promise<string> {
  const response = await sandbox.fetch(`/_sandbox${path}`, { method, body: JSON.stringify(body) })
  return (await expectProblem(response, 'invalid_request')).detail
}

it('reports an invalid path before an unknown parameter of the query', async () => {
  const ofCollection = await sandbox.fetch('/_sandbox/data/customer/1?limt=1')
  const { detail } = await expectProblem(ofCollection, 'not_found')
  expect(detail).toBe('There is no collection customer. Did you mean customers?')
  await expectInvalid(await sandbox.fetch('/_sandbox/requests/x?limt=1'), 'path id')
  await expectInvalid(await sandbox.fetch('/_sandbox/requests/1?limt=1'), 'query limt')
})

it('refuses a body with too many values, or an object with too many fields', async () => {
  expect(await send('PATCH', '/data/customers/1', { products: list(5_000) })).toContain('5000 values')
  expect(await send('POST', '/scenarios', { name: list(10_000) })).toContain('10000 values')
  expect(await send('PUT', '/clock', Object.assign({}, list(20_001)))).toContain('20000 fields')
})

it.each([
  ['{"now":', ' (it is cut off)'],
  ['{\n  "now": noon\n}', ' (line 2, column 11)'],
  [`[${'1,'.repeat(40_000)}]`, ''],
])('says from where on a body of usual length is not JSON: %#', async (body, place) => {
  const response = await sandbox.fetch('/_sandbox/clock', { method: 'PUT', body })
  const { detail } = await expectProblem(response, 'invalid_request')
  expect(detail).toBe(`body as a whole: must be JSON${place}`)
})

it.each([
  ['PUT', '/state', 'Start a server from a larger state with --state FILE.'],
  ['POST', '/reseed', 'Start a server from a larger fixture with --fixture FILE.'],
  ['POST', '/data', 'Send less at once.'],
])('says what to do with a body that is too large for %s %s', async (method, path, remedy) => {
  const body = `{"x":"${'x'.repeat(16 * 1_048_576)}"}`
  const { detail } = await expectProblem(
    await sandbox.fetch(`/_sandbox${path}`, { method, body }),
    'payload_too_large',
  )
  expect(detail).toBe(`The body is larger than 16 MiB. ${remedy}`)
})

it('says that a parameter is required, and suggests no word that is hardly like the one that was sent', async () => {
  expect(await send('POST', '/faults', { method: 'PUT', status: 500 })).toBe(
    'body method: must be one of GET, HEAD, POST',
  )
  const response = await sandbox.fetch('/_sandbox/find')
  expect((await expectProblem(response, 'invalid_request')).detail).toBe('query q: is required')
})

it.for([
  ['GET /_sandbox/credential', 'GET /_sandbox/credentials'],
  ['POST /_sandbox/rest', 'POST /_sandbox/reset'],
  ['DELETE /_sandbox/fault', 'DELETE /_sandbox/faults'],
  ['DELETE /_sandbox/session/abc', 'DELETE /_sandbox/sessions/{id}'],
] as const)('names the nearest control route for %s', async ([call, nearest]) => {
  const [method = '', path = ''] = call.split(' ')
  const response = await sandbox.fetch(new Request(`http://sandbox${path}`, { method }))
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining(`The nearest is ${nearest}. GET /_sandbox/openapi.json`),
  })
})

it('says that a control path has an extra slash', async () => {
  for (const path of ['faults/', '/faults', 'sessions/some-long-id/']) {
    const response = await sandbox.fetch(`http://sandbox/_sandbox/${path}`)
    expect(await response.json()).toMatchObject({
      status: 404,
      detail: expect.stringMatching(/^There is no control route at this path\. Remove the extra slash\. GET/),
    })
  }
})

it('answers 404 for a name that no file can have, and redirects to what was asked for', async () => {
  const { ask } = await serve()
  const names = ['%00', '..%00/etc/passwd', 'a%00.html', 'x'.repeat(5_000), 'a%0d%0ab', '%2e%2e%2fetc/passwd']
  for (const name of names) {
    for (const folder of ['/_sandbox/assets/', '/_sandbox/docs/']) {
      expectRefusal(await ask(`${folder}${name}`), 'not_found')
    }
  }
  for (const page of ['%00', 'a%0D%0Ab', '%E2%82%AC', 'a%3Fb', 'reference/', 'reference/customers']) {
    const { status, headers } = await ask(`/docs/${page}`)
    expect([status, headers.location]).toEqual([302, `/_sandbox/docs/${page}`])
  }
})
