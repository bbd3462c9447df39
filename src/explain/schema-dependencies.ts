import * as z from 'zod'

import type { AssumptionId } from '../contract/assumptions.ts'
import { choices } from '../contract/choices.ts'
import { type Codec, createCodecs, listInnerSchemas } from '../contract/codecs.ts'
import { getProvenance, type Provenance } from '../contract/provenance.ts'
import { choiceNames, defaultSettings } from '../contract/settings.ts'
import { getOrCreate } from '../core/maps.ts'
import type { Contract } from '../resources/contract.ts'

function memoize<V>(make: (schema: z.ZodType) => V): (schema: z.ZodType) => V {
  const cache = new WeakMap<z.ZodType, V>()
  return (schema) => getOrCreate(cache, schema, () => make(schema))
}

export const listVariants: (schema: z.ZodType) => readonly (Codec & { readonly id: AssumptionId })[] =
  memoize((schema) =>
    choiceNames.flatMap((name) => {
      const { assumption: id, alternatives } = choices[name]
      return alternatives
        .slice(1)
        .map(({ value }) => createCodecs({ ...defaultSettings, [name]: value })(schema))
        .filter((codec) => codec.schema !== schema)
        .map((codec) => ({ id, ...codec }))
    }),
  )

export function findInSchema(schema: z.ZodType): ReadonlySet<AssumptionId> {
  const ids = new Set(listVariants(schema).map(({ id }) => id))
  const seen = new Set<z.ZodType>()
  const add = (part: z.ZodType): void => {
    if (seen.has(part)) return
    seen.add(part)
    const mark = getProvenance(part)
    const id = mark?.['x-assumption']
    if (id !== undefined && isAlwaysAssumed(id, mark)) ids.add(id)
    for (const inner of listInnerSchemas(part)) add(inner)
  }
  add(schema)
  return ids
}

/**
 * Finds the assumptions that records depend on: those that mark fields of the records, and those under which a field would
 * have another value.
 * @param records in their wire format; undefined if they are unknown, so that every field counts
 */
export function findInRecords(
  shape: z.ZodType,
  records: readonly unknown[] | undefined,
  contract: Contract,
): ReadonlySet<AssumptionId> {
  const possible = findInSchema(shape)
  if (!records) return possible
  const ids = new Set<AssumptionId>()
  const { decode } = contract.codec(shape)
  for (const record of records) {
    if (ids.size === possible.size) break
    addFromRecord(shape, decode(record), contract, ids)
  }
  return ids
}

function addFromRecord(shape: z.ZodType, record: unknown, contract: Contract, ids: Set<AssumptionId>): void {
  visit(shape, record, (schema) => {
    const mark = getProvenance(schema)
    const id = mark?.['x-assumption']
    if (id === undefined) return
    // An overridden value may not decode to the default form, so it always counts.
    if (isAlwaysAssumed(id, mark) || isOverridden(id, contract)) ids.add(id)
  })
  const text = JSON.stringify(record)
  for (const { id, encode } of listVariants(shape)) {
    if (!ids.has(id) && JSON.stringify(encode(record)) !== text) ids.add(id)
  }
}

/** Reports whether every value of a marked schema depends on the assumption, since no alternative tells which ones do. */
function isAlwaysAssumed(id: AssumptionId, mark: Provenance | undefined): boolean {
  return mark?.['x-provenance'] === 'assumed' || choiceNames.every((name) => choices[name].assumption !== id)
}

function isOverridden(id: AssumptionId, { settings }: Contract): boolean {
  return choiceNames.some(
    (name) => choices[name].assumption === id && settings[name] !== defaultSettings[name],
  )
}

function visit(schema: z.ZodType, value: unknown, see: (schema: z.ZodType) => void): void {
  see(schema)
  if (value === null || value === undefined) return
  if (schema instanceof z.ZodObject) {
    if (typeof value !== 'object') return
    for (const [name, part] of Object.entries(value)) {
      const field: z.ZodType | undefined = schema.shape[name]
      if (field) visit(field, part, see)
    }
    return
  }
  for (const inner of listInnerSchemas(schema)) {
    for (const part of Array.isArray(value) ? value : [value]) visit(inner, part, see)
  }
}
