import * as z from 'zod'

import { isObject, isShallow } from './json.ts'
import { didYouMean } from './nearest.ts'

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const

type JsonType = (typeof types)[number]
type Scalar = string | number | boolean | null

/** A JSON Schema without references, in the keywords that zod can read and Faker can fill. */
export interface JsonSchema {
  readonly type?: JsonType | readonly JsonType[] | undefined
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: boolean | undefined
  readonly items?: JsonSchema | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly anyOf?: readonly JsonSchema[] | undefined
  readonly oneOf?: readonly JsonSchema[] | undefined
  readonly enum?: readonly Scalar[] | undefined
  readonly const?: Scalar | undefined
  readonly format?: string | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly exclusiveMinimum?: number | undefined
  readonly exclusiveMaximum?: number | undefined
  readonly multipleOf?: number | undefined
  readonly description?: string | undefined
  /** The field of the sandbox's own record that gives the value, like `name`; null for none. */
  readonly 'x-from'?: string | null | undefined
}

/** A part of a schema that cannot be used. */
export interface SchemaIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The limits of a schema, after its references are replaced. Units: characters of JSON, levels, parts. */
const limits = { size: 65_536, levels: 12, parts: 500 } as const

/** The formats of texts that can be checked and generated. */
const formats = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'uri',
  'uuid',
  'hostname',
  'ipv4',
  'ipv6',
] as const

const text = z.string('must be a string')
const length = z.int('must be a whole number').min(0).max(10_000)
const number = z.number('must be a number')
const scalar = z.union(
  [z.string(), z.number(), z.boolean(), z.null()],
  'must be a string, a number, true, false or null',
)
const type = z.enum(types)

/** Validates the values of the keywords. */
const JsonSchema: z.ZodType<JsonSchema> = z.object({
  type: z
    .union([type, z.array(type).min(1).max(types.length)], `must be one or some of ${types.join(', ')}`)
    .optional(),
  get properties() {
    return z.record(z.string(), JsonSchema).optional()
  },
  required: z.array(text, 'must be a list of names').optional(),
  additionalProperties: z.boolean('must be true or false').optional(),
  get items() {
    return JsonSchema.optional()
  },
  minItems: z.int('must be a whole number').min(0).max(100).optional(),
  maxItems: length.optional(),
  get anyOf() {
    return z.array(JsonSchema, 'must be a list of schemas').min(1).optional()
  },
  get oneOf() {
    return z.array(JsonSchema, 'must be a list of schemas').min(1).optional()
  },
  enum: z.array(scalar, 'must be a list of values').min(1).max(1_000).optional(),
  const: scalar.optional(),
  format: z.enum(formats).optional(),
  minLength: length.optional(),
  maxLength: z.int('must be a whole number').min(0).optional(),
  minimum: number.optional(),
  maximum: number.optional(),
  exclusiveMinimum: number.optional(),
  exclusiveMaximum: number.optional(),
  multipleOf: number.positive().optional(),
  description: text.optional(),
  'x-from': z.string('must be the name of a field, or null').nullable().optional(),
})

/** Keywords that `expand` replaces by others. */
const replaced = ['$ref', 'allOf', 'nullable']

/** Keywords that say nothing about values. */
const ignored = new Set(
  ['$schema', '$id', '$comment', '$defs', 'definitions', 'title', 'default', 'example', 'examples'].concat(
    'deprecated',
    'readOnly',
    'writeOnly',
    'externalDocs',
    'xml',
  ),
)

/** Formats that only say how a number or a text is stored. */
const storageFormats = new Set(['int64', 'float', 'double', 'password', 'binary', 'byte'])

const keywords = [...Object.keys(JsonSchema instanceof z.ZodObject ? JsonSchema.shape : {}), ...replaced]

/**
 * Reads a JSON Schema: replaces `$ref`, `allOf` and `nullable`, and drops what says nothing about values.
 * Shape: the schema, or at least one issue.
 */
