import { expect, it } from 'vitest'

import type { Customer } from '../../src/index.ts'
import { as, type Client, expectInvalid, openSandbox, type Page } from '../support.ts'

const openWith = (...customers: readonly object[]) =>
  openSandbox({ fixture: { extends: 'empty', customers } })

/** Lists the ids of harbor's customers that match a query. */
async function idsFor(client: Client, query: string): Promise<number[]> {
  const { items } = await client.get<Page<Customer>>(`/organizations/harbor/customers?${query}`)
  return items.map(({ id }) => id)
}

const send = (client: Client, query: string) => client.send(`/organizations/harbor/customers?${query}`)

it.each(['segment', 'domain', 'country', 'region', 'city'])('filters by %s', async (field) => {
  const mara = as(await openWith({ id: 1, [field]: 'oslo.example' }, { id: 2, [field]: 'New Town' }), 'mara')
  expect(await idsFor(mara, `${field}=New%20Town`)).toEqual([2])
})

it('treats the values of one parameter as alternatives (assumed A-14)', async () => {
  const mara = as(
    await openWith({ id: 1, city: 'Oslo' }, { id: 2, city: 'Lima' }, { id: 3, city: 'Rome' }),
    'mara',
  )
  expect(await idsFor(mara, 'city=Oslo&city=Rome')).toEqual([1, 3])
})

it('lets parameters narrow each other (assumed A-14)', async () => {
  const [a, b] = [
    { city: 'Oslo', segment: 'Startup' },
    { city: 'Oslo', segment: 'Enterprise' },
  ]
  const mara = as(await openWith({ id: 1, ...a }, { id: 2, ...b }, { id: 3, ...a, city: 'Lima' }), 'mara')
  expect(await idsFor(mara, 'city=Oslo&segment=Startup')).toEqual([1])
})

it('matches values exactly, including case, accents and spaces (assumed A-14)', async () => {
  const mara = as(await openWith({ id: 1, city: 'São Paulo' }), 'mara')
  expect(await idsFor(mara, 'city=S%C3%A3o%20Paulo')).toEqual([1])
  expect(await idsFor(mara, 'city=s%C3%A3o%20paulo')).toEqual([])
  expect(await idsFor(mara, 'city=Sao%20Paulo')).toEqual([])
  expect(await idsFor(mara, 'city=S%C3%A3o')).toEqual([])
  expect(await idsFor(mara, 'city=S%C3%A3o%20Paulo%20')).toEqual([])
})

it('counts a customer that matches two values once (assumed A-14)', async () => {
  const sources = [
    { key: 'salesforce', externalId: 'A' },
    { key: 'salesforce', externalId: 'B' },
  ]
  const mara = as(await openWith({ id: 1, sources }), 'mara')
  expect(await idsFor(mara, 'sourceKey=salesforce&sourceExternalId=A&sourceExternalId=B')).toEqual([1])
  expect(await idsFor(mara, 'city=nowhere&city=nowhere')).toEqual([])
})

it('filters by a member in any role', async () => {
  const mara = as(
    await openWith(
      { id: 1, memberRoles: [{ key: 'csm', memberIds: [2] }] },
      { id: 2, memberRoles: [{ key: 'accountManager', memberIds: [3, 2] }] },
      { id: 3, memberRoles: [{ key: 'csm', memberIds: [3] }] },
      { id: 4, memberRoles: [] },
    ),
    'mara',
  )
  expect(await idsFor(mara, 'memberId=2')).toEqual([1, 2])
})

it('narrows memberId to one role by the id of its definition', async () => {
  const mara = as(
    await openWith(
      { id: 1, memberRoles: [{ key: 'csm', memberIds: [2] }] },
      { id: 2, memberRoles: [{ key: 'accountManager', memberIds: [2] }] },
      {
        id: 3,
        memberRoles: [
          { key: 'csm', memberIds: [2] },
          { key: 'accountManager', memberIds: [3] },
        ],
      },
    ),
    'mara',
  )
  const roles = await mara.get<{ id: number; key: string }[]>('/organizations/harbor/member-roles')
  const csm = roles.find(({ key }) => key === 'csm')
  expect(await idsFor(mara, `memberId=2&memberRoleId=${csm?.id}`)).toEqual([1, 3])
})

it('returns an empty list for an unknown member or role (assumed A-34)', async () => {
  const mara = as(await openWith({ id: 1, memberRoles: [{ key: 'csm', memberIds: [1] }] }), 'mara')
  expect(await idsFor(mara, 'memberId=9007199254740991')).toEqual([])
  expect(await idsFor(mara, 'memberId=1&memberRoleId=9007199254740991')).toEqual([])
  expect(await idsFor(mara, 'memberId=501')).toEqual([])
})

it('filters by source and external id of the same link', async () => {
  const [seven, eight, nine] = ['7', '8', '9'].map((externalId) => ({ key: 'salesforce', externalId }))
  const mara = as(
    await openWith(
      { id: 1, sources: [seven, { ...nine, key: 'hubspot' }] },
      { id: 2, sources: [{ ...seven, key: 'hubspot' }] },
      { id: 3, sources: [eight] },
      { id: 4, sources: [] },
    ),
    'mara',
  )
  for (const [query, ids] of [
    ['sourceKey=salesforce&sourceExternalId=7', [1]],
    ['sourceKey=salesforce&sourceExternalId=7&sourceExternalId=8', [1, 3]],
    ['sourceKey=zendesk&sourceExternalId=7', []],
    ['sourceKey=salesforce&sourceExternalId=9', []],
  ] as const) {
    expect(await idsFor(mara, query)).toEqual(ids)
  }
})

