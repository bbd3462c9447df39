import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Customer } from '../../src/index.ts'
import { as, crawl, openSandbox, type Page } from '../support.ts'

const sandbox = await openSandbox({ fixture: 'edge-cases' })
const mara = as(sandbox, 'mara')
const visits = await crawl(mara)
const customers = visits.flatMap(({ operationId, text }): Customer[] =>
  operationId === 'getCustomer' ? [JSON.parse(text)] : [],
)
const roles = await mara.get<{ id: number; key: string }[]>('/organizations/harbor/member-roles')

/** Picks existing values or an unknown one; leaves out empty values, which a query cannot contain. */
function pickSome(values: readonly string[], other: string): fc.Arbitrary<string[]> {
  const given = new Set([...values, other].filter((value) => value !== ''))
  return fc.uniqueArray(fc.constantFrom(...given), { minLength: 1, maxLength: 3 })
}

function pickOne<T>(values: readonly T[], other: T): fc.Arbitrary<T> {
  return fc.constantFrom(...new Set(values), other)
}

const places = ['segment', 'domain', 'country', 'region', 'city'] as const
const inPlaces = Object.fromEntries(
  places.map((place) => [
    place,
    pickSome(
      customers.map((one) => one[place]),
      'Nowhere',
    ),
  ]),
) as Record<(typeof places)[number], fc.Arbitrary<string[]>>
const customerFilters = fc.record(
  {
    ...inPlaces,
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
    { seed: 42, numRuns: 300 },
  )
})
