import type { Dataset } from './dataset.ts'
import type { Change } from './documents.ts'
import { Overlay } from './overlay.ts'
import type { RowSet } from './row-set.ts'
import { mergeRows, type Selection, selectList, selectRows } from './selection.ts'
import type { Clause, Table } from './table.ts'
import { comparison, type Row, type TableName, tables } from './tables.ts'
import type { Reader, Texts } from './texts.ts'
import type { Write } from './write-queue.ts'

/** A record to create, and further changes to make with it. */
export interface Creation<T extends TableName> {
  readonly make: (id: number) => Row<T>
  readonly further?: readonly Change[]
}

/** The changes of a write, and its result. */
interface Decision<R> {
  readonly changes: readonly Change[]
  readonly result: R
}

/** The data of a session, as a handler sees it. */
export interface Data extends Reader {
  /** Finds the rows that meet every condition. */
  select<T extends TableName>(
    table: T,
    clauses: readonly Clause<T>[],
    keep?: (row: Row<T>) => boolean,
  ): Selection<Row<T>>
  /**
   * Creates a record with the session's next id, together with further changes; resolves when they are durable.
   * Several creations may decide before the first is applied, so none may depend on another.
   * @param decide runs the checks, in one step with the creation
   * Errors: storage_full, storage_unavailable, those of `decide`.
   */
  create<T extends TableName>(table: T, decide: () => Creation<T>): Promise<Row<T>>
  /** Reports whether the session has changed any of the tables. */
  hasChanged(names: readonly TableName[]): boolean
  /** Reports whether the session has changed a record, even if it equals the original. */
  isChanged(table: TableName, id: number): boolean
  /**
   * Computes a value from some tables: once for a dataset, and again if the session has changed one of them.
   * @param key identifies the value
   */
  derived<V>(key: string, names: readonly TableName[], make: () => V): V
  readonly texts: Texts
}

/** A copy of a session's data. */
export interface DataSnapshot {
  readonly overlay: Overlay
  readonly nextIds: ReadonlyMap<TableName, number>
}

/** The isolated changes of a session over the shared dataset, which is looked up at each call. */
export class SessionData implements Data {
  readonly #dataset: () => Dataset
  readonly #store: ((write: Write<Change>) => Promise<void>) | undefined
  #overlay = new Overlay()
  #nextIds: Map<TableName, number> | undefined
  /** Increases with each change. */
  revision = 0
  /** Called with changes before they are applied. */
  beforeChange: ((changes: readonly Change[]) => void) | undefined

  /** @param store makes changes durable before they are visible; only the default session has one. */
  constructor(dataset: () => Dataset, store?: (write: Write<Change>) => Promise<void>) {
    this.#dataset = dataset
    this.#store = store
  }

  /** The dataset below the changes. */
  get dataset(): Dataset {
    return this.#dataset()
  }

  get texts(): Texts {
    return this.#dataset().texts
  }

  /** The estimated size of the changes. Units: bytes. */
  get bytes(): number {
    return this.#overlay.bytes
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const changed = this.#overlay.get(table, id)
    const row = changed === undefined ? this.#table(table).get(id) : (changed ?? undefined)
    return row && this.#mayHaveOrphans(table) && this.#isOrphan(row) ? undefined : row
  }

