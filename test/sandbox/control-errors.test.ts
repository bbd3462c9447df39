import { expect, it } from 'vitest'

import { expectInvalid, expectProblem } from '../support.ts'
import { open } from './control-support.ts'

/** Requests below `/_sandbox` with a wrong field, and the fields that the errors name. A string body is sent as it is. */
const invalid: readonly (readonly [call: string, body: unknown, ...places: string[]])[] = [
  ['POST /reseed', { fixture: '__proto__' }, 'body fixture'],
  ['POST /reseed', { fixture: JSON.parse('{"__proto__":{}}') }, 'body fixture.__proto__'],
  ['POST /requests/verify', { query: JSON.parse('{"__proto__":1}') }, 'body query.__proto__'],
  ['POST /reseed', { fixture: 'edge-case' }, 'body fixture'],
  ['POST /reseed', { fixture: 7 }, 'body fixture'],
  ['POST /reseed', { fixture: { customers: 7 } }, 'body fixture.customers'],
  ['POST /reseed', { fixture: { customers: [{ id: 1, x: 1 }] } }, 'body fixture.customers[0].x'],
  ['POST /reseed', { fixture: { customers: [{ id: 1 }, { id: 1 }] } }, 'body fixture.customers[1].id'],
  ['POST /reseed', { fixture: { notes: [{ id: 1, customerId: 77 }] } }, 'body fixture.notes[0].customerId'],
  ['POST /reseed', { fixture: { extends: '__proto__' } }, 'body fixture.extends'],
  ['POST /reseed', { seed: -1, size: 1, now: 'noon' }, 'body seed', 'body size', 'body now'],
  ['POST /reseed', { now: '0000-06-01T00:00Z' }, 'body now'],
  ['POST /reseed', { now: '9999-06-01T00:00Z' }, 'body now'],
  ['POST /reseed', { sed: 1 }, 'body sed'],
  ['POST /reseed', [], 'body '],
  ['POST /reseed', '{', 'body '],
  ['PUT /clock', { now: 'noon' }, 'body now'],
  ['PUT /clock', {}, 'body now'],
  ['POST /clock/advance', { by: 'P' }, 'body by'],
  ['POST /clock/advance', { by: 'P9999Y' }, 'body by'],
  ['POST /faults', {}, 'body '],
  ['POST /faults', [], 'body '],
  ['POST /faults', 7, 'body '],
  ['POST /faults', { status: 999, x: 1 }, 'body status', 'body x'],
  ['POST /faults', [{ status: 500 }, { status: 1 }], 'body [1].status'],
  ['POST /faults', { operationId: 'x', status: 500 }, 'body operationId'],
  ['POST /faults', { status: 500, headers: { connection: 'x' } }, 'body headers.connection'],
  ['POST /faults', { rateLimit: { requests: 1 } }, 'body rateLimit.windowSeconds'],
  ['GET /requests?limit=x&caller=y', undefined, 'query caller', 'query limit'],
  ['GET /requests?x=1', undefined, 'query x'],
  ['GET /requests.har?operationId=x', undefined, 'query operationId'],
  ['GET /requests/x', undefined, 'path id'],
  ['POST /requests/verify', { count: 'x' }, 'body count'],
  ['POST /requests/verify', { inOrder: [{ method: 'x' }] }, 'body inOrder[0].method'],
  ...['preview', 'explain'].flatMap((name): (typeof invalid)[number][] => [
    [`POST /${name}`, { path: '/../_sandbox/health', token: 'sbx_harbor_1' }, 'body path'],
    [`POST /${name}`, { path: '/%2e%2e/health', token: 'sbx_harbor_1' }, 'body path'],
    [`POST /${name}`, { path: '/members/me', token: 'sbx_hårbor_1\n' }, 'body token'],
  ]),
  ['POST /explain', { path: '/members/me', token: 'sbx_harbor_1', method: 'TRACE' }, 'body method'],
  ['PATCH /assumptions', { errorFormat: 'x', y: 1 }, 'body errorFormat', 'body y'],
  ['PATCH /assumptions', [], 'body '],
  ['POST /sessions', { id: '/', now: 'noon', from: 7 }, 'body id', 'body now', 'body from'],
  ['POST /sessions', { faults: [{ status: 1 }] }, 'body faults[0].status'],
  ['POST /sessions', { assumptions: { x: 1 } }, 'body assumptions.x'],
  ['POST /preview', { path: 'x', token: 1 }, 'body path', 'body token'],
  ['POST /explain', { path: '/members/me', token: 'x', id: 'y' }, 'body id'],
  ['GET /data?x=1', undefined, 'query x'],
  ['GET /data/customers?limit=x', undefined, 'query limit'],
  ['GET /data/customers?organizationId=x', undefined, 'query organizationId'],
  ['GET /data/customers/x', undefined, 'path id'],
  ['GET /data/customers/counts?by=x', undefined, 'query by'],
  ['DELETE /data/changes/customers/x', undefined, 'path id'],
  ['PUT /data/customers/1', { id: 2 }, 'body id'],
  ['PUT /data/customers/1', { x: 1 }, 'body x'],
  ['PUT /data/customers/1', [], 'body '],
  ['PATCH /data/customers/1', { name: 7 }, 'body name'],
  ['PUT /data/members/1', { managerId: 99_999 }, 'body managerId'],
  ['POST /data/notes', { customerId: 77 }, 'body customerId'],
  ['POST /data/notes', [{ customerId: 77 }], 'body [0].customerId'],
  ['POST /data/notes', 7, 'body '],
  ['POST /data', { notes: [7], x: [] }, 'body x'],
  ['POST /data', { notes: [7] }, 'body notes[0]'],
  ['POST /data', 7, 'body '],
]

