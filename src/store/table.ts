import { MAX_INTEGER } from '../contract/fields.ts'
import { lowerBound, Positions } from './positions.ts'
import { type IndexName, type Key, type Row, type TableName, comparison, indexOf, tables } from './tables.ts'

/** Texts from one to another, both included; an end that is left out is open. */
export interface Range {
  readonly from?: string
  readonly to?: string
}

/** A condition on one index: rows under any of the keys, or in a range of them; an undefined condition is none. */
export type Clause<T extends TableName> = readonly [
  index: IndexName<T>,
  wanted: Key | readonly Key[] | Range | undefined,
]

/** The positions of the rows under each key. */
type Postings = ReadonlyMap<Key, Positions>

/** An index in the order of its keys. */
interface Column {
  readonly keys: readonly string[]
  readonly positions: Uint32Array
}

/** Where so few rows are left, looking at each costs less than looking at an index. */
const FEW = 100

/** The immutable rows of one table, in their order, with indexes that are built when first asked. */
export class Table<T extends TableName> {
  readonly name: T
  readonly rows: readonly Row<T>[]
  readonly #compare: (a: Row<T>, b: Row<T>) => number
  #freeId: number | undefined
  #positions: ReadonlyMap<number, number> | undefined
  readonly #postings = new Map<string, Postings>()
  readonly #columns = new Map<string, Column>()
  /** Unions of lists that are asked for again and again. */
  readonly #unions = new Map<string, WeakMap<readonly Key[], Positions>>()

  constructor(name: T, rows: readonly Row<T>[]) {
    this.name = name
    this.rows = rows
    this.#compare = comparison(tables[name].order)
  }

  /** The row with an id. */
  get(id: number): Row<T> | undefined {
    const position = this.position(id)
    return position === undefined ? undefined : this.rows[position]
  }

  /** Where the row with an id stands. */
  position(id: number): number | undefined {
    if (tables[this.name].order !== 'by id') {
      this.#positions ??= new Map(this.rows.map((row, position) => [row.id, position]))
      return this.#positions.get(id)
    }
    // Where no id is left out, it says where its row stands.
    const near = id - (this.rows[0]?.id ?? 0)
    if (this.rows[near]?.id === id) return near
    const position = lowerBound(this.rows.length, (at) => (this.rows[at]?.id ?? 0) >= id)
    return this.rows[position]?.id === id ? position : undefined
  }

  /** Before how many of the rows a row of a session stands behind; that is where it belongs. */
  placeOf(row: Row<T>): number {
    return lowerBound(this.rows.length, (at) => {
      const other = this.rows[at]
      return other === undefined || this.#compare(other, row) >= 0
    })
  }

  /** One above the highest id that has room above it, so that the largest possible id blocks nothing. */
  get freeId(): number {
    this.#freeId ??= gapAbove(
      tables[this.name].order === 'by id' ? this.rows : this.rows.toSorted((a, b) => a.id - b.id),
    )
    return this.#freeId
  }

  /** The rows at positions. Order: as given. */
  at(positions: readonly number[]): Row<T>[] {
    const found: Row<T>[] = []
    for (const position of positions) {
      const row = this.rows[position]
      if (row) found.push(row)
    }
    return found
  }

  /** The positions in `rows` that meet every condition. */
  find(clauses: readonly Clause<T>[]): Positions {
    const sets: Positions[] = []
    for (const [index, wanted] of clauses) {
      if (wanted !== undefined && !isRange(wanted)) sets.push(this.#under(index, wanted))
    }
    let found = Positions.intersection(sets, this.rows.length)
    for (const [index, wanted] of clauses) {
      if (wanted !== undefined && isRange(wanted)) found = this.#within(found, index, wanted)
    }
    return found
  }

  #under(index: IndexName<T>, keys: Key | readonly Key[]): Positions {
    const postings = this.#index(index)
    const none = Positions.of(new Uint32Array(), this.rows.length)
    if (typeof keys !== 'object') return postings.get(keys) ?? none
    if (keys.length < 2) return (keys[0] === undefined ? undefined : postings.get(keys[0])) ?? none
    let unions = this.#unions.get(index)
    if (!unions) this.#unions.set(index, (unions = new WeakMap()))
    const known = unions.get(keys)
    if (known) return known
    const sets = Array.from(new Set(keys), (key) => postings.get(key) ?? none)
    const union = Positions.union(sets, this.rows.length)
    unions.set(keys, union)
    return union
  }

  #within(found: Positions, index: IndexName<T>, range: Range): Positions {
    if (found.size <= FEW) {
      const rest = found.page(0, found.size).filter((position) => {
        const row = this.rows[position]
        return row !== undefined && meets(this.name, row, [[index, range]])
      })
      return Positions.of(Uint32Array.from(rest), this.rows.length)
    }
    const { keys, positions } = this.#column(index)
    const { from = '', to } = range
    const start = lowerBound(keys.length, (at) => (keys[at] ?? '') >= from)
    const end = to === undefined ? keys.length : lowerBound(keys.length, (at) => (keys[at] ?? '') > to)
    const inside = Positions.unordered(positions.subarray(start, Math.max(start, end)), this.rows.length)
    return Positions.intersection([found, inside], this.rows.length)
  }

  #index(index: IndexName<T>): Postings {
    const known = this.#postings.get(index)
    if (known) return known
    const lists = new Map<Key, number[]>()
    for (const [position, row] of this.rows.entries()) {
      for (const key of new Set(keysOf(this.name, index, row))) {
        const list = lists.get(key)
        if (list) list.push(position)
        else lists.set(key, [position])
      }
    }
    const postings = new Map<Key, Positions>()
    for (const [key, list] of lists) postings.set(key, Positions.of(Uint32Array.from(list), this.rows.length))
    this.#postings.set(index, postings)
    return postings
  }

  #column(index: IndexName<T>): Column {
    const known = this.#columns.get(index)
    if (known) return known
    const cells = this.rows.map((row, position) => ({ key: `${keysOf(this.name, index, row)[0]}`, position }))
    cells.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.position - b.position))
    const column = {
      keys: cells.map(({ key }) => key),
      positions: Uint32Array.from(cells, ({ position }) => position),
    }
    this.#columns.set(index, column)
    return column
  }
}

/** The keys under which an index finds a row. */
export function keysOf<T extends TableName>(table: T, index: IndexName<T>, row: Row<T>): readonly Key[] {
  const keys = indexOf(table, index)(row)
  return typeof keys === 'object' ? keys : [keys]
}

/** Says whether a row meets every condition. */
export function meets<T extends TableName>(table: T, row: Row<T>, clauses: readonly Clause<T>[]): boolean {
  return clauses.every(([index, wanted]) => {
    if (wanted === undefined) return true
    const keys = keysOf(table, index, row)
    if (isRange(wanted)) return keys.some((key) => isWithin(`${key}`, wanted))
    return keys.some((key) => (typeof wanted === 'object' ? wanted.includes(key) : wanted === key))
  })
}

/** Says whether a condition is a range. */
function isRange(wanted: Key | readonly Key[] | Range): wanted is Range {
  return typeof wanted === 'object' && !Array.isArray(wanted)
}

const isWithin = (key: string, { from = '', to }: Range): boolean =>
  key >= from && (to === undefined || key <= to)

function gapAbove(ascending: readonly { readonly id: number }[]): number {
  let ceiling = MAX_INTEGER + 1
  for (let at = ascending.length - 1; at >= 0; at -= 1) {
    const id = ascending[at]?.id ?? 0
    if (id + 1 < ceiling) return id + 1
    ceiling = id
  }
  return 1
}
