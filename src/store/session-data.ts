import { MAX_INTEGER } from '../contract/fields.ts'
import { SandboxError } from '../core/errors.ts'
import { lowerBound } from '../core/lower-bound.ts'
import { getOrCreate } from '../core/maps.ts'
import { type Commit, type Creation, checkRows, type DataOwner, type Decision, type Write } from './change.ts'
import type { Dataset } from './dataset.ts'
import { History, listReversals, type PastCommit } from './history.ts'
import { estimateSize, Overlay } from './overlay.ts'
import { type Clauses, mergeRows, type Selection, selectList } from './selection.ts'
import { type Change, type Row, type TableName, tables, toChange } from './tables.ts'
import type { Texts } from './texts.ts'

export type Keep<T extends TableName> = (row: Row<T>) => boolean

export type DerivedCache<V> = WeakMap<Dataset, Map<string, V>>

export type Data = Pick<SessionData, 'get' | 'select' | 'create' | 'derive' | 'texts'>

export interface DataSnapshot {
  readonly overlay: Overlay
  readonly history: History
  readonly nextIds: ReadonlyMap<TableName, number>
}

export class SessionData {
  readonly #dataset: () => Dataset
  readonly #owner: DataOwner | undefined
  #overlay = new Overlay()
  /** The lowest ids that may be free; they follow from the rows, unless writes are pending. */
  #nextIds = new Map<TableName, number>()
  #pending = 0
  #hasFailed = false
  /** The commits that have led to these data. */
  history = new History()
  revision = 0

  constructor(dataset: () => Dataset, owner?: DataOwner) {
    this.#dataset = dataset
    this.#owner = owner
  }

  get dataset(): Dataset {
    return this.#dataset()
  }

  get texts(): Texts {
    return this.dataset.texts
  }

  get bytes(): number {
    return this.#overlay.bytes
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const changed = this.#overlay.tables[table]?.rows.get(id)
    const { tables: base, isMoment } = this.#dataset()
    const row = changed === undefined ? base[table].get(id) : (changed ?? undefined)
    return row && isMoment && this.#mayHaveOrphans(table) && this.#isOrphan(row) ? undefined : row
  }

  /** @param scan names a condition on all rows of a table, so that a large table is read in slices */
  select<T extends TableName>(
    table: T,
    clauses: Clauses<T>,
    keep?: Keep<T>,
    scan?: string,
  ): Selection<Row<T>> {
    const { tables: bases, isMoment } = this.#dataset()
    const base = bases[table].narrow(clauses)
    let positions = scan !== undefined && keep ? base.scan(scan, keep) : base.find(clauses)
    const changed = this.#overlay.tables[table]
    let own: Row<T>[] = []
    if (changed && changed.rows.size > 0) {
      own = changed.find(clauses).filter((row) => scan === undefined || keep?.(row) !== false)
    }
    if (isMoment && this.#mayHaveOrphans(table)) {
      positions = positions.filter((position) => !this.#isOrphan(base.rows[position]))
      own = own.filter((row) => !this.#isOrphan(row))
    }
    const outdated = Array.from(changed?.rows.keys() ?? []).flatMap((id) => {
      const position = base.position(id) ?? Infinity
      const at = lowerBound(positions.length, (index) => (positions[index] ?? 0) >= position)
      return positions[at] === position ? [at] : []
    })
    const all = mergeRows(
      base,
      positions,
      outdated.toSorted((a, b) => a - b),
      own,
    )
    return keep && scan === undefined ? selectList(all.page().filter(keep)) : all
  }

  /**
   * Creates a record with the session's next id, together with further changes; resolves when they are durable.
   * Several creations may decide before the first is applied, so none may depend on another.
   * @param decide runs the checks, in one step with the creation
   * Errors: storage_full, storage_unavailable, those of `decide`.
   */
  create<T extends TableName>(table: T, decide: () => Creation<T>): Promise<Row<T>> {
    return this.#commit(true, () => {
      const { make, further = [], request } = decide()
      const id = this.nextId(table)
      const row = make(id)
      return {
        changes: [toChange(table, id, row), ...further],
        origin: { by: 'service', request },
        result: row,
      }
    })
  }

  /**
   * Makes changes and moves the clock, all or nothing; resolves when that is durable. Undone changes also free their ids.
   * @param decide runs the checks, in one step with the changes
   * Errors: storage_full, storage_unavailable, those of `decide`.
   */
  change<R>(decide: () => Decision<R>): Promise<R> {
    return this.#commit(false, decide)
  }

