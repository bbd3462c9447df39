import { expect, it } from 'vitest'

import { createOpenApiDocument } from '../../src/contract/openapi.ts'
import { defaultContract } from '../../src/service/contract.ts'
import { endpoints } from '../../src/service/index.ts'
import { as, crawl, expectInvalid, openSandbox, createJsonPost } from '../support.ts'

/** The JSON Schema keywords that this guard has samples for; it fails for any other. */
interface Schema {
  readonly type?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly $ref?: string
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly schema: Schema
}

interface Described {
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Values on both sides of a bound, as strings. */
interface Samples {
  readonly accepted: readonly string[]
  readonly rejected: readonly string[]
}

const known = new Set(
  'type minimum exclusiveMinimum maximum minLength maxLength minItems pattern enum items default description'.split(
    ' ',
  ),
)

const instants = [
  '2026-01-15T12:00Z',
  '2026-01-15T12:00:30Z',
  '2026-01-15T12:00:30.123456789Z',
  '2024-02-29T00:00Z',
  '2026-02-29T00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-15T24:00:00Z',
  '2026-01-15T12:60Z',
  '2026-01-15T12:00:00+00:00',
  '2026-01-15T12:00:00',
  '2026-01-15T12:00:00.Z',
  '2026-01-15t12:00:00z',
  '2026-01-15',
  '1768478400000',
  'yesterday',
  '',
]

const document = createOpenApiDocument(defaultContract, 'test') as Document

function resolve(schema: Schema): Schema {
  const { $ref, ...rest } = schema
  return $ref === undefined
    ? schema
    : { ...document.components.schemas[$ref.replace('#/components/schemas/', '')], ...rest }
}

/** Returns values on both sides of every bound of a parameter. */
function createSamples(given: Schema): Samples {
  const schema = resolve(given)
  const unknown = Object.keys(schema).filter((key) => !known.has(key) && !key.startsWith('x-'))
  expect(unknown, 'keywords without samples').toEqual([])
  if (schema.type === 'array') return createSamples(schema.items ?? {})
  if (schema.type === 'integer') return createIntegerSamples(schema)
  if (schema.enum) {
    const other = schema.enum.map((value) => value.toUpperCase())
    return { accepted: schema.enum, rejected: [...other, 'other', ''] }
  }
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, 'u')
    return {
      accepted: instants.filter((text) => pattern.test(text)),
      rejected: instants.filter((text) => !pattern.test(text)),
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

const sandbox = await openSandbox()
const mara = as(sandbox, 'mara')
const visits = await crawl(mara)

/** Finds a path of an operation that leads to a record; for creating a note, that of the list of notes. */
function findPath(path: string): string {
  const operation = endpoints.find((endpoint) => endpoint.path === path && endpoint.method === 'GET')
  const visit = visits.find(({ operationId }) => operationId === operation?.id)
  return visit?.path.replace(/\?.*/, '') ?? ''
}

const isArray = ({ schema }: Parameter) => resolve(schema).type === 'array'

for (const endpoint of endpoints) {
  const described = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
  const parameters = described?.parameters ?? []
  const address = findPath(endpoint.path)
  const names = endpoint.path.split('/')
  const inQuery = parameters.filter((each) => each.in === 'query')

  const send = (query: string) => mara.send(`${address}?${query}`)
  /** Builds the query for a parameter, with the one that it requires. */
  const buildQuery = (parameter: Parameter, ...values: readonly string[]): string => {
    const needed = endpoint.query.pairs
      .filter((pair) => pair.parameter === parameter.name)
      .map(({ needs }) => parameters.find(({ name }) => name === needs))
    const partners = needed.map((other) => `${other?.name}=${createSamples(other?.schema ?? {}).accepted[0]}`)
    const own = values.map((value) => `${parameter.name}=${encodeURIComponent(value)}`)
    return [...partners, ...own].join('&')
  }

  for (const parameter of inQuery) {
    const { accepted, rejected } = createSamples(parameter.schema)

    it(`${endpoint.id} accepts ${parameter.name} within bounds`, async () => {
      expect(accepted.length).toBeGreaterThan(0)
      for (const value of accepted) {
        const response = await send(buildQuery(parameter, value))
        expect(response.status, `${parameter.name}=${value}`).toBe(200)
      }
    })

    it(`${endpoint.id} rejects ${parameter.name} outside its bounds, by name`, async () => {
      expect(rejected.length).toBeGreaterThan(0)
      for (const value of rejected) {
        await expectInvalid(await send(buildQuery(parameter, value)), `query ${parameter.name}`)
      }
    })
  }

  for (const parameter of inQuery.filter(isArray)) {
    it(`${endpoint.id} accepts a repeated ${parameter.name}`, async () => {
      expect((await send(buildQuery(parameter, 'x', 'y'))).status).toBe(200)
    })
  }

  for (const parameter of inQuery.filter((each) => !isArray(each))) {
    it(`${endpoint.id} rejects ${parameter.name} given twice`, async () => {
      const [value = ''] = createSamples(parameter.schema).accepted
      await expectInvalid(await send(buildQuery(parameter, value, value)), `query ${parameter.name}`)
    })
  }

  for (const { parameter, needs } of endpoint.query.pairs) {
    it(`${endpoint.id} rejects ${parameter} without ${needs}`, async () => {
      const value = createSamples(parameters.find(({ name }) => name === parameter)?.schema ?? {}).accepted[0]
      await expectInvalid(await send(`${parameter}=${value}`), `query ${parameter}`)
    })
  }

  for (const parameter of parameters.filter((each) => each.in === 'path')) {
    if (parameter.name === 'organizationId') continue
    const { accepted, rejected } = createSamples(parameter.schema)
    const place = names.indexOf(`{${parameter.name}}`)
    const at = (value: string) => address.split('/').with(place, encodeURIComponent(value)).join('/')

    it(`${endpoint.id} rejects a path whose ${parameter.name} is outside its bounds, by name`, async () => {
      for (const value of rejected.filter((text) => text !== '')) {
        await expectInvalid(await mara.send(at(value)), `path ${parameter.name}`)
      }
    })

    it(`${endpoint.id} accepts a path with any ${parameter.name} within bounds`, async () => {
      for (const value of accepted) expect([200, 404]).toContain((await mara.send(at(value))).status)
    })
  }
}

for (const { id, path } of endpoints.filter(({ body }) => body !== undefined)) {
  const body = document.paths[path]?.['post']?.requestBody?.content['application/json'].schema ?? {}
  const { properties = {}, required = [] } = resolve(body)
  const valid: Readonly<Record<string, unknown>> = { categoryId: 1, content: 'Called.' }
  const post = (value: unknown) => as(sandbox.session(), 'mara').send(findPath(path), createJsonPost(value))

  for (const [name, schema] of Object.entries(properties)) {
    it(`${id} accepts a body with ${name} within bounds`, async () => {
      for (const value of createBodySamples(schema).accepted) {
        expect((await post({ ...valid, [name]: value })).status).toBe(200)
      }
    })

    it(`${id} rejects a body whose ${name} is outside its bounds, by name`, async () => {
      for (const value of createBodySamples(schema).rejected) {
        await expectInvalid(await post({ ...valid, [name]: value }), `body ${name}`)
      }
    })
  }

  for (const name of required) {
    it(`${id} rejects a body without ${name}, by name`, async () => {
      await expectInvalid(await post({ ...valid, [name]: undefined }), `body ${name}`)
    })
  }

  it(`${id} rejects a body with an unknown member, by name`, async () => {
    await expectInvalid(await post({ ...valid, categoryID: 1 }), 'body categoryID')
  })
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
