import { expect, test } from 'vitest'

import { openApiDocument } from '../../src/contract/openapi.ts'
import { defaultContract } from '../../src/resources/contract.ts'
import { endpoints } from '../../src/resources/index.ts'
import { as, crawl, expectInvalid, openSandbox, posted } from '../support.ts'

/** The keywords of JSON Schema that bound a parameter here; another one fails the guard until it has samples. */
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

/** What stands on the two sides of a bound, as texts on the wire. */
interface Sides {
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
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

const document = openApiDocument(defaultContract, 'test') as Document

function resolved(schema: Schema): Schema {
  const { $ref, ...rest } = schema
  return $ref === undefined
    ? schema
    : { ...document.components.schemas[$ref.replace('#/components/schemas/', '')], ...rest }
}

/** Texts on both sides of every bound of a parameter. */
function sides(given: Schema): Sides {
  const schema = resolved(given)
  const unknown = Object.keys(schema).filter((key) => !known.has(key) && !key.startsWith('x-'))
  expect(unknown, 'bounds without samples').toEqual([])
  if (schema.type === 'array') return sides(schema.items ?? {})
  if (schema.type === 'integer') return integerSides(schema)
  if (schema.enum) {
    const other = schema.enum.map((value) => value.toUpperCase())
    return { accepted: schema.enum, refused: [...other, 'other', ''] }
  }
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, 'u')
    return {
      accepted: instants.filter((text) => pattern.test(text)),
      refused: instants.filter((text) => !pattern.test(text)),
    }
  }
  const { minLength = 0 } = schema
  return { accepted: ['x'.repeat(minLength), '\u00e9 & "+"'], refused: minLength > 0 ? [''] : [] }
}

function integerSides({ minimum, exclusiveMinimum, maximum }: Schema): Sides {
  const lower = BigInt(minimum ?? (exclusiveMinimum ?? Number.NaN) + 1)
  const upper = BigInt(maximum ?? Number.NaN)
  const outside = [lower - 1n, upper + 1n, upper * 1000n].map(String)
  const malformed = ['', '1.5', '1.0', '1e2', '0x1', '+1', ' 1', '1 ', '1_0', 'one', 'null', '\u0661']
  return {
    accepted: [`${lower}`, `${upper}`, `${lower + 1n}`, `00${lower}`],
    refused: [...outside, ...malformed],
  }
}

const sandbox = await openSandbox()
const mara = as(sandbox, 'mara')
const visits = await crawl(mara)

/** A path of the operation that leads to a record; the note's is that of the list of notes. */
function addressOf(path: string): string {
  const operation = endpoints.find((endpoint) => endpoint.path === path && endpoint.method === 'GET')
  const visit = visits.find(({ operationId }) => operationId === operation?.id)
  return visit?.path.replace(/\?.*/, '') ?? ''
}

const isArray = ({ schema }: Parameter) => resolved(schema).type === 'array'

