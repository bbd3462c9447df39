import { readdirSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'
import * as z from 'zod'

import { assumptions } from '../../src/contract/assumptions.ts'
import { responseSchema, createPathSchema } from '../../src/contract/operation.ts'
import { getProvenance } from '../../src/contract/provenance.ts'
import { endpoints } from '../../src/resources/index.ts'

/** A schema of the contract and its place, as in `Customer.products[].arr`. */
interface Place {
  readonly path: string
  readonly schema: z.ZodType
}

/** Lists every field of every object in a schema; a recursive schema is visited once. */
function listFields({ path, schema }: Place, seen = new Set<z.ZodType>()): Place[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  if (schema instanceof z.ZodObject) {
    return Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => {
      const place = { path: `${path}.${name}`, schema: field }
      return [place, ...listFields(place, seen)]
    })
  }
  return listInner(schema).flatMap((inner) => listFields({ path: `${path}[]`, schema: inner }, seen))
}

/** Lists the schemas in one that is not an object; an unknown kind fails. */
function listInner(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return [schema.unwrap() as z.ZodType]
  }
  if (schema instanceof z.ZodUnion) return schema.options as z.ZodType[]
  const leaves = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodNull, z.ZodEnum, z.ZodLiteral, z.ZodUnknown]
  expect(leaves.some((leaf) => schema instanceof leaf)).toBe(true)
  return []
}

/** Returns the schema that checks a parameter's parsed value. */
const parsedSchema = (schema: z.ZodType) => (schema instanceof z.ZodPipe ? (schema.out as z.ZodType) : schema)

const fields = endpoints.flatMap((endpoint) => [
  ...listFields({ path: endpoint.id, schema: responseSchema(endpoint) }),
  ...(endpoint.body ? listFields({ path: `${endpoint.id} body`, schema: endpoint.body }) : []),
])

const parameters = endpoints.flatMap(({ id, path, query }): Place[] =>
  [...Object.entries(query.parameters), ...Object.entries(createPathSchema(path).shape)].map(
    ([name, schema]) => ({
      path: `${id} ${name}`,
      schema: parsedSchema(schema as z.ZodType),
    }),
  ),
)

const unmarked = (places: readonly Place[]) =>
  places.filter(({ schema }) => getProvenance(schema) === undefined).map(({ path }) => path)

it('every field of every response and request is marked as documented or assumed', () => {
  expect(fields.length).toBeGreaterThan(150)
  expect(unmarked(fields)).toEqual([])
})

it('every parameter is marked as documented or assumed', () => {
  expect(parameters.length).toBeGreaterThan(60)
  expect(unmarked(parameters)).toEqual([])
})

it('every shape is marked as documented or assumed', () => {
  const shapes = endpoints.map(({ id, shape }) => ({ path: id, schema: shape }))
  expect(unmarked(shapes)).toEqual([])
})

it('every documented mark names a section, every assumed one an assumption', () => {
  for (const { path, schema } of [...fields, ...parameters]) {
    const mark = getProvenance(schema)
    const names = mark?.['x-provenance'] === 'assumed' ? mark['x-assumption'] : mark?.['x-source']
    expect(names, `mark of ${path}`).toBeTruthy()
  }
})

it('the form of a response is assumed exactly if the document does not show it', () => {
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

it('every parameter is documented except the pagination of notes', () => {
  const assumed = parameters.filter(({ schema }) => getProvenance(schema)?.['x-provenance'] === 'assumed')
  expect(assumed.map(({ path, schema }) => [path, getProvenance(schema)?.['x-assumption']])).toEqual([
    ['listCustomerNotes offset', 'A-18'],
    ['listCustomerNotes limit', 'A-18'],
  ])
})

/** The titles of the tests about the service. */
const titles = readdirSync('test/spec').flatMap((name) =>
  Array.from(
    readFileSync(`test/spec/${name}`, 'utf8').matchAll(/^it\((?:'(.*?)'|"(.*?)"|`(.*?)`),/gms),
    ([, ...quoted]) => quoted.join(''),
  ),
)

/** Finds the assumptions that a text names. */
const findIds = (text: string) => Array.from(text.matchAll(/\bA-\d\d\b/g), ([id]) => id)

it('marks and titles name only existing assumptions', () => {
  const marks = [...fields, ...parameters].flatMap(
    ({ schema }) => getProvenance(schema)?.['x-assumption'] ?? [],
  )
  const assumed = endpoints.flatMap(({ assumes }) => assumes ?? [])
  const sources = titles.flatMap(findIds)
  expect([...marks, ...assumed, ...sources].filter((id) => !(id in assumptions))).toEqual([])
})

it('every assumption has a test with its id in the title, as in "(assumed A-01)"', () => {
  expect(titles.length).toBeGreaterThan(100)
  const tested = new Set(titles.filter((title) => title.includes('(assumed')).flatMap(findIds))
  expect(Object.keys(assumptions).filter((id) => !tested.has(id))).toEqual([])
})

it('every title that names an assumption ends with it', () => {
  const wrong = titles.filter(
    (title) => findIds(title).length > 0 && !/\(assumed A-\d\d(?:, A-\d\d)*\)$/.test(title),
  )
  expect(wrong).toEqual([])
})
