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

/** Sends a call. */
function send(call: string, body: unknown): Promise<Response> {
  const [method = '', path = ''] = call.split(' ')
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  return sandbox.fetch(`/_sandbox${path}`, { method, ...(sent !== undefined && { body: sent }) })
}

it.for(invalid)('names the wrong fields of %s with %j', async ([call, body, ...places]) => {
  await expectInvalid(await send(call, body), ...places)
})

const list = (length: number): number[] => Array.from({ length }, () => 1)

it.for([
  ['PUT /state', 20_000, 'changes[98]', 'changes'],
  ['POST /faults', 1_000, '[98].path', ''],
] as const)(
  'ends with the first hundred errors of a long list of %s, and counts the items that it leaves out',
  async ([call, length, lastListed, name]) => {
    const faults = Array.from({ length }, () => ({ path: '/none', status: 503 }))
    const isState = call === 'PUT /state'
    const body = isState ? { ...(await sandbox.saveState()), changes: list(length) } : faults
    const { errors = [], detail } = await expectProblem(await send(call, body), 'invalid_request')
    expect(errors).toHaveLength(100)
    expect(errors[98]).toMatchObject({ name: lastListed })
    const message = `has ${length - 100} more items, which are not validated`
    expect(errors[99]).toEqual({ in: 'body', name, message })
    expect(detail).toContain(message)
  },
)

it('reports an invalid path before an unknown parameter of the query', async () => {
  const ofCollection = await send('GET /data/customer/1?limt=1', undefined)
  const { detail } = await expectProblem(ofCollection, 'not_found')
  expect(detail).toBe('There is no collection customer. Did you mean customers?')
  await expectInvalid(await send('GET /requests/x?limt=1', undefined), 'path id')
  await expectInvalid(await send('GET /requests/1?limt=1', undefined), 'query limt')
})

const large = `{"x":"${'x'.repeat(16 * 1_048_576)}"}`

it.for([
  ['PATCH /data/customers/1', { products: list(5_000) }, 'invalid_request', /5000 values/],
  ['POST /scenarios', { name: list(10_000) }, 'invalid_request', /10000 values/],
  ['PUT /clock', Object.assign({}, list(20_001)), 'invalid_request', /20000 fields/],
  ['PUT /clock', '{"now":', 'invalid_request', /^body as a whole: must be JSON \(it is cut off\)$/],
  ['PUT /clock', '{\n  "now": noon\n}', 'invalid_request', /: must be JSON \(line 2, column 11\)$/],
  // To look for the damage of a long body would take long.
  ['PUT /clock', `[${'1,'.repeat(40_000)}]`, 'invalid_request', /: must be JSON$/],
  ['GET /find', undefined, 'invalid_request', /^query q: is required$/],
  // No word is suggested that is hardly like the one that was sent.
  ['POST /faults', { method: 'PUT', status: 500 }, 'invalid_request', /: must be one of GET, HEAD, POST$/],
  ['PUT /state', large, 'payload_too_large', / a larger state with --state FILE\.$/],
  ['POST /reseed', large, 'payload_too_large', / a larger fixture with --fixture FILE\.$/],
  ['POST /data', large, 'payload_too_large', /^The body is larger than 16 MiB\. Send less at once\.$/],
  ['GET /credential', undefined, 'not_found', /The nearest is GET \/_sandbox\/credentials\. GET \/_sandbox/],
  ['POST /rest', undefined, 'not_found', /The nearest is POST \/_sandbox\/reset\. GET/],
  ['DELETE /fault', undefined, 'not_found', /The nearest is DELETE \/_sandbox\/faults\. GET/],
  ['DELETE /fault/x', undefined, 'not_found', /The nearest is DELETE \/_sandbox\/faults\/\{id\}\. GET/],
  ['GET /request/3', undefined, 'not_found', /The nearest is GET \/_sandbox\/requests\/\{id\}\. GET/],
  ['DELETE /session/abc', undefined, 'not_found', /The nearest is DELETE \/_sandbox\/sessions\/\{id\}\. GET/],
  ['GET /faults/', undefined, 'not_found', /no control route at this path\. Remove the extra slash\. GET/],
  ['GET //faults', undefined, 'not_found', /no control route at this path\. Remove the extra slash\. GET/],
  ['GET /sessions/some-long-id/', undefined, 'not_found', /path\. Remove the extra slash\. GET/],
] as const)('says what is wrong with %s, and what to do: %#', async ([call, body, code, detail]) => {
  expect((await expectProblem(await send(call, body), code)).detail).toMatch(detail)
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
