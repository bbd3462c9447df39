import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Choice } from '../../src/contract/choice.ts'
import { choices } from '../../src/contract/choices.ts'
import { serve, type Served } from '../sandbox/control-support.ts'
import { createResponseValidator } from './response-validator.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly explode?: boolean
  readonly schema: Schema
}

interface Example {
  readonly examples: { readonly answered: { readonly summary: string; readonly value: unknown } }
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  readonly responses: Readonly<Record<string, { readonly content: { readonly 'application/json': Example } }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A request that the document allows, or one that breaks a single rule of it. */
interface GeneratedRequest {
  readonly path: string
  readonly method: string
  readonly operationId: string
  readonly target: string
  readonly body: unknown
  readonly isAllowed: boolean
  readonly token: string
}

/** Generates requests from nothing but a document, whose examples contain the ids of records. */
class RequestGenerator {
  readonly #document: Document
  readonly #texts: readonly string[]

  constructor(document: Document) {
    this.#document = document
    this.#texts = [...new Set(collectTexts(document.paths))].filter((text) => text.length < 100)
  }

  get requests(): fc.Arbitrary<GeneratedRequest> {
    const all = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.#generateRequest(path, method, operation)),
    )
    return fc.oneof(...all)
  }

  #generateRequest(path: string, method: string, operation: Operation): fc.Arbitrary<GeneratedRequest> {
    const { operationId, parameters, requestBody } = operation
    const known = findExamplePath(operation).split('?')[0]?.split('/') ?? []
    const inPath = parameters.filter((each) => each.in === 'path')
    const names = path.split('/')
    const ids = fc.tuple(
      ...inPath.map(({ name, schema }) =>
        fc.oneof(
          { weight: 8, arbitrary: fc.constant(known[names.indexOf(`{${name}}`)] ?? '') },
          { weight: 1, arbitrary: this.#generateValue(schema).map(String) },
        ),
      ),
    )
    const inQuery = parameters.filter((each) => each.in === 'query')
    const query = fc.tuple(...inQuery.map(({ schema }) => sometimes(this.#generateValue(schema))))
    const content = requestBody?.content['application/json'].schema
    const body = content ? this.#generateValue(content) : fc.constant(undefined)
    const wrong = sometimes(fc.nat({ max: Math.max(0, inQuery.length - 1) }))
    const token = fc.oneof(
      { weight: 15, arbitrary: fc.constant('sbx_harbor_1') },
      { weight: 1, arbitrary: fc.constant('sbx_nobody') },
    )
    return fc.tuple(ids, query, body, wrong, token).map(([values, given, sent, place, by]) => {
      const at = inPath.reduce((text, { name }, index) => {
        return text.replace(`{${name}}`, encodeURIComponent(values[index] ?? ''))
      }, path)
      const pairs = inQuery.flatMap((parameter, index) =>
        index === place
          ? [[parameter.name, this.#createForbidden(parameter.schema)] as const]
          : encodeParameter(parameter, given[index]),
      )
      const search = pairs.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('&')
      const isAllowed = place === undefined || inQuery.length === 0
      return { path, method, operationId, target: `${at}?${search}`, body: sent, isAllowed, token: by }
    })
  }

  #resolveReference(schema: Schema): Schema {
    const { $ref, ...rest } = schema
    if ($ref === undefined) return schema
    return { ...this.#document.components.schemas[$ref.replace('#/components/schemas/', '')], ...rest }
  }

  /** Generates any value that a schema allows. */
  #generateValue(given: Schema): fc.Arbitrary<unknown> {
    const schema = this.#resolveReference(given)
    const { type, properties = {}, required = [], items = {}, minItems, minLength, pattern } = schema
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if (type === 'integer') {
      const [least, most] = getBounds(schema)
      return fc.oneof(
        fc.integer({ min: least, max: Math.min(most, least + 10) }),
        fc.constantFrom(least, most),
      )
    }
    if (type === 'array')
      return fc.array(this.#generateValue(items), { minLength: minItems ?? 0, maxLength: 3 })
    if (type === 'object') {
      const fields = Object.entries(properties).map(
        ([name, field]) => [name, this.#generateValue(field)] as const,
      )
      const shape: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields)
      return fc.record(shape, { requiredKeys: [...required] })
    }
    if (type !== 'string') throw new Error(`cannot generate a value of type ${type}`)
    if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
    return fc.oneof(
      fc.constantFrom(...this.#texts),
      fc.string({ minLength: minLength ?? 0, maxLength: 20, unit: 'grapheme' }),
    )
  }

  /** Creates a text that the schema of a parameter does not allow. */
  #createForbidden(given: Schema): string {
    const schema = this.#resolveReference(given)
    if (schema.type === 'integer') return `${getBounds(schema)[0] - 1}`
    return schema.enum || schema.pattern !== undefined ? 'no such value' : ''
  }
}

function getBounds({ minimum, exclusiveMinimum, maximum }: Schema): readonly [least: number, most: number] {
  return [minimum ?? (exclusiveMinimum ?? Number.NaN) + 1, maximum ?? Number.NaN]
}

/** Generates a value one time in five. */
function sometimes<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
}

/** Encodes the value of a parameter as the document describes. */
function encodeParameter({ name, explode }: Parameter, value: unknown): (readonly [string, string])[] {
  if (typeof value === 'string' || typeof value === 'number') return [[name, `${value}`]]
  if (!Array.isArray(value)) return []
  // Values that are joined with commas must not contain one.
  if (explode === false) return [[name, value.map((text) => String(text).replaceAll(',', ';')).join(',')]]
  return value.map((text) => [name, String(text)])
}

/** Finds the path of an operation's example. */
function findExamplePath({ responses }: Operation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return success?.[1].content['application/json'].examples.answered.summary.replace(/^\w+ /, '') ?? ''
}

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : []
}

const second = Object.entries<Choice>(choices).map(([name, { alternatives }]) => [
  name,
  alternatives[1]?.value,
])
const last = Object.entries<Choice>(choices).map(([name, { alternatives }]) => [
  name,
  alternatives.at(-1)?.value,
])

async function open({ ask }: Served, assumptions: object) {
  const opened = await ask('/_sandbox/sessions', { method: 'POST', body: JSON.stringify({ assumptions }) })
  const { id, baseUrl }: { id: string; baseUrl: string } = JSON.parse(opened.body)
  const { body } = await ask('/openapi.json', { headers: { 'sandbox-session': id } })
  const document: Document = JSON.parse(body)
  return { document, base: new URL(baseUrl).pathname }
}

it.each([
  ['with the default assumptions', {}],
  ['with every assumption overridden', Object.fromEntries(second)],
  ['with other names and forms', Object.fromEntries(last.filter((_, place) => place % 2 === 0))],
])(
  'returns only documented responses, and rejects requests that the document forbids: %s',
  async (_, assumptions) => {
    const served = await serve({ size: 'small' })
    const { document, base } = await open(served, assumptions)
    const faults = createResponseValidator(document)
    const succeeded = new Set<string>()
    await fc.assert(
      fc.asyncProperty(new RequestGenerator(document).requests, async (generated) => {
        const { path, method, operationId, target, body, isAllowed, token } = generated
        const {
          status,
          headers,
          body: text,
        } = await served.ask(`${base}${target}`, {
          method: method.toUpperCase(),
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const mediaType = headers['content-type'] ?? ''
        expect(faults({ path, method }, { status, mediaType, body: JSON.parse(text) })).toEqual([])
        expect(isAllowed || status >= 400, `a forbidden request returned ${status}`).toBe(true)
        if (status < 300) succeeded.add(operationId)
      }),
      { seed: 42, numRuns: 300 },
    )
    const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect([...succeeded].toSorted()).toEqual(all.map(({ operationId }) => operationId).toSorted())
  },
)
