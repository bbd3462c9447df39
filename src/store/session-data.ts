import { MAX_INTEGER } from '../contract/fields.ts'
import { SandboxError } from '../core/errors.ts'
import { getOrCreate } from '../core/maps.ts'
import type { Commit, DataOwner, Decision, Write } from './change.ts'
import type { Dataset } from './dataset.ts'
import { History, listReversals, type PastCommit, type WrittenRow } from './history.ts'
import { Overlay } from './overlay.ts'
import { type CompleteRows, Presence } from './presence.ts'
import type { Lookup } from './references.ts'
import { type Clauses, inOrganization, type Selection } from './selection.ts'
import { type Change, checkRows, type IndexName, type Row, type TableName, tables } from './tables.ts'
import type { Key } from './tables/define.ts'
import type { OrganizationRow } from './tables/members.ts'
import type { Texts } from './texts.ts'

export type DerivedCache<V> = WeakMap<Dataset, Map<string, V>>

export type Data = Pick<SessionData, 'get' | 'select' | 'derive' | 'texts'>

export interface DataSnapshot {
  readonly overlay: Overlay
  readonly history: History
  readonly nextIds: ReadonlyMap<TableName, number>
  /** Spares restored data to find out again which of its rows are there. */
  readonly complete?: CompleteRows
}

export const untouched: DataSnapshot = { overlay: new Overlay(), history: new History(), nextIds: new Map() }

export class SessionData implements Lookup {
  readonly #dataset: () => Dataset
  readonly #owner: DataOwner | undefined
  /** The rows that the session has written; only `load` and `restore` change it. */
  overlay = new Overlay()
  /** The lowest ids that may be free; they follow from the rows, unless writes are pending. */
  #nextIds = new Map<TableName, number>()
  #givenIds = 0
  #pending = 0
  #hasFailed = false
  /** The commits that have led to these data. */
  history = new History()
  revision = 0
  readonly #presence = new Presence(this)

  constructor(dataset: () => Dataset, owner?: DataOwner) {
    this.#dataset = dataset
    this.#owner = owner
  }

  get dataset(): Dataset {
    return this.#dataset()
  }

  get organizations(): readonly OrganizationRow[] {
    return this.dataset.organizations
  }

  get texts(): Texts {
    return this.dataset.texts
  }

  /**
   * Returns a record. A row that refers to a record that is not there at this time, such as its customer, is not there
   * either; if the session has written it, the dataset's row takes its place.
   */
  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const own = this.overlay.tables[table]?.rows.get(id)
    if (own !== undefined && this.#presence.isOwnShown(table, own)) return own ?? undefined
    const row = this.#dataset().tables[table].get(id)
    // Only a deletion can leave a row of the dataset without what it refers to.
    if (!row || this.overlay.deletedCount === 0) return row
    return this.#presence.isBaseShown(table, row) ? row : undefined
  }

