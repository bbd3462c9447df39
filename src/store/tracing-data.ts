import type { Selection } from './selection.ts'
import { type Clause, meets } from './table.ts'
import { getKeys, type Row, type TableName } from './tables.ts'
import type { Key } from './tables/define.ts'
import { TrackingData } from './wrapped-data.ts'

export interface Lookup {
  readonly table: TableName
  readonly id: number
  readonly row: Row<TableName> | undefined
}

export interface QueryCondition {
  readonly index: string
  readonly wanted: NonNullable<Clause<TableName>[1]>
  readonly isMetBy: (id: number) => boolean
  readonly getKeysOfRecord: (id: number) => readonly Key[]
}

export interface Query {
  readonly table: TableName
  readonly conditions: readonly QueryCondition[]
  readonly count: (places: readonly number[]) => number
}

export class TracingData extends TrackingData {
  readonly #queries = new WeakMap<object, Query>()
  readonly #lookups: Lookup[] = []

  get lookups(): readonly Lookup[] {
    return this.#lookups
  }

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
    const wantedKeys = clauses.flatMap((clause) => {
      const [index, wanted] = clause
      return wanted === undefined ? [] : [{ clause, index, wanted }]
    })
    const conditions = wantedKeys.map(({ clause, index, wanted }): QueryCondition => {
      const row = (id: number) => super.get(table, id)
      return {
        index,
        wanted,
        isMetBy: (id) => {
          const record = row(id)
          return record !== undefined && meets(table, record, [clause])
        },
        getKeysOfRecord: (id) => {
          const record = row(id)
          return record === undefined ? [] : getKeys(table, index, record)
        },
      }
    })
    const selection = find(clauses)
    this.#queries.set(selection, {
      table,
      conditions,
      count: (places) =>
        find(wantedKeys.filter((_, place) => places.includes(place)).map(({ clause }) => clause)).total,
    })
    return selection
  }
}
