import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { type Customer, Signal } from '../../src/index.ts'
import { endpoints } from '../../src/resources/index.ts'
import { as, crawl, openSandbox, type Page, type Problem } from '../support.ts'

const sandbox = await openSandbox({ fixture: 'edge-cases' })
const mara = as(sandbox, 'mara')
const visits = await crawl(mara)
const customers = visits.flatMap(({ operationId, text }): Customer[] =>
  operationId === 'getCustomer' ? [JSON.parse(text)] : [],
)
const signals = visits.flatMap(({ operationId, text }) =>
  operationId === 'getSignal' ? [Signal.parse(JSON.parse(text))] : [],
)
const roles = await mara.get<{ id: number; key: string }[]>('/organizations/harbor/member-roles')

/** The same requests on every run. */
const run = { seed: 42, numRuns: 300 }

const parameterNames = [...new Set(endpoints.flatMap(({ query }) => Object.keys(query.parameters)))]
const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
const anyName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...parameterNames) },
  { weight: 2, arbitrary: fc.constantFrom(...parameterNames).map((name) => `${name}[]`) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...parameterNames), fc.nat()).map(([a, b]) => `${a}[${b}]`),
  },
  { weight: 1, arbitrary: fc.constantFrom(...inherited) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
)
const words = ['all', 'team', 'mine', 'open', 'active', '2026-01-15T12:00Z', '0', '1', '250', '251', '-1', '']
const encoded = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text)),
  fc.constantFrom('%', '%zz', '%ff', '%c3%28', '%00', '+', '%2B', '%26', '&&', '=', '#', '[]'),
  fc.bigInt({ min: -1n, max: 2n ** 64n }).map(String),
)
const anyQuery = fc
  .array(fc.tuple(anyName, encoded), { maxLength: 6 })
  .map((pairs) => pairs.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&'))

const reached = fc.constantFrom(...new Set(visits.map(({ path }) => path.replace(/\?.*/, ''))))

it('no query makes the service fail, and errors name only parameters that were sent', async () => {
  await fc.assert(
    fc.asyncProperty(reached, anyQuery, async (path, query) => {
      const response = await mara.send(`${path}?${query}`)
      expect([200, 400]).toContain(response.status)
      const body = (await response.json()) as Partial<Problem>
      const sentQuery = decodeURIComponent(query.replaceAll(/%(?![0-9a-f]{2})|%ff|%c3%28/gi, ''))
      for (const { in: place, name } of body.errors ?? []) {
        expect(place).toBe('query')
        expect(sentQuery).toContain(name)
      }
    }),
    run,
  )
})

it('no path makes the service fail', async () => {
  const part = fc.oneof(
    fc.constantFrom(
      'members',
      'me',
      'organizations',
      'harbor',
      'quill',
      'customers',
      'signals',
      'notes',
      '1',
    ),
    encoded,
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
      const response = await mara.send(`/${parts.join('/')}`)
      expect([200, 400, 403, 404]).toContain(response.status)
    }),
    run,
  )
})

it('no body makes the service fail', async () => {
  const path = `/organizations/harbor/customers/${customers[0]?.id}/notes`
  const body = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .record({ categoryId: fc.nat(), content: fc.string({ unit: 'binary' }) })
      .map((note) => JSON.stringify(note)),
    fc
      .dictionary(fc.constantFrom('categoryId', 'content', ...inherited), fc.jsonValue())
      .map((note) => JSON.stringify(note)),
    fc.uint8Array().map((bytes) => new Uint8Array(bytes)),
  )
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const headers = { 'content-type': 'application/json' }
      const response = await as(sandbox.session(), 'mara').send(path, { method: 'POST', headers, body: sent })
      expect([200, 400]).toContain(response.status)
    }),
    run,
  )
})

/** Picks existing values or an unknown one; leaves out empty values, which a query cannot contain. */
function pickSome(values: readonly string[], other: string): fc.Arbitrary<string[]> {
  const given = new Set([...values, other].filter((value) => value !== ''))
  return fc.uniqueArray(fc.constantFrom(...given), { minLength: 1, maxLength: 3 })
}

function pickOne<T>(values: readonly T[], other: T): fc.Arbitrary<T> {
  return fc.constantFrom(...new Set(values), other)
}

