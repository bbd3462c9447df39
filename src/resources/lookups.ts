import * as z from 'zod'

import { recordId } from '../contract/fields.ts'
import { documentedShape } from '../contract/provenance.ts'

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
