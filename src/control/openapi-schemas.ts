import * as z from 'zod'

import type { Provenance } from '../contract/provenance.ts'
import { isObject, type JsonObject } from '../core/json.ts'

const documentedIn = { 'x-provenance': 'documented', 'x-source': 'Resources and their fields' } as const

/** Provenance of schemas that several fields share; each field has its own as well. */
const sharedMarks: Readonly<Record<string, Provenance>> = {
  Timestamp: { ...documentedIn, 'x-assumption': 'A-35' },
  OptionalTimestamp: { ...documentedIn, 'x-assumption': 'A-09' },
}

export class Components {
  readonly #schemas: Record<string, JsonObject> = {}
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
        if (pattern === undefined) return
        // Only a literal in JavaScript needs the escape, and generators of clients write it wrongly.
        jsonSchema.pattern = pattern.replaceAll(String.raw`\/`, '/')
        // The document names the format only; a real response may not match the pattern.
        if (format !== 'date-time') return
        delete jsonSchema.pattern
        jsonSchema['x-assumed-pattern'] = pattern
      },
    })
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.#schemas[name] = { ...withReferences(definition), ...sharedMarks[name] }
    }
    return withReferences(Object(properties?.['it']))
  }

  /** Copies all schemas, with the provenance of a referenced one at references without their own, which repeat nothing of it. */
  describe(): JsonObject {
    return JSON.parse(JSON.stringify(this.#schemas), (_, part: unknown) => {
      if (!isObject(part) || typeof part['$ref'] !== 'string') return part
      const target = this.#schemas[part['$ref'].replace('#/components/schemas/', '')] ?? {}
      const marks = Object.entries(target).filter(([key]) => markNames.has(key))
      const rest = Object.entries(part).filter(
        ([key, value]) => markNames.has(key) || JSON.stringify(target[key]) !== JSON.stringify(value),
      )
      return Object.fromEntries([...marks, ...rest])
    })
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

/** Copies a schema, with references to components in place of its own definitions and ids. */
const withReferences = (schema: object): JsonObject =>
  JSON.parse(JSON.stringify(schema), (key, part: unknown) => {
    if (typeof part !== 'string') return part
    if (key === 'id') return undefined
    return key === '$ref' ? part.replace('#/$defs/', '#/components/schemas/') : part
  })
