import { MAX_INTEGER } from '../contract/fields.ts'
import { lowerBound } from '../core/lower-bound.ts'
import { addTo, getOrCreate, RecentMap } from '../core/maps.ts'
import { finish, type Steps } from '../core/slices.ts'
import {
  type Clauses,
  isInRange,
  isRange,
  isTest,
  meets,
  type Positions,
  type Selection,
  type Wanted,
} from './selection.ts'
import {
  type Change,
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

/** The number of lists that are kept, so that their next pages cost only their own rows. */
const MAX_RESULTS = 10

/** How many rows are read in a step. */
const ROWS_PER_STEP = 1_000

/** The rows of a table, and what was once computed from them to find some, since they never change. */
export class Table<T extends TableName> {
  readonly name: T
  #rows: readonly Row<T>[] | undefined
  readonly #read: (() => readonly Row<T>[]) | undefined
  #lazy: LazyRows<T> | undefined
  /** Shared by all who wait for the rows. */
  #reading: Steps<readonly Row<T>[]> | undefined
  readonly #parts = new Map<unknown, readonly Row<T>[]>()
  readonly #narrowed = new WeakMap<readonly unknown[], Table<T>>()
  readonly #compare: (a: Row<T>, b: Row<T>) => number
  #freeId: number | undefined
  /** The lowest taken id above the free one. */
  #freeEnd = 0
  readonly #indexes = new Map<string, Map<Key, number[]>>()
  readonly #scans = new RecentMap<number[]>()
  readonly #results = new RecentMap<Positions>(MAX_RESULTS)

  /** @param freeId the id for a new record, if it does not follow from the rows */
  constructor(name: T, rows: TableRows<T>, freeId?: number) {
    this.name = name
    if (typeof rows === 'function') this.#read = rows
    else if ('generate' in rows) this.#lazy = rows
    else this.#rows = rows
    this.#compare = comparison(name)
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

  /** Returns the table without the rows of other customers than the clauses name, if they need not be generated. */
  narrow(clauses: Clauses<T>): Table<T> {
    const lazy = this.#lazy
    const wanted: unknown = lazy && clauses.find(([index]) => index === 'customerId')?.[1]
    if (!lazy || wanted === undefined) return this
    const customerIds: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted]
    return this.#narrowed.get(customerIds) ?? finish(this.#generate(customerIds, lazy))
  }

  *#generate(customerIds: readonly unknown[], lazy: LazyRows<T>): Steps<Table<T>> {
    const rows: Row<T>[] = []
    for (const id of new Set(customerIds)) {
      const part = this.#parts.get(id) ?? (yield* lazy.generate(Number(id)))
      this.#parts.set(id, part)
      rows.push(...part)
      yield
    }
    const narrowed = new Table(this.name, rows.toSorted(this.#compare))
    this.#narrowed.set(customerIds, narrowed)
    return narrowed
  }

  /** Creates a table with changed rows. New records get the same ids as before. */
  withRows(changes: readonly Change[]): Table<T> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the changes are of this table
    const changed = new Map(changes.map(({ id, row }) => [id, row as Row<T> | null | undefined]))
    const rows = this.rows.filter(({ id }) => !changed.has(id))
    for (const row of changed.values()) if (row) rows.push(row)
    return new Table(this.name, rows.toSorted(this.#compare), this.freeId)
  }

  get(id: number): Row<T> | undefined {
    // The ids for new records cost no look-up.
    if (this.#freeId !== undefined && id >= this.#freeId && id < this.#freeEnd) return undefined
    if (this.#lazy) return finish(this.#lazy.find(id))
    const position = this.position(id)
    return position === undefined ? undefined : this.#rows?.[position]
  }

  position(id: number): number | undefined {
    const rows = this.#rows ?? this.rows
    if (tables[this.name].isNewestFirst) return this.list('id', id)[0]
    // Without gaps the position follows from the id.
    const near = id - (rows[0]?.id ?? 0)
    if (rows[near]?.id === id) return near
    const position = lowerBound(rows.length, (at) => (rows[at]?.id ?? 0) >= id)
    return rows[position]?.id === id ? position : undefined
  }

  /** The id above the highest one that is followed by a gap, so that a record with the largest id does not block new ids. */
  get freeId(): number {
    if (this.#freeId !== undefined) return this.#freeId
    const ids = this.#lazy?.listLastIds() ?? this.rows.map(({ id }) => id).toSorted((a, b) => a - b)
    this.#freeEnd = MAX_INTEGER + 1
    for (const id of ids.toReversed()) {
      if (id + 1 < this.#freeEnd) return (this.#freeId = id + 1)
      this.#freeEnd = id
    }
    return (this.#freeId = 1)
  }

  /** Lists the rows with a key of an index. */
  list(index: IndexName<T>, key: Key): Positions {
    return (this.#indexes.get(index) ?? this.#createIndex(index)).get(key) ?? []
  }

  find(clauses: Clauses<T>): Positions {
    const conditions = clauses.flatMap(([index, wanted]) => (wanted === undefined ? [] : { index, wanted }))
    const [first, second] = conditions
    if (!first) return this.#scan('all', () => true)
    if (!second && typeof first.wanted !== 'object') return this.list(first.index, first.wanted)
    return getOrCreate(this.#results, JSON.stringify(conditions.map(nameCondition)), () => {
      const lists = conditions.map(({ index, wanted }) => this.#findLists(index, wanted))
      return meetAll(lists, this.rows.length)
    })
  }

  /**
   * Selects rows by their positions, merged with changed rows. A page costs only its own rows.
   * @param outdated the indexes of the positions whose rows are not shown; ascending
   */
  select(
    positions: Positions,
    outdated: readonly number[] = [],
    changed: readonly Row<T>[] = [],
  ): Selection<Row<T>> {
    const { rows } = this
    const own = changed.toSorted(this.#compare)
    const places = own.map((row, before) => {
      const end = lowerBound(positions.length, (at) => {
        const other = rows[positions[at] ?? -1]
        return other === undefined || this.#compare(other, row) >= 0
      })
      return before + end - lowerBound(outdated.length, (at) => (outdated[at] ?? 0) >= end)
    })
    const isUnchanged = own.length === 0 && outdated.length === 0
    const find = (place: number): Row<T> | undefined => {
      if (isUnchanged) return rows[positions[place] ?? -1]
      const before = lowerBound(places.length, (at) => (places[at] ?? 0) >= place)
      if (places[before] === place) return own[before]
      const rest = place - before
      const skipped = lowerBound(outdated.length, (at) => (outdated[at] ?? 0) - at > rest)
      return rows[positions[rest + skipped] ?? -1]
    }
    const total = positions.length - outdated.length + own.length
    return {
      total,
      page: (offset = 0, limit = Infinity) => {
        const page: Row<T>[] = []
        for (let place = offset; place < Math.min(offset + limit, total); place += 1) {
          const row = find(place)
          if (row) page.push(row)
        }
        return page
      },
    }
  }

  #findLists(index: IndexName<T>, wanted: Wanted<T>): Positions[] {
    if (isTest(wanted)) {
      const name = JSON.stringify([index, wanted.name])
      return [this.#scan(name, (row) => meets(this.name, row, [[index, wanted]]))]
    }
    if (!isRange(wanted)) return [wanted].flat().map((key) => this.list(index, key))
    const lists: Positions[] = []
    for (const [key, list] of this.#indexes.get(index) ?? this.#createIndex(index))
      if (isInRange(key, wanted)) lists.push(list)
    return lists
  }

  /** Finds rows. The latest results are kept by their names, since a read that is interrupted begins anew. */
  #scan(name: string, holds: (row: Row<T>) => boolean): Positions {
    const add = (positions: number[], row: Row<T>, position: number): void => {
      if (holds(row)) positions.push(position)
    }
    return this.#scans.get(name) ?? finish(addInSteps(this.rows, this.#scans, name, [], add))
  }

  #createIndex(index: IndexName<T>): ReadonlyMap<Key, Positions> {
    const add = (lists: Map<Key, number[]>, row: Row<T>, position: number): void => {
      for (const key of new Set(getKeys(this.name, index, row))) addTo(lists, key, position)
    }
    return finish(addInSteps(this.rows, this.#indexes, index, new Map(), add))
  }
}

/** Adds one row after the other to a value, and keeps it under a name. */
function* addInSteps<R, V>(
  rows: readonly R[],
  kept: Map<string, V>,
  name: string,
  value: V,
  add: (value: V, row: R, position: number) => void,
): Steps<V> {
  for (const [position, row] of rows.entries()) {
    add(value, row, position)
    if (position % ROWS_PER_STEP === 0) yield
  }
  kept.set(name, value)
  return value
}

/** Finds the positions that are in one list of each condition, at a cost that grows with the rows. */
function meetAll(conditions: readonly (readonly Positions[])[], rowCount: number): Positions {
  const met = new Uint8Array(rowCount)
  for (const [index, lists] of conditions.entries()) {
    for (const list of lists) {
      for (const position of list) if (met[position] === index) met[position] = index + 1
    }
  }
  const found: number[] = []
  for (let position = 0; position < rowCount; position += 1) {
    if (met[position] === conditions.length) found.push(position)
  }
  return found
}

/** The longest list of keys that is named by what it contains. */
const FEW = 20

const ids = new WeakMap<object, object>()
let lastId = 0

/** Names a condition as JSON, which leaves out the function of a test; a long list, which stays the same, by a number. */
function nameCondition({ index, wanted }: { readonly index: string; readonly wanted: Wanted<never> }) {
  const isLong = Array.isArray(wanted) && wanted.length > FEW
  return [index, isLong ? getOrCreate(ids, wanted, () => ({ id: (lastId += 1) })) : wanted]
}
