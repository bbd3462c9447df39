import { describe, expect, it } from 'vitest'

import { as, type Page } from '../support.ts'
import { bo, condition, explain, home, missed, sandbox } from './explain-support.ts'

describe('a scope', () => {
  it('mine holds if the caller has a role', async () => {
    const explanation = await explain('/customers?scope=mine', 900)
    expect(explanation).toMatchObject({ status: 200, included: true })
    expect(condition(explanation, 'scope')).toMatchObject({
      holds: true,
      requested: 'mine',
      found: { roles: [{ key: 'csm', memberId: 2 }] },
      text: 'scope=mine requires that Bo Birk (2) has a role. On customer 900, Bo Birk (2) has csm.',
    })
  })

  it('mine does not hold if a colleague has the role', async () => {
    const explanation = await explain('/customers?scope=mine', 901)
    expect(explanation.included).toBe(false)
    expect(missed(explanation)).toEqual(['scope'])
    expect(explanation.summary).toContain('On customer 901, this member has no role; Cy Cole (3) has csm.')
  })

  it('team holds if a colleague with the same manager has a role', async () => {
    const explanation = await explain('/customers?scope=team', 901)
    expect(explanation.included).toBe(true)
    expect(condition(explanation, 'scope')).toMatchObject({
      text: expect.stringContaining('a member of the team of Ada Ash (1) ('),
      found: { managerId: 1, roles: [{ key: 'csm', memberId: 3 }] },
    })
  })

  it('team does not hold if a member with another manager has the role', async () => {
    expect(missed(await explain('/customers?scope=team', 902))).toEqual(['scope'])
  })

  it('all is not a condition', async () => {
    const explanation = await explain('/customers?scope=all&limit=250', 902)
    expect(explanation.included).toBe(true)
    expect(explanation.conditions.map(({ name }) => name)).not.toContain('scope')
  })

  it('of a signal applies to its customer', async () => {
    expect((await explain('/signals?scope=mine', 9000)).included).toBe(true)
    const explanation = await explain('/signals?scope=team', 9001)
    expect(missed(explanation)).toEqual(['scope'])
    expect(explanation.summary).toContain('On customer 902, none of them has a role; Eve Elm (5) has csm.')
  })
})

it.each([
  ['status=active', 'status', 'active', 'prospect'],
  ['segment=Enterprise&segment=Mid-Market', 'segment', ['Enterprise', 'Mid-Market'], 'SMB'],
  ['domain=b.example', 'domain', ['b.example'], 'a.example'],
  ['country=Spain', 'country', ['Spain'], 'Italy'],
  ['region=APAC', 'region', ['APAC'], 'EMEA'],
  ['city=Milan', 'city', ['Milan'], 'Rome'],
  ['memberId=3', 'memberId', 3, []],
  ['memberId=2&memberRoleId=2', 'memberRoleId', { memberId: 2, memberRoleId: 2 }, ['csm']],
  [
    'sourceKey=salesforce&sourceExternalId=A-2',
    'sourceExternalId',
    { sourceKey: 'salesforce', sourceExternalId: ['A-2'] },
    [{ key: 'salesforce', externalId: 'A-1' }],
  ],
  ['updatedSince=2026-01-11T00:00Z', 'updatedSince', '2026-01-11T00:00Z', '2026-01-10T00:00:00.000Z'],
])('%s excludes a customer and shows the value it has instead', async (query, name, requested, found) => {
  const explanation = await explain(`/customers?${query}`, 900)
  expect(explanation.included).toBe(false)
  expect(missed(explanation)).toEqual([name])
  expect(condition(explanation, name)).toMatchObject({ requested, found })
})

it.each([
  'status=prospect',
  'segment=SMB&city=Rome&country=Italy&region=EMEA&domain=a.example',
  'memberId=2',
  'memberId=2&memberRoleId=1',
  'sourceKey=salesforce&sourceExternalId=A-1',
  'updatedSince=2026-01-10T00:00Z',
])('%s includes a customer', async (query) => {
  const explanation = await explain(`/customers?${query}`, 900)
  expect(explanation.included).toBe(true)
  expect(missed(explanation)).toEqual([])
})

it('excludes a signal by its status and a meeting by its start', async () => {
  const signal = await explain('/signals?status=closed', 9000)
  expect(condition(signal, 'status')).toMatchObject({ holds: false, requested: 'closed', found: 'open' })
  const requested = '2026-01-06T00:00Z'
  const meeting = await explain(`/customers/900/meetings?minStartDate=${requested}`, 9500)
  const late = { holds: false, requested, found: '2026-01-05T09:00:00.000Z' }
  expect(condition(meeting, 'minStartDate')).toMatchObject(late)
})

it('names the offset of the page for a record that matches on another page', async () => {
  const explanation = await explain('/customers?limit=10', 902)
  const { position = -1, total = -1, offset = -1 } = explanation.place ?? {}
  expect(explanation).toMatchObject({ included: false, total })
  expect(missed(explanation)).toEqual([])
  expect(explanation.summary).toContain(`send offset=${offset}`)
  const path = `${home}/customers?limit=10&offset=${offset}`
  const page = await as(sandbox, 'theo').get<Page<{ id: number }>>(path)
  expect(page.totalCount).toBe(total)
  expect(page.items[position - offset]?.id).toBe(902)
  expect((await explain(`/customers?limit=10&offset=${offset}`, 902)).included).toBe(true)
})

/** Counts the customers that a query finds. */
const count = async (query: string) =>
  (await as(sandbox, 'theo').get<Page<unknown>>(`${home}/customers?${query}`)).totalCount

it('counts without a record how many records meet each condition, alone and with those before it', async () => {
  const explanation = await explain('/customers?scope=team&status=active&segment=SMB')
  const counted = explanation.conditions.filter(({ matchesAlone }) => matchesAlone !== undefined)
  const [all, team] = [await count(''), await count('scope=team')]
  const [active, smb] = [await count('status=active'), await count('segment=SMB')]
  const both = await count('scope=team&status=active')
  const total = await count('scope=team&status=active&segment=SMB')
  expect(counted).toMatchObject([
    { name: 'organizationId', matchesAlone: all, matchesSoFar: all },
    { name: 'scope', matchesAlone: team, matchesSoFar: team },
    { name: 'status', matchesAlone: active, matchesSoFar: both },
    { name: 'segment', matchesAlone: smb, matchesSoFar: total },
  ])
  expect(explanation).toMatchObject({ total, status: 200 })
  expect(explanation).not.toHaveProperty('included')
  expect(missed(explanation)).toEqual([])
})

it('a record that does not exist, or is of another organization, is in no list', async () => {
  const missing = await explain('/customers', 987654)
  expect(missing).toMatchObject({ status: 200, included: false })
  expect(missing.summary).toBe('Customer 987654 is not in the response. There is no customer 987654.')
  const foreign = await explain('/members', 501)
  expect(foreign.included).toBe(false)
  expect(condition(foreign, 'organizationId')).toMatchObject({ requested: 'harbor', found: 'quill' })
})

it('compares the single record of a response with the given one', async () => {
  expect((await explain('/customers/900', 900)).included).toBe(true)
  const explanation = await explain('/customers/900', 901)
  expect(explanation).toMatchObject({ status: 200, included: false })
  expect(condition(explanation, 'id')).toMatchObject({ requested: 901, found: 900 })
  expect(await sandbox.explain({ path: '/members/me', token: bo, id: 2 })).toMatchObject({ included: true })
})

it('reports an unknown parameter as a warning', async () => {
  expect((await explain('/customers?segmnt=SMB')).warnings).toEqual([expect.stringContaining('segmnt')])
})