const places = ['segment', 'domain', 'country', 'region', 'city'] as const
const customerFilters = fc.record(
  {
    segment: pickSome(
      customers.map(({ segment }) => segment),
      'Nobody',
    ),
    domain: pickSome(
      customers.map(({ domain }) => domain),
      'nobody.example',
    ),
    country: pickSome(
      customers.map(({ country }) => country),
      'Atlantis',
    ),
    region: pickSome(
      customers.map(({ region }) => region),
      'Nowhere',
    ),
    city: pickSome(
      customers.map(({ city }) => city),
      'Nowhere',
    ),
    member: fc.record(
      {
        memberId: pickOne(listHolders(customers), 999_999),
        memberRoleId: pickOne(
          roles.map(({ id }) => id),
          999_999,
        ),
      },
      { requiredKeys: ['memberId'] },
    ),
    source: fc.record({
      sourceKey: pickOne(
        listSources(customers).map(({ key }) => key),
        'nothing',
      ),
      sourceExternalId: pickSome(
        listSources(customers).map(({ externalId }) => externalId),
        'nothing',
      ),
    }),
    updatedSince: pickOne(
      customers.map(({ updatedDate }) => updatedDate),
      '2020-01-01T00:00Z',
    ),
  },
  { requiredKeys: [] },
)

type CustomerFilters = typeof customerFilters extends fc.Arbitrary<infer F> ? F : never

function listHolders(from: readonly Customer[]): number[] {
  return from.flatMap(({ memberRoles }) => memberRoles.flatMap(({ members }) => members.map(({ id }) => id)))
}

function listSources(from: readonly Customer[]): { key: string; externalId: string }[] {
  return from.flatMap(({ sources }) => sources)
}

/** Checks a customer against the filters, as the document describes them. */
function matches(customer: Customer, { member, source, updatedSince, ...rest }: CustomerFilters): boolean {
  const role = roles.find(({ id }) => id === member?.memberRoleId)
  const holds = customer.memberRoles
    .filter(({ key }) => member?.memberRoleId === undefined || key === role?.key)
    .some(({ members }) => members.some(({ id }) => id === member?.memberId))
  const comes = customer.sources.some(
    ({ key, externalId }) => key === source?.sourceKey && source.sourceExternalId.includes(externalId),
  )
  return (
    places.every((place) => rest[place]?.includes(customer[place]) ?? true) &&
    (member === undefined || holds) &&
    (source === undefined || comes) &&
    (updatedSince === undefined || Date.parse(customer.updatedDate) >= Date.parse(updatedSince))
  )
}

function buildQuery(filters: object, repeated: string): string {
  const entries = Object.entries(filters).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return value.map((each) => [`${name}${repeated}`, String(each)])
    return typeof value === 'object' ? [] : [[name, String(value)]]
  })
  return new URLSearchParams(entries).toString()
}

it('lists exactly the customers that match the filters', async () => {
  const repeated = fc.constantFrom('', '[]')
  await fc.assert(
    fc.asyncProperty(customerFilters, repeated, async (filters, form) => {
      const query = buildQuery({ ...filters, ...filters.member, ...filters.source }, form)
      const page = await mara.get<Page<Customer>>(`/organizations/harbor/customers?limit=250&${query}`)
      const expected = customers.filter((customer) => matches(customer, filters))
      expect(page.items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      expect(page.totalCount).toBe(expected.length)
    }),
    run,
  )
})

it('returns the slice of all signals that offset and limit describe', async () => {
  const status = fc.option(fc.constantFrom('open', 'inProgress', 'closed', 'dismissed'), { nil: undefined })
  const offset = fc.nat({ max: signals.length + 5 })
  const limit = fc.integer({ min: 1, max: 250 })
  await fc.assert(
    fc.asyncProperty(status, offset, limit, async (wanted, from, count) => {
      const query = `offset=${from}&limit=${count}${wanted === undefined ? '' : `&status=${wanted}`}`
      const page = await mara.get<Page<Signal>>(`/organizations/harbor/signals?${query}`)
      const expected = signals.filter((signal) => wanted === undefined || signal.status === wanted)
      expect(page.items.map(({ id }) => id)).toEqual(expected.slice(from, from + count).map(({ id }) => id))
      expect(page.totalCount).toBe(expected.length)
    }),
    run,
  )
})
