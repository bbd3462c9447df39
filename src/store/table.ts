import { MAX_INTEGER } from '../contract/fields.ts'
import { lowerBound } from '../core/lower-bound.ts'
import { getOrCreate } from '../core/maps.ts'
import { finish, type Steps } from '../core/slices.ts'
import { sortInSteps } from '../core/sort-in-steps.ts'
import { type Clauses, isRange, meets, type Range } from './clauses.ts'
import { RowSet } from './row-set.ts'
import {
  comparison,
  getKeys,
  type IndexName,
  type LazyRows,
  type Row,
  type TableName,
  type TableRows,
  tables,
} from './tables.ts'
import type { Key } from './tables/define.ts'

interface SortedIndex {
  readonly keys: readonly string[]
  readonly positions: Uint32Array
}

/** How many rows of an index are read in a step. */
const ROWS_PER_STEP = 1_000

/** The number of scans whose results a table keeps: a read needs less. */
const MAX_SCANS = 16

/** The number of rows up to which a scan costs less than an index. */
const FEW = 100

export class Table<T extends TableName> {
  readonly name: T
  #rows: readonly Row<T>[] | undefined
  readonly #read: (() => readonly Row<T>[]) | undefined
  #lazy: LazyRows<T> | undefined
  /** Shared by all who wait for the rows. */
  #reading: Steps<readonly Row<T>[]> | undefined
  readonly #parts = new Map<number, Table<T>>()
  readonly #narrowed = new WeakMap<readonly unknown[], Table<T>>()
  readonly #compare: (a: Row<T>, b: Row<T>) => number
  #freeId: number | undefined
  #positions: ReadonlyMap<number, number> | undefined
  readonly #indexes = new Map<string, ReadonlyMap<Key, RowSet>>()
  readonly #sortedIndexes = new Map<string, SortedIndex>()
  readonly #scans = new Map<string, RowSet>()
  readonly #unions = new Map<string, WeakMap<readonly Key[], RowSet>>()

  /** @param freeId the id for a new record, if it does not follow from the rows */
  constructor(name: T, rows: TableRows<T>, freeId?: number) {
    this.name = name
    if (typeof rows === 'function') this.#read = rows
    else if ('generate' in rows) this.#lazy = rows
    else this.#rows = rows
    this.#compare = comparison(tables[name].order)
    this.#freeId = freeId
  }

  get rows(): readonly Row<T>[] {
    return this.#rows ?? finish((this.#reading ??= this.#readRows()))
  }

  get isWhole(): boolean {
    return this.#lazy === undefined
  }