it('returns customers updated at or after updatedSince', async () => {
  const mara = as(
    await openWith(
      { id: 1, updatedDate: '2026-01-10T08:59:59.999Z' },
      { id: 2, updatedDate: '2026-01-10T09:00:00.000Z' },
      { id: 3, updatedDate: '2026-01-10T09:00:00.001Z' },
    ),
    'mara',
  )
  expect(await idsFor(mara, 'updatedSince=2026-01-10T09:00:00.000Z')).toEqual([2, 3])
})

it('returns customers updated up to now, which is the clock’s time', async () => {
  const now = '2026-01-10T09:00:00.000Z'
  const customers = [
    { id: 1, updatedDate: now },
    { id: 2, updatedDate: '2026-01-10T09:00:00.001Z' },
  ]
  const mara = as(await openSandbox({ fixture: { extends: 'empty', customers }, now }), 'mara')
  expect(await idsFor(mara, 'updatedSince=2026-01-01T00:00Z')).toEqual([1])
  expect(await idsFor(mara, 'updatedSince=2026-01-10T09:00Z')).toEqual([1])
  expect(await idsFor(mara, 'updatedSince=2026-01-10T09:01Z')).toEqual([])
  expect(await idsFor(mara, 'updatedSince=9999-12-31T23:59:59Z')).toEqual([])
  expect(await idsFor(mara, '')).toEqual([1, 2])
})

it('accepts updatedSince without seconds, with any number of fractional digits, and February 29 in leap years', async () => {
  const mara = as(await openWith({ id: 1, updatedDate: '2026-01-10T09:00:00.000Z' }), 'mara')
  for (const since of [
    '2026-01-10T09:00Z',
    '2026-01-10T09:00:00Z',
    '2026-01-10T09:00:00.0Z',
    '2026-01-10T09:00:00.000000000Z',
    '2024-02-29T00:00Z',
    '2000-02-29T00:00Z',
  ]) {
    expect(await idsFor(mara, `updatedSince=${since}`)).toEqual([1])
  }
})

it('compares updatedSince at full precision, even beyond milliseconds (assumed A-33)', async () => {
  const mara = as(await openWith({ id: 1, updatedDate: '2026-01-10T09:00:00.500Z' }), 'mara')
  expect(await idsFor(mara, 'updatedSince=2026-01-10T09:00:00.5Z')).toEqual([1])
  expect(await idsFor(mara, 'updatedSince=2026-01-10T09:00:00.499999Z')).toEqual([1])
  expect(await idsFor(mara, 'updatedSince=2026-01-10T09:00:00.500001Z')).toEqual([])
})

it('rejects an updatedSince that is not a valid calendar date-time in UTC with Z (assumed A-06)', async () => {
  const mara = as(await openWith(), 'mara')
  const wrong = [
    '1900-02-29T00:00Z',
    '2026-02-29T00:00Z',
    '2026-02-30T00:00Z',
    '2026-04-31T00:00Z',
    '2026-13-01T00:00Z',
    '2026-00-10T00:00Z',
    '2026-01-10T24:00Z',
    '2026-01-10T09:60Z',
    '2026-01-10T09:00:60Z',
    '2026-01-10T09:00',
    '2026-01-10T09:00:00+00:00',
    '2026-01-10T09:00:00%2B01:00',
    '2026-01-10T09:00:00.Z',
    '2026-01-10%2009:00Z',
    '2026-01-10',
    '2026-1-10T09:00Z',
    'now',
    '',
  ]
  for (const since of wrong)
    await expectInvalid(await send(mara, `updatedSince=${since}`), 'query updatedSince')
})

const withStatus = (status: string) => ({
  key: 'atlas',
  status,
  arr: 1,
  renewalDate: '2026-06-30',
  engagement: { level: 'high' },
  upsell: { level: 'low' },
  metrics: [],
})

it('filters by status, which follows from the products (assumed A-11)', async () => {
  const fixture = {
    extends: 'empty',
    products: [
      { id: 90, key: 'atlas', name: 'Atlas' },
      { id: 91, key: 'borealis', name: 'Borealis' },
    ],
    customers: [
      { id: 1, products: [withStatus('churned'), { ...withStatus('active'), key: 'borealis' }] },
      { id: 2, products: [withStatus('churned'), { ...withStatus('onboarding'), key: 'borealis' }] },
      { id: 3, products: [withStatus('churned')] },
      { id: 4, products: [] },
    ],
  }
  const mara = as(await openSandbox({ fixture }), 'mara')
  expect(await idsFor(mara, 'status=active')).toEqual([1])
  expect(await idsFor(mara, 'status=onboarding')).toEqual([2])
  expect(await idsFor(mara, 'status=churned')).toEqual([3])
  expect(await idsFor(mara, 'status=prospect')).toEqual([4])
})

it('reports all invalid parameters at once (assumed A-06)', async () => {
  const mara = as(await openWith(), 'mara')
  const response = await send(mara, 'limit=0&scope=x&memberRoleId=1&city=')
  await expectInvalid(response, 'query limit', 'query scope', 'query city', 'query memberRoleId')
})
