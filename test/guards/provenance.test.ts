import { readdirSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'
import * as z from 'zod'

import { assumptions } from '../../src/contract/assumptions.ts'
import { answerSchema, pathSchema } from '../../src/contract/operation.ts'
import { provenanceOf } from '../../src/contract/provenance.ts'
import { endpoints } from '../../src/resources/index.ts'

/** A schema of the contract and where it stands, as in `Customer.products[].arr`. */
interface Place {
  readonly path: string
  readonly schema: z.ZodType
}

/** Every field of every object under a schema. A schema that contains itself is gone through once. */
function fieldsOf({ path, schema }: Place, seen = new Set<z.ZodType>()): Place[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  if (schema instanceof z.ZodObject) {
    return Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => {
      const place = { path: `${path}.${name}`, schema: field }
      return [place, ...fieldsOf(place, seen)]
    })
  }
  return innerOf(schema).flatMap((inner) => fieldsOf({ path: `${path}[]`, schema: inner }, seen))
}

/** The schemas that another one, which is no object, is made of; a kind that is not known here fails. */
function innerOf(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return [schema.unwrap() as z.ZodType]
  }
  if (schema instanceof z.ZodUnion) return schema.options as z.ZodType[]
  const leaves = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodNull, z.ZodEnum, z.ZodLiteral, z.ZodUnknown]
  expect(leaves.some((leaf) => schema instanceof leaf)).toBe(true)
  return []
}

/** What a parameter is checked by once it was read from the wire. */
const read = (schema: z.ZodType) => (schema instanceof z.ZodPipe ? (schema.out as z.ZodType) : schema)

const fields = endpoints.flatMap((endpoint) => [
  ...fieldsOf({ path: endpoint.id, schema: answerSchema(endpoint) }),
  ...(endpoint.body ? fieldsOf({ path: `${endpoint.id} body`, schema: endpoint.body }) : []),
])

const parameters = endpoints.flatMap(({ id, path, query }): Place[] =>
  [...Object.entries(query.parameters), ...Object.entries(pathSchema(path).shape)].map(([name, schema]) => ({
    path: `${id} ${name}`,
    schema: read(schema as z.ZodType),
  })),
)

const unmarked = (places: readonly Place[]) =>
  places.filter(({ schema }) => provenanceOf(schema) === undefined).map(({ path }) => path)

test('every field of every answer and every body says whether it is documented', () => {
  expect(fields.length).toBeGreaterThan(150)
  expect(unmarked(fields)).toEqual([])
})

test('every parameter says whether it is documented', () => {
  expect(parameters.length).toBeGreaterThan(60)
  expect(unmarked(parameters)).toEqual([])
})

test('every shape says whether it is documented', () => {
  const shapes = endpoints.map(({ id, shape }) => ({ path: id, schema: shape }))
  expect(unmarked(shapes)).toEqual([])
})

test('whatever is documented names a section, whatever is assumed an assumption', () => {
  for (const { path, schema } of [...fields, ...parameters]) {
    const mark = provenanceOf(schema)
    const names = mark?.['x-provenance'] === 'assumed' ? mark['x-assumption'] : mark?.['x-source']
    expect(names, `the mark of ${path}`).toBeTruthy()
  }
})

test('the outer form of an answer is assumed exactly where the document does not show it', () => {
  const shown = [
    'getAutomation',
    'getCurrentMember',
    'getCustomer',
    'getCustomerMeeting',
    'getMember',
    'getSignal',
    'listAutomationTriggerLogs',
    'listCustomerMeetings',
    'listCustomers',
    'listSignals',
  ]
  const documented = endpoints.filter(({ assumes }) => assumes === undefined).map(({ id }) => id)
  expect(documented.toSorted()).toEqual(shown)
})

test('every parameter is documented but the pagination of the notes, whose query the document does not show', () => {
  const assumed = parameters.filter(({ schema }) => provenanceOf(schema)?.['x-provenance'] === 'assumed')
  expect(assumed.map(({ path, schema }) => [path, provenanceOf(schema)?.['x-assumption']])).toEqual([
    ['listCustomerNotes offset', 'A-18'],
    ['listCustomerNotes limit', 'A-18'],
  ])
})

/** The titles of the tests that say what the service does. */
const titles = readdirSync('test/spec').flatMap((name) =>
  Array.from(
    readFileSync(`test/spec/${name}`, 'utf8').matchAll(/^test\((?:'(.*?)'|"(.*?)"|`(.*?)`),/gms),
    ([, ...quoted]) => quoted.join(''),
  ),
)

/** The assumptions that a text names. */
const named = (text: string) => Array.from(text.matchAll(/\bA-\d\d\b/g), ([id]) => id)

test('every mark names an assumption that exists', () => {
  const marks = [...fields, ...parameters].flatMap(
    ({ schema }) => provenanceOf(schema)?.['x-assumption'] ?? [],
  )
  const assumed = endpoints.flatMap(({ assumes }) => assumes ?? [])
  const sources = titles.flatMap(named)
  expect([...marks, ...assumed, ...sources].filter((id) => !(id in assumptions))).toEqual([])
})

test('every assumption has a test that says so in its title, as in "(assumed A-01)"', () => {
  expect(titles.length).toBeGreaterThan(100)
  const tested = new Set(titles.filter((title) => title.includes('(assumed')).flatMap(named))
  expect(Object.keys(assumptions).filter((id) => !tested.has(id))).toEqual([])
})

test('every title that names an assumption says that it is assumed', () => {
  const wrong = titles.filter(
    (title) => named(title).length > 0 && !/\(assumed A-\d\d(?:, A-\d\d)*\)$/.test(title),
  )
  expect(wrong).toEqual([])
})