  /** @param withHidden whether to select rows of the session, too, that are not there at this time */
  select<T extends TableName>(table: T, clauses: Clauses<T>, withHidden = false): Selection<Row<T>> {
    const base = this.#dataset().tables[table].narrow(clauses)
    const positions = base.find(clauses)
    if (!this.hasChanged([table])) return base.select(positions)
    const changed = this.overlay.tables[table]?.find(clauses) ?? []
    const own = changed.filter((row) => withHidden || this.#presence.isOwnShown(table, row))
    return base.select(positions, this.#presence.findOutdated(base, positions), own)
  }

  find<T extends TableName>(table: T, index: IndexName<T>, key: Key): Row<T>[] {
    return this.select(table, [[index, key]]).page()
  }

  list<T extends TableName>(table: T, organizationId: string): Row<T>[] {
    return this.select(table, [inOrganization(organizationId)]).page()
  }

  /**
   * Makes changes and moves the clock, all or nothing; resolves when that is durable. Undone changes also free their ids.
   * @param decide runs the checks, in one step with the changes
   * @param mayDecideEarly whether the changes create a record that does not depend on others, so that several may decide
   * before the first is applied
   * Errors: storage_full, storage_unavailable, those of `decide`.
   */
  async change<R>(decide: () => Decision<R>, mayDecideEarly = false): Promise<R> {
    const owner = this.#owner
    let decision: Decision<R> | undefined
    const write: Write = {
      mayDecideEarly,
      decide: (): Commit => {
        decision = decide()
        const { changes, clock, origin = { by: 'control' } } = decision
        const at = decision.at ?? owner?.clock.now() ?? this.dataset.key.now
        const added = checkRows(changes)
        if (added > 0) owner?.checkRoom(this.overlay.bytes + added)
        const state = clock === undefined ? owner?.clock.state : (clock ?? undefined)
        return { at, ...origin, clock: state, changes }
      },
      apply: ({ at, by, request, scenario, changes }) => {
        const rows = changes.map(({ table, id, row }): WrittenRow => {
          const after = row === undefined ? this.#dataset().tables[table].get(id) : (row ?? undefined)
          if (row === undefined) this.#nextIds.clear()
          return { table, id, before: this.get(table, id), after, replaced: this.getChange(table, id) }
        })
        if (rows.length > 0) {
          const number = this.history.count + 1
          const commit = { number, at, by, request, scenario, revision: this.revision + 1, rows }
          this.history.add(commit, () => owner?.findNeededPast())
          this.load(changes, true)
        }
        const moved = decision?.clock
        if (owner && moved !== undefined) owner.clock.state = moved ?? undefined
      },
    }
    await this.holdIds(() => owner?.storage?.append(write) ?? write.apply(write.decide()))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the write has decided before it resolves
    return decision?.result as R
  }

  /** Runs work that may take ids. If it fails, they are given out again, but not while other writes are pending. */
  async holdIds<R>(work: () => R | Promise<R>): Promise<R> {
    const givenBefore = this.#givenIds
    this.#pending += 1
    try {
      return await work()
    } catch (error) {
      this.#hasFailed ||= this.#givenIds > givenBefore
      throw error
    } finally {
      this.#pending -= 1
      if (this.#hasFailed && this.#pending === 0) this.#nextIds.clear()
      this.#hasFailed &&= this.#pending > 0
    }
  }

  /** Returns the session's own row, null if it was deleted, undefined if the record is as in the dataset. */
  getChange<T extends TableName>(table: T, id: number): Row<T> | null | undefined {
    return this.overlay.tables[table]?.rows.get(id)
  }

  isChanged(table: TableName, id: number): boolean {
    return this.getChange(table, id) !== undefined
  }

  /** Reports whether a record has an id, or had it before the session has deleted it, or has it at another time. */
  isTaken(table: TableName, id: number): boolean {
    return this.getChange(table, id) !== undefined || this.#dataset().tables[table].get(id) !== undefined
  }

  hasChanged(names: readonly TableName[]): boolean {
    const { tables: changed, deletedCount } = this.overlay
    for (const name of names)
      if (changed[name]?.rows.size || (deletedCount > 0 && this.#presence.mayLack(name))) return true
    return false
  }

  /** Computes a value from some tables: once for a dataset, and again if the session has changed one of them. */
  derive<V>(cache: DerivedCache<V>, key: string, names: readonly TableName[], make: () => V): V {
    if (this.hasChanged(names)) return make()
    const values = getOrCreate(cache, this.#dataset(), () => new Map<string, V>())
    return getOrCreate(values, key, make)
  }

  changes(): Change[] {
    return this.overlay.list()
  }

  /** @param isChecked whether the rows refer only to records that are there at this time, or are yet to be checked */
  load(changes: readonly Change[], isChecked = false): void {
    for (const change of changes) this.overlay.set(change)
    this.#presence.note(changes, isChecked)
    this.revision += 1
  }

  /** Drops the rows that are not there, since they never will be where data stands still. */
  settle(): void {
    const hidden = this.changes().filter(({ table, row }) => row && !this.#presence.isOwnShown(table, row))
    this.load(hidden.map(({ table, id }) => ({ table, id })))
  }

  /** Copies the data in constant time. @param dataset by default the present one, from then on */
  copy(dataset?: () => Dataset): SessionData {
    const present = this.dataset
    const copy = new SessionData(dataset ?? (() => present))
    copy.restore(this.snapshot())
    return copy
  }

  /** Copies the data for a write, which puts rows before it checks them, and sees no row less for what it deletes. */
  draft(dataset?: () => Dataset): SessionData {
    const former = this.copy(dataset)
    const draft = former.copy(dataset)
    draft.#presence.former = former.#presence
    return draft
  }

  /** Returns the data as they were before the latest commits, which itself stays as it is. */
  undo(commits: readonly PastCommit[]): DataSnapshot {
    const data = this.copy()
    data.load(listReversals(commits))
    return data.snapshot()
  }

  snapshot(): DataSnapshot {
    return {
      overlay: this.overlay.fork(),
      history: this.history.fork(),
      nextIds: new Map(this.#nextIds),
      complete: this.#presence.complete,
    }
  }

  restore(snapshot: DataSnapshot): void {
    this.overlay = snapshot.overlay.fork()
    this.history = snapshot.history.fork()
    this.revision += 1
    this.#presence.note([], false)
    if (snapshot.complete) this.#presence.inherit(snapshot.complete)
    this.#nextIds = new Map(snapshot.nextIds)
  }

  /** Returns the id for the next new record of a table; each id is returned once. Errors: storage_full if none is left. */
  nextId(table: TableName): number {
    let id = this.#nextIds.get(table) ?? this.#dataset().tables[table].freeId
    while (id <= MAX_INTEGER && this.isTaken(table, id)) id += 1
    if (id > MAX_INTEGER) {
      const fact = `all ids up to ${MAX_INTEGER} are taken. Give it an id, or reset the session.`
      throw new SandboxError('storage_full', `Cannot create a ${tables[table].noun}: ${fact}`)
    }
    this.#nextIds.set(table, id + 1)
    this.#givenIds += 1
    return id
  }
}