  async #commit<R>(isIndependent: boolean, decide: () => Decision<R>): Promise<R> {
    const decisions: Decision<R>[] = []
    const owner = this.#owner
    const write: Write = {
      isIndependent,
      decide: (): Commit => {
        const decision = decide()
        decisions[0] = decision
        const { changes, clock, origin = { by: 'control' } } = decision
        const at = decision.at ?? owner?.clock.now() ?? this.dataset.key.now
        checkRows(changes)
        const added = changes.reduce((sum, { row }) => sum + estimateSize(row), 0)
        if (added > 0) owner?.checkRoom(this.bytes + added)
        const state = clock === undefined ? owner?.clock.state : (clock ?? undefined)
        return { at, ...origin, clock: state, changes }
      },
      apply: ({ at, by, request, scenario, changes }) => {
        const { clock: moved } = decisions[0] ?? {}
        if (changes.length > 0) {
          const rows = changes.map(({ table, id, row }) => ({
            table,
            id,
            before: this.get(table, id),
            after: row === undefined ? this.dataset.tables[table].get(id) : (row ?? undefined),
            replaced: this.getChange(table, id),
          }))
          const commit = { at, by, request, scenario, revision: this.revision + 1, rows }
          this.history.add(commit, owner?.findNeededPast())
          this.load(changes)
        }
        if (changes.some(({ row }) => row === undefined)) this.#nextIds.clear()
        if (moved !== undefined) owner?.clock.restore(moved ?? undefined)
      },
    }
    this.#pending += 1
    try {
      if (owner?.store) await owner.store(write)
      else write.apply(write.decide())
    } catch (error) {
      this.#hasFailed ||= decisions.length > 0
      throw error
    } finally {
      this.#pending -= 1
      // Gives out again the ids that failed writes have not used.
      if (this.#hasFailed && this.#pending === 0) this.#nextIds.clear()
      this.#hasFailed &&= this.#pending > 0
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the write has decided before it resolves
    return decisions[0]?.result as R
  }

  /** Returns the session's own row, null if it was deleted, undefined if the record is as in the dataset. */
  getChange<T extends TableName>(table: T, id: number): Row<T> | null | undefined {
    return this.#overlay.tables[table]?.rows.get(id)
  }

  isChanged(table: TableName, id: number): boolean {
    return this.getChange(table, id) !== undefined
  }

  hasChanged(names: readonly TableName[]): boolean {
    const { isMoment } = this.#dataset()
    for (const name of names) {
      if (this.#overlay.tables[name]?.rows.size || (isMoment && this.#mayHaveOrphans(name))) return true
    }
    return false
  }

  /** Computes a value from some tables: once for a dataset, and again if the session has changed one of them. */
  derive<V>(cache: DerivedCache<V>, key: string, names: readonly TableName[], make: () => V): V {
    if (this.hasChanged(names)) return make()
    const values = getOrCreate(cache, this.dataset, () => new Map<string, V>())
    return getOrCreate(values, key, make)
  }

  changes(): Change[] {
    return this.#overlay.list()
  }

  load(changes: readonly Change[]): void {
    for (const change of changes) this.#overlay.set(change)
    this.revision += 1
  }

  /** Copies the data in constant time. @param dataset by default the present one, from then on */
  copy(dataset?: () => Dataset): SessionData {
    const present = this.dataset
    const copy = new SessionData(dataset ?? (() => present))
    copy.restore(this.snapshot())
    return copy
  }

  /** Returns the data as they were before the latest commits, which itself stays as it is. */
  undo(commits: readonly PastCommit[]): DataSnapshot {
    const data = this.copy()
    data.load(listReversals(commits))
    return data.snapshot()
  }

  reset(): void {
    this.restore({ overlay: new Overlay(), history: new History(), nextIds: new Map() })
  }

  snapshot(): DataSnapshot {
    return { overlay: this.#overlay.fork(), history: this.history.fork(), nextIds: new Map(this.#nextIds) }
  }

  restore(snapshot: DataSnapshot): void {
    this.#overlay = snapshot.overlay.fork()
    this.history = snapshot.history.fork()
    this.revision += 1
    this.#nextIds = new Map(snapshot.nextIds)
  }

  /** Returns the id for the next new record of a table; each id is returned once. Errors: storage_full if none is left. */
  nextId(table: TableName): number {
    const base = this.dataset.tables[table]
    let id = this.#nextIds.get(table) ?? base.freeId
    while (id <= MAX_INTEGER && (this.isChanged(table, id) || base.get(id))) id += 1
    if (id > MAX_INTEGER) {
      const fact = `all ids up to ${MAX_INTEGER} are taken`
      throw new SandboxError(
        'storage_full',
        `Cannot create a ${tables[table].noun}: ${fact}. Give it an id, or reset the session.`,
      )
    }
    this.#nextIds.set(table, id + 1)
    return id
  }

  /**
   * Reports whether a table of a moment may have rows of customers that do not exist: time brings rows to customers that
   * the session has deleted, and deletes customers to which the session has added rows.
   */
  #mayHaveOrphans(table: TableName): boolean {
    if (!('customerId' in tables[table].row.shape)) return false
    const { customers, [table]: changed } = this.#overlay.tables
    return (customers?.rows.size ?? 0) > 0 || (changed?.rows.size ?? 0) > 0
  }

  #isOrphan(row: Row<TableName> | undefined): boolean {
    return row !== undefined && 'customerId' in row && this.get('customers', row.customerId) === undefined
  }
}
