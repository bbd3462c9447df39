import * as z from 'zod'

import { isObject, parseJson } from '../../core/json.ts'

/** Reads the first value of an example: JSON, or a string without quotes. */
export function readExample(example: string): unknown {
  const [, code = ''] = example.split('`')
  return parseJson(code) ?? code
}

/** Converts a schema to a JSON Schema without references. */
export function toJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $defs, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  const resolved = resolveReferences(rest, { ...$defs })
  return isObject(resolved) ? { ...resolved } : {}
}

function resolveReferences(value: unknown, parts: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((one) => resolveReferences(one, parts))
  if (!isObject(value)) return value
  const { $ref, ...rest } = value
  const properties = Object.fromEntries(
    Object.entries(rest).map(([name, one]) => [name, resolveReferences(one, parts)]),
  )
  if (typeof $ref !== 'string') return properties
  const part = resolveReferences(parts[$ref.replace('#/$defs/', '')], parts)
  return isObject(part) ? { ...part, ...properties } : properties
}
