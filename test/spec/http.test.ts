import { expect, it } from 'vitest'

import type { Customer } from '../../src/index.ts'
import { as, type Client, expectInvalid, openSandbox, type Page } from '../support.ts'

const openWith = (...customers: readonly object[]) =>
  openSandbox({ fixture: { extends: 'empty', customers } })

async function idsFor(client: Client, query: string): Promise<number[]> {
  const { items } = await client.get<Page<Customer>>(`/organizations/harbor/customers?${query}`)
  return items.map(({ id }) => id)
}

async function warningFor(client: Client, query: string): Promise<string | null> {
  const response = await client.send(`/organizations/harbor/customers?${query}`)
  expect(response.status).toBe(200)
  return response.headers.get('sandbox-warning')
}

it('carries the version as a path prefix', async () => {
  const sandbox = await openSandbox({ fixture: 'empty' })
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  const at = (path: string) => sandbox.fetch(new Request(`http://sandbox${path}`, { headers }))
  expect((await at('/v1/members/me')).status).toBe(200)
  expect((await at('/members/me')).status).toBe(404)
  expect((await at('/v2/members/me')).status).toBe(404)
})

it('responds with application/json', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  const response = await mara.send('/members/me')
  expect(response.headers.get('content-type')).toBe('application/json')
})

it('responds to HEAD as to GET, without the body (assumed A-17)', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  const head = await mara.send('/members/me', { method: 'HEAD' })
  const get = await mara.send('/members/me')
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
  expect([...head.headers]).toEqual([...get.headers])
})

it('may be called by pages of every origin, with credentials as well (assumed A-17)', async () => {
  const sandbox = await openSandbox({ fixture: 'empty' })
  const [mara, nobody] = [as(sandbox, 'mara'), as(sandbox, 'nobody')]
  const faulted = sandbox.session()
  faulted.faults.addAll([
    { operationId: 'getCurrentMember', status: 503 },
    { operationId: 'listNoteCategories', headers: { 'x-delayed': 'no' } },
  ])
  const [categories, preflight] = ['/organizations/harbor/notes/categories', { method: 'OPTIONS' }]
  for (const origin of ['https://app.example', 'null', 'https://app.example']) {
    const headers = { origin }
    const asked = { origin, 'access-control-request-method': 'GET' }
    for (const response of [
      await mara.send('/members/me', { headers }),
      await mara.send('/members/me', { headers: asked, ...preflight }),
      await mara.send('/nowhere', { headers }),
      await nobody.send('/members/me', { headers }),
      await nobody.send('/members/me', { headers: { origin, 'sandbox-session': 'nobody' } }),
      await as(faulted, 'mara').send('/members/me', { headers }),
      await as(faulted, 'mara').send(categories, { headers }),
    ]) {
      expect(Object.fromEntries(response.headers), `for ${response.status}`).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'Sandbox-Warning, Sandbox-Fault, Retry-After',
        vary: 'Origin',
      })
    }
  }
  const other = { 'access-control-allow-origin': 'https://other.example' }
  faulted.faults.add({ operationId: 'listMembers', headers: other })
  const fromApp = { headers: { origin: 'https://app.example' } }
  const forOther = await as(faulted, 'mara').send('/organizations/harbor/members', fromApp)
  expect(Object.fromEntries(forOther.headers)).toMatchObject(other)
  const { headers } = await mara.send('/members/me')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect([headers.get('access-control-allow-credentials'), headers.get('vary')]).toEqual([null, 'Origin'])
  const recorded = sandbox.requests.list()[0]?.response?.headers
  expect(recorded).toMatchObject({ 'access-control-allow-origin': 'https://app.example' })
})

