import * as z from 'zod'

import { recordId } from '../contract/fields.ts'
import type { FieldError } from '../core/errors.ts'
import { toFieldErrors } from '../core/issues.ts'
import { type Row, rowSchemas, type TableName, tableNames, tables } from './tables.ts'

export type Change = {
  [T in TableName]: { readonly table: T; readonly id: number; readonly row?: Row<T> | null | undefined }
}[TableName]

export type ClockMove = { readonly at: string } | { readonly aheadMs: number }

export const isSameClock = (one: ClockMove | null, other: ClockMove | undefined): boolean =>
  Reflect.get(one ?? {}, 'at') === Reflect.get(other ?? {}, 'at') &&
  Reflect.get(one ?? {}, 'aheadMs') === Reflect.get(other ?? {}, 'aheadMs')

export function describeUnreadable({ table, id, row }: Change): string | undefined {
  if (!row) return undefined
  const { error } = rowSchemas[table].safeParse(row)
  const [first] = error ? toFieldErrors('body', error.issues) : []
  if (first) return `${first.name} ${first.message}`
  return row.id === id ? undefined : `its id is ${row.id}`
}

export interface Commit {
  readonly changes: readonly Change[]
  /** Null if the clock was not moved; undefined if it stays as it is stored. */
  readonly clock?: ClockMove | null | undefined
}

/** A write that decides what to store when its turn comes, so that nothing changes between its checks and the write. */
export interface Write {
  /** Errors: those of its checks; nothing is then stored. */
  readonly decide: () => Commit
  /** Applies what is durable now, before any later write decides. It runs no checks, since it is too late for them. */
  readonly apply: (commit: Commit) => void
  /** Whether the write may decide before earlier independent writes are applied, so that they are stored together. */
  readonly isIndependent: boolean
}

export const ChangeList: z.ZodType<Change[]> = z.lazy(() => {
  const [first, ...others] = tableNames.map((name) =>
    z.strictObject({ table: z.literal(name), id: recordId, row: tables[name].row.nullable().optional() }),
  )
  if (!first) throw new TypeError('There are no tables.')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each option pairs a table with its own row, which TypeScript loses in the loop
  return z.array(z.discriminatedUnion('table', [first, ...others])) as unknown as z.ZodType<Change[]>
})

/** Finds a change that the sandbox never writes: without a row, with a wrong id, or a second one of a record. */
export function findOddChange(changes: readonly Change[]): Pick<FieldError, 'name' | 'message'> | undefined {
  const seen = new Map<string, number>()
  for (const [index, { table, id, row }] of changes.entries()) {
    const name = `changes[${index}]`
    if (row === undefined) return { name: `${name}.row`, message: 'is required' }
    if (row !== null && row.id !== id)
      return { name: `${name}.row.id`, message: `must be ${id}, the id of the change (got ${row.id})` }
    const earlier = seen.get(`${table}/${id}`)
    if (earlier !== undefined) return { name, message: `changes the same record as changes[${earlier}]` }
    seen.set(`${table}/${id}`, index)
  }
  return undefined
}

export interface Origin {
  readonly by: 'service' | 'scenario' | 'control'
  readonly request?: number | undefined
  readonly scenario?: string | undefined
}
