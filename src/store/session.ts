import { MAX_INTEGER } from '../contract/fields.ts'
import { type Clause, type Dataset, meets, type Table } from './dataset.ts'
import type { Change } from './storage.ts'
import { comparison, type Row, type TableName, forEachTable, tableNames, tables } from './tables.ts'
import type { Reader, Texts } from './texts.ts'

/** The rows that a query found, before pagination. */
export interface Selection<R> {
  readonly total: number
  /** The rows from `offset` on, `limit` at most. Order: the table's. */
  page(offset: number, limit: number): R[]
}

/** The data of one session, as a handler sees it. */
export interface Data extends Reader {
  /** The rows that meet every condition. */
  select<T extends TableName>(
    table: T,
    clauses: readonly Clause<T>[],
    keep?: (row: Row<T>) => boolean,
  ): Selection<Row<T>>
  /** Adds a record under the session's next id; resolves when it is durable. Errors: storage_full, storage_unavailable. */
  create<T extends TableName>(table: T, make: (id: number) => Row<T>): Promise<Row<T>>
  /** Says whether the session has changed any of the tables. */
  hasChanged(names: readonly TableName[]): boolean
  readonly texts: Texts
}

/** Tells the time of a session. Units: an instant in UTC with milliseconds. */
export type Clock = () => string

type Changes = { readonly [T in TableName]: Map<number, Row<T> | null> }

const noChanges = (): Changes => forEachTable<Changes>(() => new Map())

/** An isolated set of changes over a dataset; the dataset is shared, and looked up at each call. */
export class Session implements Data {
  /** Tells the session's time. */
  readonly now: Clock
  readonly #dataset: () => Dataset
  readonly #keep: (changes: readonly Change[]) => Promise<void>
  #changes: Changes = noChanges()
  #nextIds = new Map<TableName, number>()

  /** @param keep makes changes durable before they are seen; sessions that are not kept need none. */
  constructor(
    dataset: () => Dataset,
    now: Clock,
    keep: (changes: readonly Change[]) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#dataset = dataset
    this.now = now
    this.#keep = keep
  }

  get texts(): Texts {
    return this.#dataset().texts
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const changed = this.#changes[table].get(id)
    if (changed !== undefined) return changed ?? undefined
    return this.#table(table).get(id)
  }

  select<T extends TableName>(
    table: T,
    clauses: readonly Clause<T>[],
    keep?: (row: Row<T>) => boolean,
  ): Selection<Row<T>> {
    const base = this.#table(table)
    const changes = this.#changes[table]
    const ordinals = base.find(clauses)
    if (changes.size === 0 && !keep) {
      return {
        total: ordinals.length,
        page: (offset, limit) => rowsAt(base, ordinals.slice(offset, offset + limit)),
      }
    }
    const rows = rowsAt(base, ordinals).filter((row) => !changes.has(row.id) && (keep?.(row) ?? true))
    const changed = [...changes.values()].filter(
      (row): row is Row<T> => row !== null && meets(table, row, clauses) && (keep?.(row) ?? true),
    )
    const all = changed.length === 0 ? rows : [...rows, ...changed].toSorted(comparison(tables[table].order))
    return { total: all.length, page: (offset, limit) => all.slice(offset, offset + limit) }
  }

  async create<T extends TableName>(table: T, make: (id: number) => Row<T>): Promise<Row<T>> {
    const changes = this.#changes
    const id = this.#nextId(table)
    const row = make(id)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a change is a name, an id and that table's row
    const change = { table, id, row } as unknown as Change
    await this.#keep([change])
    // A reset meanwhile has dropped this set of changes, and the new record with it.
    changes[table].set(id, row)
    return row
  }

  hasChanged(names: readonly TableName[]): boolean {
    return names.some((name) => this.#changes[name].size > 0)
  }

  /** Takes over changes that were kept. */
  restore(changes: readonly Change[]): void {
    for (const change of changes) setRow(this.#changes, change)
  }

  /** Drops every change: back to the dataset. Gives a function that undoes it, should the storage refuse. */
  reset(): () => void {
    const before = this.#changes
    const fresh = noChanges()
    this.#changes = fresh
    this.#nextIds = new Map()
    return () => {
      this.#changes = before
      for (const name of tableNames) adopt(before, fresh, name)
      this.#nextIds = new Map()
    }
  }

  #table<T extends TableName>(name: T): Table<T> {
    return this.#dataset().tables[name]
  }

  /** One above the highest id that has room above it, so that the largest possible id blocks nothing. */
  #nextId(table: TableName): number {
    const known = this.#nextIds.get(table)
    const ids =
      known === undefined
        ? [...this.#table(table).rows.map((row) => row.id), ...this.#changes[table].keys()]
        : []
    const next = known ?? gapAbove(ids)
    this.#nextIds.set(table, next + 1)
    return next
  }
}

function gapAbove(ids: readonly number[]): number {
  const descending = ids.toSorted((a, b) => b - a)
  let ceiling = MAX_INTEGER + 1
  for (const id of descending) {
    if (id + 1 < ceiling) return id + 1
    ceiling = id
  }
  return 1
}

function rowsAt<T extends TableName>(table: Table<T>, ordinals: readonly number[]): Row<T>[] {
  return ordinals.flatMap((ordinal) => table.rows[ordinal] ?? [])
}

function setRow(changes: Changes, { table, id, row }: Change): void {
  const rows: Map<number, Row<TableName> | null> = changes[table]
  rows.set(id, row)
}

function adopt(target: Changes, source: Changes, table: TableName): void {
  const rows: Map<number, Row<TableName> | null> = target[table]
  for (const [id, row] of source[table]) rows.set(id, row)
}
