import * as z from 'zod'

import { recordId } from '../contract/fields.ts'
import { documentedShape } from '../contract/provenance.ts'
import { varies } from '../contract/variation.ts'

/** A value of a catalogue. Source: Signal, `category` and the like. */
export const Lookup = documentedShape('Lookup', 'Signal', { id: recordId, name: z.string() })
export type Lookup = z.infer<typeof Lookup>

/** The entries that stand where a lookup has no value. Source: assumption A-09. */
export const none = {
  dismissalReason: { id: 1, name: 'Not dismissed' },
  outcome: { id: 1, name: 'No outcome' },
  competitor: { id: 1, name: 'No competitor' },
  subCategory: { id: 1, name: 'No subcategory' },
} as const

/** A lookup that may have no value: the entry for none then, or null. Source: assumption A-09. */
export function optionalLookup(
  field: keyof typeof none,
  lookup: z.ZodType<Lookup> = Lookup,
): z.ZodType<Lookup> {
  // What is said of the field must not be said of the lookup.
  const copy = lookup.meta({})
  return varies(copy, ({ absentValues }) =>
    absentValues === 'typed'
      ? { schema: lookup }
      : {
          schema: lookup.nullable(),
          encode: (value) => (isNone(value, field) ? null : value),
          decode: (value) => (value === null ? none[field] : value),
        },
  )
}

const isNone = (value: unknown, field: keyof typeof none): boolean =>
  typeof value === 'object' && value !== null && 'id' in value && value.id === none[field].id
