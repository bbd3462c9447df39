import { getOrCreate } from '../core/maps.ts'
import { type Clauses, isKey, meets } from './selection.ts'
import {
  type Change,
  estimateSize,
  getKeys,
  type IndexName,
  type Row,
  type TableName,
  tableNames,
  toChange,
} from './tables.ts'
import type { Key } from './tables/define.ts'

type Index = Map<Key, Set<number>>

type ChangedTables = { readonly [T in TableName]?: ChangedTable<T> }

/** Shared by all overlays without changes, because most sessions have none. */
const unchanged: ChangedTables = {}

/** The changed rows of a session, null for deleted ones. A fork takes constant time, and copies a table on its first write. */
export class Overlay {
  tables: ChangedTables
  bytes: number
  /** The number of deleted rows. */
  deletedCount: number
  #owned: Set<TableName> | undefined

  constructor(tables = unchanged, bytes = 0, deletedCount = 0) {
    this.tables = tables
    this.bytes = bytes
    this.deletedCount = deletedCount
  }

  /** Order: by table, then by id, however they came about. */
  list(): Change[] {
    return tableNames.flatMap((table) => {
      const rows = [...(this.tables[table]?.rows ?? [])].toSorted(([one], [other]) => one - other)
      return rows.map(([id, row]) => toChange(table, id, row))
    })
  }

  set({ table, id, row }: Change): void {
    const changed: ChangedTable<TableName> | undefined = this.tables[table]
    const before = changed?.rows.get(id)
    if (before === undefined && row === undefined) return
    this.#owned ??= new Set()
    const own = changed && this.#owned.has(table) ? changed : new ChangedTable<TableName>(table, changed)
    if (own !== changed) this.tables = { ...this.tables, [table]: own }
    this.#owned.add(table)
    own.set(id, row)
    this.deletedCount += Number(row === null) - Number(before === null)
    this.bytes += estimateSize(row) - estimateSize(before)
  }

  fork(): Overlay {
    this.#owned = undefined
    return new Overlay(this.tables, this.bytes, this.deletedCount)
  }
}

class ChangedTable<T extends TableName> {
  readonly rows: Map<number, Row<T> | null>
  readonly deleted: Set<number>
  readonly #table: T
  readonly #indexes = new Map<IndexName<T>, Index>()

  constructor(table: T, copied?: ChangedTable<T>) {
    this.#table = table
    this.rows = new Map(copied?.rows)
    this.deleted = new Set(copied?.deleted)
  }

  set(id: number, row: Row<T> | null | undefined): void {
    const before = this.rows.get(id)
    if (row === undefined) this.rows.delete(id)
    else this.rows.set(id, row)
    if (row === null) this.deleted.add(id)
    else this.deleted.delete(id)
    for (const [index, entries] of this.#indexes) {
      if (before) for (const key of getKeys(this.#table, index, before)) entries.get(key)?.delete(id)
      if (row) this.#addToIndex(entries, index, row)
    }
  }

  find(clauses: Clauses<T>): Row<T>[] {
    let fewest: ReadonlySet<number> | undefined
    for (const [index, wanted] of clauses) {
      if (wanted === undefined || !isKey(wanted)) continue
      const ids = this.#index(index).get(wanted) ?? new Set<number>()
      if (!fewest || ids.size < fewest.size) fewest = ids
    }
    const matching: Row<T>[] = []
    for (const id of fewest ?? this.rows.keys()) {
      const row = this.rows.get(id)
      if (row && meets(this.#table, row, clauses)) matching.push(row)
    }
    return matching
  }

  #index(index: IndexName<T>): Index {
    return getOrCreate(this.#indexes, index, () => {
      const entries: Index = new Map()
      for (const row of this.rows.values()) if (row) this.#addToIndex(entries, index, row)
      return entries
    })
  }

  #addToIndex(entries: Index, index: IndexName<T>, row: Row<T>): void {
    for (const key of getKeys(this.#table, index, row)) {
      getOrCreate(entries, key, () => new Set()).add(row.id)
    }
  }
}
