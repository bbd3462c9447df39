import * as z from 'zod'

import { adapt } from '../contract/codecs.ts'
import { recordId } from '../contract/fields.ts'
import { documentedShape } from '../contract/provenance.ts'
import { isObject } from '../core/json.ts'

/** A value of a lookup, as in a signal's `category`. Source: Signal. */
export const Lookup = documentedShape('Lookup', 'Signal', () => ({ id: recordId, name: z.string() }))
export type Lookup = z.infer<typeof Lookup>

/** The "none" entries of lookups, for absent values. Source: assumption A-09. */
export const noneEntries = {
  dismissalReason: { id: 1, name: 'Not dismissed' },
  outcome: { id: 1, name: 'No outcome' },
  competitor: { id: 1, name: 'No competitor' },
  subCategory: { id: 1, name: 'No subcategory' },
} as const

/** Declares a lookup that may have no value: its "none" entry by default, or null. Source: assumption A-09. */
export function optionalLookup(
  field: keyof typeof noneEntries,
  lookup: z.ZodType<Lookup> = Lookup,
): z.ZodType<Lookup> {
  const none = noneEntries[field]
  // A clone, so that the lookup itself stays as it is.
  return adapt(lookup.meta({}), ({ absentValues }) =>
    absentValues === 'typed'
      ? undefined
      : {
          schema: lookup.nullable(),
          encode: (value) => (isObject(value) && value['id'] === none.id ? null : value),
          decode: (value) => (value === null ? none : value),
        },
  )
}
