import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { shapeNames, type ShapeName, type ShapesInput } from '../../src/contract/shapes.ts'
import { createSandbox, type SandboxOptions } from '../../src/index.ts'
import { as, crawl, createJsonPost, expectInvalid, type Page } from '../support.ts'

const home = '/organizations/harbor'

const open = (shapes: ShapesInput, options: SandboxOptions = {}) =>
  createSandbox({ size: 'small', ...options, shapes })

/** A product as another service might show it. */
const product = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string', 'x-from': 'name' },
    tier: { enum: ['gold', 'silver'] },
    launchedOn: { type: 'string', format: 'date' },
    owner: {
      type: 'object',
      properties: { email: { type: 'string', format: 'email' }, code: { type: 'string', 'x-from': 'key' } },
      required: ['email', 'code'],
    },
  },
  required: ['id', 'title', 'tier', 'launchedOn', 'owner'],
  additionalProperties: false,
}

interface LearnedProduct {
  readonly id: number
  readonly title: string
  readonly tier: string
  readonly launchedOn: string
  readonly owner: { readonly email: string; readonly code: string }
}

const standard = await createSandbox({ size: 'small' })
const shaped = await open({ product })

/** Everything that Mara reads without learned shapes. */
const visits = await crawl(as(standard, 'mara'))

test('a learned shape replaces the fields of a record that the document does not show (assumed A-25)', async () => {
  const own = await as(standard, 'mara').get<{ id: number; key: string; name: string }[]>(`${home}/products`)
  const products = await as(shaped, 'mara').get<LearnedProduct[]>(`${home}/products`)
  expect(products.map(({ id, title, owner }) => [id, title, owner.code])).toEqual(
    own.map(({ id, name, key }) => [id, name, key]),
  )
  expect(products.map((one) => Object.keys(one))).toEqual(own.map(() => Object.keys(product.properties)))
  expect(new Set(products.map(({ tier }) => tier)).size).toBe(2)
  expect(new Set(products.map(({ owner }) => owner.email)).size).toBe(products.length)
})

test('a field without a source has the same value in every sandbox, whatever other fields the shape has', async () => {
  const { tier, ...others } = product.properties
  const other = await open({ product: { ...product, properties: { ...others, level: tier, tier } } })
  const read = async (sandbox: typeof shaped) =>
    (await as(sandbox, 'mara').get<LearnedProduct[]>(`${home}/products`)).map((one) => [
      one.tier,
      one.launchedOn,
    ])
  expect(await read(other)).toEqual(await read(shaped))
})

test('a field with the name of another one keeps its value only if that fits', async () => {
  const properties = {
    id: { type: 'string' },
    key: { type: 'integer' },
    name: { 'x-from': null, type: 'string' },
  }
  const sandbox = await open({ product: { properties, required: ['id', 'key', 'name'] } })
  const [first] = await as(sandbox, 'mara').get<{ id: unknown; key: unknown; name: unknown }[]>(
    `${home}/products`,
  )
  const [own] = await as(standard, 'mara').get<{ id: number; name: string }[]>(`${home}/products`)
  expect(first?.id).toBe(String(own?.id))
  expect(Number.isInteger(first?.key)).toBe(true)
  expect(first?.name).not.toBe(own?.name)
})

test('fields of the row can be shown as well', async () => {
  const properties = {
    id: { type: 'integer' },
    active: { type: 'boolean', 'x-from': 'isActive' },
    organizationId: {},
  }
  const sandbox = await open({ brief: { properties } })
  const { items } = await as(sandbox, 'mara').get<Page<object>>(`${home}/briefs`)
  expect(items[0]).toEqual({ id: 1, active: true, organizationId: 'harbor' })
})

test('a shape has $ref, allOf and nullable, as in the document of a vendor', async () => {
  const shape = {
    allOf: [
      { $ref: '#/$defs/Named' },
      { properties: { score: { type: 'integer', format: 'int32', nullable: true } } },
    ],
    $defs: {
      Named: {
        type: 'object',
        properties: { id: { type: 'integer' }, name: { type: 'string' } },
        required: ['id'],
      },
    },
  }
  const sandbox = await open({ noteCategory: shape })
  const [first] = await as(sandbox, 'mara').get<object[]>(`${home}/note-categories`)
  expect(Object.keys(first ?? {})).toEqual(['id', 'name', 'score'])
})

test('the shapes of other records stay byte for byte', async () => {
  const client = as(shaped, 'mara')
  for (const { operationId, path, text } of visits.filter((_, index) => index % 7 === 0)) {
    const isShaped = operationId === 'listProducts'
    expect((await (await client.send(path)).text()) === text, path).toBe(!isShaped)
  }
})