export function readJsonSchema(input: unknown): {
  readonly schema: JsonSchema
  readonly issues: readonly SchemaIssue[]
} {
  const expander = new Expander(input)
  const fail = (message: string) => ({ schema: {}, issues: [{ path: [], message }] })
  if (!isObject(input)) return fail('must be a JSON Schema, like { "type": "object", "properties": { … } }')
  if (!isShallow(input, limits.levels * 3)) return fail(`must not be nested this deep, or contain itself`)
  if (JSON.stringify(input).length > limits.size)
    return fail(`must be at most ${limits.size} characters of JSON`)
  const parsed = JsonSchema.safeParse(expander.expand(input, []))
  const issues = [...expander.issues]
  if (issues.length === 0 && parsed.error) {
    for (const { path, ...issue } of parsed.error.issues) issues.push({ path, message: describe(issue) })
  }
  return { schema: parsed.data ?? {}, issues }
}

function describe(issue: { readonly code: string; readonly message: string }): string {
  if ('values' in issue && Array.isArray(issue.values)) {
    return `must be one of ${issue.values.join(', ')}. Remove it if the real values have another form`
  }
  return issue.message
}

type Part = Readonly<Record<string, unknown>>

/** Replaces references and composed parts of a schema. */
class Expander {
  readonly issues: SchemaIssue[] = []
  readonly #root: unknown
  #parts = 0

  constructor(root: unknown) {
    this.#root = root
  }

  /** @param references the references that lead here */
  expand(part: unknown, path: readonly PropertyKey[], references: readonly string[] = []): Part {
    if (!isObject(part)) return this.#fail(path, 'must be a JSON Schema, an object')
    this.#parts += 1
    if (this.#parts > limits.parts) {
      return this.#parts === limits.parts + 1
        ? this.#fail(path, `is one part too many: a shape has at most ${limits.parts}`)
        : {}
    }
    if (path.length > limits.levels * 2)
      return this.#fail(path, `is nested more than ${limits.levels} levels`)
    for (const name of Object.keys(part)) this.#checkKeyword(name, path)
    const { $ref, allOf, nullable, ...rest } = part
    let own = this.#expandInner(rest, path, references)
    if ($ref !== undefined) own = { ...this.#resolve($ref, path, references), ...own }
    if (allOf !== undefined) own = this.#merge(own, allOf, path, references)
    return nullable === true ? allowNull(own) : own
  }

  #checkKeyword(name: string, path: readonly PropertyKey[]): void {
    if (keywords.includes(name) || ignored.has(name) || (name.startsWith('x-') && name !== 'x-from')) return
    const advice = `Use ${keywords.join(', ')}, or remove it`
    this.#fail([...path, name], `is a keyword that a shape cannot have. ${advice}`)
  }