  *#readRows(): Steps<readonly Row<T>[]> {
    try {
      this.#rows = this.#lazy ? yield* this.#lazy.generate() : (this.#read?.() ?? [])
      this.#lazy = undefined
      this.#parts.clear()
      return this.#rows
    } finally {
      this.#reading = undefined
    }
  }

  narrow(clauses: Clauses<T>): Table<T> {
    const lazy = this.#lazy
    const wanted: unknown = lazy && clauses.find(([index]) => index === 'customerId')?.[1]
    if (lazy && typeof wanted === 'number') {
      return this.#parts.get(wanted) ?? finish(this.#generatePart(wanted, lazy))
    }
    if (!lazy || !Array.isArray(wanted)) return this
    return this.#narrowed.get(wanted) ?? finish(this.#generateParts(wanted, lazy))
  }

  *#generatePart(customerId: number, lazy: LazyRows<T>): Steps<Table<T>> {
    const part = this.#parts.get(customerId) ?? new Table(this.name, yield* lazy.generate(customerId))
    this.#parts.set(customerId, part)
    return part
  }

  *#generateParts(customerIds: readonly unknown[], lazy: LazyRows<T>): Steps<Table<T>> {
    const rows: Row<T>[] = []
    for (const id of new Set(customerIds)) {
      const part = yield* this.#generatePart(Number(id), lazy)
      rows.push(...part.rows)
      yield
    }
    const narrowed = new Table(this.name, rows.toSorted(this.#compare))
    this.#narrowed.set(customerIds, narrowed)
    return narrowed
  }

  /** Creates a table with other rows for some ids, null for those that are gone. New records get the same ids as before. */
  withRows(changes: ReadonlyMap<number, Row<T> | null>): Table<T> {
    const changed = Array.from(changes.values()).flatMap((row) => row ?? [])
    changed.sort(this.#compare)
    const rows: Row<T>[] = []
    let at = 0
    const copyUpTo = (end: number): void => {
      for (; at < end; at += 1) {
        const row = this.rows[at]
        if (row && !changes.has(row.id)) rows.push(row)
      }
    }
    for (const row of changed) {
      copyUpTo(this.insertionPoint(row))
      rows.push(row)
    }
    copyUpTo(this.rows.length)
    return new Table(this.name, rows, this.freeId)
  }

  get(id: number): Row<T> | undefined {
    if (this.#lazy) return finish(this.#lazy.find(id))
    const position = this.position(id)
    return position === undefined ? undefined : this.rows[position]
  }

  position(id: number): number | undefined {
    if (tables[this.name].order !== 'by id') {
      return (this.#positions ?? finish(this.#createPositions(this.rows))).get(id)
    }
    // Without gaps the position follows from the id.
    const near = id - (this.rows[0]?.id ?? 0)
    if (this.rows[near]?.id === id) return near
    const position = lowerBound(this.rows.length, (at) => (this.rows[at]?.id ?? 0) >= id)
    return this.rows[position]?.id === id ? position : undefined
  }

  *#createPositions(rows: readonly Row<T>[]): Steps<ReadonlyMap<number, number>> {
    const positions = new Map<number, number>()
    for (const [position, { id }] of rows.entries()) {
      positions.set(id, position)
      if (position % ROWS_PER_STEP === 0) yield
    }
    return (this.#positions = positions)
  }

  insertionPoint(row: Row<T>): number {
    return lowerBound(this.rows.length, (at) => {
      const other = this.rows[at]
      return other === undefined || this.#compare(other, row) >= 0
    })
  }

  /** The id above the highest one that is followed by a gap, so that a record with the largest id does not block new ids. */
  get freeId(): number {
    if (this.#freeId !== undefined) return this.#freeId
    const ids = this.#lazy?.listLastIds() ?? this.rows.map(({ id }) => id).toSorted((a, b) => a - b)
    let ceiling = MAX_INTEGER + 1
    for (const id of ids.toReversed()) {
      if (id + 1 < ceiling) return (this.#freeId = id + 1)
      ceiling = id
    }
    return (this.#freeId = 1)
  }

  find(clauses: Clauses<T>): RowSet {
    const sets: RowSet[] = []
    for (const [index, wanted] of clauses) {
      if (wanted !== undefined && !isRange(wanted)) sets.push(this.#withKeys(index, wanted))
    }
    let positions = RowSet.intersection(sets, this.rows.length)
    for (const [index, wanted] of clauses) {
      if (wanted !== undefined && isRange(wanted)) positions = this.#withinRange(positions, index, wanted)
    }
    return positions
  }

  /**
   * Finds the rows that a condition holds for. The latest results are kept by their names, since a read that is
   * interrupted begins anew.
   */
  scan(name: string, holds: (row: Row<T>) => boolean): RowSet {
    return this.#scans.get(name) ?? finish(this.#scan(name, holds, this.rows))
  }

  *#scan(name: string, holds: (row: Row<T>) => boolean, rows: readonly Row<T>[]): Steps<RowSet> {
    const positions: number[] = []
    for (const [position, row] of rows.entries()) {
      if (holds(row)) positions.push(position)
      if (position % ROWS_PER_STEP === 0) yield
    }
    const found = RowSet.from(Uint32Array.from(positions), rows.length)
    const [oldest = ''] = this.#scans.keys()
    if (this.#scans.size >= MAX_SCANS) this.#scans.delete(oldest)
    this.#scans.set(name, found)
    return found
  }

  #withKeys(index: IndexName<T>, keys: Key | readonly Key[]): RowSet {
    const postings = this.#index(index)
    const none = RowSet.from(new Uint32Array(), this.rows.length)
    if (typeof keys !== 'object') return postings.get(keys) ?? none
    if (keys.length < 2) return (keys[0] === undefined ? undefined : postings.get(keys[0])) ?? none
    const unions = getOrCreate(this.#unions, index, () => new WeakMap<readonly Key[], RowSet>())
    return getOrCreate(unions, keys, () => {
      const sets = Array.from(new Set(keys), (key) => postings.get(key) ?? none)
      return RowSet.union(sets, this.rows.length)
    })
  }

  #withinRange(candidates: RowSet, index: IndexName<T>, range: Range): RowSet {
    if (candidates.size <= FEW) {
      const rest = candidates.page().filter((position) => {
        const row = this.rows[position]
        return row !== undefined && meets(this.name, row, [[index, range]])
      })
      return RowSet.from(Uint32Array.from(rest), this.rows.length)
    }
    const { keys, positions } =
      this.#sortedIndexes.get(index) ?? finish(this.#createSortedIndex(index, this.rows))
    const { from = '', to } = range
    const start = lowerBound(keys.length, (at) => (keys[at] ?? '') >= from)
    const end = to === undefined ? keys.length : lowerBound(keys.length, (at) => (keys[at] ?? '') > to)
    const inside = RowSet.fromUnordered(positions.subarray(start, Math.max(start, end)), this.rows.length)
    return RowSet.intersection([candidates, inside], this.rows.length)
  }

  #index(index: IndexName<T>): ReadonlyMap<Key, RowSet> {
    return this.#indexes.get(index) ?? finish(this.#createIndex(index, this.rows))
  }

  *#createIndex(index: IndexName<T>, rows: readonly Row<T>[]): Steps<ReadonlyMap<Key, RowSet>> {
    const lists = new Map<Key, number[]>()
    for (const [position, row] of rows.entries()) {
      for (const key of new Set(getKeys(this.name, index, row))) {
        const list = lists.get(key)
        if (list) list.push(position)
        else lists.set(key, [position])
      }
      if (position % ROWS_PER_STEP === 0) yield
    }
    const created = new Map(
      Array.from(lists, ([key, list]) => [key, RowSet.from(Uint32Array.from(list), rows.length)]),
    )
    this.#indexes.set(index, created)
    return created
  }

  *#createSortedIndex(index: IndexName<T>, rows: readonly Row<T>[]): Steps<SortedIndex> {
    const toKey = (row: Row<T>) => `${getKeys(this.name, index, row)[0]}`
    const cells = rows.map((row, position) => ({ key: toKey(row), position }))
    const sorted = yield* sortInSteps(cells, (a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    const created = {
      keys: sorted.map(({ key }) => key),
      positions: Uint32Array.from(sorted, ({ position }) => position),
    }
    this.#sortedIndexes.set(index, created)
    return created
  }
}
