import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { as, crawl, createJsonPost, customers, notes, openSandbox } from '../support.ts'
import tables from './document.json' with { type: 'json' }
import { createResponseValidator, type Document, listOperations } from './openapi-document.ts'

/** The endpoint table of the document, its query parameters by operation, and its field lists by schema. */
const { operations, fields } = tables
const queries: Readonly<Record<string, string>> = tables.queries

interface JsonObject {
  readonly [key: string]: unknown
}

const sandbox = await openSandbox({ fixture: 'edge-cases' })
const response = await sandbox.fetch(new Request('http://sandbox/openapi.json'))
const document: Document = JSON.parse(await response.text())

const described = listOperations(document)

it('is JSON that pages of any origin may read', () => {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

it("has exactly the document's operations, by id, method and path", () => {
  const found = described.map(({ operationId, path, method }) => [
    operationId,
    `${method.toUpperCase()} ${path}`,
  ])
  expect(Object.fromEntries(found)).toEqual(operations)
  expect(found).toHaveLength(Object.keys(operations).length)
})

it("has exactly the document's parameters, and assumes only the pagination of notes", () => {
  for (const { operationId, path, parameters } of described) {
    const named = (place: string) =>
      parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
    expect(named('path')).toEqual(Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1]))
    expect(named('query').join(' ')).toBe(queries[operationId] ?? '')
    const assumed = parameters.filter((parameter) => parameter['x-provenance'] === 'assumed')
    const expected = operationId === 'listCustomerNotes' ? ['offset', 'limit'] : []
    expect(assumed.map(({ name }) => name)).toEqual(expected)
  }
})

it("has exactly the document's fields, in order and all required", () => {
  const schemas = Object.entries(document.components.schemas).filter(([, { type }]) => type === 'object')
  const documented = schemas.filter(([, schema]) => schema['x-provenance'] === 'documented')
  const found = documented.map(([name, { properties }]) => [name, Object.keys(properties ?? {}).join(' ')])
  expect(Object.fromEntries(found)).toEqual(fields)
  for (const [name, { properties, required }] of documented) {
    expect(required, `required fields of ${name}`).toEqual(Object.keys(properties ?? {}))
  }
})

it('marks every operation, parameter, schema and property as documented or assumed', () => {
  const marked = [
    ...described,
    ...described.flatMap(({ parameters }) => parameters),
    ...Object.values(document.components.schemas),
    ...listProperties(document),
  ]
  for (const thing of marked) expect(thing).toHaveProperty('x-provenance')
  const marks = new Set(marked.map((thing) => (thing as JsonObject)['x-provenance']))
  expect(marks).toEqual(new Set(['documented', 'assumed']))
})

it('names the assumption of everything assumed, and the section of everything documented', () => {
  const things = [...listObjects(document)]
  const assumed = things.filter((thing) => thing['x-provenance'] === 'assumed')
  const documented = things.filter((thing) => thing['x-provenance'] === 'documented')
  expect(assumed.filter((thing) => !/^A-\d\d$/.test(String(thing['x-assumption'])))).toEqual([])
  expect(documented.filter((thing) => !/^[A-Z]/.test(String(thing['x-source'])))).toEqual([])
})

it('defines timestamps once, by format, and the assumed pattern does not restrict clients', () => {
  const { Timestamp, OptionalTimestamp, ...others } = document.components.schemas
  expect(Timestamp).toMatchObject({ type: 'string', format: 'date-time', 'x-assumption': 'A-35' })
  expect(Timestamp).not.toHaveProperty('pattern')
  expect(Timestamp?.['x-assumed-pattern']).toContain('Z')
  expect([...listObjects([others, document.paths])].filter(({ format }) => format === 'date-time')).toEqual(
    [],
  )
  const optional = { $ref: '#/components/schemas/OptionalTimestamp' }
  for (const name of ['Automation', 'AutomationSummary']) {
    expect(others[name]?.['properties']).toMatchObject({ deactivatedDate: optional })
  }
  expect(others['Signal']?.['properties']).toMatchObject({ raisedDate: optional, closedDate: optional })
  expect(OptionalTimestamp?.['anyOf']).toHaveLength(2)
})

it('lists rate limits and other errors of every operation, as assumed', () => {
  expect(described).toHaveLength(Object.keys(operations).length)
  for (const operation of described) {
    const assumed = { 'x-provenance': 'assumed', 'x-assumption': expect.stringMatching(/^A-\d\d$/) }
    expect(operation).toMatchObject({ responses: { 429: assumed, default: assumed } })
  }
})

it('claims no more versions than the document states', () => {
  expect(document.info['version']).toBe('1.0.37')
  expect(readFileSync('README.md', 'utf8')).toContain('descriptions 1.0.33 and 1.0.37')
  expect(document.info['description']).toMatch(
    /^The reference .* single meetings states version 1\.0\.33; the overview and the list of meetings state 1\.0\.37\./,
  )
})

const validate = createResponseValidator(document)

/** Validates a body by the document's schema for the response. Returns the errors. */
function validateBody(operationId: string, status: number, mediaType: string, body: unknown): unknown {
  const found = described.find((operation) => operation.operationId === operationId)
  return validate({ path: found?.path ?? '', method: found?.method ?? '' }, { status, mediaType, body })
}

it('describes every response', async () => {
  for (const name of ['mara', 'omar'] as const) {
    for (const { operationId, path, text } of await crawl(as(sandbox, name))) {
      expect(validateBody(operationId, 200, 'application/json', JSON.parse(text)), `GET ${path}`).toEqual([])
    }
  }
})

it('describes every error', async () => {
  const mara = as(sandbox.session(), 'mara')
  const tooLarge = createJsonPost({ categoryId: 1, content: 'x'.repeat(2_000_000) })
  const errors = [
    ['getCurrentMember', await as(sandbox, 'nobody').send('/members/me')],
    ['listCustomers', await mara.send(`${customers}?limit=0`)],
    ['listCustomers', await as(sandbox, 'omar').send(customers)],
    ['getCustomer', await mara.send(`${customers}/9007199254740990`)],
    ['createCustomerNote', await mara.send(notes, { method: 'POST' })],
    ['createCustomerNote', await mara.send(notes, tooLarge)],
    ['createCustomerNote', await mara.send(notes, createJsonPost({}))],
  ] as const
  expect(errors.map(([, { status }]) => status)).toEqual([401, 400, 403, 404, 415, 413, 400])
  for (const [operationId, error] of errors) {
    const body: unknown = await error.json()
    expect(validateBody(operationId, error.status, 'application/problem+json', body)).toEqual([])
  }
})

function* listObjects(value: unknown): Generator<JsonObject> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as JsonObject
  for (const part of Object.values(value)) yield* listObjects(part)
}

function listProperties(value: unknown): unknown[] {
  return [...listObjects(value)].flatMap(({ type, properties }) =>
    type === 'object' && typeof properties === 'object' && properties !== null
      ? Object.values(properties)
      : [],
  )
}
