import type { Selection } from './selection.ts'
import type { Keep } from './session-data.ts'
import { type Clause, type Clauses, meets } from './table.ts'
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
  readonly lookups: Lookup[] = []

  queryOf(selection: object): Query | undefined {
    return this.#queries.get(selection)
  }

  override get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const row = super.get(table, id)
    this.lookups.push({ table, id, row })
    return row
  }

  override select<T extends TableName>(table: T, clauses: Clauses<T>, keep?: Keep<T>): Selection<Row<T>> {
    const defined = clauses.filter(([, wanted]) => wanted !== undefined)
    const conditions = defined.map((clause): QueryCondition => {
      const [index, wanted = ''] = clause
      const findRow = (id: number) => super.get(table, id)
      return {
        index,
        wanted,
        isMetBy: (id) => {
          const row = findRow(id)
          return row !== undefined && meets(table, row, [clause])
        },
        getKeysOfRecord: (id) => {
          const row = findRow(id)
          return row === undefined ? [] : getKeys(table, index, row)
        },
      }
    })
    const find = (some: Clauses<T>) => super.select(table, some, keep)
    const selection = find(clauses)
    const count: Query['count'] = (places) => find(defined.filter((_, at) => places.includes(at))).total
    this.#queries.set(selection, { table, conditions, count })
    return selection
  }
}
