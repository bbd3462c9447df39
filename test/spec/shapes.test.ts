import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'

import { createSandbox, type Sandbox } from '../../src/index.ts'
import { createResponseValidator } from '../guards/response-validator.ts'
import { type LearnedProduct, openShaped, product } from '../shapes.ts'
import { as, createJsonPost, expectInvalid, type Page } from '../support.ts'

const home = '/organizations/harbor'

const standard = await createSandbox({ size: 'small' })
const shaped = await openShaped({ product })

it('a learned shape replaces the fields of a record that the document does not show (assumed A-25)', async () => {
  const own = await as(standard, 'mara').get<{ id: number; key: string; name: string }[]>(`${home}/products`)
  const products = await as(shaped, 'mara').get<LearnedProduct[]>(`${home}/products`)
  expect(products.map(({ id, title, owner }) => [id, title, owner.code])).toEqual(
    own.map(({ id, name, key }) => [id, name, key]),
  )
  expect(products.map((one) => Object.keys(one))).toEqual(own.map(() => Object.keys(product.properties)))
  expect(new Set(products.map(({ tier }) => tier)).size).toBe(2)
  expect(new Set(products.map(({ owner }) => owner.email)).size).toBe(products.length)
})

it('a field without a source has the same value in every sandbox, whatever other fields the shape has', async () => {
  const { tier, ...others } = product.properties
  const other = await openShaped({ product: { ...product, properties: { ...others, level: tier, tier } } })
  const read = async (sandbox: typeof shaped) =>
    (await as(sandbox, 'mara').get<LearnedProduct[]>(`${home}/products`)).map((one) => [
      one.tier,
      one.launchedOn,
    ])
  expect(await read(other)).toEqual(await read(shaped))
})

it('a field with the name of another one keeps its value only if that fits', async () => {
  const properties = {
    id: { type: 'string' },
    key: { type: 'integer' },
    name: { 'x-from': null, type: 'string' },
  }
  const sandbox = await openShaped({ product: { properties, required: ['id', 'key', 'name'] } })
  const [first] = await as(sandbox, 'mara').get<{ id: unknown; key: unknown; name: unknown }[]>(
    `${home}/products`,
  )
  const [own] = await as(standard, 'mara').get<{ id: number; name: string }[]>(`${home}/products`)
  expect(first?.id).toBe(String(own?.id))
  expect(Number.isInteger(first?.key)).toBe(true)
  expect(first?.name).not.toBe(own?.name)
})

it('fields of the row can be shown as well', async () => {
  const properties = {
    id: { type: 'integer' },
    active: { type: 'boolean', 'x-from': 'isActive' },
    organizationId: {},
  }
  const sandbox = await openShaped({ brief: { properties } })
  const { items } = await as(sandbox, 'mara').get<Page<object>>(`${home}/briefs`)
  expect(items[0]).toEqual({ id: 1, active: true, organizationId: 'harbor' })
})

it('a shape has $ref, allOf and nullable, as in the document of a vendor', async () => {
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
  const sandbox = await openShaped({ noteCategory: shape })
  const [first] = await as(sandbox, 'mara').get<object[]>(`${home}/note-categories`)
  expect(Object.keys(first ?? {})).toEqual(['id', 'name', 'score'])
})

const note = {
  properties: {
    id: { type: 'integer' },
    text: { type: 'string', 'x-from': 'content' },
    visibility: { enum: ['public', 'team', 'private'] },
    categoryName: { type: 'string', 'x-from': 'category.name' },
  },
  required: ['id', 'text', 'visibility', 'categoryName'],
}
const { id: _id, categoryName: _category, ...requested } = note.properties
const noteRequest = { properties: requested, required: ['text'], additionalProperties: false }

