import { Reading } from './reading.ts'
import type { Selection } from './selection.ts'
import { type Clause, keysOf, meets } from './table.ts'
import type { Key, Row, TableName } from './tables.ts'

/** A record that was asked for by its id. */
export interface Lookup {
  readonly table: TableName
  readonly id: number
  /** Undefined where there is none. */
  readonly row: Row<TableName> | undefined
}

/** One condition of a query. */
export interface QueryCondition {
  readonly index: string
  readonly wanted: NonNullable<Clause<TableName>[1]>
  /** Says whether the record with an id meets it; one that does not exist meets nothing. */
  readonly isMetBy: (id: number) => boolean
  /** What the index finds the record with an id by. */
  readonly keysOf: (id: number) => readonly Key[]
}

/** The conditions by which records were chosen. Order: as they were given. */
export interface Query {
  readonly table: TableName
  readonly conditions: readonly QueryCondition[]
  /** How many records meet those of the conditions that stand at these places. */
  readonly count: (places: readonly number[]) => number
}

/** A session's data that remembers which records a request looked up, and by which conditions it chose others. */
export class Recording extends Reading {
  readonly #queries = new WeakMap<object, Query>()
  #lookups: Lookup[] = []

  /** What was looked up since `forget`. Order: as it was. */
  get lookups(): readonly Lookup[] {
    return this.#lookups
  }

  /** Forgets the lookups so far. */
  forget(): void {
    this.#lookups = []
  }

  /** The query that found a selection. */
  queryOf(selection: object): Query | undefined {
    return this.#queries.get(selection)
  }

  override get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const row = super.get(table, id)
    this.#lookups.push({ table, id, row })
    return row
  }

  override select<T extends TableName>(
    table: T,
    clauses: readonly Clause<T>[],
    keep?: (row: Row<T>) => boolean,
  ): Selection<Row<T>> {
    const find = (some: readonly Clause<T>[]) => super.select(table, some, keep)
    const given = clauses.flatMap((clause) => {
      const [index, wanted] = clause
      return wanted === undefined ? [] : [{ clause, index, wanted }]
    })
    const conditions = given.map(({ clause, index, wanted }): QueryCondition => {
      const row = (id: number) => super.get(table, id)
      return {
        index,
        wanted,
        isMetBy: (id) => {
          const found = row(id)
          return found !== undefined && meets(table, found, [clause])
        },
        keysOf: (id) => {
          const found = row(id)
          return found === undefined ? [] : keysOf(table, index, found)
        },
      }
    })
    const selection = find(clauses)
    this.#queries.set(selection, {
      table,
      conditions,
      count: (places) =>
        find(given.filter((_, place) => places.includes(place)).map(({ clause }) => clause)).total,
    })
    return selection
  }
}
