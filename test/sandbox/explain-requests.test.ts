import { expect, it } from 'vitest'

import { as, type Page, tokens } from '../support.ts'
import { bo, condition, explain, home, missed, sandbox } from './explain-support.ts'

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
