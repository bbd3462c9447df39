import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Schema } from '../../docs/.vitepress/openapi.ts'
import { type Document, listOperations, type Place, resolveSchema } from '../guards/openapi-document.ts'
import type { Raw } from '../sandbox/control-support.ts'
import { words } from '../support.ts'
import { chooseAmount, expectBelow, formatMegabytes } from './figures.ts'
import { expectWellFormed } from './raw-http.ts'
import { forEach, serveWithClient } from './server.ts'

/** The path and options of a request. */
type Sent = readonly [path: string, raw: Raw]

const junk = fc.oneof(
  fc.constantFrom(
    ...words(`% %zz %ff %00 .. %2e%2e %2F + [] null -1 1e9 0x1 ' __proto__ constructor toString
      9007199254740992 <b> %0d%0aX:%20y`),
    '',
    '${7*7}',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => encodeURIComponent(text)),
)
const anyJson = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(1e308, '\ud800', '\0', { __proto__: null }))

/** Generates the value of a schema, whose references lead into a document. */
function generateValue(document: Document, given: Schema): fc.Arbitrary<unknown> {
  const schema = resolveSchema(document, given)
  const generate = (part: Schema): fc.Arbitrary<unknown> => generateValue(document, part)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'integer') {
    return fc.oneof(fc.integer({ min: 1, max: 12 }), fc.maxSafeInteger(), fc.constant(schema.maximum))
  }
  if (schema.type === 'array') return generate(schema.items ?? {})
  const parts = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, generate(part)])
  if (schema.type === 'object') return fc.record(Object.fromEntries(parts), { requiredKeys: [] })
  return fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constant('2026-01-15T12:00Z'))
}

const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'REPORT']

/** Generates requests of an operation: some that its document describes, and some that it does not. */
function generateRequest(document: Document, operation: Place): fc.Arbitrary<Sent> {
  const { path, method, parameters, requestBody } = operation
  const listValues = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema }): readonly [string, fc.Arbitrary<string>] => {
        const described = generateValue(document, schema).map((value) => encodeURIComponent(String(value)))
        const usual = name === 'organizationId' ? fc.constant('harbor') : described
        return [name, fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: junk })]
      })
  const target = fc
    .record(Object.fromEntries(listValues('path')))
    .map((value) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value[name] ?? ''))
  const pair = fc.oneof(
    ...listValues('query').map(([name, values]) => values.map((value) => `${name}=${value}`)),
    fc.tuple(junk, junk).map(([name, value]) => `${name}=${value}`),
  )
  const verb = usually(method.toUpperCase(), ...methods)
  const content = generateValue(document, requestBody?.content['application/json'].schema ?? {})
  const anyBody = fc.oneof(
    fc.oneof(anyJson, content).map((value) => JSON.stringify(value) ?? ''),
    junk,
  )
  return fc
    .tuple(target, fc.array(pair, { maxLength: 5 }), verb, headers, anyBody)
    .map(([at, query, sentMethod, sent, body]) => {
      // Node's client sends the length of a body only if the method usually has one.
      const length = { 'content-length': `${Buffer.byteLength(body)}` }
      const isBare = ['GET', 'HEAD', 'OPTIONS'].includes(sentMethod)
      const raw = isBare
        ? { method: sentMethod, headers: sent }
        : { method: sentMethod, headers: { ...sent, ...length }, body }
      return [`/v1${at}${query.length > 0 ? '?' : ''}${query.join('&')}`, raw]
    })
}

const usually = <T>(value: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const headers = fc.record({
  authorization: usually<string | null>('Bearer sbx_harbor_1', 'Bearer sbx_quill_501', 'Bearer', 'x', null),
  'content-type': usually<string | null>(
    'application/json',
    'text/plain',
    'application/json;charset=x',
    null,
  ),
  'sandbox-session': usually<string | null>(null, 'default', 'x', '../x', '__proto__'),
  prefer: usually<string | null>(null, 'x', 'code=999', 'code=', ';;'),
})

it('answers fuzzed requests from its own document without failing or growing', async (context) => {
  const { ask, child, memory } = await serveWithClient()
  const document: Document = JSON.parse((await ask('/openapi.json')).body)
  const operations = listOperations(document).map((operation) => ({
    weight: operation.requestBody ? 6 : 1,
    arbitrary: generateRequest(document, operation),
  }))
  const generated = fc.oneof(...operations)
  const count = chooseAmount(1_000, 5_000)
  const statuses = new Set<number>()
  const play = async (seed: number) => {
    const requests = fc.sample(generated, { seed, numRuns: count / 2 })
    await forEach(requests.length, async () => {
      const sent = requests.pop() ?? ['/', {}]
      const answer = await ask(...sent)
      expectWellFormed(answer, JSON.stringify(sent))
      statuses.add(answer.status)
    })
    expect((await ask('/_sandbox/reset', { method: 'POST' })).status).toBe(200)
    return memory()
  }
  const before = await play(1)
  const after = await play(2)
  expect(child.exitCode).toBeNull()
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 415]))
  const grown = after.live - before.live
  await expectBelow(context, 'growth of live memory', grown, 10 * 1_048_576, formatMegabytes)
})
