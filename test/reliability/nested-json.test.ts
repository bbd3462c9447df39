import { expect, it } from 'vitest'

import { expectProblem, openSandbox, tokens } from '../support.ts'

const nested = (depth: number, list = true): string =>
  list ? `${'['.repeat(depth)}${']'.repeat(depth)}` : `${'{"x":'.repeat(depth)}1${'}'.repeat(depth)}`

/** Every call that accepts JSON, and a body around any value. */
const calls: readonly (readonly [method: string, path: string, around: (value: string) => string])[] = [
  ['POST', '/v1/organizations/harbor/customers/1/notes', (value) => `{"categoryId":${value},"content":"x"}`],
  ['POST', '/_sandbox/data', (value) => `{"customers":[{"customFields":[{"key":"tier","value":${value}}]}]}`],
  ['POST', '/_sandbox/data/customers', (value) => `{"customFields":[{"key":"tier","value":${value}}]}`],
  ['PUT', '/_sandbox/data/customers/1', (value) => `{"customFields":[{"key":"tier","value":${value}}]}`],
  ['PATCH', '/_sandbox/data/customers/1', (value) => `{"customFields":[{"key":"tier","value":${value}}]}`],
  ['PATCH', '/_sandbox/data/customers/1', (value) => `{"name":${value}}`],
  ['PUT', '/_sandbox/data/automations/1', (value) => `{"children":[${value}]}`],
  ['PUT', '/_sandbox/clock', (value) => `{"now":${value}}`],
  ['POST', '/_sandbox/clock/advance', (value) => `{"by":${value}}`],
  ['POST', '/_sandbox/faults', (value) => `{"status":500,"body":${value}}`],
  ['PATCH', '/_sandbox/assumptions', (value) => `{"envelopes":${value}}`],
  ['POST', '/_sandbox/requests/verify', (value) => `{"body":${value}}`],
  ['POST', '/_sandbox/sessions', (value) => `{"assumptions":${value},"faults":${value}}`],
  ['POST', '/_sandbox/explain', (value) => `{"path":${value}}`],
  ['POST', '/_sandbox/preview', (value) => `{"token":${value}}`],
  ['POST', '/_sandbox/reseed', (value) => `{"fixture":{"customers":[{"id":1,"customFields":${value}}]}}`],
]

it.each(calls)('rejects JSON that is nested too deep in %s %s', async (method, path, around) => {
  const sandbox = await openSandbox()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens.mara}` }
  const send = (body: string) => {
    const init: RequestInit = { method, headers, body }
    return sandbox.fetch(new Request(`http://sandbox${path}`, init))
  }
  for (const depth of [201, 5_000, 100_000]) {
    for (const body of [
      nested(depth),
      nested(depth, false),
      around(nested(depth)),
      around(nested(depth, false)),
    ]) {
      const { errors } = await expectProblem(await send(body), 'invalid_request')
      expect(errors).toEqual([
        { in: 'body', name: '', message: 'must not be nested more than 200 levels deep' },
      ])
    }
  }
  expect(await sandbox.data.changes()).toEqual([])
  for (const journal of ['/_sandbox/requests', '/_sandbox/requests.har', '/_sandbox/requests?bodies=true']) {
    expect((await sandbox.fetch(new Request(`http://sandbox${journal}`))).status).toBe(200)
  }
})

it('accepts a value nested to the limit, and any number of brackets in strings', async () => {
  const sandbox = await openSandbox()
  const value: unknown = JSON.parse(nested(190))
  const name = `"\\${'[{'.repeat(300)}`
  const customFields = [{ key: 'tier', value }]
  const url = 'http://sandbox/_sandbox/data/customers/1'
  const init = { method: 'PATCH', body: JSON.stringify({ name, customFields }) }
  expect((await sandbox.fetch(new Request(url, init))).status).toBe(200)
  expect(await sandbox.data.customers.get(1)).toMatchObject({ name, customFields })
})

it('finds requests whose body was nested too deep', async () => {
  const sandbox = await openSandbox()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens.mara}` }
  const url = 'http://sandbox/v1/organizations/harbor/customers/1/notes'
  await sandbox.fetch(new Request(url, { method: 'POST', headers, body: nested(20_000) }))
  sandbox.requests.verify({ operationId: 'createCustomerNote', status: 400, count: 1 })
  expect(() => sandbox.requests.verify({ body: { content: 'x' } })).toThrow('body')
})

it('rejects records in process that are nested too deep or cannot be written as JSON', async () => {
  const sandbox = await openSandbox()
  const circular: unknown[] = []
  circular.push(circular)
  for (const value of [JSON.parse(nested(5_000)), JSON.parse(nested(200_000)), circular, 1n]) {
    const customFields = [{ key: 'tier', value }]
    for (const call of [
      sandbox.data.customers.put({ customFields }),
      sandbox.data.customers.patch(1, { customFields }),
      sandbox.data.create({ customers: [{ customFields }] }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'invalid_request' })
    }
  }
  expect(await sandbox.data.changes()).toEqual([])
  const tooDeep = 'must not be nested more than 200 levels'
  for (const body of [JSON.parse(nested(5_000)), JSON.parse(nested(200_000)), circular]) {
    expect(() => sandbox.requests.verify({ body })).toThrow(tooDeep)
  }
})
