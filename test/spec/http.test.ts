import { expect, it } from 'vitest'

import { as, type Client, customers, expectInvalid, home, notes, openSandbox } from '../support.ts'
import { openCustomers, readIds } from './support.ts'

const sandbox = await openSandbox({ fixture: 'empty' })
const [mara, nobody] = [as(sandbox, 'mara'), as(sandbox, 'nobody')]

const openCities = (...cities: readonly string[]): Promise<Client> =>
  openCustomers(...cities.map((city, index) => ({ id: index + 1, city })))

async function readWarning(client: Client, path: string): Promise<string | null> {
  const response = await client.send(path)
  expect(response.status).toBe(200)
  return response.headers.get('sandbox-warning')
}

it('carries the version as a path prefix', async () => {
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  const at = (path: string) => sandbox.fetch(new Request(`http://sandbox${path}`, { headers }))
  expect((await at('/v1/members/me')).status).toBe(200)
  expect((await at('/members/me')).status).toBe(404)
  expect((await at('/v2/members/me')).status).toBe(404)
})

it('responds to HEAD as to GET, without the body (assumed A-17)', async () => {
  const head = await mara.send('/members/me', { method: 'HEAD' })
  const get = await mara.send('/members/me')
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect([...head.headers]).toEqual([...get.headers])
})

