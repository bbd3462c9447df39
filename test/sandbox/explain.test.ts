import { expect, it } from 'vitest'

import type { Explanation } from '../../src/index.ts'
import { as, home, openSandbox, type Page, tokens } from '../support.ts'

/** Ada manages Bo and Cy, Dee manages Eve; nobody manages Ada and Dee. */
const people = [
  { id: 1, firstName: 'Ada', lastName: 'Ash', managerId: 1 },
  { id: 2, firstName: 'Bo', lastName: 'Birk', managerId: 1 },
  { id: 3, firstName: 'Cy', lastName: 'Cole', managerId: 1 },
  { id: 4, firstName: 'Dee', lastName: 'Dorn', managerId: 4 },
  { id: 5, firstName: 'Eve', lastName: 'Elm', managerId: 4 },
]

const held = (key: string, memberId: number) => ({ memberRoles: [{ key, memberIds: [memberId] }] })

const place = { segment: 'SMB', domain: 'a.example', country: 'Italy', region: 'EMEA', city: 'Rome' }

/** The records of the tests; every other customer is generated. */
const fixture = {
  extends: 'default',
  members: people,
  customers: [
    {
      id: 900,
      ...place,
      ...held('csm', 2),
      products: [],
      sources: [{ key: 'salesforce', externalId: 'A-1' }],
      updatedDate: '2026-01-10T00:00:00.000Z',
    },
    { id: 901, ...place, ...held('csm', 3), products: [] },
    { id: 902, ...place, ...held('csm', 5), products: [] },
  ],
  signals: [
    { id: 9000, customerId: 900, status: 'open' },
    { id: 9001, customerId: 902, status: 'closed' },
  ],
  meetings: [{ id: 9500, customerId: 900, startDate: '2026-01-05T09:00:00.000Z' }],
}

const sandbox = await openSandbox({ fixture })
/** Bo's token. */
const bo = 'sbx_harbor_2'

/** Explains a request, by default Bo's. */
const explain = (path: string, id?: number, token: string = bo): Promise<Explanation> =>
  sandbox.explain({ path: `${home}${path}`, token, ...(id !== undefined && { id }) })

/** Finds the only condition with a name. */
function condition({ conditions }: Explanation, name: string) {
  const found = conditions.filter((one) => one.name === name)
  expect(found.map((one) => one.name)).toEqual([name])
  return found[0]
}

/** Lists the names of the conditions that fail. */
const missed = ({ conditions }: Explanation) =>
  conditions.filter(({ holds }) => holds === false).map(({ name }) => name)

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

it('counts without a record how many records meet each condition and those before it', async () => {
  const explanation = await explain('/customers?scope=team&status=active&segment=SMB')
  const counted = explanation.conditions.filter(({ matchesSoFar }) => matchesSoFar !== undefined)
  const [all, team] = [await count(''), await count('scope=team')]
  const both = await count('scope=team&status=active')
  const total = await count('scope=team&status=active&segment=SMB')
  expect(counted).toMatchObject([
    { name: 'organizationId', matchesSoFar: all },
    { name: 'scope', matchesSoFar: team },
    { name: 'status', matchesSoFar: both },
    { name: 'segment', matchesSoFar: total },
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

it.each([
  [
    '/customers',
    tokens.omar,
    403,
    'organization',
    "The path's organization is not the caller's, which is quill.",
  ],
  ['/members/501', bo, 404, 'memberId', 'Member 501 belongs to quill, but the caller belongs to harbor.'],
  ['/customers/987654', bo, 404, 'customerId', 'There is no customer 987654.'],
  [
    '/customers/901/meetings/9500',
    bo,
    404,
    'meetingId',
    'Meeting 9500 belongs to customer 900, not to the one in the path.',
  ],
  ['/automations/1/triggers/987654/logs', bo, 404, 'triggerId', 'Automation 1 has no trigger 987654.'],
])(
  'the error for %s to %s, %i, names what does not hold: %s. %s',
  async (path, token, status, name, text) => {
    const explanation = await explain(path, undefined, token)
    expect(explanation.status).toBe(status)
    expect(missed(explanation)).toEqual([name])
    expect(condition(explanation, name)?.text).toBe(text)
  },
)

it('the error for an unknown token is explained by the token alone, and that for invalid parameters names each', async () => {
  const unknown = await explain('/customers', 900, 'sbx_harbor_99999')
  expect(unknown).toMatchObject({ status: 401, included: false })
  expect(unknown.conditions.map(({ name, holds }) => [name, holds])).toEqual([['token', false]])
  expect(unknown.summary).toContain('the token belongs to no member.')
  const invalid = await explain('/customers?limit=0&memberRoleId=1', 900)
  expect(invalid.status).toBe(400)
  expect(missed(invalid)).toEqual(['limit', 'memberRoleId'])
})

it('the error for an unknown path or method names the nearest', async () => {
  expect((await explain('/customer')).summary).toContain('The nearest endpoint is GET /v1')
  const input = { method: 'DELETE', path: `${home}/customers/900`, token: bo }
  expect(await sandbox.explain(input)).toMatchObject({ status: 405 })
})

it('explains a POST up to its body, and writes nothing', async () => {
  const session = sandbox.session()
  const path = `${home}/customers/900/notes`
  const client = as(session, 'theo')
  const before = await client.get<Page<unknown>>(path)
  const input = { method: 'POST', path, token: bo }
  expect(await session.explain(input)).toMatchObject({
    status: 200,
    summary: expect.stringContaining('if its body is valid'),
  })
  expect(await session.explain({ ...input, path: `${home}/customers/987654/notes` })).toMatchObject({
    status: 404,
  })
  await expect(session.explain({ ...input, id: 1 })).rejects.toThrow('input id: must be omitted')
  expect(await client.get(path)).toEqual(before)
})

it("follows a session's assumptions and uses their names", async () => {
  const assumptions = {
    customerStatuses: ['live', 'implementation', 'lost', 'lead'],
    violationStatus: 422,
  } as const
  const session = sandbox.session({ assumptions })
  const ask = (path: string, id?: number) =>
    session.explain({ path: `${home}${path}`, token: bo, ...(id !== undefined && { id }) })
  const status = condition(await ask('/customers?status=live', 900), 'status')
  expect(status).toMatchObject({
    holds: false,
    text: expect.stringContaining('status=live; the record has lead.'),
  })
  expect(await ask('/customers?status=active')).toMatchObject({ status: 422 })
})

it.each(['preview', 'explain'] as const)(
  '%s takes a path as long as a server would, also after /v1',
  async (name) => {
    const path = `${home}/customers?city=${'a'.repeat(16_000)}`
    const shown = await sandbox[name]({ path, token: bo })
    expect(shown).toMatchObject({ status: 200, request: `GET /v1${path}` })
    expect(await sandbox[name]({ path: `/v1${path}`, token: bo })).toEqual(shown)
    const longer = sandbox[name]({ path: `${path}${'a'.repeat(800_000)}`, token: bo })
    await expect(longer).rejects.toThrow('input path: must have at most 16384 characters')
  },
)
