import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { ShapeName } from '../../src/contract/shapes.ts'
import { createSandbox } from '../../src/index.ts'
import { openShaped, product } from '../shapes.ts'
import { as, crawl } from '../support.ts'

/** Everything that Mara reads without learned shapes. */
const visits = await crawl(as(await createSandbox({ size: 'small' }), 'mara'))
const shaped = await openShaped({ product })

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
    const sandbox = await openShaped(given)
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
