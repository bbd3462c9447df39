import { MAX_INTEGER } from '../contract/fields.ts'
import { lowerBound } from '../core/lower-bound.ts'
import { getOrCreate } from '../core/maps.ts'
import { finish, runInSlices } from '../core/slices.ts'
import type { LazyRows, TableRows } from './lazy-rows.ts'
import { RowSet } from './row-set.ts'
import { comparison, getKeys, type IndexName, type Row, type TableName, tables } from './tables.ts'
import type { Key } from './tables/define.ts'

export interface Range {
  readonly from?: string
  readonly to?: string
}

/**
 * A condition on an index: one of several keys, or a range; an undefined condition is ignored. Explanations name its
 * source: the parameters that it follows from, or the rule of the list in words.
 */
export type Clause<T extends TableName> = readonly [
  index: IndexName<T>,
  wanted: Key | readonly Key[] | Range | undefined,
  source?: readonly string[] | string,
]

export type Clauses<T extends TableName> = readonly Clause<T>[]

interface SortedIndex {
  readonly keys: readonly string[]
  readonly positions: Uint32Array
}

/** The number of rows up to which a scan costs less than an index. */
const FEW = 100

export class Table<T extends TableName> {
  readonly name: T
  #rows: readonly Row<T>[] | undefined
  readonly #read: (() => readonly Row<T>[]) | undefined
  #lazy: LazyRows<T> | undefined
  readonly #parts = new Map<number, Table<T>>()
  readonly #compare: (a: Row<T>, b: Row<T>) => number
  #freeId: number | undefined
  #positions: ReadonlyMap<number, number> | undefined
  readonly #indexes = new Map<string, ReadonlyMap<Key, RowSet>>()
  readonly #sortedIndexes = new Map<string, SortedIndex>()
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
    return this.#rows ?? this.#readRows()
  }

  get isWhole(): boolean {
    return this.#lazy === undefined
  }

  #readRows(): readonly Row<T>[] {
    const rows = this.#lazy ? finish(this.#lazy.generate()) : (this.#read?.() ?? [])
    this.#lazy = undefined
    this.#parts.clear()
    return (this.#rows ??= rows)
  }

  /** Generates all rows, or those of a customer. Returns no promise if that is done at once. */
  prepare(customerId?: number): Promise<void> | undefined {
    const lazy = this.#lazy
    if (!lazy || this.#parts.has(customerId ?? 0)) return undefined
    const preparing = runInSlices(lazy.generate(customerId))
    if (customerId !== undefined) return preparing
    if (preparing) return preparing.then(() => void this.rows)
    void this.rows
    return undefined
  }

  narrow(clauses: Clauses<T>): Table<T> {
    const lazy = this.#lazy
    const wanted: unknown = lazy && clauses.find(([index]) => index === 'customerId')?.[1]
    if (lazy && typeof wanted === 'number') return this.#partOf(wanted, lazy)
    if (!lazy || !Array.isArray(wanted)) return this
    const rows = [...new Set(wanted)].flatMap((id) => this.#partOf(Number(id), lazy).rows)
    return new Table(this.name, rows.toSorted(this.#compare))
  }

  #partOf(customerId: number, lazy: LazyRows<T>): Table<T> {
    return getOrCreate(this.#parts, customerId, () => new Table(this.name, finish(lazy.generate(customerId))))
  }

  /** Creates a table with other rows for some ids, null for those that are gone. New records get the same ids as before. */
  withRows(changes: ReadonlyMap<number, Row<T> | null>): Table<T> {
    const changed = Array.from(changes.values()).flatMap((row) => row ?? [])
    changed.sort(this.#compare)
    const outdated = this.#findPositions(changes)
    const rows: Row<T>[] = []
    let [at, passed] = [0, 0]
    const copyUpTo = (end: number): void => {
      for (; at < end; at += 1) {
        const row = this.rows[at]
        if (at === outdated[passed]) passed += 1
        else if (row) rows.push(row)
      }
    }
    for (const row of changed) {
      copyUpTo(this.insertionPoint(row))
      rows.push(row)
    }
    copyUpTo(this.rows.length)
    return new Table(this.name, rows, this.freeId)
  }

  #findPositions(ids: ReadonlyMap<number, unknown>): number[] {
    if (this.#positions || tables[this.name].order === 'by id') {
      return [...ids.keys()].flatMap((id) => this.position(id) ?? []).toSorted((a, b) => a - b)
    }
    const positions: number[] = []
    for (let at = 0; at < this.rows.length; at += 1) {
      if (ids.has(this.rows[at]?.id ?? 0)) positions.push(at)
    }
    return positions
  }

  get(id: number): Row<T> | undefined {
    if (this.#lazy) return this.#lazy.get(id)
    const position = this.position(id)
    return position === undefined ? undefined : this.rows[position]
  }

  position(id: number): number | undefined {
    if (tables[this.name].order !== 'by id') {
      this.#positions ??= new Map(this.rows.map((row, position) => [row.id, position]))
      return this.#positions.get(id)
    }
    // Without gaps the position follows from the id.
    const near = id - (this.rows[0]?.id ?? 0)
    if (this.rows[near]?.id === id) return near
    const position = lowerBound(this.rows.length, (at) => (this.rows[at]?.id ?? 0) >= id)
    return this.rows[position]?.id === id ? position : undefined
  }

  insertionPoint(row: Row<T>): number {
    return lowerBound(this.rows.length, (at) => {
      const other = this.rows[at]
      return other === undefined || this.#compare(other, row) >= 0
    })
  }

  /** The id above the highest one that is followed by a gap, so that a record with the largest id does not block new ids. */
  get freeId(): number {
    const listIds = () => this.rows.map(({ id }) => id).toSorted((a, b) => a - b)
    return (this.#freeId ??= findGap(this.#lazy?.listLastIds() ?? listIds()))
  }

  at(positions: readonly number[]): Row<T>[] {
    const matching: Row<T>[] = []
    for (const position of positions) {
      const row = this.rows[position]
      if (row) matching.push(row)
    }
    return matching
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
    const sortedIndex = getOrCreate(this.#sortedIndexes, index, () => this.#createSortedIndex(index))
    const { keys, positions } = sortedIndex
    const { from = '', to } = range
    const start = lowerBound(keys.length, (at) => (keys[at] ?? '') >= from)
    const end = to === undefined ? keys.length : lowerBound(keys.length, (at) => (keys[at] ?? '') > to)
    const inside = RowSet.fromUnordered(positions.subarray(start, Math.max(start, end)), this.rows.length)
    return RowSet.intersection([candidates, inside], this.rows.length)
  }

  #index(index: IndexName<T>): ReadonlyMap<Key, RowSet> {
    return getOrCreate(this.#indexes, index, () => this.#createIndex(index))
  }

  #createIndex(index: IndexName<T>): ReadonlyMap<Key, RowSet> {
    const lists = new Map<Key, number[]>()
    for (const [position, row] of this.rows.entries()) {
      for (const key of new Set(getKeys(this.name, index, row))) {
        const list = lists.get(key)
        if (list) list.push(position)
        else lists.set(key, [position])
      }
    }
    return new Map(
      Array.from(lists, ([key, list]) => [key, RowSet.from(Uint32Array.from(list), this.rows.length)]),
    )
  }

  #createSortedIndex(index: IndexName<T>): SortedIndex {
    const toKey = (row: Row<T>) => `${getKeys(this.name, index, row)[0]}`
    const cells = this.rows.map((row, position) => ({ key: toKey(row), position }))
    cells.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.position - b.position))
    return {
      keys: cells.map(({ key }) => key),
      positions: Uint32Array.from(cells, ({ position }) => position),
    }
  }
}

export function meets<T extends TableName>(table: T, row: Row<T>, clauses: Clauses<T>): boolean {
  return clauses.every(([index, wanted]) => {
    if (wanted === undefined) return true
    const keys = getKeys(table, index, row)
    if (isRange(wanted)) return keys.some((key) => isInRange(`${key}`, wanted))
    return keys.some((key) => (typeof wanted === 'object' ? wanted.includes(key) : wanted === key))
  })
}

function isRange(wanted: Key | readonly Key[] | Range): wanted is Range {
  return typeof wanted === 'object' && !Array.isArray(wanted)
}

const isInRange = (key: string, { from = '', to }: Range): boolean =>
  key >= from && (to === undefined || key <= to)

function findGap(ascending: readonly number[]): number {
  let ceiling = MAX_INTEGER + 1
  for (let at = ascending.length - 1; at >= 0; at -= 1) {
    const id = ascending[at] ?? 0
    if (id + 1 < ceiling) return id + 1
    ceiling = id
  }
  return 1
}
