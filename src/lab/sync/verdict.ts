import * as z from 'zod'

import { recordId, utcDateTime } from '../../contract/fields.ts'
import type { Input } from '../../core/input.ts'
import { lazyStrictObject, lazyObject } from '../../core/lazy-schema.ts'
import { endpoints } from '../../service/index.ts'
import { tableNames } from '../../store/tables.ts'

/** The reasons why a row of a copy is not correct, and what each means. Order: as documented. */
export const reasonTexts = {
  page_drift:
    'The list changed between two pages, so that rows moved to a page that was already read, or to a later one.',
  tie_at_cursor:
    'The row changed at the instant of the newest row that was known, and the next cursor, or a filter of the client, excludes that instant.',
  cursor_past_change: 'The cursor is later than a change that no earlier response has shown.',
  late_visible: 'The change was there, but the list did not show it yet.',
  silent_change: 'The row changed, but its `updatedDate` did not, so that no cursor finds the change.',
  child_only_change:
    'A record of a customer changed, but the customer did not, and the list of its records was not read again.',
  deleted_unseen:
    'The row was deleted, which nothing announces: only a walk through the whole list shows it.',
  unread_tail: 'The walk ended before the end of the list.',
  fault_not_retried: 'A request failed and was not repeated.',
  delivered_not_stored: 'A response had the row, but the copy does not.',
  older_overwrote_newer: 'A response with an older version came after the newer one, and has overwritten it.',
  never_requested: 'No request has asked for the row.',
  unknown: 'The requests do not tell.',
} as const

export const Reason = z.enum(
  Object.keys(reasonTexts).filter((name): name is keyof typeof reasonTexts => name in reasonTexts),
)
export type Reason = z.infer<typeof Reason>

export const Kind = z.enum(['missed', 'stale', 'doubled', 'ghosts'])
export type Kind = z.infer<typeof Kind>

export const Collection = z.enum(tableNames)
export type Collection = z.infer<typeof Collection>

const requestIds = z.array(z.int()).describe('The ids of the requests that show it, in order; 20 at most')

/** A row of a copy that is not correct. */
export const Entry = lazyObject(() => ({
  collection: Collection,
  id: recordId,
  reason: Reason,
  requests: requestIds,
  fields: z
    .array(z.string())
    .optional()
    .describe('The fields that differ, in the order of the row; present for stale rows'),
  heals: z
    .enum(['next', 'full', 'never'])
    .describe(
      'The run that corrects the row: the next one; only one that reads everything; none, if the client stays as it is',
    ),
  text: z.string().describe('The reason in one sentence'),
}))
export type Entry = z.infer<typeof Entry>

/** Rows that are not correct for one and the same cause. */
export const Cause = lazyObject(() => ({
  reason: Reason,
  kind: Kind,
  collection: Collection,
  count: z.int().describe('The number of rows'),
  ids: z.array(recordId).describe('The ids of those that are listed, ascending'),
  requests: requestIds,
  text: z.string(),
}))
export type Cause = z.infer<typeof Cause>

/** Counts the rows of each kind, as in `2 missed, 1 ghost`. */
export const countKinds = (causes: readonly Cause[]): string =>
  Kind.options
    .flatMap((kind) => {
      const count = causes.reduce((sum, cause) => sum + (cause.kind === kind ? cause.count : 0), 0)
      return count > 0 ? `${count} ${count === 1 ? kind.replace(/s$/, '') : kind}` : []
    })
    .join(', ')

/** A walk through the pages of a list. */
export const Walk = lazyObject(() => ({
  operationId: z.enum(endpoints.map(({ id }) => id)),
  list: z.string().describe('Path and query without `offset` and `limit`'),
  run: z.int().describe('How often the list has been begun, this time included'),
  isFull: z.boolean().describe('Whether it reads every row of the collection that its path covers'),
  isComplete: z.boolean().describe('Whether each page up to the end of the list was answered'),
  requests: z.array(z.int()).describe('The ids of its requests, retries included, in order'),
  failed: z.array(z.int()).describe('The ids of those that were not answered with a page'),
  rows: z.int().describe('The number of different rows that it has shown'),
  updatedSince: z.string().optional().describe('The cursor; absent if it has none'),
}))
export type Walk = z.infer<typeof Walk>

