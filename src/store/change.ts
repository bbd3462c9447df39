import * as z from 'zod'

import { instant, recordId } from '../contract/fields.ts'
import type { Readable } from '../core/input.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { type Change, rowSchemas, tableNames } from './tables.ts'

export const ChangeList: z.ZodType<Change[]> = z.lazy(() => {
  const [first, ...others] = tableNames.map((name) =>
    z.strictObject({ table: z.literal(name), id: recordId, row: rowSchemas[name].nullable().optional() }),
  )
  if (!first) throw new TypeError('There are no tables.')
  const list = z.array(z.discriminatedUnion('table', [first, ...others])).superRefine((changes, context) => {
    for (const [index, { id, row }] of changes.entries()) {
      if (!row || row.id === id) continue
      const message = `must be ${id}, the id of the change (got ${row.id})`
      context.addIssue({ code: 'custom', path: [index, 'row', 'id'], message })
    }
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each option pairs a table with its own row, which TypeScript loses in the loop
  return list as unknown as z.ZodType<Change[]>
})

export const ClockMove = z.union(
  [z.strictObject({ at: instant }), z.strictObject({ aheadMs: z.int() })],
  'must be like {"at":"2026-01-15T12:00:00.000Z"} or {"aheadMs":60000}',
)
export type ClockMove = Readonly<z.output<typeof ClockMove>>

/** One write to a session, all or nothing: a line of `changes.jsonl`. */
export const Commit = lazyStrictObject(() => ({
  /** The session's time. */
  at: instant,
  by: z.enum(['service', 'scenario', 'control']),
  request: z.int().positive().optional(),
  scenario: z.string().optional(),
  /** Whether it drops all that was written before. */
  reset: z.literal(true).optional(),
  /** The state of the clock after the write, so that a restart shows no change before its time; undefined at its start. */
  clock: ClockMove.optional(),
  /** The rows after the write: null if deleted, absent if as in the dataset again. */
  changes: ChangeList,
}))
export type Commit = Readable<z.output<typeof Commit>>

/** The version of the files of a data folder. */
export const FORMAT = 2

/** The first line of `changes.jsonl`, which names the dataset that the following ones change. */
export const Header = lazyStrictObject(() => ({ format: z.literal(FORMAT), dataset: z.int().positive() }))
export type Header = Readonly<z.output<typeof Header>>

/** A line of `changes.jsonl`. */
export type Line = Header | Commit

export type Origin = Pick<Commit, 'by' | 'request' | 'scenario'>

/** A write that decides what to store when its turn comes, so that nothing changes between its checks and the write. */
export interface Write {
  /** Errors: those of its checks; nothing is then stored. */
  readonly decide: () => Commit
  /** Applies what is durable now, before any later write decides. It runs no checks, since it is too late for them. */
  readonly apply: (commit: Commit) => void
  /** Whether the write may decide before earlier independent writes are applied, so that they are stored together. */
  readonly mayDecideEarly: boolean
}

export interface Decision<R> {
  readonly changes: readonly Change[]
  /** The state of the clock after the write; null is its start. */
  readonly clock?: ClockMove | null | undefined
  /** The session's time at the changes, if it is not the present. */
  readonly at?: string | undefined
  readonly origin?: Origin | undefined
  readonly result: R
}

export interface DataOwner {
  readonly clock: {
    state: ClockMove | undefined
    now(): string
  }
  /** Rejects changes of a size, in bytes, that there is no room for. Errors: storage_full. */
  checkRoom(bytes: number): void
  /** Returns the instant after which the past must be kept; undefined if none of it is needed. */
  findNeededPast(): string | undefined
  /** Makes writes durable before they are visible; only the default session has one. */
  readonly storage?: { append(write: Write): Promise<void> } | undefined
}