  #expandInner(part: Part, path: readonly PropertyKey[], references: readonly string[]): Part {
    const inner = (value: unknown, ...steps: PropertyKey[]) =>
      this.expand(value, [...path, ...steps], references)
    const entries = Object.entries(part).flatMap(([name, value]): [string, unknown][] => {
      if (ignored.has(name) || !keywords.includes(name)) return []
      if (name === 'properties' && isObject(value)) {
        const all = Object.entries(value).map(([key, one]) => [key, inner(one, name, key)])
        return [[name, Object.fromEntries(all)]]
      }
      if (name === 'items') return [[name, inner(value, name)]]
      if ((name === 'anyOf' || name === 'oneOf') && Array.isArray(value)) {
        return [[name, value.map((one, index) => inner(one, name, index))]]
      }
      // The values of other properties are not generated, so their schema does not matter.
      if (name === 'additionalProperties' && isObject(value)) return [[name, true]]
      if (name === 'format' && typeof value === 'string' && storageFormats.has(value)) return []
      if (name === 'format' && value === 'int32') return []
      return [[name, value]]
    })
    const own = Object.fromEntries(entries)
    if (part['format'] === 'int32') {
      own['minimum'] ??= -2_147_483_648
      own['maximum'] ??= 2_147_483_647
    }
    if (own['type'] === undefined && own['properties'] !== undefined) own['type'] = 'object'
    if (own['type'] === undefined && own['items'] !== undefined) own['type'] = 'array'
    return own
  }

  #resolve(reference: unknown, path: readonly PropertyKey[], references: readonly string[]): Part {
    const at = [...path, '$ref']
    if (typeof reference !== 'string') return this.#fail(at, 'must be a string')
    if (!reference.startsWith('#')) {
      return this.#fail(at, 'leads to another document. Copy that schema into $defs')
    }
    if (references.includes(reference)) {
      return this.#fail(at, `leads back to itself by ${[...references, reference].join(' → ')}`)
    }
    const target = findTarget(this.#root, reference)
    if (target === undefined) return this.#fail(at, `leads to nothing: there is no ${reference}`)
    return this.expand(target, path, [...references, reference])
  }

  /** Merges the parts of `allOf`, all of which must be objects. */
  #merge(own: Part, parts: unknown, path: readonly PropertyKey[], references: readonly string[]): Part {
    const at = [...path, 'allOf']
    if (!Array.isArray(parts)) return this.#fail(at, 'must be a list of schemas')
    let merged = own
    for (const [index, part] of parts.entries()) {
      const next = this.expand(part, [...at, index], references)
      const conflict = findConflict(merged, next)
      if (conflict !== undefined) {
        return this.#fail([...at, index], `says something else of ${conflict} than another part of allOf`)
      }
      const [properties, required] = [mergeObjects(merged, next), mergeLists(merged, next)]
      merged = { ...merged, ...next, ...properties, ...required }
    }
    return merged
  }

  #fail(path: readonly PropertyKey[], message: string): Part {
    this.issues.push({ path, message })
    return {}
  }
}

/** Finds the part of a document that a JSON Pointer leads to. */
function findTarget(root: unknown, reference: string): unknown {
  const steps = reference
    .slice(1)
    .split('/')
    .slice(1)
    .map((step) => decode(step).replaceAll('~1', '/').replaceAll('~0', '~'))
  return steps.reduce<unknown>(
    (part, step) => (Object.hasOwn(Object(part), step) ? Reflect.get(Object(part), step) : undefined),
    root,
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function findConflict(a: Part, b: Part): string | undefined {
  const differs = (name: string, left: Part, right: Part): boolean =>
    name in left && name in right && JSON.stringify(left[name]) !== JSON.stringify(right[name])
  const [left, right] = [Object(a['properties']), Object(b['properties'])]
  return (
    Object.keys(b).find(
      (name) => !['properties', 'required', 'description'].includes(name) && differs(name, a, b),
    ) ?? Object.keys(right).find((name) => differs(name, left, right))
  )
}

const mergeObjects = (a: Part, b: Part): Part =>
  isObject(a['properties']) && isObject(b['properties'])
    ? { properties: { ...a['properties'], ...b['properties'] } }
    : {}

const mergeLists = (a: Part, b: Part): Part =>
  Array.isArray(a['required']) && Array.isArray(b['required'])
    ? { required: [...new Set([...a['required'], ...b['required']])] }
    : {}

/** Adds null to the values of a schema, as `nullable` of OpenAPI 3.0 does. */
function allowNull(part: Part): Part {
  const { type: own, enum: values, anyOf, oneOf } = part
  const more: Record<string, unknown> = {}
  if (own !== undefined) more['type'] = Array.isArray(own) ? [...new Set([...own, 'null'])] : [own, 'null']
  if (Array.isArray(values) && !values.includes(null)) more['enum'] = [...values, null]
  if (Array.isArray(anyOf)) more['anyOf'] = [...anyOf, { type: 'null' }]
  if (Array.isArray(oneOf)) more['oneOf'] = [...oneOf, { type: 'null' }]
  return { ...part, ...more }
}
