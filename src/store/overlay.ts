import type { Change } from './storage.ts'
import type { Row, TableName } from './tables.ts'

type Rows<T extends TableName> = Map<number, Row<T> | null>

/** Shared by all overlays without changes: most sessions never have any. */
const unchanged: ReadonlyMap<TableName, Rows<TableName>> = new Map()

/** Changed rows by table and id, null where deleted; forked in constant time, copied when written to. */
export class Overlay {
  #tables: ReadonlyMap<TableName, Rows<TableName>>
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

  /** The row as it has become, null where it was deleted, undefined where it is unchanged. */
  get<T extends TableName>(table: T, id: number): Row<T> | null | undefined {
    return this.#rows(table)?.get(id)
  }

  /** How many rows of a table have changed. */
  size(table: TableName): number {
    return this.#tables.get(table)?.size ?? 0
  }

  /** The rows of a table that were added or replaced. Order: as they first changed. */
  rows<T extends TableName>(table: T): Row<T>[] {
    return Array.from(this.#rows(table)?.values() ?? []).filter((row) => row !== null)
  }

  /** Every change. Order: by table, then as they first changed. */
  list(): Change[] {
    return Array.from(this.#tables).flatMap(([table, rows]) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows are kept under their own table's name
      Array.from(rows, ([id, row]) => ({ table, id, row }) as Change),
    )
  }

  /** Takes a change over. */
  set({ table, id, row }: Change): void {
    this.#owned ??= new Set()
    if (!this.#owned.has(table)) {
      this.#tables = new Map(this.#tables).set(table, new Map(this.#tables.get(table)))
      this.#owned.add(table)
    }
    this.#tables.get(table)?.set(id, row)
    this.#bytes += JSON.stringify(row).length
  }

  /** An overlay with the same changes; what is written to one is not seen in the other. */
  fork(): Overlay {
    this.#owned = undefined
    return new Overlay(this.#tables, this.#bytes)
  }

  #rows<T extends TableName>(table: T): Rows<T> | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows are kept under their own table's name
    return this.#tables.get(table) as Rows<T> | undefined
  }
}