for (const endpoint of endpoints) {
  const described = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
  const parameters = described?.parameters ?? []
  const address = addressOf(endpoint.path)
  const names = endpoint.path.split('/')
  const inQuery = parameters.filter((each) => each.in === 'query')

  const ask = (query: string) => mara.send(`${address}?${query}`)
  /** A parameter with a value, and what it must be supplied together with. */
  const asked = (parameter: Parameter, ...values: readonly string[]): string => {
    const needed = endpoint.query.pairs
      .filter((pair) => pair.parameter === parameter.name)
      .map(({ needs }) => parameters.find(({ name }) => name === needs))
    const partners = needed.map((other) => `${other?.name}=${sides(other?.schema ?? {}).accepted[0]}`)
    const own = values.map((value) => `${parameter.name}=${encodeURIComponent(value)}`)
    return [...partners, ...own].join('&')
  }

  for (const parameter of inQuery) {
    const { accepted, refused } = sides(parameter.schema)

    test(`${endpoint.id} accepts ${parameter.name} inside its bounds`, async () => {
      expect(accepted.length).toBeGreaterThan(0)
      for (const value of accepted) {
        const response = await ask(asked(parameter, value))
        expect(response.status, `${parameter.name}=${value}`).toBe(200)
      }
    })

    test(`${endpoint.id} refuses ${parameter.name} outside its bounds, by name`, async () => {
      expect(refused.length).toBeGreaterThan(0)
      for (const value of refused) {
        await expectInvalid(await ask(asked(parameter, value)), `query ${parameter.name}`)
      }
    })
  }

  for (const parameter of inQuery.filter(isArray)) {
    test(`${endpoint.id} accepts ${parameter.name} given twice`, async () => {
      expect((await ask(asked(parameter, 'x', 'y'))).status).toBe(200)
    })
  }

  for (const parameter of inQuery.filter((each) => !isArray(each))) {
    test(`${endpoint.id} refuses ${parameter.name} given twice`, async () => {
      const [value = ''] = sides(parameter.schema).accepted
      await expectInvalid(await ask(asked(parameter, value, value)), `query ${parameter.name}`)
    })
  }

  for (const { parameter, needs } of endpoint.query.pairs) {
    test(`${endpoint.id} refuses ${parameter} without ${needs}`, async () => {
      const value = sides(parameters.find(({ name }) => name === parameter)?.schema ?? {}).accepted[0]
      await expectInvalid(await ask(`${parameter}=${value}`), `query ${parameter}`)
    })
  }

  for (const parameter of parameters.filter((each) => each.in === 'path')) {
    if (parameter.name === 'organizationId') continue
    const { accepted, refused } = sides(parameter.schema)
    const place = names.indexOf(`{${parameter.name}}`)
    const at = (value: string) => address.split('/').with(place, encodeURIComponent(value)).join('/')

    test(`${endpoint.id} refuses a path whose ${parameter.name} is outside its bounds, by name`, async () => {
      for (const value of refused.filter((text) => text !== '')) {
        await expectInvalid(await mara.send(at(value)), `path ${parameter.name}`)
      }
    })

    test(`${endpoint.id} looks for any ${parameter.name} inside its bounds`, async () => {
      for (const value of accepted) expect([200, 404]).toContain((await mara.send(at(value))).status)
    })
  }
}

for (const { id, path } of endpoints.filter(({ body }) => body !== undefined)) {
  const body = document.paths[path]?.['post']?.requestBody?.content['application/json'].schema ?? {}
  const { properties = {}, required = [] } = resolved(body)
  const valid: Readonly<Record<string, unknown>> = { categoryId: 1, content: 'Called.' }
  const post = (value: unknown) => as(sandbox.session(), 'mara').send(addressOf(path), posted(value))

  for (const [name, schema] of Object.entries(properties)) {
    test(`${id} accepts a body whose ${name} is inside its bounds`, async () => {
      for (const value of bodySides(schema).accepted) {
        expect((await post({ ...valid, [name]: value })).status).toBe(200)
      }
    })

    test(`${id} refuses a body whose ${name} is outside its bounds, by name`, async () => {
      for (const value of bodySides(schema).refused) {
        await expectInvalid(await post({ ...valid, [name]: value }), `body ${name}`)
      }
    })
  }

  for (const name of required) {
    test(`${id} refuses a body without ${name}, by name`, async () => {
      await expectInvalid(await post({ ...valid, [name]: undefined }), `body ${name}`)
    })
  }

  test(`${id} refuses a body with an unknown member, by name`, async () => {
    await expectInvalid(await post({ ...valid, categoryID: 1 }), 'body categoryID')
  })
}

/** Values on both sides of every bound of a body's member. Units: a text's length in code points. */
function bodySides(schema: Schema): { readonly accepted: readonly unknown[]; readonly refused: unknown[] } {
  const { type, minLength = 0, maxLength = 0, maximum = 0 } = schema
  const other = [null, true, [], {}]
  if (type === 'integer') return { accepted: [1], refused: [...other, 0, -1, 1.5, maximum + 1, '1'] }
  return {
    accepted: [faces(minLength), faces(maxLength), 'x'.repeat(maxLength)],
    refused: [...other, 1, faces(minLength - 1), faces(maxLength + 1), '\ud800'],
  }
}

/** A text of so many code points, each of which is two code units. */
function faces(count: number): string {
  return '\u{1f600}'.repeat(count)
}
