import * as z from 'zod'

import type { Provenance } from './provenance.ts'

/** A part of an OpenAPI document. */
export interface JsonObject {
  [key: string]: unknown
}

/** Marks of shared schemas: every field that refers to one has marks of its own. */
const sharedMarks: Readonly<Record<string, Provenance>> = {
  Timestamp: {
    'x-provenance': 'documented',
    'x-source': 'Resources and their fields',
    'x-assumption': 'A-35',
  },
  OptionalTimestamp: {
    'x-provenance': 'documented',
    'x-source': 'Resources and their fields',
    'x-assumption': 'A-09',
  },
}

/** Gathers the named schemas that a document refers to. */
export class Components {
  readonly schemas: JsonObject = {}

  /** A schema as it stands in the document; named parts become references. */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { $defs, properties } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      target: 'draft-2020-12',
      // An answer may grow fields; a request may not.
      override: ({ jsonSchema }) => {
        if (io === 'output') delete jsonSchema.additionalProperties
        const { format, pattern } = jsonSchema
        // The document names the format; the exact form is assumed, and a real answer may have another.
        if (format !== 'date-time' || pattern === undefined) return
        delete jsonSchema.pattern
        jsonSchema['x-assumed-pattern'] = pattern
      },
    })
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const shown = withReferences(definition)
      this.schemas[name] = isObject(shown) ? { ...shown, ...sharedMarks[name] } : shown
    }
    const found = withReferences(properties?.['it'])
    return isObject(found) ? found : {}
  }
}

const markNames = new Set(['x-provenance', 'x-source', 'x-assumption'])

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences)
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, part]) => {
    if (key === 'id' && typeof part === 'string') return []
    if (key === '$ref' && typeof part === 'string')
      return [[key, part.replace('#/$defs/', '#/components/schemas/')]]
    return [[key, withReferences(part)]]
  })
  return Object.fromEntries(entries)
}

/**
 * Writes the marks of what a reference leads to beside it, where it has none of its own: zod leaves out what is the same.
 * What the reference says anyway is not repeated.
 */
export function withMarks(value: unknown, schemas: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((part) => withMarks(part, schemas))
  if (!isObject(value)) return value
  const { $ref } = value
  const target = typeof $ref === 'string' ? schemas[$ref.replace('#/components/schemas/', '')] : undefined
  const marks = isObject(target) ? Object.entries(target).filter(([key]) => markNames.has(key)) : []
  const isRepeated = (key: string, part: unknown): boolean =>
    isObject(target) && !markNames.has(key) && JSON.stringify(target[key]) === JSON.stringify(part)
  const parts = Object.entries(value).flatMap(([key, part]) =>
    isRepeated(key, part) ? [] : [[key, withMarks(part, schemas)] as const],
  )
  return Object.fromEntries([...marks, ...parts])
}
