import * as z from 'zod'

import { utcDateTime } from '../contract/fields.ts'
import { Collection, Reason } from './verdict.ts'

const As = z.union([z.string().max(1_000), z.int()], 'must be a token or the id of a member')

/** The rows to read. */
export const TruthInput = z.strictObject({
  collection: Collection.describe('The collection. Example: `customers`.'),
  as: As.optional().describe(
    'A token, or the id of a member. Default: the only caller among the requests, or the first member. Example: `1`.',
  ),
  at: utcDateTime
    .optional()
    .describe('The instant. Default: the session’s now. Example: `2026-01-15T12:00:00Z`.'),
  scenarios: z
    .boolean()
    .optional()
    .describe('Whether the scenarios of the session act on the rows. Default: true. Example: `false`.'),
})
export type TruthInput = z.infer<typeof TruthInput>

const Rows = z.array(z.unknown(), 'must be a list of rows or of ids')

/** A copy to judge. */
export const VerdictInput = z.strictObject({
  copy: z
    .partialRecord(Collection, Rows)
    .optional()
    .describe(
      'For each collection the rows with any of their fields, or their ids. Default: what was delivered is judged. Example: `{ "customers": [{ "id": 1, "name": "Acme" }] }`.',
    ),
  as: As.optional().describe(
    'A token, or the id of a member. Default: the only caller among the requests. Example: `1`.',
  ),
  ignore: z
    .array(z.string().max(200))
    .max(1_000)
    .optional()
    .describe('Fields that are not compared. Default: none. Example: `["employeeCount"]`.'),
  allow: z
    .array(Reason)
    .optional()
    .describe('Reasons for which a verdict stays correct. Default: none. Example: `["silent_change"]`.'),
})
export type VerdictInput = z.infer<typeof VerdictInput>
