import * as z from 'zod'

import { isObject } from '../core/json.ts'
import type { Provenance } from './provenance.ts'

export interface JsonObject {
  [key: string]: unknown
}

const documentedIn = { 'x-provenance': 'documented', 'x-source': 'Resources and their fields' } as const

/** Provenance of schemas that several fields share; each field has its own as well. */
const sharedMarks: Readonly<Record<string, Provenance>> = {
  Timestamp: { ...documentedIn, 'x-assumption': 'A-35' },
  OptionalTimestamp: { ...documentedIn, 'x-assumption': 'A-09' },
}

export class Components {
  readonly schemas: JsonObject = {}
  readonly #unrepresentable: 'throw' | 'any'

  constructor(unrepresentable: 'throw' | 'any' = 'throw') {
    this.#unrepresentable = unrepresentable
  }

  add(part: z.ZodType): JsonObject {
    const { $defs, properties } = z.toJSONSchema(z.object({ it: part }), {
      io: 'input',
      unrepresentable: this.#unrepresentable,
      target: 'draft-2020-12',
      override: ({ jsonSchema }) => {
        const { format, pattern } = jsonSchema
        // The document names the format only; a real response may not match the pattern.
        if (format !== 'date-time' || pattern === undefined) return
        delete jsonSchema.pattern
        jsonSchema['x-assumed-pattern'] = pattern
      },
    })
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const schema = withReferences(definition)
      this.schemas[name] = isObject(schema) ? { ...schema, ...sharedMarks[name] } : schema
    }
    const reference = withReferences(properties?.['it'])
    return isObject(reference) ? reference : {}
  }
}

/** The part of `info` that both documents share. */
export const publisher = {
  contact: { name: 'workspace-sandbox' },
  license: { name: 'MIT', identifier: 'MIT' },
} as const

export const describeTags = (names: Iterable<string>): object[] =>
  Array.from(new Set(names), (name) => ({ name, description: `Operations on ${name.toLowerCase()}` }))

const markNames = new Set(['x-provenance', 'x-source', 'x-assumption'])

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

/** Copies the provenance of a referenced schema to references without their own, and drops keywords that repeat it. */
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