it.for(invalid)('names the wrong fields of %s with %j', async ([call, body, ...places]) => {
  const { sandbox } = await open()
  const [method = '', path = ''] = call.split(' ')
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const init = { method, ...(sent !== undefined && { body: sent }) }
  await expectInvalid(await sandbox.fetch(`/_sandbox${path}`, init), ...places)
})

it('says that a parameter may be given once', async () => {
  const { sandbox } = await open()
  for (const name of ['limit', 'bodies', 'status', 'method']) {
    const path = `requests?${name}=1&${name}=1`
    const response = await sandbox.fetch(`http://sandbox/_sandbox/${path}`)
    expect((await expectProblem(response, 'invalid_request')).errors).toEqual([
      { in: 'query', name, message: 'must be given once' },
    ])
  }
})

it.for([
  ['scenarios', { name: 'page-drit' }, 'page-drift'],
  ['scenarios', { name: 'page-drift', on: 'listCustomer' }, 'listCustomers'],
  ['faults', { profile: 'flakey' }, 'flaky'],
] as const)('names the nearest value for a mistyped one in %s %j', async ([route, body, nearest]) => {
  const { sandbox } = await open()
  const init = { method: 'POST', body: JSON.stringify(body) }
  const response = await sandbox.fetch(`http://sandbox/_sandbox/${route}`, init)
  expect(response.status).toBe(400)
  expect(await response.text()).toMatch(new RegExp(`must be one of [^"]* \\(did you mean ${nearest}\\?\\)`))
})

it('names the same field in process', async () => {
  const { sandbox } = await open()
  const errors = [{ in: 'body', name: 'fixture' }]
  await expect(sandbox.reseed({ fixture: '__proto__' })).rejects.toMatchObject({ errors })
})

it.for([
  ['GET /_sandbox/credential', 'GET /_sandbox/credentials'],
  ['POST /_sandbox/rest', 'POST /_sandbox/reset'],
  ['DELETE /_sandbox/fault', 'DELETE /_sandbox/faults'],
] as const)('names the nearest control route for %s', async ([call, nearest]) => {
  const { sandbox } = await open()
  const [method = '', path = ''] = call.split(' ')
  const response = await sandbox.fetch(new Request(`http://sandbox${path}`, { method }))
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining(`The nearest is ${nearest}. GET /_sandbox/openapi.json`),
  })
})

it('says that a control path has an extra slash', async () => {
  const { sandbox } = await open()
  for (const path of ['faults/', '/faults', 'sessions/some-long-id/']) {
    const response = await sandbox.fetch(`http://sandbox/_sandbox/${path}`)
    expect(await response.json()).toMatchObject({
      status: 404,
      detail: expect.stringMatching(/^There is no control route at this path\. Remove the extra slash\. GET/),
    })
  }
})

it.each([
  ['PUT /faults', 'GET, HEAD, POST, DELETE'],
  ['POST /faults/fault-1', 'GET, HEAD, DELETE'],
  ['DELETE /health', 'GET, HEAD'],
  ['PATCH /sessions/a', 'PUT, GET, HEAD, DELETE'],
  ['GET /gates/next', 'POST'],
  ['POST /data/changes', 'GET, HEAD, DELETE'],
  ['PUT /data/customers', 'GET, HEAD, POST'],
  ['POST /data/customers/1', 'GET, HEAD, PUT, PATCH, DELETE'],
  ['DELETE /data/customers/counts', 'GET, HEAD'],
  ['PUT /', 'GET, HEAD'],
])('rejects %s with the methods of the path', async (call, allow) => {
  const { sandbox } = await open()
  const [method = '', path] = call.split(' ')
  const response = await sandbox.fetch(new Request(`http://sandbox/_sandbox${path}`, { method }))
  await expectProblem(response, 'method_not_allowed')
  expect(response.headers.get('allow')).toBe(allow)
})
