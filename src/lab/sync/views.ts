import { SandboxError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { lowerBound } from '../../core/lower-bound.ts'
import { getOrCreate } from '../../core/maps.ts'
import { getContract } from '../../service/contract.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import { listReferredTables } from '../../store/references.ts'
import type { Clauses, Selection } from '../../store/selection.ts'
import type { Data, DerivedCache } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import type { Texts } from '../../store/texts.ts'
import { isVisible } from './collections.ts'
import { isSame } from './compare.ts'
import type { Past, Reads, Span, State, Viewer } from './past.ts'
import type { Read } from './reads.ts'

/** The data of a state, which notes what is read. */
class StateData implements Data {
  readonly reads: Reads = { rows: [], tables: new Set() }
  readonly #past: Past
  readonly #state: State

  constructor(past: Past, state: State) {
    this.#past = past
    this.#state = state
  }

  get texts(): Texts {
    return this.#past.textsAt(this.#state)
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    return this.#past.findRow(table, id, this.#state, this.reads)
  }

  select<T extends TableName>(table: T, clauses: Clauses<T>): Selection<Row<T>> {
    this.reads.tables.add(table)
    // Rows that refer to records that are not there are not selected.
    for (const name of this.#past.isLiving ? listReferredTables(table) : []) this.reads.tables.add(name)
    return this.#past.dataWith([...this.reads.tables], this.#state).select(table, clauses)
  }

  derive<V>(cache: DerivedCache<V>, key: string, names: readonly TableName[], make: () => V): V {
    for (const name of names) this.reads.tables.add(name)
    return this.#past.dataWith(names, this.#state).derive(cache, key, names, make)
  }
}

/** A record as an operation shows it in some states; without content where it does not exist. */
export interface Version extends Span {
  readonly shown: JsonObject | undefined
}

interface Presence extends Span {
  readonly row: Row<TableName> | undefined
}

/** The records of a collection as an operation shows them in each state. */
export class Versions {
  readonly table: TableName
  readonly #viewer: Viewer
  readonly #endpoint: Endpoint
  /** Those of the record that was looked at last. Order: chronological. */
  #known: Version[] = []
  #id: number | undefined

  constructor(viewer: Viewer, endpoint: Endpoint) {
    this.table = endpoint.resource.table
    this.#viewer = viewer
    this.#endpoint = endpoint
  }

  /** Finds the row of a record that the caller sees in a state, without presenting it. */
  findRow(id: number, index: number): Presence {
    const { past, caller } = this.#viewer
    const reads: Reads = { rows: [], tables: new Set() }
    const row = past.findRow(this.table, id, past.getState(index), reads)
    // Neither this nor a version is made by spreading: V8 would keep 100,000 of them until its heap is full.
    const { from, to } = past.findSpan(index, reads)
    return { from, to, row: isVisible(row, caller) ? row : undefined }
  }

  find(id: number, index: number): Version {
    if (id !== this.#id) this.#known = []
    this.#id = id
    const known = this.#known
    const at = lowerBound(known.length, (place) => (known[place]?.to ?? 0) >= index)
    const near = known[at]
    if (near && near.from <= index) return near
    const version = this.#make(id, index)
    known.splice(at, 0, version)
    return version
  }

  #make(id: number, index: number): Version {
    const { past, settings } = this.#viewer
    const { row, from, to } = this.findRow(id, index)
    if (!row) return { from, to, shown: undefined }
    const data = new StateData(past, past.getState(index))
    const shown: JsonObject = Object(getContract(settings).bind(this.#endpoint).present(row, data))
    const span = past.findSpan(index, data.reads, { from, to })
    return { from: span.from, to: span.to, shown }
  }

  /** Lists the versions since a state. Order: chronological. */
  *list(id: number, index: number): Generator<Version> {
    for (let at = index; at <= this.#viewer.past.now.index;) {
      const version = this.find(id, at)
      yield version
      at = version.to + 1
    }
  }

  /** Finds the first state since which a record has been as it is in a state. @param inAnyForm whether it may have changed */
  findBegin(id: number, index: number, inAnyForm = false): number {
    let { from, shown } = this.find(id, index)
    while (from > 0) {
      const before = this.find(id, from - 1)
      if (inAnyForm ? !before.shown : !isSame(before.shown, shown)) break
      ;({ from, shown } = before)
    }
    return from
  }

  /** Lists the rows that a record has had, with the states that have them. Order: the latest first. */
  *listFormer(id: number): Generator<Presence> {
    for (let at = this.#viewer.past.now.index; at >= 0;) {
      const presence = this.findRow(id, at)
      yield presence
      at = presence.from - 1
    }
  }

  /** Finds the last state in which a record existed. */
  findLast(id: number): number | undefined {
    return Array.from(this.listFormer(id)).find(({ row }) => row)?.to
  }
}

/** Finds the number of ids below one in an ascending list. */
const rank = (ids: readonly number[], id: number): number =>
  lowerBound(ids.length, (at) => (ids[at] ?? 0) >= id)

const has = (ids: readonly number[], id: number): boolean => ids[rank(ids, id)] === id

/**
 * The places of the records in a list. Lists of different states share the ids that they have in common, so that a walk
 * during which the list changes often takes little memory.
 */
export class Places {
  /** Ascending, as are those that the list has besides or does not have. */
  readonly #shared: readonly number[]
  readonly #added: readonly number[] = []
  readonly #removed: readonly number[] = []
  /** The places in a list that is in another order. */
  readonly #places: ReadonlyMap<number, number> | undefined

  /** @param ids in the order of the list */
  constructor(ids: readonly number[], like?: Places) {
    this.#shared = ids
    const isAscending = ids.every((id, at) => at === 0 || (ids[at - 1] ?? 0) < id)
    if (!isAscending) this.#places = new Map(ids.map((id, place) => [id, place]))
    if (!isAscending || !like || like.#places) return
    const added = ids.filter((id) => !has(like.#shared, id))
    const removed = like.#shared.filter((id) => !has(ids, id))
    if ((added.length + removed.length) * 2 > ids.length) return
    this.#shared = like.#shared
    this.#added = added
    this.#removed = removed
  }

  find(id: number): number | undefined {
    if (this.#places) return this.#places.get(id)
    const place = rank(this.#shared, id)
    const isShared = this.#shared[place] === id
    if (isShared ? has(this.#removed, id) : !has(this.#added, id)) return undefined
    return place - rank(this.#removed, id) + rank(this.#added, id)
  }

  has(id: number): boolean {
    return this.find(id) !== undefined
  }

  get size(): number {
    return this.#places?.size ?? this.#shared.length - this.#removed.length + this.#added.length
  }

  /** Lists the ids that another list of the same kind does not have, by their places in this one. */
  listWithout(other: Places): readonly number[] {
    const isShared = this.#shared === other.#shared && !this.#places
    const all = this.#places ? [...this.#places.keys()] : [...this.#shared, ...this.#added]
    const candidates = isShared ? [...other.#removed, ...this.#added] : all
    const gone = candidates.filter((id) => this.has(id) && !other.has(id))
    return gone.toSorted((a, b) => (this.find(a) ?? 0) - (this.find(b) ?? 0))
  }
}

/** The lists that a member sees in each state. */
export class Lists {
  readonly #viewer: Viewer
  readonly #known = new Map<string, { byState: Map<number, Places>; spans: (Span & { places: Places })[] }>()

  constructor(viewer: Viewer) {
    this.#viewer = viewer
  }

  /** Finds the places of the records in the list of a request, by default as it was then. */
  find(read: Read, index: number = read.state.index, withoutCursor = false): Places {
    const key = withoutCursor ? read.list.withoutCursor : read.list.target
    const { byState, spans } = getOrCreate(this.#known, key, () => ({ byState: new Map(), spans: [] }))
    return getOrCreate(byState, index, () => {
      const known = spans.find(({ from, to }) => from <= index && index <= to)
      if (known) return known.places
      const { ids, ...span } = this.listIds(read, this.#viewer.past.getState(index), withoutCursor)
      const places = new Places(ids, spans.at(-1)?.places)
      spans.push({ ...span, places })
      return places
    })
  }

  /** Reports whether the list of a request, without its cursor, has a record in a state. */
  isListed(read: Read, row: Row<TableName>, index: number): boolean {
    if (read.list.isFiltered) return this.find(read, index, true).has(row.id)
    const { past } = this.#viewer
    const isOnPath = Object.entries(read.address?.path ?? {}).every(
      ([name, value]) => !(name in row) || Reflect.get(row, name) === value,
    )
    return isOnPath && this.#locate(read, new StateData(past, past.getState(index))) !== undefined
  }

  /** Reports whether the cursor of a request excludes a record. */
  isLeftOut(read: Read, id: number): boolean {
    return !this.find(read).has(id) && this.find(read, read.state.index, true).has(id)
  }

  /** Reports whether the list of a request had every record that its path covers, since it has no cursor or a very early one. */
  isFull(read: Read): boolean {
    if (read.isFull || read.list.isFiltered) return read.isFull
    return this.find(read).size === this.find(read, read.state.index, true).size
  }

  /** Lists the ids in the list of a request as it was in a state, with the states in which it was the same. */
  listIds(read: Read, state: State, withoutCursor = false): Span & { readonly ids: readonly number[] } {
    const { past } = this.#viewer
    const data = new StateData(past, state)
    let isTimed = false
    const now = (): string => {
      isTimed = true
      return state.at
    }
    const address = this.#locate(read, data)
    const { endpoint, settings } = read.delivery
    const cursor = withoutCursor ? { updatedSince: undefined, minStartDate: undefined } : {}
    const query = { ...read.address?.query, ...cursor }
    const clauses = address && endpoint.where?.({ ...address, query, body: undefined, data, settings, now })
    const rows = clauses ? data.select(read.table, clauses).page() : []
    const span = isTimed ? { from: state.index, to: state.index } : past.findSpan(state.index, data.reads)
    return { ids: rows.map(({ id }) => id), ...span }
  }

  /** Finds what the path of a request names; undefined if there is no such list. */
  #locate({ address, delivery }: Read, data: StateData) {
    if (!address) return undefined
    const { path } = address
    const { endpoint, settings } = delivery
    const caller = data.get('members', this.#viewer.caller.id) ?? this.#viewer.caller
    try {
      const record = endpoint.find?.({ path, caller, data, settings })
      return endpoint.find && !record ? undefined : { path, caller, record }
    } catch (error) {
      // The record belongs to another organization.
      if (error instanceof SandboxError) return undefined
      throw error
    }
  }
}
