import * as z from 'zod'

import { isObject, isShallow } from '../core/json.ts'
import { Expander, limits, listLength, type SchemaIssue } from './expand-schema.ts'

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const

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

const string = z.string('must be a string')
const length = z.int('must be a whole number').min(0).max(10_000)
const number = z.number('must be a number')
const scalar = z.union(
  [z.string(), z.number(), z.boolean(), z.null()],
  'must be a string, a number, true, false or null',
)
const type = z.enum(types)

const JsonSchema = z.object({
  type: z
    .union([type, z.array(type).min(1).max(types.length)], `must be one or some of ${types.join(', ')}`)
    .optional(),
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof JsonSchema>> {
    return z.record(z.string(), JsonSchema).optional()
  },
  required: z.array(string, 'must be a list of names').optional(),
  additionalProperties: z.boolean('must be true or false').optional(),
  get items(): z.ZodOptional<typeof JsonSchema> {
    return JsonSchema.optional()
  },
  minItems: z.int('must be a whole number').min(0).max(100).optional(),
  maxItems: length.optional(),
  get anyOf(): z.ZodOptional<z.ZodArray<typeof JsonSchema>> {
    return z.array(JsonSchema, 'must be a list of schemas').min(1).optional()
  },
  get oneOf(): z.ZodOptional<z.ZodArray<typeof JsonSchema>> {
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
  description: string.optional(),
  /** The field of the sandbox's own record that gives the value, like `name`; null for none. */
  'x-from': z.string('must be the name of a field, or null').nullable().optional(),
})
/** A JSON Schema without references, in the keywords that zod can read and Faker can fill. */
export type JsonSchema = z.infer<typeof JsonSchema>

interface ReadSchema {
  readonly schema: JsonSchema
  readonly issues: readonly SchemaIssue[]
}

export function readJsonSchema(input: unknown): ReadSchema {
  if (!isObject(input)) return fail('must be a JSON Schema, like { "type": "object", "properties": { … } }')
  if (!isShallow(input, limits.levels * 3)) return fail('must not be nested this deep, or contain itself')
  if (JSON.stringify(input).length > limits.size) {
    return fail(`must be at most ${limits.size} characters of JSON`)
  }
  const expander = new Expander(input)
  const expanded = expander.expand(input, [])
  if (expander.issues.length > 0) return { schema: {}, issues: expander.issues }
  const { data, error } = JsonSchema.safeParse(expanded)
  if (error) {
    const issues = error.issues.map((issue) => ({ path: issue.path, message: describe(issue) }))
    return { schema: {}, issues }
  }
  return measure(data) > MAX_SIZE
    ? fail('asks for long lists or texts in each other. Lower minItems and minLength')
    : { schema: addRequired(data), issues: [] }
}

function addRequired(schema: JsonSchema): JsonSchema {
  const { properties, required = [], items, anyOf, oneOf } = schema
  const known = new Map(Object.entries(properties ?? {}))
  for (const name of required) known.set(name, known.get(name) ?? {})
  const complete = Array.from(known, ([name, one]) => [name, addRequired(one)])
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(complete) }),
    ...(items && { items: addRequired(items) }),
    ...(anyOf && { anyOf: anyOf.map(addRequired) }),
    ...(oneOf && { oneOf: oneOf.map(addRequired) }),
  }
}

const fail = (message: string): ReadSchema => ({ schema: {}, issues: [{ path: [], message }] })

/** The size of the largest generated value. Units: parts, or characters in fifties. */
const MAX_SIZE = 5_000

function measure({ properties = {}, items, anyOf = [], oneOf = [], ...rest }: JsonSchema): number {
  const { minItems = 0, minLength = 0 } = rest
  const parts = [...Object.values(properties), ...anyOf, ...oneOf]
  const elements = items ? Math.max(listLength, minItems) * measure(items) : minItems
  return parts.reduce((sum, part) => sum + measure(part), 1 + elements + minLength / 50)
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_value') return issue.message
  return `must be one of ${issue.values.map(String).join(', ')}. Remove it if the real values have another form`
}
