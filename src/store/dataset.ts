import { MAX_INTEGER } from '../contract/fields.ts'
import type { OrganizationRow } from './rows.ts'
import {
  type IndexName,
  type Key,
  type Row,
  type Rows,
  type TableName,
  indexOf,
  forEachTable,
} from './tables.ts'
import type { Texts } from './texts.ts'

/** What a dataset is a pure function of, besides the package version. */
export interface DatasetKey {
  readonly seed: number
  /** Customers of the first organization. */
  readonly size: number
  /** A builtin fixture's name, or the name of the user's own. */
  readonly fixture: string
  /** The user's own fixture as it was given; absent for a builtin one. */
  readonly fixtureContent?: unknown
  readonly now: string
  /** Whether the clock stands still at `now` or runs with the machine's. */
  readonly clock: 'frozen' | 'system'
}

/** A condition on one index: rows under any of the keys; an undefined condition is none. */
export type Clause<T extends TableName> = readonly [
  index: IndexName<T>,
  keys: Key | readonly Key[] | undefined,
]

/** The immutable rows of one table, in their order, with indexes that are built when first asked. */
export class Table<T extends TableName> {
  readonly name: T
  readonly rows: readonly Row<T>[]
  #freeId: number | undefined
  readonly #ordinals = new Map<number, number>()
  readonly #indexes = new Map<string, ReadonlyMap<Key, readonly number[]>>()

  constructor(name: T, rows: readonly Row<T>[]) {
    this.name = name
    this.rows = rows
    for (const [ordinal, row] of rows.entries()) this.#ordinals.set(row.id, ordinal)
  }

  /** The row with an id. */
  get(id: number): Row<T> | undefined {
    const ordinal = this.#ordinals.get(id)
    return ordinal === undefined ? undefined : this.rows[ordinal]
  }

  /** One above the highest id that has room above it, so that the largest possible id blocks nothing. */
  get freeId(): number {
    this.#freeId ??= gapAbove(this.rows.map((row) => row.id))
    return this.#freeId
  }

  /** The rows at positions. Order: as given. */
  at(ordinals: readonly number[]): Row<T>[] {
    return ordinals.flatMap((ordinal) => this.rows[ordinal] ?? [])
  }

  /** The positions in `rows` that meet every condition. Order: ascending. */
  find(clauses: readonly Clause<T>[]): readonly number[] {
    const lists = clauses.flatMap(([index, keys]) => (keys === undefined ? [] : [this.#under(index, keys)]))
    lists.sort((a, b) => a.length - b.length)
    const [shortest, ...others] = lists
    if (!shortest) return this.rows.map((_, ordinal) => ordinal)
    return others.reduce(intersection, shortest)
  }

  #under(index: IndexName<T>, keys: Key | readonly Key[]): readonly number[] {
    const postings = this.#index(index)
    if (typeof keys !== 'object') return postings.get(keys) ?? []
    const lists = [...new Set(keys)].map((key) => postings.get(key) ?? []).filter((list) => list.length > 0)
    if (lists.length <= 1) return lists[0] ?? []
    return [...new Set(lists.flat())].toSorted((a, b) => a - b)
  }

  #index(index: IndexName<T>): ReadonlyMap<Key, readonly number[]> {
    const known = this.#indexes.get(index)
    if (known) return known
    const postings = new Map<Key, number[]>()
    for (const [ordinal, row] of this.rows.entries()) {
      for (const key of new Set(keysOf(this.name, index, row))) {
        const list = postings.get(key)
        if (list) list.push(ordinal)
        else postings.set(key, [ordinal])
      }
    }
    this.#indexes.set(index, postings)
    return postings
  }
}

/** The keys under which an index finds a row. */
function keysOf<T extends TableName>(table: T, index: IndexName<T>, row: Row<T>): readonly Key[] {
  const keys = indexOf(table, index)(row)
  return typeof keys === 'object' ? keys : [keys]
}

/** Says whether a row meets every condition. */
export function meets<T extends TableName>(table: T, row: Row<T>, clauses: readonly Clause<T>[]): boolean {
  return clauses.every(([index, keys]) => {
    if (keys === undefined) return true
    const wanted = typeof keys === 'object' ? keys : [keys]
    return keysOf(table, index, row).some((key) => wanted.includes(key))
  })
}

function intersection(a: readonly number[], b: readonly number[]): number[] {
  const result: number[] = []
  let j = 0
  for (const value of a) {
    while (j < b.length && (b[j] ?? 0) < value) j += 1
    if (b[j] === value) result.push(value)
  }
  return result
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

/** The generated tenant: immutable, shared by every session. */
export interface Dataset {
  readonly key: DatasetKey
  readonly organizations: readonly OrganizationRow[]
  readonly tables: { readonly [T in TableName]: Table<T> }
  readonly texts: Texts
}

/** Builds a dataset over rows that stand in their tables' order. */
export function createDataset(
  key: DatasetKey,
  content: { readonly organizations: readonly OrganizationRow[]; readonly rows: Rows },
  texts: Texts,
): Dataset {
  return {
    key,
    organizations: content.organizations,
    tables: forEachTable<Dataset['tables']>((name) => new Table(name, content.rows[name])),
    texts,
  }
}

/** All rows of a dataset, as they are kept and exported. */
export function rowsOf(dataset: Dataset): Rows {
  return forEachTable<Rows>((name) => dataset.tables[name].rows)
}
