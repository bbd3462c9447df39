import * as z from 'zod'

import { utcDateTime } from '../contract/fields.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { Collection, Reason, type Truth, type Verdict } from './verdict.ts'

/** Rows of the service with the client's form of each, by collection. */
export type Mapped = z.infer<typeof VerdictInput>['mapped']

/** The copy of a client: for each collection its rows with any of their fields, or their ids. */
export type Copies = { readonly [C in Collection]?: readonly unknown[] | undefined }

/** Maps a row of the service to the form of the client; undefined for a row that the client does not keep. */
export type RowMapper = (row: Readonly<Record<string, unknown>>) => unknown

/** The options of a truth. */
export interface TruthOptions {
  /** A token, or the id of a member. Default: the only caller among the requests, or the first member. @example 1 */
  readonly as?: string | number | undefined
  /** The instant. Default: the session's now. @example '2026-01-15T12:00:00.000Z' */
  readonly at?: string | undefined
  /** Whether the scenarios of the session act on it. Default: true. @example false */
  readonly scenarios?: boolean | undefined
}

/** The options of a verdict. */
export interface VerdictOptions {
  /** A token, or the id of a member. Default: the only caller among the requests. @example 1 */
  readonly as?: string | number | undefined
  /** Fields that are not compared. @example ['employeeCount'] */
  readonly ignore?: readonly string[] | undefined
  /** Reasons for which a verdict stays correct. @example ['silent_change'] */
  readonly allow?: readonly Reason[] | undefined
  /**
   * Maps rows of the service to the form of the client, for all collections or for each.
   * @example { customers: ({ id, name }) => ({ id, label: name }) }
   */
  readonly row?: RowMapper | { readonly [C in Collection]?: RowMapper | undefined } | undefined
}

/** Judges how a client has synced its copy. */
export interface SyncControl {
  /**
   * Lists the rows of a collection that a member sees, in the service's shape.
   * Order: as in the service's list. @throws SandboxError `invalid_request`
   * @example const { items } = await session.sync.truth('customers')
   */
  truth(collection: Collection, options?: TruthOptions): Promise<Truth>
  /**
   * Compares a copy with the truth, or judges what the responses have delivered, and names the request that lost a row.
   * @throws SandboxError `invalid_request`
   * @example
   * const { correct, causes } = await session.sync.verdict({ customers: rows })
   */
  verdict(copy?: Copies, options?: VerdictOptions): Promise<Verdict>
}

const As = z.union([z.string().max(1_000), z.int()], 'must be a token or the id of a member')

export const TruthInput = lazyStrictObject(() => ({
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
}))

const Rows = z.array(z.unknown(), 'must be a list of rows or of ids')

export const VerdictInput = lazyStrictObject(() => ({
  copy: z
    .partialRecord(Collection, Rows)
    .optional()
    .describe(
      'For each collection the rows with any of their fields, or their ids. Default: what was delivered is judged. Example: `{ "customers": [{ "id": 1, "name": "Acme" }] }`.',
    ),
  mapped: z
    .partialRecord(
      Collection,
      z.array(z.strictObject({ row: z.record(z.string(), z.unknown()), as: z.unknown().optional() })),
    )
    .optional()
    .describe(
      'For each collection that the client keeps in a form of its own, rows of the service with that form: first none, then those that `unmapped` of the last response lists. Default: the service’s form. Example: `{ "customers": [{ "row": { "id": 1, "name": "Acme" }, "as": { "key": 1 } }] }`.',
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
}))
