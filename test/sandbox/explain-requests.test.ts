import { describe, expect, it } from 'vitest'

import { as, control, expectInvalid, type Page, tokens } from '../support.ts'
import { bo, condition, explain, home, missed, sandbox } from './explain-support.ts'

describe('an error', () => {
  it('for an unknown token is explained by the token alone', async () => {
    const explanation = await explain('/customers', 900, 'sbx_harbor_99999')
    expect(explanation).toMatchObject({ status: 401, included: false })
    expect(explanation.conditions.map(({ name, holds }) => [name, holds])).toEqual([['token', false]])
    expect(explanation.summary).toContain('The token belongs to no member.')
  })

  it('for another organization names both', async () => {
    const explanation = await explain('/customers', 900, tokens.omar)
    expect(explanation.status).toBe(403)
    expect(condition(explanation, 'organization')).toMatchObject({
      holds: false,
      requested: 'harbor',
      found: 'quill',
    })
  })

  it('for a record of another organization names its owner', async () => {
    const explanation = await explain('/members/501')
    expect(explanation.status).toBe(404)
    expect(condition(explanation, 'memberId')).toMatchObject({
      holds: false,
      requested: 501,
      found: { organizationId: 'quill' },
      text: 'Member 501 belongs to quill, but the caller belongs to harbor.',
    })
  })

  it('for a record that does not exist says so', async () => {
    const explanation = await explain('/customers/987654')
    expect(explanation).toMatchObject({ status: 404 })
    expect(condition(explanation, 'customerId')?.text).toBe('There is no customer 987654.')
  })

  it("for another customer's meeting names that customer", async () => {
    const explanation = await explain('/customers/901/meetings/9500')
    expect(explanation.status).toBe(404)
    expect(condition(explanation, 'customerId')?.holds).toBe(true)
    expect(condition(explanation, 'meetingId')).toMatchObject({ holds: false, found: { customerId: 900 } })
  })

  it('for a trigger that its automation does not have names both', async () => {
    const [automation] = await as(sandbox, 'theo').get<{ id: number }[]>(`${home}/automations`)
    const explanation = await explain(`/automations/${automation?.id}/triggers/987654/logs`)
    expect(explanation.status).toBe(404)
    expect(condition(explanation, 'triggerId')?.text).toBe(
      `Automation ${automation?.id} has no trigger 987654.`,
    )
  })

  it('for invalid parameters names each', async () => {
    const explanation = await explain('/customers?limit=0&memberRoleId=1', 900)
    expect(explanation.status).toBe(400)
    expect(missed(explanation)).toEqual(['limit', 'memberRoleId'])
  })

  it('for an unknown path or method names the nearest', async () => {
    expect((await explain('/customer')).summary).toContain('The nearest endpoint is GET /v1')
    const input = { method: 'DELETE', path: `${home}/customers/900`, token: bo }
    expect(await sandbox.explain(input)).toMatchObject({ status: 405 })
  })
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

it('changes nothing: neither the journal nor the faults', async () => {
  const session = sandbox.session()
  session.faults.add({ status: 503, times: 1 })
  const path = `${home}/customers`
  expect(await session.explain({ path, token: bo })).toMatchObject({ status: 200 })
  expect(session.requests.list()).toEqual([])
  expect((await as(session, 'theo').send(path)).status).toBe(503)
})

it("sees a session's changes", async () => {
  const session = sandbox.session()
  await session.data.customers.patch(900, { segment: 'Enterprise' })
  const input = { path: `${home}/customers?segment=Enterprise`, token: bo, id: 900 }
  expect(await session.explain(input)).toMatchObject({ included: true })
  expect(await sandbox.explain(input)).toMatchObject({ included: false })
})

it("follows a session's assumptions and uses their names", async () => {
  const assumptions = {
    customerStatuses: ['live', 'implementation', 'lost', 'lead'],
    violationStatus: 422,
    order: 'newest',
    textMatching: 'anyCase',
  } as const
  const session = sandbox.session({ assumptions })
  const ask = (path: string, id?: number) =>
    session.explain({ path: `${home}${path}`, token: bo, ...(id !== undefined && { id }) })
  const status = condition(await ask('/customers?status=live', 900), 'status')
  expect(status).toMatchObject({ holds: false, requested: 'live', found: 'lead' })
  expect(await ask('/customers?status=active')).toMatchObject({ status: 422 })
  expect(await ask('/customers?city=ROME&limit=250', 902)).toMatchObject({ place: { position: 0 } })
})

const ask = (body: unknown): Promise<Response> => control(sandbox, 'POST', '/explain', body)

describe('over HTTP', () => {
  it('responds with the same', async () => {
    const input = { path: `${home}/customers?scope=mine`, token: bo, id: 900 }
    const response = await ask(input)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(await sandbox.explain(input))
  })

  it('rejects invalid fields by name and suggests the nearest for an unknown one', async () => {
    await expectInvalid(await ask({}), 'body path', 'body token')
    await expectInvalid(await ask({ path: 'customers', token: bo, id: 0 }), 'body path', 'body id')
    const response = await ask({ path: '/members/me', token: bo, methd: 'GET' })
    expect(await response.clone().text()).toContain('Did you mean method?')
    await expectInvalid(response, 'body methd')
  })
})