/** The parts of a response that a shape describes. */
const parts: Record<Exclude<ShapeName, 'noteRequest'>, (operationId: string, body: any) => unknown[]> = {
  brief: (id, body) => (id === 'listBriefs' ? body.items : []),
  briefContent: (id, body) => (id === 'listCustomerBriefContents' ? body.items : []),
  customField: (id, body) => (id === 'listCustomFields' ? body : []),
  memberRole: (id, body) => (id === 'listMemberRoles' ? body : []),
  note: (id, body) => (id === 'listCustomerNotes' ? body.items : []),
  noteCategory: (id, body) => (id === 'listNoteCategories' ? body : []),
  product: (id, body) => (id === 'listProducts' ? body : []),
  productMetric: (id, body) => (id === 'listProductMetrics' ? body : []),
  automationSummary: (id, body) => (id === 'listAutomations' ? body : []),
  actionLog: (id, body) => (id === 'listAutomationActionLogs' ? body.items : []),
  transcriptLine: (id, body) => (id === 'getCustomerMeeting' ? (body.transcript ?? []) : []),
  signalSubCategory: (id, body) => (id === 'getSignal' ? [body.subCategory] : []),
  meetingContact: (id, body) => (id === 'getCustomerMeeting' ? body.contacts : []),
}

/** A few responses for each shape that contain some records of it. */
const samples = Object.entries(parts).flatMap(([name, find]) =>
  visits
    .filter(({ operationId, text }) => find(operationId, JSON.parse(text)).length > 0)
    .slice(0, 3)
    .map((visit) => ({ name: name as keyof typeof parts, ...visit })),
)

const anyText = fc.oneof(
  fc
    .constantFrom('date-time', 'date', 'time', 'duration', 'email', 'uri', 'uuid', 'hostname', 'ipv4', 'ipv6')
    .map((format) => ({ type: 'string', format })),
  fc.record({ minLength: fc.nat(20), extra: fc.nat(30) }).map(({ minLength, extra }) => {
    return { type: 'string', minLength, maxLength: minLength + extra }
  }),
)
const anyNumber = fc
  .record({
    type: fc.constantFrom('integer', 'number'),
    minimum: fc.integer({ min: -500, max: 500 }),
    width: fc.nat(400),
  })
  .map(({ type, minimum, width }) => ({ type, minimum, maximum: minimum + width }))
const anyValue = fc.oneof(
  anyText,
  anyNumber,
  fc.constant({ type: 'boolean' }),
  fc.constant({}),
  fc.constant({ type: ['string', 'null'] }),
  fc
    .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1 })
    .map((values) => ({ enum: values })),
)
const { schema: anySchema } = fc.letrec((tie) => ({
  schema: fc.oneof({ depthSize: 'small' }, anyValue, tie('list'), tie('object'), tie('choice')),
  list: fc.record({ items: tie('schema'), minItems: fc.nat(3) }).map((list) => ({ type: 'array', ...list })),
  choice: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  object: tie('properties').map((properties) => ({
    type: 'object',
    properties,
    required: Object.keys(Object(properties)).slice(0, 2),
    additionalProperties: false,
  })),
  properties: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('schema'), { maxKeys: 4 }),
}))

/** Names of the sandbox's own fields with other types, and names that it does not have. */
const anyShape = fc
  .dictionary(
    fc.oneof(
      fc.constantFrom('name', 'key', 'content', 'type', 'category', 'createdDate'),
      fc.stringMatching(/^[a-zA-Z_$ -]{1,12}$/),
    ),
    anySchema,
    { minKeys: 1, maxKeys: 8 },
  )
  .map((properties) => ({
    type: 'object',
    properties: { ...properties, id: { type: 'integer' } },
    required: ['id', ...Object.keys(properties).filter((_, index) => index % 2 === 0)],
    additionalProperties: false,
  }))

/** Adds what the document shows of a role. */
const withDocumented = (shape: { properties: object; required: string[] }) => ({
  ...shape,
  properties: { ...shape.properties, key: { type: 'string' }, name: { type: 'string' } },
  required: [...new Set([...shape.required, 'key', 'name'])],
})

test('responses fit ten random shapes of each record, by another validator', async () => {
  const all = fc.record(Object.fromEntries(Object.keys(parts).map((name) => [name, anyShape])))
  for (const shapes of fc.sample(all, { numRuns: 10, seed: 28 })) {
    const given: any = { ...shapes, memberRole: withDocumented(shapes['memberRole'] as any) }
    const sandbox = await open(given)
    const client = as(sandbox, 'mara')
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    for (const { name, operationId, path } of samples) {
      const validate = ajv.compile(given[name])
      const found = parts[name](operationId, await client.get(path))
      expect(found.length, name).toBeGreaterThan(0)
      for (const record of found) {
        expect(
          validate(record),
          `${name} ${JSON.stringify(record)}\n${JSON.stringify(given[name])}\n${JSON.stringify(validate.errors)}`,
        ).toBe(true)
      }
    }
    await sandbox.close()
  }
})
void shapeNames
void createJsonPost
void expectInvalid
