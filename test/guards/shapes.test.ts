import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { createSandbox, type ShapeName } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { openShaped, product } from '../shapes.ts'
import { as, crawl } from '../support.ts'

/** Everything that Mara reads without learned shapes. */
const visits = await crawl(as(await createSandbox({ size: 'small' }), 'mara'))
const shaped = await openShaped({ product })

it('the shapes of other records stay byte for byte', async () => {
  const client = as(shaped, 'mara')
  for (const { operationId, path, text } of visits.filter((_, index) => index % 7 === 0)) {
    const isShaped = operationId === 'listProducts'
    const isSame = (await (await client.send(path)).text()) === text
    expect(isSame, `response to ${path}`).toBe(!isShaped)
  }
})

/** The operations that show the records of each shape, and their place in a response. */
const places: Record<Exclude<ShapeName, 'noteRequest'>, readonly [operationId: string, field?: string]> = {
  brief: ['listBriefs', 'items'],
  briefContent: ['listCustomerBriefContents', 'items'],
  customField: ['listCustomFields'],
  memberRole: ['listMemberRoles'],
  note: ['listCustomerNotes', 'items'],
  noteCategory: ['listNoteCategories'],
  product: ['listProducts'],
  productMetric: ['listProductMetrics'],
  automationSummary: ['listAutomations'],
  actionLog: ['listAutomationActionLogs', 'items'],
  transcriptLine: ['getCustomerMeeting', 'transcript'],
  signalSubCategory: ['getSignal', 'subCategory'],
  meetingContact: ['getCustomerMeeting', 'contacts'],
}

/** Finds the records of a shape in a response. */
function findRecords(body: unknown, field: string | undefined): readonly unknown[] {
  const found: unknown = field === undefined ? body : Reflect.get(Object(body), field)
  return Array.isArray(found) ? found : found === null ? [] : [found]
}

/** Two responses for each shape that contain records of it. */
const samples = Object.entries(places).flatMap(([name, [operationId, field]]) =>
  visits
    .filter((visit) => visit.operationId === operationId)
    .filter(({ text }) => findRecords(JSON.parse(text), field).length > 0)
    .slice(0, 2)
    .map(({ path }) => ({ name, path, field })),
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

it('responses fit random shapes of each record, by another validator', async () => {
  const { memberRole, ...others } = Object.fromEntries(Object.keys(places).map((name) => [name, anyShape]))
  const all = fc.record({ ...others, memberRole: (memberRole ?? anyShape).map(withDocumented) })
  for (const shapes of fc.sample(all, { numRuns: chooseAmount(3, 10), seed: 28 })) {
    const sandbox = await openShaped(shapes)
    const client = as(sandbox, 'mara')
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    const checked = new Set<string>()
    for (const { name, path, field } of samples) {
      const schema: object = Reflect.get(shapes, name)
      for (const record of findRecords(await client.get(path), field)) {
        const isValid = ajv.validate(schema, record)
        expect(isValid, `${name} ${JSON.stringify({ record, schema, errors: ajv.errors })}`).toBe(true)
        checked.add(name)
      }
    }
    expect([...checked]).toEqual(Object.keys(places))
    await sandbox.close()
  }
})