/** The result of judging a sync. */
export const Verdict = lazyObject(() => ({
  correct: z
    .boolean()
    .describe(
      'Whether every row had this version at some instant since the client last began to read it, allowed reasons aside',
    ),
  judgedBy: z
    .enum(['copy', 'delivered'])
    .describe('Whether a copy was compared, or only what the responses have delivered'),
  missed: z.array(Entry).describe('The first 1,000 rows that are not in the copy'),
  stale: z.array(Entry).describe('The first 1,000 rows whose fields have other values'),
  doubled: z.array(Entry).describe('The first 1,000 rows that are in the copy more than once'),
  ghosts: z.array(Entry).describe('The first 1,000 rows that the service does not have'),
  counts: z
    .object({ missed: z.int(), stale: z.int(), doubled: z.int(), ghosts: z.int() })
    .describe('How many rows of each kind there are, listed or not'),
  pending: z
    .int()
    .describe(
      'The number of rows that differ because they have changed since the client last began to read them',
    ),
  causes: z.array(Cause).describe('The most rows first; 1,000 at most'),
  walks: z.array(Walk).describe('In the order of their first requests; the last 1,000'),
  since: z
    .int()
    .optional()
    .describe('The id of the first request that is still known; present if earlier ones had to be forgotten'),
  text: z.string().describe('The verdict in a few lines'),
}))
export type Verdict = z.infer<typeof Verdict>

/** The rows of a collection at an instant. */
export const Truth = lazyObject(() => ({
  now: utcDateTime.describe('The instant'),
  items: z.array(z.record(z.string(), z.unknown())).describe("As in the service's list"),
  totalCount: z.int().describe('The number of rows without `offset` and `limit`'),
}))
export type Truth = z.infer<typeof Truth>

/** The copy of a client: for each collection its rows with any of their fields, or their ids. */
export type Copies = { readonly [C in Collection]?: readonly unknown[] | undefined }

/** Maps a row of the client's copy to the service's form, with the service's id and any other of its fields. */
// oxlint-disable-next-line typescript/no-explicit-any -- the client's rows have any form
export type RowMapper = (row: any) => unknown

/** A mapper for all collections, or one for each. */
export type RowMappers = RowMapper | { readonly [C in Collection]?: RowMapper | undefined }

/** Judges how a client has synced its copy. */
export interface SyncControl {
  /**
   * Lists the rows of a collection that a member sees, in the service's shape: a page of at most 1,000.
   * Order: as in the service's list. @throws SandboxError `invalid_request`
   * @example const { items } = await session.sync.truth('customers')
   */
  truth(collection: Collection, options?: TruthOptions): Promise<Truth>
  /**
   * Compares a copy with the truth, or judges what the responses have delivered, and names the request that lost a row.
   * @throws SandboxError `invalid_request`, also if there is nothing to judge: no request, or neither rows nor a walk
   * @example
   * const { correct, causes } = await session.sync.verdict({ customers: rows })
   */
  verdict(copy?: Copies, options?: VerdictOptions): Promise<Verdict>
}

const As = z.union([z.string().max(1_000), z.int()], 'must be a token or the id of a member')

export const TruthOptions = lazyStrictObject(() => ({
  as: As.optional().describe(
    'A token, or the id of a member. Default: the only caller among the requests, or the first member. Example: `1`.',
  ),
  at: utcDateTime
    .optional()
    .describe('The instant. Default: the session’s now. Example: `2026-01-15T12:00:00Z`.'),
  scenarios: z
    .boolean()
    .default(true)
    .describe('Whether the scenarios of the session act on the rows. Default: true. Example: `false`.'),
  offset: z
    .int('must be a whole number')
    .nonnegative('must be 0 or more')
    .default(0)
    .describe('The number of rows to skip. Default: 0. Example: `1000`.'),
  limit: z
    .int('must be a whole number')
    .positive('must be greater than 0')
    .max(1_000, 'must be at most 1000')
    .default(1_000)
    .describe('The maximum number of rows, up to 1,000. Default: 1000. Example: `10`.'),
}))

/** The options of a truth. */
export interface TruthOptions extends Input<typeof TruthOptions> {}

export const TruthInput = lazyStrictObject(() => ({
  collection: Collection.describe('The collection. Example: `customers`.'),
  ...TruthOptions.shape,
}))

export const VerdictOptions = lazyStrictObject(() => ({
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

/** The options of a verdict. */
export interface VerdictOptions extends Input<typeof VerdictOptions> {
  /**
   * Maps the rows of the copy to the service's form, for all collections or for each.
   * @example { customers: ({ key, label }) => ({ id: key, name: label }) }
   */
  readonly row?: RowMappers | undefined
}

export const VerdictInput = lazyStrictObject(() => ({
  copy: z
    .partialRecord(Collection, z.array(z.unknown(), 'must be a list of rows or of ids'))
    .optional()
    .describe(
      'For each collection the rows with any of their fields, or their ids. Default: what was delivered is judged. Example: `{ "customers": [{ "id": 1, "name": "Acme" }] }`.',
    ),
  ...VerdictOptions.shape,
}))
