import { expect, it } from 'vitest'

import { as, home, openSandbox, type Page, tokens } from '../support.ts'

const sandbox = await openSandbox()
const token = tokens.theo

it.each([
  ['GET /customers', token, 200, 'id', 'there is no customer 501.'],
  ['GET /members', token, 200, 'organizationId', 'organizationId=harbor; the record has quill.'],
  ['GET /customers', tokens.omar, 403, 'organization', "is not the caller's, which is quill."],
  ['GET /members/501', token, 404, 'memberId', 'belongs to quill, but the caller belongs to harbor.'],
  ['GET /customers/987654', token, 404, 'customerId', 'there is no customer 987654.'],
  ['GET /customers/2/meetings/1', token, 404, 'meetingId', 'meeting 1 belongs to customer 1, not to'],
  ['GET /automations/1/triggers/9/logs', token, 404, 'triggerId', 'automation 1 has no trigger 9.'],
  ['GET /customers?limit=0', 'sbx_harbor_999', 401, 'token', 'the token belongs to no member.'],
  ['GET /customers?limit=0&memberRoleId=1', token, 400, 'limit memberRoleId', 'limit must be greater than'],
  ['GET /customer', token, 404, 'operation', 'The nearest endpoint is GET /v1'],
  ['DELETE /customers/1', token, 405, 'operation', 'GET'],
  ['POST /customers/987654/notes', token, 404, 'customerId', 'there is no customer 987654.'],
])(
  'explains %s with the token %s and the status %i by its %s: %s',
  async (call, sent, status, names, text) => {
    const [method = '', path = ''] = call.split(' ')
    const input = { method, path: `${home}${path}`, token: sent, ...(method === 'GET' && { id: 501 }) }
    const explanation = await sandbox.explain(input)
    expect(explanation).toMatchObject({ status, summary: expect.stringContaining(text) })
    const failed = explanation.conditions.filter(({ holds }) => holds === false)
    expect(failed.map(({ name }) => name).join(' ')).toBe(names)
  },
)

it('explains a POST up to its body, and writes nothing', async () => {
  const path = `${home}/customers/1/notes`
  const client = as(sandbox, 'theo')
  const before = await client.get<Page<unknown>>(path)
  const input = { method: 'POST', path, token }
  const summary = expect.stringContaining('if its body is valid')
  expect(await sandbox.explain(input)).toMatchObject({ status: 200, summary })
  await expect(sandbox.explain({ ...input, id: 1 })).rejects.toThrow('input id: must be omitted')
  expect(await client.get(path)).toEqual(before)
})

it.each(['preview', 'explain'] as const)(
  '%s takes a path as long as a server would, also after /v1',
  async (name) => {
    const path = `${home}/customers?city=${'a'.repeat(16_000)}`
    const shown = await sandbox[name]({ path, token })
    expect(shown).toMatchObject({ status: 200, request: `GET /v1${path}` })
    expect(await sandbox[name]({ path: `/v1${path}`, token })).toEqual(shown)
    const longer = sandbox[name]({ path: `${path}${'a'.repeat(800_000)}`, token })
    await expect(longer).rejects.toThrow('input path: must have at most 16384 characters')
  },
)