  select<T extends TableName>(
    table: T,
    clauses: readonly Clause<T>[],
    keep?: (row: Row<T>) => boolean,
  ): Selection<Row<T>> {
    const base = this.#table(table)
    const found = base.find(clauses)
    const changed = this.#overlay.size(table) > 0
    const all = changed ? this.#mergeChanges(base, found, clauses) : selectRows(base, found)
    if (this.#mayHaveOrphans(table)) {
      const rows = all.page(0, all.total).filter((row) => !this.#isOrphan(row) && (!keep || keep(row)))
      return selectList(rows)
    }
    return keep ? selectList(all.page(0, all.total).filter(keep)) : all
  }

  create<T extends TableName>(table: T, decide: () => Creation<T>): Promise<Row<T>> {
    return this.#commit(true, () => {
      const { make, further = [] } = decide()
      const id = this.nextId(table)
      const row = make(id)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a change is a name, an id and that table's row
      return { changes: [{ table, id, row } as unknown as Change, ...further], result: row }
    })
  }

  /**
   * Makes changes, all or none; resolves when they are durable. Undone changes also free their ids.
   * @param decide runs the checks, in one step with the changes
   * Errors: storage_full, storage_unavailable, those of `decide`.
   */
  change<R>(decide: () => Decision<R>): Promise<R> {
    return this.#commit(false, decide)
  }

  async #commit<R>(isIndependent: boolean, decide: () => Decision<R>): Promise<R> {
    const results: R[] = []
    const write: Write<Change> = {
      isIndependent,
      decide: () => {
        const { changes, result } = decide()
        results[0] = result
        return changes
      },
      apply: (changes) => {
        if (changes.length > 0) {
          this.beforeChange?.(changes)
          this.load(changes)
        }
        if (changes.some(({ row }) => row === undefined)) this.#nextIds = undefined
      },
    }
    if (this.#store) await this.#store(write)
    else write.apply(write.decide())
    const [result] = results
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the write has decided before it resolves
    return result as R
  }

  isChanged(table: TableName, id: number): boolean {
    return this.#overlay.get(table, id) !== undefined
  }

  hasChanged(names: readonly TableName[]): boolean {
    return names.some((name) => this.#overlay.size(name) > 0 || this.#mayHaveOrphans(name))
  }

  derived<V>(key: string, names: readonly TableName[], make: () => V): V {
    if (this.hasChanged(names)) return make()
    const { derived } = this.#dataset()
    if (!derived.has(key)) derived.set(key, make())
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the value was made under this key
    return derived.get(key) as V
  }

  /** Lists every change. Order: by table, then as they first changed. */
  changes(): Change[] {
    return this.#overlay.list()
  }

  /** Lists the changes that undo others, which are not made yet. Order: as given. */
  listReversals(changes: readonly Pick<Change, 'table' | 'id'>[]): Change[] {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a change is a table, an id and that table's row
    return changes.map(({ table, id }) => ({ table, id, row: this.#overlay.get(table, id) }) as Change)
  }

  /** Applies stored changes. */
  load(changes: readonly Change[]): void {
    for (const change of changes) this.#overlay.set(change)
    this.revision += 1
  }

  /** Drops every change. */
  reset(): void {
    this.#overlay = new Overlay()
    this.#nextIds = undefined
    this.revision += 1
  }

  /** Copies the data, in constant time. */
  snapshot(): DataSnapshot {
    return { overlay: this.#overlay.fork(), nextIds: new Map(this.#nextIds) }
  }

  /** Restores a copy, in constant time. */
  restore(snapshot: DataSnapshot): void {
    this.#overlay = snapshot.overlay.fork()
    this.revision += 1
    this.#nextIds = new Map(snapshot.nextIds)
  }

  /** Returns the id for the next new record of a table; each id is returned once. */
  nextId(table: TableName): number {
    this.#nextIds ??= new Map()
    let id = this.#nextIds.get(table) ?? this.#table(table).freeId
    while (this.#overlay.get(table, id) !== undefined) id += 1
    this.#nextIds.set(table, id + 1)
    return id
  }

  /**
   * Reports whether a table may have rows of customers that do not exist: time brings rows to customers that the session
   * has deleted, and deletes customers to which the session has added rows.
   */
  #mayHaveOrphans(table: TableName): boolean {
    if (!this.#dataset().isMoment || !('customerId' in tables[table].row.shape)) return false
    return this.#overlay.size('customers') > 0 || this.#overlay.size(table) > 0
  }

  #isOrphan(row: Row<TableName>): boolean {
    return 'customerId' in row && this.get('customers', row.customerId) === undefined
  }

  #mergeChanges<T extends TableName>(base: Table<T>, found: RowSet, clauses: readonly Clause<T>[]) {
    const { name } = base
    const own = this.#overlay.find(name, clauses).toSorted(comparison(tables[name].order))
    return mergeRows(base, found.without(this.#findChanged(base, found)), own)
  }

  /** Returns the positions whose rows have changed. */
  #findChanged<T extends TableName>(base: Table<T>, found: RowSet): number[] {
    const { name } = base
    if (found.size < this.#overlay.size(name)) {
      return found
        .page(0, found.size)
        .filter((position) => this.#overlay.get(name, base.rows[position]?.id ?? 0) !== undefined)
    }
    return this.#overlay.ids(name).flatMap((id) => base.position(id) ?? [])
  }

  #table<T extends TableName>(name: T): Table<T> {
    return this.#dataset().tables[name]
  }
}
