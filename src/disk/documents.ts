import type { Low } from 'lowdb'

import { type Change, type ClockMove, describeUnreadable } from '../store/change.ts'
import type { DatasetKey } from '../store/dataset.ts'
import { findValues, listReferences } from '../store/references.ts'
import { forEachTable, type Rows, type TableName, nameRecord } from '../store/tables.ts'
import type { OrganizationRow } from '../store/tables/members.ts'

export const FORMAT = 1

export interface SeededFile {
  readonly format: number
  readonly version: string
  /** Counts reseeds, so that changes to an earlier dataset are recognised; 0 before the first. */
  readonly generation: number
  readonly key: DatasetKey
  readonly organizations: readonly OrganizationRow[]
  readonly rows: Rows
  readonly isPending?: true | undefined
  readonly isEdited?: true
}

export const noRows = forEachTable<Rows>(() => [])

export const emptyFile: SeededFile = {
  format: FORMAT,
  version: '',
  generation: 0,
  key: { seed: 0, size: 0, fixture: '', now: '', clock: 'frozen' },
  organizations: [],
  rows: noRows,
}

export interface ChangesFile {
  readonly format: number
  readonly generation: number
  readonly sequence: number
  readonly changes: readonly Change[]
  /** The clock of the default session, if it was moved and the data changes with it. */
  readonly clock?: ClockMove | undefined
  readonly isEdited?: boolean
}

export interface LogEntry {
  readonly sequence: number
  readonly generation: number
  /** Null if all earlier changes were dropped. */
  readonly changes: readonly Change[] | null
  readonly clock?: ClockMove | null | undefined
  /** Present if the dataset of its generation is stored after it: until then, the entry does not apply. */
  readonly isAhead?: true | undefined
}

/** The changes since `changes.json` was written, so that the cost of a write does not depend on their number. */
export interface WriteAheadLog {
  /** Units: bytes. */
  readonly size: number
  read(): Promise<readonly LogEntry[]>
  /** Resolves when the entry is durable. Errors: storage_full, storage_unavailable; the entry is then not in the log. */
  append(entry: LogEntry): Promise<void>
  empty(): Promise<void>
}

export const noLog: WriteAheadLog = {
  size: 0,
  read: () => Promise.resolve([]),
  append: () => Promise.resolve(),
  empty: () => Promise.resolve(),
}

export async function writeDocument<T>(document: Low<T>, data: T): Promise<void> {
  const before = document.data
  document.data = data
  try {
    await document.write()
  } catch (error) {
    document.data = before
    throw error
  }
}

export class ChangeReader {
  readonly leftOut: string[] = []
  readonly #records = new Set<string>()

  select(changes: readonly Change[]): readonly Change[] {
    return changes.filter((change) => {
      const fact = describeUnreadable(change)
      if (fact === undefined) return true
      this.#leaveOut(change, fact)
      return false
    })
  }

  undoDependents({ rows, isPending }: SeededFile, changes: readonly Change[]): Change[] {
    if (isPending) return []
    const exists = (table: TableName, id: unknown): boolean =>
      rows[table].some((row) => row.id === id) || changes.some((one) => one.table === table && one.id === id)
    const undone: Change[] = []
    for (let before = -1; before !== undone.length;) {
      before = undone.length
      for (const change of changes) {
        const isLost = ({ table, value }: { readonly table: TableName; readonly value: unknown }): boolean =>
          this.#records.has(`${table}/${String(value)}`) && !exists(table, value)
        const lost = this.#records.size > 0 ? findReferenced(change).find(isLost) : undefined
        if (!lost || this.#records.has(`${change.table}/${change.id}`)) continue
        this.#leaveOut(change, `${lost.place} refers to a record that was left out`)
        undone.push({ table: change.table, id: change.id })
      }
    }
    return undone
  }

  #leaveOut({ table, id }: Change, fact: string): void {
    this.#records.add(`${table}/${id}`)
    this.leftOut.push(`${nameRecord(table, id)}: ${fact}`)
  }
}

function findReferenced({ table, row }: Change) {
  return listReferences(table).flatMap(({ table: target, path }) =>
    Array.from(findValues(row, path), (found) => ({ table: target, ...found })),
  )
}
