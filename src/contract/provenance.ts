import * as z from 'zod'

import type { AssumptionId } from './assumptions.ts'

/** Where a thing of the contract comes from, as it stands in the OpenAPI document. */
export interface Provenance {
  readonly 'x-provenance': 'documented' | 'assumed'
  /** The document's section. */
  readonly 'x-source'?: string
  /** The assumption that decides it, or, for a documented thing, its values. */
  readonly 'x-assumption'?: AssumptionId
}

/** Marks a schema as stated by the document, in the given section; `values` names the assumption that decides its values. */
export function documented<T extends z.ZodType>(schema: T, source: string, values?: AssumptionId): T {
  return schema.meta({
    'x-provenance': 'documented',
    'x-source': source,
    ...(values && { 'x-assumption': values }),
  })
}

/** Marks a schema as decided by the sandbox, because the document does not show it. */
export function assumed<T extends z.ZodType>(schema: T, id: AssumptionId): T {
  return schema.meta({ 'x-provenance': 'assumed', 'x-assumption': id })
}

/** The mark of a schema, undefined where it has none. */
export function provenanceOf(schema: z.ZodType): Provenance | undefined {
  const meta = schema.meta()
  const mark = meta?.['x-provenance']
  if (mark !== 'documented' && mark !== 'assumed') return undefined
  const marks = Object.entries(meta ?? {}).filter(([key]) => key.startsWith('x-'))
  return { ...Object.fromEntries(marks), 'x-provenance': mark }
}

/** An object schema whose fields the document lists in `source`; a field with a mark of its own keeps it. */
export function documentedShape<T extends z.ZodRawShape>(
  name: string,
  source: string,
  fields: T,
): z.ZodObject<T> {
  return documented(z.object(marked(fields, (field) => documented(field, source))), source).meta({ id: name })
}

/** An object schema that the document does not show; a field with a mark of its own keeps it. */
export function assumedShape<T extends z.ZodRawShape>(
  name: string,
  id: AssumptionId,
  fields: T,
): z.ZodObject<T> {
  return assumed(z.object(marked(fields, (field) => assumed(field, id))), id).meta({ id: name })
}

/** A getter is left as it is: it stands for a schema that refers to itself, and marks what it gives. */
function marked<T extends z.ZodRawShape>(fields: T, mark: (field: z.ZodType) => z.ZodType): T {
  const result = Object.create(null, Object.getOwnPropertyDescriptors(fields))
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(fields))) {
    if (descriptor.get) continue
    const schema: z.ZodType = descriptor.value
    if (!provenanceOf(schema)) result[name] = mark(schema)
  }
  return result
}
