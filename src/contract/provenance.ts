import * as z from 'zod'

import { lazyObject } from '../core/lazy-schema.ts'
import type { AssumptionId } from './assumptions.ts'

export interface Provenance {
  readonly 'x-provenance': 'documented' | 'assumed'
  readonly 'x-source'?: string
  readonly 'x-assumption'?: AssumptionId
}

/** Marks a schema as documented in a section; `values` is the assumption that decides its values. */
export const documented = <T extends z.ZodType>(schema: T, source: string, values?: AssumptionId): T =>
  schema.meta(documentedIn(source, values))

export const assumed = <T extends z.ZodType>(schema: T, id: AssumptionId): T => schema.meta(assumedBy(id))

const documentedIn = (source: string, values?: AssumptionId) => ({
  'x-provenance': 'documented',
  'x-source': source,
  ...(values && { 'x-assumption': values }),
})

const assumedBy = (id: AssumptionId) => ({ 'x-provenance': 'assumed', 'x-assumption': id })

export function getProvenance(schema: z.ZodType): Provenance | undefined {
  const meta = schema.meta()
  const mark = meta?.['x-provenance']
  if (mark !== 'documented' && mark !== 'assumed') return undefined
  const marks = Object.entries(meta ?? {}).filter(([key]) => key.startsWith('x-'))
  return { ...Object.fromEntries(marks), 'x-provenance': mark }
}

export const documentedShape = <T extends z.ZodRawShape>(name: string, source: string, fields: () => T) =>
  declareShape(name, documentedIn(source), fields)

export const assumedShape = <T extends z.ZodRawShape>(name: string, id: AssumptionId, fields: () => T) =>
  declareShape(name, assumedBy(id), fields)

const declareShape = <T extends z.ZodRawShape>(id: string, mark: object, fields: () => T): z.ZodObject<T> =>
  lazyObject(() => markFields(fields(), mark)).register(z.globalRegistry, { ...mark, id })

function markFields<T extends z.ZodRawShape>(fields: T, mark: object): T {
  const result = Object.create(null, Object.getOwnPropertyDescriptors(fields))
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(fields))) {
    if (descriptor.get) continue
    const schema: z.ZodType = descriptor.value
    if (!getProvenance(schema)) result[name] = schema.meta({ ...mark })
  }
  return result
}
