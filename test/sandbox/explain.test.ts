import { expect, it } from 'vitest'

import { as, type Page } from '../support.ts'
import { condition, explain, home, missed, sandbox } from './explain-support.ts'

it.each([
  [
    'mine: the caller has a role',
    '/customers?scope=mine',
    900,
    true,
    /a role on customer 900; Bo Birk \(2\) has csm/,
  ],
  [
    'mine: a colleague has it',
    '/customers?scope=mine',
    901,
    false,
    /a role on customer 901; Cy Cole \(3\) has csm/,
  ],
  [
    'team: a colleague with the same manager has it',
    '/customers?scope=team',
    901,
    true,
    /the team of Ada Ash \(1\) \(.*; Cy Cole \(3\) has csm/,
  ],
  [
    'team, of a signal: its customer',
    '/signals?scope=team',
    9001,
    false,
    /a role on customer 902; Eve Elm \(5\) has csm/,
  ],
])('the scope %s', async (_, path, id, holds, text) => {
  const explanation = await explain(path, id)
  expect(explanation).toMatchObject({ status: 200, included: holds })
  const scope = condition(explanation, 'scope')
  expect(scope).toMatchObject({ holds, text: expect.stringMatching(text) })
  expect(explanation.summary.includes(`is not in the response: ${scope?.text}`)).toBe(!holds)
})

it.each([
  ['status=active', 'status', 'status=active; the record has prospect.'],
  ['segment=Enterprise&segment=Mid-Market', 'segment', 'Enterprise or Mid-Market; the record has SMB.'],
  ['domain=b.example', 'domain', 'domain=b.example; the record has a.example.'],
  ['country=Spain', 'country', 'country=Spain; the record has Italy.'],
  ['region=APAC', 'region', 'region=APAC; the record has EMEA.'],
  ['city=Milan', 'city', 'city=Milan; the record has Rome.'],
  ['memberId=3', 'memberId', 'that Cy Cole (3) has a role on customer 900; Bo Birk (2) has csm.'],
  [
    'memberId=2&memberRoleId=2',
    'memberRoleId',
    'has the role accountManager on customer 900; Bo Birk (2) has csm.',
  ],
  [
    'sourceKey=salesforce&sourceExternalId=A-2',
    'sourceExternalId',
    'sourceKey=salesforce and sourceExternalId=A-2; the record has salesforce A-1.',
  ],
  ['updatedSince=2026-01-11T00:00Z', 'updatedSince', '; the record has 2026-01-10T00:00:00.000Z.'],
])('%s excludes a customer and shows the value it has instead', async (query, name, text) => {
  const explanation = await explain(`/customers?${query}`, 900)
  expect(explanation.included).toBe(false)
  expect(missed(explanation)).toEqual([name])
  expect(condition(explanation, name)?.text).toContain(text)
})

it('excludes a signal by its status and a meeting by its start', async () => {
  const signal = await explain('/signals?status=closed', 9000)
  expect(condition(signal, 'status')).toMatchObject({
    holds: false,
    text: expect.stringContaining('has open.'),
  })
  const requested = '2026-01-06T00:00Z'
  const meeting = await explain(`/customers/900/meetings?minStartDate=${requested}`, 9500)
  const late = { holds: false, text: expect.stringContaining('has 2026-01-05T09:00:00.000Z.') }
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
  expect(missing.summary).toBe('Customer 987654 is not in the response: there is no customer 987654.')
  const foreign = await explain('/members', 501)
  expect(foreign.included).toBe(false)
  expect(condition(foreign, 'organizationId')?.text).toContain('organizationId=harbor; the record has quill.')
})