it('a note is created by a learned request, and keeps its values (assumed A-18)', async () => {
  const client = as(await openShaped({ note, noteRequest }), 'mara')
  const path = `${home}/customers/1/notes`
  for (const visibility of note.properties.visibility.enum) {
    const created = await client.post(path, { text: 'Called them', visibility })
    expect(created).toEqual({
      id: expect.any(Number),
      text: 'Called them',
      visibility,
      categoryName: 'Call',
    })
    const { items } = await client.get<Page<object>>(path)
    expect(items.at(-1)).toEqual(created)
  }
  await expectInvalid(
    await client.send(path, createJsonPost({ visibility: 'all', content: 'x' })),
    'body text',
    'body visibility',
    'body content',
  )
})

/** The parts of an OpenAPI document that these tests read. */
interface Document {
  readonly info: object
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties: object }>> }
}

it('OpenAPI describes the shape, as assumed and with the setting that it comes from', async () => {
  const document: Document = await (await shaped.fetch('/openapi.json')).json()
  const mark = { 'x-provenance': 'assumed', 'x-assumption': 'A-25', 'x-source': 'shapes.product' }
  const { Product, Brief } = document.components.schemas
  expect(Product).toMatchObject({
    required: product.required,
    properties: {
      title: { type: 'string', 'x-from': 'name', ...mark },
      owner: { ...mark, properties: { email: { format: 'email', ...mark } } },
    },
  })
  expect(document.info).toMatchObject({ 'x-assumptions': { shapes: { product } } })
  const own: Document = await (await standard.fetch('/openapi.json')).json()
  expect(Brief).toEqual(own.components.schemas['Brief'])
  expect(own.info).not.toHaveProperty('x-assumptions.shapes')
})

it('OpenAPI keeps the marks of what the document shows of a role', async () => {
  const properties = {
    id: { type: 'integer' },
    key: { type: 'string' },
    name: { type: 'string' },
    color: { type: 'string' },
  }
  const sandbox = await openShaped({ memberRole: { properties, required: ['id', 'key', 'name'] } })
  const document: Document = await (await sandbox.fetch('/openapi.json')).json()
  expect(document.components.schemas['MemberRoleDefinition']?.properties).toMatchObject({
    key: { 'x-provenance': 'documented', 'x-source': 'Other records' },
    color: { 'x-provenance': 'assumed', 'x-source': 'shapes.memberRole' },
  })
})

const answer = (body: unknown) => ({ status: 200, mediaType: 'application/json', body })

it('the OpenAPI document is valid, and describes every response that has a shape', async () => {
  const sandbox = await openShaped({ product, note, noteRequest })
  const document = await (await sandbox.fetch('/openapi.json')).json()
  expect(await new Validator().validate(document)).toMatchObject({ valid: true })
  const validate = createResponseValidator(document)
  const client = as(sandbox, 'mara')
  const place = '/organizations/{organizationId}'
  const products = answer(await client.get(`${home}/products`))
  expect(validate({ path: `${place}/products`, method: 'get' }, products)).toEqual([])
  const notes = { path: `${place}/customers/{customerId}/notes`, method: 'post' }
  const created = await client.post(`${home}/customers/1/notes`, { text: 'Called them', visibility: 'team' })
  expect(validate(notes, answer(created))).toEqual([])
  expect(validate(notes, answer({ ...Object(created), visibility: 'all' }))).not.toEqual([])
})

/** Lists the assumptions that shapes replace. */
async function listShaped(sandbox: Sandbox): Promise<object[]> {
  const listed: object[] = await (await sandbox.fetch('/_sandbox/assumptions')).json()
  return listed.filter((one) => 'shapes' in one)
}

it('the list of assumptions shows the shapes that fill a gap', async () => {
  expect(await listShaped(shaped)).toEqual([expect.objectContaining({ id: 'A-25', shapes: { product } })])
  expect(await listShaped(standard)).toEqual([])
})

it('sessions have the shapes of the sandbox, also with assumptions of their own', async () => {
  const session = shaped.session({ assumptions: { envelopes: 'all' } })
  const { items } = await as(session, 'mara').get<Page<object>>(`${home}/products`)
  expect(items[0]).toHaveProperty('title')
})
