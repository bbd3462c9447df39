import { expect, it } from 'vitest'

import type { Schema } from '../../docs/.vitepress/openapi.ts'
import { endpoints } from '../../src/service/index.ts'
import { invalidTimes, validTimes } from '../spec/support.ts'
import { as, createJsonPost, expectInvalid, words } from '../support.ts'
import { document, getBody, listPaths, mara, sandbox } from './crawled.ts'
import { findNeeded, type Parameter, resolveSchema } from './openapi-document.ts'

/** The JSON Schema keywords that this guard has samples for; it fails for any other. */
const known = new Set(
  words(
    'type minimum exclusiveMinimum maximum minLength maxLength minItems pattern enum items default description example',
  ),
)

/** Values on both sides of a bound, as strings. */
interface Samples {
  readonly accepted: readonly string[]
  readonly rejected: readonly string[]
}

const resolve = (schema: Schema): Schema => resolveSchema(document, schema)

/** Returns values on both sides of every bound of a parameter. */
function createSamples(given: Schema): Samples {
  const schema = resolve(given)
  const unknown = Object.keys(schema).filter((key) => !known.has(key) && !key.startsWith('x-'))
  expect(unknown, 'keywords without samples').toEqual([])
  if (schema.type === 'array') return createSamples(schema.items ?? {})
  if (schema.type === 'integer') return createIntegerSamples(schema)
  if (schema.enum) {
    const accepted = schema.enum.map(String)
    return { accepted, rejected: [...accepted.map((value) => value.toUpperCase()), 'other', ''] }
  }
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, 'u')
    const times = [...validTimes, ...invalidTimes]
    return {
      accepted: times.filter((text) => pattern.test(text)),
      rejected: times.filter((text) => !pattern.test(text)),
    }
  }
  const { minLength = 0 } = schema
  return { accepted: ['x'.repeat(minLength), '\u00e9 & "+"'], rejected: minLength > 0 ? [''] : [] }
}

function createIntegerSamples({ minimum, exclusiveMinimum, maximum }: Schema): Samples {
  const lower = BigInt(minimum ?? (exclusiveMinimum ?? Number.NaN) + 1)
  const upper = BigInt(maximum ?? Number.NaN)
  const outside = [lower - 1n, upper + 1n, upper * 1000n].map(String)
  const malformed = ['', '1.5', '1.0', '1e2', '0x1', '+1', ' 1', '1 ', '1_0', 'one', 'null', '\u0661']
  return {
    accepted: [`${lower}`, `${upper}`, `${lower + 1n}`, `00${lower}`],
    rejected: [...outside, ...malformed],
  }
}

const isArray = ({ schema }: Parameter) => resolve(schema).type === 'array'

for (const endpoint of endpoints) {
  const parameters = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.parameters ?? []
  const [address = ''] = listPaths(endpoint)
  const inQuery = parameters.filter((each) => each.in === 'query')
  const inPath = parameters.filter((each) => each.in === 'path' && each.name !== 'organizationId')
  const pairs = inQuery.flatMap((parameter) => {
    const needs = findNeeded(parameter)
    return needs === undefined ? [] : [{ parameter: parameter.name, needs }]
  })
  const sample = (name: string) =>
    createSamples(parameters.find((one) => one.name === name)?.schema ?? {}).accepted[0]

  /** Sends values of a parameter, with the one that it requires. */
  const send = (parameter: string, ...values: readonly string[]) => {
    const needed = pairs.flatMap((pair) => (pair.parameter === parameter ? [pair.needs] : []))
    const partners = needed.map((name) => `${name}=${sample(name)}`)
    const own = values.map((value) => `${parameter}=${encodeURIComponent(value)}`)
    return mara.send(`${address}?${[...partners, ...own].join('&')}`)
  }
  const sendInPath = (parameter: string, value: string) =>
    mara.send(
      address
        .split('/')
        .with(endpoint.path.split('/').indexOf(`{${parameter}}`), encodeURIComponent(value))
        .join('/'),
    )

  it.each(inQuery)(
    `${endpoint.id} accepts $name within its bounds, and rejects it outside, by name`,
    async (one) => {
      const { name, schema } = one
      const { accepted, rejected } = createSamples(schema)
      expect(Math.min(accepted.length, rejected.length)).toBeGreaterThan(0)
      for (const value of accepted) expect((await send(name, value)).status, `${name}=${value}`).toBe(200)
      for (const value of rejected) await expectInvalid(await send(name, value), `query ${name}`)
      const twice = await send(name, accepted[0] ?? '', accepted[0] ?? '')
      expect(twice.status).toBe(isArray(one) ? 200 : 400)
    },
  )

  it.each(pairs)(`${endpoint.id} rejects $parameter without $needs`, async ({ parameter }) => {
    const response = await mara.send(`${address}?${parameter}=${sample(parameter)}`)
    await expectInvalid(response, `query ${parameter}`)
  })

  it.each(inPath)(`${endpoint.id} accepts a path with any $name within bounds, and no other`, async (one) => {
    const { accepted, rejected } = createSamples(one.schema)
    for (const value of accepted) expect([200, 404]).toContain((await sendInPath(one.name, value)).status)
    for (const value of rejected.filter((text) => text !== '')) {
      await expectInvalid(await sendInPath(one.name, value), `path ${one.name}`)
    }
  })
}

for (const endpoint of endpoints.filter(({ body }) => body !== undefined)) {
  const { id, path } = endpoint
  const [address = ''] = listPaths(endpoint)
  const body = document.paths[path]?.['post']?.requestBody?.content['application/json'].schema ?? {}
  const valid = getBody(endpoint)
  const post = (value: unknown) => as(sandbox.session(), 'mara').send(address, createJsonPost(value))

  it.each(Object.entries(resolve(body).properties ?? {}))(
    `${id} accepts a body with %s within bounds, and rejects one outside or without it, by name`,
    async (name, schema) => {
      const { accepted, rejected } = createBodySamples(schema)
      for (const value of accepted) expect((await post({ ...valid, [name]: value })).status).toBe(200)
      for (const value of [...rejected, undefined]) {
        await expectInvalid(await post({ ...valid, [name]: value }), `body ${name}`)
      }
    },
  )
}

/** Returns values on both sides of every bound of a body's field. Units: a string's length in code points. */
function createBodySamples(schema: Schema): {
  readonly accepted: readonly unknown[]
  readonly rejected: unknown[]
} {
  const { type, minLength = 0, maxLength = 0, maximum = 0 } = schema
  const other = [null, true, [], {}]
  if (type === 'integer') return { accepted: [1], rejected: [...other, 0, -1, 1.5, maximum + 1, '1'] }
  return {
    accepted: [repeatEmoji(minLength), repeatEmoji(maxLength), 'x'.repeat(maxLength)],
    rejected: [...other, 1, repeatEmoji(minLength - 1), repeatEmoji(maxLength + 1), '\ud800'],
  }
}

/** Returns a string with this number of code points, each of two code units. */
function repeatEmoji(count: number): string {
  return '\u{1f600}'.repeat(count)
}
