import { expect, it } from 'vitest'

import { controlExamples } from '../../docs/.vitepress/control-examples.ts'
import { type Document, listOperations } from '../guards/openapi-document.ts'
import { as, control, createJsonPost, expectProblem, notes, openSandbox, tokens } from '../support.ts'

const nested = (depth: number, list = true): string =>
  list ? `${'['.repeat(depth)}${']'.repeat(depth)}` : `${'{"x":'.repeat(depth)}1${'}'.repeat(depth)}`

const document = (await (await (await openSandbox()).fetch('/_sandbox/openapi.json')).json()) as Document

/** Every call that accepts JSON, and the fields of an example of its body. */
const calls: readonly (readonly [method: string, path: string, fields: readonly string[]])[] = [
  ['post', '/v1/organizations/harbor/customers/1/notes', ['categoryId', 'content']],
  ...listOperations(document).flatMap(({ method, operationId, requestBody }) => {
    const { target = '', body = {} } = controlExamples[operationId] ?? {}
    return requestBody ? [[method, target, Object.keys(Object(body))] as const] : []
  }),
]

it.each(calls)('rejects JSON that is nested too deep in %s %s', async (method, path, fields) => {
  const sandbox = await openSandbox()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens.mara}` }
  const send = (body: string) => sandbox.fetch(path, { method: method.toUpperCase(), headers, body })
  for (const depth of [201, 5_000, 100_000]) {
    for (const value of [nested(depth), nested(depth, false)]) {
      for (const body of [value, ...fields.map((field) => `{"${field}":${value}}`)]) {
        const { errors } = await expectProblem(await send(body), 'invalid_request')
        expect(errors).toEqual([
          { in: 'body', name: '', message: 'must not be nested more than 200 levels deep' },
        ])
      }
    }
  }
  expect(await sandbox.data.changes()).toEqual([])
  for (const journal of ['/_sandbox/requests', '/_sandbox/requests.har', '/_sandbox/requests?bodies=true']) {
    expect((await sandbox.fetch(journal)).status).toBe(200)
  }
})

it('accepts a value nested to the limit, and any number of brackets in strings', async () => {
  const sandbox = await openSandbox()
  const value: unknown = JSON.parse(nested(190))
  const name = `"\\${'[{'.repeat(300)}`
  const customFields = [{ key: 'tier', value }]
  expect((await control(sandbox, 'PATCH', '/data/customers/1', { name, customFields })).status).toBe(200)
  expect(await sandbox.data.customers.get(1)).toMatchObject({ name, customFields })
})

it('finds requests whose body was nested too deep', async () => {
  const sandbox = await openSandbox()
  await as(sandbox, 'mara').send(notes, { ...createJsonPost({}), body: nested(20_000) })
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
