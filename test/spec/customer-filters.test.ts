import { expect, it } from 'vitest'

import { expectInvalid, home } from '../support.ts'
import { invalidTimes, openCustomers, openWith, readIds, validTimes } from './support.ts'

/** Expects that each query finds the customers with these ids among the given ones. */
async function expectFound(
  given: readonly object[],
  found: Readonly<Record<string, readonly number[]>>,
): Promise<void> {
  const mara = await openCustomers(...given)
  for (const [query, ids] of Object.entries(found)) {
    expect(await readIds(mara, `customers?${query}`), `for ${query}`).toEqual(ids)
  }
}

const inCities = (...cities: readonly string[]) => cities.map((city, index) => ({ id: index + 1, city }))

it.each(['segment', 'domain', 'country', 'region', 'city'])('filters by %s', async (field) => {
  const given = [
    { id: 1, [field]: 'oslo.example' },
    { id: 2, [field]: 'New Town' },
  ]
  await expectFound(given, { [`${field}=New%20Town`]: [2] })
})

it('treats the values of one parameter as alternatives (assumed A-14)', () =>
  expectFound(inCities('Oslo', 'Lima', 'Rome'), { 'city=Oslo&city=Rome': [1, 3] }))

it('lets parameters narrow each other (assumed A-14)', () =>
  expectFound(
    [
      { id: 1, city: 'Oslo', segment: 'Startup' },
      { id: 2, city: 'Oslo', segment: 'Enterprise' },
      { id: 3, city: 'Lima', segment: 'Startup' },
    ],
    { 'city=Oslo&segment=Startup': [1] },
  ))

it('matches values exactly, including case, accents and spaces (assumed A-14)', () =>
  expectFound(inCities('São Paulo'), {
    'city=S%C3%A3o%20Paulo': [1],
    'city=s%C3%A3o%20paulo': [],
    'city=Sao%20Paulo': [],
    'city=S%C3%A3o': [],
    'city=S%C3%A3o%20Paulo%20': [],
  }))

it('counts a customer that matches two values once (assumed A-14)', () =>
  expectFound([{ id: 1, sources: ['A', 'B'].map((externalId) => ({ key: 'salesforce', externalId })) }], {
    'sourceKey=salesforce&sourceExternalId=A&sourceExternalId=B': [1],
    'city=nowhere&city=nowhere': [],
  }))

const withRoles = [
  { id: 1, memberRoles: [{ key: 'csm', memberIds: [2] }] },
  { id: 2, memberRoles: [{ key: 'accountManager', memberIds: [3, 2] }] },
  {
    id: 3,
    memberRoles: [
      { key: 'csm', memberIds: [2] },
      { key: 'accountManager', memberIds: [3] },
    ],
  },
  { id: 4, memberRoles: [{ key: 'csm', memberIds: [3] }] },
  { id: 5, memberRoles: [] },
]

it('filters by a member in any role', () => expectFound(withRoles, { 'memberId=2': [1, 2, 3] }))

it('narrows memberId to one role by the id of its definition', () =>
  // The role of the key `csm`.
  expectFound(withRoles, { 'memberId=2&memberRoleId=1': [1, 3] }))

it('returns an empty list for an unknown member or role (assumed A-34)', () =>
  expectFound(withRoles, {
    'memberId=9007199254740991': [],
    'memberId=2&memberRoleId=9007199254740991': [],
    'memberId=501': [],
  }))

it('filters by source and external id of the same link', () => {
  const [seven, eight, nine] = ['7', '8', '9'].map((externalId) => ({ key: 'salesforce', externalId }))
  const given = [
    { id: 1, sources: [seven, { ...nine, key: 'hubspot' }] },
    { id: 2, sources: [{ ...seven, key: 'hubspot' }] },
    { id: 3, sources: [eight] },
    { id: 4, sources: [] },
  ]
  return expectFound(given, {
    'sourceKey=salesforce&sourceExternalId=7': [1],
    'sourceKey=salesforce&sourceExternalId=7&sourceExternalId=8': [1, 3],
    'sourceKey=zendesk&sourceExternalId=7': [],
    'sourceKey=salesforce&sourceExternalId=9': [],
  })
})

it('returns customers updated at or after updatedSince', () =>
  expectFound(
    [
      { id: 1, updatedDate: '2026-01-10T08:59:59.999Z' },
      { id: 2, updatedDate: '2026-01-10T09:00:00.000Z' },
      { id: 3, updatedDate: '2026-01-10T09:00:00.001Z' },
    ],
    { 'updatedSince=2026-01-10T09:00:00.000Z': [2, 3] },
  ))

it('returns customers updated up to now, which is the clock’s time', async () => {
  const now = '2026-01-10T09:00:00.000Z'
  const given = [
    { id: 1, updatedDate: now },
    { id: 2, updatedDate: '2026-01-10T09:00:00.001Z' },
  ]
  const mara = await openWith({ customers: given }, { now })
  for (const [query, ids] of [
    ['updatedSince=2026-01-01T00:00Z', [1]],
    ['updatedSince=2026-01-10T09:00Z', [1]],
    ['updatedSince=2026-01-10T09:01Z', []],
    ['updatedSince=9999-12-31T23:59:59Z', []],
    ['', [1, 2]],
  ] as const) {
    expect(await readIds(mara, `customers?${query}`)).toEqual(ids)
  }
})

const updated = [{ id: 1, updatedDate: '2026-01-10T09:00:00.500Z' }]

it('accepts updatedSince without seconds, with any number of fractional digits, and February 29 in leap years', () =>
  expectFound(updated, Object.fromEntries(validTimes.map((since) => [`updatedSince=${since}`, [1]]))))

it('compares updatedSince at full precision, even beyond milliseconds (assumed A-33)', () =>
  expectFound(updated, {
    'updatedSince=2026-01-10T09:00:00.499999Z': [1],
    'updatedSince=2026-01-10T09:00:00.500001Z': [],
  }))

it('rejects an updatedSince that is not a valid calendar date-time in UTC with Z (assumed A-06)', async () => {
  const mara = await openCustomers()
  for (const since of invalidTimes) {
    const response = await mara.send(`${home}/customers?updatedSince=${encodeURIComponent(since)}`)
    await expectInvalid(response, 'query updatedSince')
  }
})

it('filters by status, which follows from the products (assumed A-11)', () => {
  const details = {
    arr: 1,
    renewalDate: '2026-06-30',
    engagement: { level: 'high' },
    upsell: { level: 'low' },
  }
  const withStatuses = (id: number, ...statuses: readonly string[]) => {
    const keys = ['dashboards', 'alerts']
    return {
      id,
      products: statuses.map((status, at) => ({ key: keys[at], status, ...details, metrics: [] })),
    }
  }
  const given = [
    withStatuses(1, 'churned', 'active'),
    withStatuses(2, 'churned', 'onboarding'),
    withStatuses(3, 'churned'),
    withStatuses(4),
  ]
  return expectFound(given, {
    'status=active': [1],
    'status=onboarding': [2],
    'status=churned': [3],
    'status=prospect': [4],
  })
})

it('reports all invalid parameters at once (assumed A-06)', async () => {
  const mara = await openCustomers()
  const response = await mara.send(`${home}/customers?limit=0&scope=x&memberRoleId=1&city=`)
  await expectInvalid(response, 'query limit', 'query scope', 'query city', 'query memberRoleId')
})
