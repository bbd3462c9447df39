import type { Change } from './storage.ts'
import { type Clause, keysOf, meets } from './table.ts'
import type { IndexName, Key, Row, TableName } from './tables.ts'

/** The ids of changed rows by what an index finds them by. */
type Postings = Map<Key, Set<number>>

/** Shared by all overlays without changes: most sessions never have any. */
const unchanged: ReadonlyMap<TableName, Changed<TableName>> = new Map()

/** Changed rows by table and id, null where deleted; forked in constant time, copied when written to. */
export class Overlay {
  #tables: ReadonlyMap<TableName, Changed<TableName>>
  /** The tables whose rows no fork shares. */
  #owned: Set<TableName> | undefined
  #bytes: number

  constructor(tables = unchanged, bytes = 0) {
    this.#tables = tables
    this.#bytes = bytes
  }

  /** An estimate of what the changes take. Units: bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether nothing was ever changed. */
  get isEmpty(): boolean {
    return this.#tables.size === 0
  }

  /** The row as it has become, null where it was deleted, undefined where it is unchanged. */
  get<T extends TableName>(table: T, id: number): Row<T> | null | undefined {
    return this.#changed(table)?.rows.get(id)
  }

  /** How many rows of a table have changed. */
  size(table: TableName): number {
    return this.#tables.get(table)?.rows.size ?? 0
  }

  /** The ids of the rows of a table that have changed. Order: as they first changed. */
  ids(table: TableName): number[] {
    return Array.from(this.#tables.get(table)?.rows.keys() ?? [])
  }

  /** The rows of a table that were added or replaced and meet every condition. Order: none. */
  find<T extends TableName>(table: T, clauses: readonly Clause<T>[]): Row<T>[] {
    return this.#changed(table)?.find(clauses) ?? []
  }

  /** Every change. Order: by table, then as they first changed. */
  list(): Change[] {
    return Array.from(this.#tables).flatMap(([table, { rows }]) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows are kept under their own table's name
      Array.from(rows, ([id, row]) => ({ table, id, row }) as Change),
    )
  }

  /** Takes a change over; one without a row leaves nothing of the earlier ones. */
  set({ table, id, row }: Change): void {
    const before = this.get(table, id)
    if (before === undefined && row === undefined) return
    this.#owned ??= new Set()
    if (!this.#owned.has(table)) {
      this.#tables = new Map(this.#tables).set(table, new Changed(table, this.#tables.get(table)?.rows))
      this.#owned.add(table)
    }
    this.#tables.get(table)?.set(id, row)
    this.#bytes += sizeOf(row) - sizeOf(before)
  }

  /** An overlay with the same changes; what is written to one is not seen in the other. */
  fork(): Overlay {
    this.#owned = undefined
    return new Overlay(this.#tables, this.#bytes)
  }

  #changed<T extends TableName>(table: T): Changed<T> | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows are kept under their own table's name
    return this.#tables.get(table) as Changed<T> | undefined
  }
}

/** The changed rows of one table, with indexes that are built when first asked and kept up to date from then on. */
class Changed<T extends TableName> {
  readonly rows: Map<number, Row<T> | null>
  readonly #table: T
  readonly #indexes = new Map<IndexName<T>, Postings>()

  constructor(table: T, rows?: ReadonlyMap<number, Row<T> | null>) {
    this.#table = table
    this.rows = new Map(rows)
  }

  set(id: number, row: Row<T> | null | undefined): void {
    const before = this.rows.get(id)
    if (row === undefined) this.rows.delete(id)
    else this.rows.set(id, row)
    for (const [index, postings] of this.#indexes) {
      if (before) for (const key of keysOf(this.#table, index, before)) postings.get(key)?.delete(id)
      if (row) this.#enter(postings, index, row)
    }
  }

  find(clauses: readonly Clause<T>[]): Row<T>[] {
    const found: Row<T>[] = []
    for (const id of this.#candidates(clauses)) {
      const row = this.rows.get(id)
      if (row && meets(this.#table, row, clauses)) found.push(row)
    }
    return found
  }

  /** The ids of the rows that meet one of the conditions: the one that fewest meet. */
  #candidates(clauses: readonly Clause<T>[]): Iterable<number> {
    let fewest: ReadonlySet<number> | undefined
    for (const [index, wanted] of clauses) {
      if (wanted === undefined || typeof wanted === 'object') continue
      const ids = this.#index(index).get(wanted) ?? new Set<number>()
      if (!fewest || ids.size < fewest.size) fewest = ids
    }
    return fewest ?? this.rows.keys()
  }

  #index(index: IndexName<T>): Postings {
    const known = this.#indexes.get(index)
    if (known) return known
    const postings: Postings = new Map()
    for (const row of this.rows.values()) if (row) this.#enter(postings, index, row)
    this.#indexes.set(index, postings)
    return postings
  }

  #enter(postings: Postings, index: IndexName<T>, row: Row<T>): void {
    for (const key of keysOf(this.#table, index, row)) {
      const ids = postings.get(key)
      if (ids) ids.add(row.id)
      else postings.set(key, new Set([row.id]))
    }
  }
}

/** What a change takes. Units: bytes, estimated. */
const sizeOf = (row: object | null | undefined): number =>
  row === undefined ? 0 : JSON.stringify(row).length
