import type { Dataset } from './dataset.ts'
import { Overlay } from './overlay.ts'
import type { Positions } from './positions.ts'
import { listed, merged, selected, type Selection } from './selection.ts'
import type { Change } from './storage.ts'
import type { Clause, Table } from './table.ts'
import { comparison, type Row, type TableName, tables } from './tables.ts'
import type { Reader, Texts } from './texts.ts'
import type { Write } from './write-queue.ts'

/** A record to create under an id that it is given, and further changes to make with it. */
export interface Creation<T extends TableName> {
  readonly make: (id: number) => Row<T>
  readonly further?: readonly Change[]
}

/** The changes that a step decided on, and its result. */
interface Decision<R> {
  readonly changes: readonly Change[]
  readonly result: R
}

/** The data of one session, as a handler sees it. */
export interface Data extends Reader {
  /** The rows that meet every condition. */
  select<T extends TableName>(
    table: T,
    clauses: readonly Clause<T>[],
    keep?: (row: Row<T>) => boolean,
  ): Selection<Row<T>>
  /**
   * Adds a record under the session's next id, and makes further changes with it; resolves when they are durable.
   * Several creations may decide before the first of them is applied, so none may depend on another.
   * @param decide checks what the record depends on; nothing else changes between that and the creation
   * Errors: storage_full, storage_unavailable, those of `decide`.
   */
  create<T extends TableName>(table: T, decide: () => Creation<T>): Promise<Row<T>>
  /** Says whether the session has changed any of the tables. */
  hasChanged(names: readonly TableName[]): boolean
  /** Says whether the session has changed a record, even if it is as it was. */
  isChanged(table: TableName, id: number): boolean
  /**
   * What follows from rows of some tables: worked out once for a dataset, and anew where the session has changed them.
   * @param key tells it from everything else that is worked out
   */
  derived<V>(key: string, names: readonly TableName[], make: () => V): V
  readonly texts: Texts
}

/** What a session's data was at a moment. */
export interface DataSnapshot {
  readonly overlay: Overlay
  readonly nextIds: ReadonlyMap<TableName, number>
}

/** An isolated set of changes over a dataset; the dataset is shared, and looked up at each call. */
export class SessionData implements Data {
  readonly #dataset: () => Dataset
  readonly #keep: ((write: Write<Change>) => Promise<void>) | undefined
  #overlay = new Overlay()
  #nextIds: Map<TableName, number> | undefined

  /** @param keep makes changes durable before they are seen; sessions that are not kept need none. */
  constructor(dataset: () => Dataset, keep?: (write: Write<Change>) => Promise<void>) {
    this.#dataset = dataset
    this.#keep = keep
  }

  /** What the changes are laid over. */
  get dataset(): Dataset {
    return this.#dataset()
  }

  get texts(): Texts {
    return this.#dataset().texts
  }

  /** An estimate of what the changes take. Units: bytes. */
  get bytes(): number {
    return this.#overlay.bytes
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const changed = this.#overlay.get(table, id)
    if (changed !== undefined) return changed ?? undefined
    return this.#table(table).get(id)
  }

  select<T extends TableName>(
    table: T,
    clauses: readonly Clause<T>[],
    keep?: (row: Row<T>) => boolean,
  ): Selection<Row<T>> {
    const base = this.#table(table)
    const found = base.find(clauses)
    const changed = this.#overlay.size(table) > 0
    const all = changed ? this.#merged(base, found, clauses) : selected(base, found)
    return keep ? listed(all.page(0, all.total).filter(keep)) : all
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
   * Makes changes, all or none; resolves when they are durable. Where records are again as in the dataset, so are the
   * ids that are given next.
   * @param decide checks what the changes depend on; nothing else changes between that and them
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
        this.load(changes)
        if (changes.some(({ row }) => row === undefined)) this.#nextIds = undefined
      },
    }
    if (this.#keep) await this.#keep(write)
    else write.apply(write.decide())
    const [result] = results
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is kept was decided before
    return result as R
  }

  isChanged(table: TableName, id: number): boolean {
    return this.#overlay.get(table, id) !== undefined
  }

  hasChanged(names: readonly TableName[]): boolean {
    return !this.#overlay.isEmpty && names.some((name) => this.#overlay.size(name) > 0)
  }

  derived<V>(key: string, names: readonly TableName[], make: () => V): V {
    if (this.hasChanged(names)) return make()
    const { derived } = this.#dataset()
    if (!derived.has(key)) derived.set(key, make())
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was made under this key before
    return derived.get(key) as V
  }

  /** Every change. Order: by table, then as they first changed. */
  changes(): Change[] {
    return this.#overlay.list()
  }

  /** Takes over changes that were kept. */
  load(changes: readonly Change[]): void {
    for (const change of changes) this.#overlay.set(change)
  }

  /** Drops every change: back to the dataset. */
  reset(): void {
    this.#overlay = new Overlay()
    this.#nextIds = undefined
  }

  /** What the data is now; in constant time. */
  snapshot(): DataSnapshot {
    return { overlay: this.#overlay.fork(), nextIds: new Map(this.#nextIds) }
  }

  /** Back to a snapshot; in constant time. */
  restore(snapshot: DataSnapshot): void {
    this.#overlay = snapshot.overlay.fork()
    this.#nextIds = new Map(snapshot.nextIds)
  }

  /** The id for the session's next new record of a table; given once. */
  nextId(table: TableName): number {
    this.#nextIds ??= new Map()
    let id = this.#nextIds.get(table) ?? this.#table(table).freeId
    while (this.#overlay.get(table, id) !== undefined) id += 1
    this.#nextIds.set(table, id + 1)
    return id
  }

  #merged<T extends TableName>(base: Table<T>, found: Positions, clauses: readonly Clause<T>[]) {
    const { name } = base
    const own = this.#overlay.find(name, clauses).toSorted(comparison(tables[name].order))
    return merged(base, found.without(this.#changedAmong(base, found)), own)
  }

  /** Those positions whose rows have changed. */
  #changedAmong<T extends TableName>(base: Table<T>, found: Positions): number[] {
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
