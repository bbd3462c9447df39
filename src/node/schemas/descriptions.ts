import * as z from 'zod'

import { parseJson } from '../../core/json.ts'

/** Reads the first value of an example: JSON, or a string without quotes. */
export function readExample(example: string): unknown {
  const [, code = ''] = example.split('`')
  return parseJson(code) ?? code
}

/** The texts of schemas without their ids, by which a schema would refer to them. */
const metadata = z.registry<z.GlobalMeta>()
metadata.get = (schema) => {
  const { id: _, ...texts } = z.globalRegistry.get(schema) ?? {}
  return texts
}

/** Converts a schema to a JSON Schema without references. */
export const toJsonSchema = (schema: z.ZodType): Record<string, unknown> =>
  z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any', metadata })