it('may be called by pages of every origin, with credentials as well (assumed A-17)', async () => {
  const own = await openSandbox({ fixture: 'empty' })
  const faulted = own.session()
  faulted.faults.addAll([
    { operationId: 'getCurrentMember', status: 503 },
    { operationId: 'listNoteCategories', headers: { 'x-delayed': 'no' } },
  ])
  const [categories, preflight] = [`${home}/notes/categories`, { method: 'OPTIONS' }]
  for (const origin of ['https://app.example', 'null', 'https://app.example']) {
    const headers = { origin }
    const asked = { origin, 'access-control-request-method': 'GET' }
    for (const response of [
      await as(own, 'mara').send('/members/me', { headers }),
      await as(own, 'mara').send('/members/me', { headers: asked, ...preflight }),
      await as(own, 'mara').send('/nowhere', { headers }),
      await as(own, 'nobody').send('/members/me', { headers }),
      await as(own, 'nobody').send('/members/me', { headers: { origin, 'sandbox-session': 'nobody' } }),
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
  const forOther = await as(faulted, 'mara').send(`${home}/members`, fromApp)
  expect(Object.fromEntries(forOther.headers)).toMatchObject(other)
  const { headers } = await as(own, 'mara').send('/members/me')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect([headers.get('access-control-allow-credentials'), headers.get('vary')]).toEqual([null, 'Origin'])
  const recorded = own.requests.list()[0]?.response?.headers
  expect(recorded).toMatchObject({ 'access-control-allow-origin': 'https://app.example' })
})

it('allows a preflight without a token to send every header that it asks for (assumed A-17)', async () => {
  for (const [method, path, asked] of [
    ['POST', notes, 'authorization, content-type, sandbox-session'],
    ['GET', '/members/me', 'authorization,baggage,sentry-trace,traceparent,x-anything'],
  ] as const) {
    const request = { 'access-control-request-method': method, 'access-control-request-headers': asked }
    const headers = { origin: 'https://app.example', ...request }
    const response = await nobody.send(path, { method: 'OPTIONS', headers })
    expect(response.status).toBe(204)
    const read = (name: string) => response.headers.get(`access-control-allow-${name}`)
    expect([read('origin'), read('headers')]).toEqual(['https://app.example', asked])
    expect(read('methods')?.split(', ')).toEqual(expect.arrayContaining(['GET', 'HEAD', method]))
  }
})

it.each([
  ['that is repeated', 'city=Oslo&city=Lima', [1, 2]],
  ['with brackets', 'city[]=Oslo&city[]=Lima', [1, 2]],
  ['with encoded brackets', 'city%5B%5D=Oslo', [1]],
  ['with numbered brackets', 'city[0]=Oslo&city[1]=Lima', [1, 2]],
  ['with numbered brackets in any order', 'city[7]=Rome&city[0]=Oslo', [1, 3]],
  ['in several forms', 'city=Oslo&city[]=Lima&city[0]=Rome', [1, 2, 3]],
])('reads an array parameter %s (assumed A-13)', async (_, query, ids) => {
  expect(await readIds(await openCities('Oslo', 'Lima', 'Rome'), `customers?${query}`)).toEqual(ids)
})

it('does not split an array parameter at commas (assumed A-13)', async () => {
  const client = await openCities('Oslo', 'Oslo,Lima')
  expect(await readIds(client, 'customers?city=Oslo,Lima')).toEqual([2])
  expect(await readIds(client, 'customers?city=Oslo%2CLima')).toEqual([2])
})

it('does not treat brackets as an array for other parameters (assumed A-15)', async () => {
  const client = await openCities('Oslo', 'Lima')
  expect(await readWarning(client, `${customers}?limit[]=1`)).toContain('limit%5B%5D (did you mean limit?)')
  expect(await readIds(client, 'customers?limit[]=1')).toEqual([1, 2])
})

it('decodes the names and values of parameters: ampersands, quotes, other scripts, emoji, + as a space (assumed A-13)', async () => {
  const cities = [
    'Salt & Pepper',
    '"Quoted"',
    '東京',
    '🏝️ Isle',
    '100%',
    'a=b',
    'x#y',
    'q?',
    'A+B',
    'New York',
  ]
  const client = await openCities(...cities)
  for (const [index, city] of cities.entries()) {
    expect(await readIds(client, `customers?city=${encodeURIComponent(city)}`)).toEqual([index + 1])
  }
  expect(await readIds(client, 'customers?city=New+York')).toEqual([10])
  expect(await readIds(client, 'customers?%6Cimit=1')).toEqual([1])
})

it('decodes a path once (assumed A-17)', async () => {
  const client = await openCities('Oslo')
  expect((await client.send('/organizations/h%61rbor/customers/%31')).status).toBe(200)
  expect((await client.send('/organizations/h%2561rbor/customers/1')).status).toBe(403)
  await expectInvalid(await client.send(`${customers}/1%2Fnotes`), 'path customerId')
})

it('survives percent signs that encode nothing (assumed A-17)', async () => {
  const client = await openCities('%zz')
  expect(await readIds(client, 'customers?city=%zz')).toEqual([1])
  expect(await readIds(client, 'customers?city=%ff')).toEqual([])
  await expectInvalid(await client.send(`${customers}/%zz`), 'path customerId')
})

it.each([
  ['customers?limt=1&limit=1&Scope=all', 'limt (did you mean limit?), Scope (did you mean scope?)'],
  ['customers?x=1&x=2', 'x'],
  ['customers?toString=1&__proto__=1&constructor=1', 'toString, __proto__, constructor'],
  ['customers?%0d%0aSet-Cookie:x=1', '%0D%0ASet-Cookie%3Ax'],
  [`customers?${'n'.repeat(61)}=1`, 'n'.repeat(60)],
  ['customers?a=1&b=1&c=1&d=1&e=1', 'a, b, c, d, e'],
  ['customers?a=1&b=1&c=1&d=1&e=1&f=1&g=1', 'a, b, c, d, e and 2 more'],
  ['members/1?verbose=true', 'verbose'],
])(
  'names the unknown query parameters of %s in a Sandbox-Warning header: %s (assumed A-15)',
  async (path, names) => {
    expect(await readWarning(mara, `${home}/${path}`)).toBe(`unknown query parameters ignored: ${names}`)
  },
)

it('sends no warning if every parameter is known (assumed A-15)', async () => {
  expect(await readWarning(mara, `${customers}?limit=1&city[]=Oslo&city[0]=Lima`)).toBeNull()
})
