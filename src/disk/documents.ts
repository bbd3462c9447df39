import type { Low } from 'lowdb'

import type { Change, ClockMove } from '../store/change.ts'
import type { DatasetKey } from '../store/dataset.ts'
import { forEachTable, type Rows, type TableName } from '../store/tables.ts'
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
  /** Present as long as the rows are not written: they follow from the key. */
  readonly isPending?: true | undefined
  readonly isEdited?: true
}

export const noRows = forEachTable<Rows>(() => [])

export function createEmptyFile(): SeededFile {
  const key = { seed: 0, size: 0, fixture: '', now: '', clock: 'frozen' } as const
  const rows = noRows
  return { format: FORMAT, version: '', generation: 0, key, organizations: [], rows }
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
  /** One more than in the previous entry. */
  readonly sequence: number
  readonly generation: number
  /** Null if all earlier changes were dropped. */
  readonly changes: readonly Change[] | null
  /** The clock, if it was moved; null if it was set back. */
  readonly clock?: ClockMove | null | undefined
  /** Present if the dataset of its generation is stored after it: until then, the entry does not apply. */
  readonly isAhead?: true | undefined
}

/** The changes since `changes.json` was written, so that the cost of a write does not depend on their number. */
export interface WriteAheadLog {
  /** Units: bytes. */
  readonly size: number
  /** Order: as written. */
  read(): Promise<readonly LogEntry[]>
  /** Resolves when the entry is durable. Errors: storage_full, storage_unavailable; the entry is then not in the log. */
  append(entry: LogEntry): Promise<void>
  /** Removes every entry. Errors: as `append`. */
  empty(): Promise<void>
}

export const noLog: WriteAheadLog = {
  size: 0,
  read: () => Promise.resolve([]),
  append: () => Promise.resolve(),
  empty: () => Promise.resolve(),
}

export class LatestChanges {
  readonly #tables = new Map<TableName, Map<number, Change>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Applies changes, or drops all of them for null. Returns how many changes were superseded. */
  apply(changes: readonly Change[] | null): number {
    const before = this.#size
    if (changes === null) {
      this.#tables.clear()
      this.#size = 0
      return before
    }
    for (const change of changes) this.#set(change)
    return before + changes.length - this.#size
  }

  /** Order: by table, then as the records first changed. */
  list(): Change[] {
    return Array.from(this.#tables.values(), (records) => [...records.values()]).flat()
  }

  #set(change: Change): void {
    let records = this.#tables.get(change.table)
    if (!records) this.#tables.set(change.table, (records = new Map()))
    const before = records.size
    if (change.row === undefined) records.delete(change.id)
    else records.set(change.id, change)
    this.#size += records.size - before
  }
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