it('responds to a preflight without a token (assumed A-17)', async () => {
  const nobody = as(await openSandbox({ fixture: 'empty' }), 'nobody')
  const headers = {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, content-type, sandbox-session',
  }
  const response = await nobody.send('/organizations/harbor/customers/1/notes', {
    method: 'OPTIONS',
    headers,
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect(response.headers.get('access-control-allow-methods')?.split(', ')).toEqual(
    expect.arrayContaining(['GET', 'HEAD', 'POST']),
  )
  expect(response.headers.get('access-control-allow-headers')?.split(', ')).toEqual([
    'authorization',
    'content-type',
    'sandbox-session',
  ])
})

it('lets a page send every header that its preflight asks for (assumed A-17)', async () => {
  const nobody = as(await openSandbox({ fixture: 'empty' }), 'nobody')
  const traced = 'authorization,baggage,sentry-trace,traceparent,x-anything'
  const headers = { 'access-control-request-method': 'GET', 'access-control-request-headers': traced }
  const response = await nobody.send('/members/me', { method: 'OPTIONS', headers })
  expect(response.headers.get('access-control-allow-headers')).toBe(traced)
})

it('tells browsers not to guess the type of a response (assumed A-17)', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  expect((await mara.send('/members/me')).headers.get('x-content-type-options')).toBe('nosniff')
  expect((await mara.send('/nowhere')).headers.get('x-content-type-options')).toBe('nosniff')
})

it.each([
  ['that is repeated', 'city=Oslo&city=Lima', [1, 2]],
  ['with brackets', 'city[]=Oslo&city[]=Lima', [1, 2]],
  ['with encoded brackets', 'city%5B%5D=Oslo', [1]],
  ['with numbered brackets', 'city[0]=Oslo&city[1]=Lima', [1, 2]],
  ['with numbered brackets in any order', 'city[7]=Rome&city[0]=Oslo', [1, 3]],
  ['in several forms', 'city=Oslo&city[]=Lima&city[0]=Rome', [1, 2, 3]],
])('reads an array parameter %s (assumed A-13)', async (_, query, ids) => {
  const cities = ['Oslo', 'Lima', 'Rome'].map((city, index) => ({ id: index + 1, city }))
  expect(await idsFor(as(await openWith(...cities), 'mara'), query)).toEqual(ids)
})

it('does not split an array parameter at commas (assumed A-13)', async () => {
  const mara = as(await openWith({ id: 1, city: 'Oslo' }, { id: 2, city: 'Oslo,Lima' }), 'mara')
  expect(await idsFor(mara, 'city=Oslo,Lima')).toEqual([2])
  expect(await idsFor(mara, 'city=Oslo%2CLima')).toEqual([2])
})

it('does not treat brackets as an array for other parameters (assumed A-15)', async () => {
  const mara = as(await openWith({ id: 1 }, { id: 2 }), 'mara')
  expect(await warningFor(mara, 'limit[]=1')).toBe(
    'unknown query parameters ignored: limit%5B%5D (did you mean limit?)',
  )
  expect(await idsFor(mara, 'limit[]=1')).toEqual([1, 2])
})

it('reads + as a space and %2B as a plus (assumed A-13)', async () => {
  const mara = as(await openWith({ id: 1, city: 'New York' }, { id: 2, city: 'A+B' }), 'mara')
  expect(await idsFor(mara, 'city=New+York')).toEqual([1])
  expect(await idsFor(mara, 'city=New%20York')).toEqual([1])
  expect(await idsFor(mara, 'city=A%2BB')).toEqual([2])
})

it('decodes percent-encoded values: ampersands, quotes, other scripts, emoji (assumed A-13)', async () => {
  const cities = ['Salt & Pepper', '"Quoted"', '東京', '🏝️ Isle', '100%', 'a=b', 'x#y', 'q?']
  const mara = as(await openWith(...cities.map((city, index) => ({ id: index + 1, city }))), 'mara')
  for (const [index, city] of cities.entries()) {
    expect(await idsFor(mara, `city=${encodeURIComponent(city)}`)).toEqual([index + 1])
  }
})

it('decodes the name of a parameter (assumed A-13)', async () => {
  const mara = as(await openWith({ id: 1 }, { id: 2 }), 'mara')
  expect(await idsFor(mara, '%6Cimit=1')).toEqual([1])
})

it('decodes a path once (assumed A-17)', async () => {
  const mara = as(await openWith({ id: 1 }), 'mara')
  expect((await mara.send('/organizations/h%61rbor/customers/%31')).status).toBe(200)
  expect((await mara.send('/organizations/h%2561rbor/customers/1')).status).toBe(403)
  await expectInvalid(await mara.send('/organizations/harbor/customers/1%2Fnotes'), 'path customerId')
})

it('survives percent signs that encode nothing (assumed A-17)', async () => {
  const mara = as(await openWith({ id: 1, city: '%zz' }), 'mara')
  expect(await idsFor(mara, 'city=%zz')).toEqual([1])
  expect(await idsFor(mara, 'city=%ff')).toEqual([])
  await expectInvalid(await mara.send('/organizations/harbor/customers/%zz'), 'path customerId')
})

it.for([
  ['limt=1&limit=1&Scope=all', 'limt (did you mean limit?), Scope (did you mean scope?)'],
  ['x=1&x=2', 'x'],
  ['toString=1&__proto__=1&constructor=1', 'toString, __proto__, constructor'],
  ['%0d%0aSet-Cookie:x=1', '%0D%0ASet-Cookie%3Ax'],
  [`${'n'.repeat(61)}=1`, 'n'.repeat(60)],
  ['a=1&b=1&c=1&d=1&e=1', 'a, b, c, d, e'],
  ['a=1&b=1&c=1&d=1&e=1&f=1&g=1', 'a, b, c, d, e and 2 more'],
])(
  'names the unknown query parameters of %s in a Sandbox-Warning header: %s (assumed A-15)',
  async ([query = '', names]) => {
    const mara = as(await openWith({ id: 1 }), 'mara')
    expect(await warningFor(mara, query)).toBe(`unknown query parameters ignored: ${names}`)
  },
)

it('sends no warning if every parameter is known (assumed A-15)', async () => {
  const mara = as(await openWith({ id: 1 }), 'mara')
  expect(await warningFor(mara, 'limit=1&city[]=Oslo&city[0]=Lima')).toBeNull()
})

it('ignores query parameters of operations without any, and warns of them (assumed A-15)', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  const response = await mara.send('/members/me?verbose=true')
  expect(response.status).toBe(200)
  expect(response.headers.get('sandbox-warning')).toBe('unknown query parameters ignored: verbose')
})
