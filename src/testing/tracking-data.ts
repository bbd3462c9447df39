import type { Clauses, Selection } from '../store/selection.ts'
import type { Data, DerivedCache } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'
import type { Reader, Texts } from '../store/texts.ts'

/** Data that notes which tables are read. */
export class TrackingData implements Data {
  readonly tables = new Set<TableName>()
  protected readonly data: Data

  constructor(data: Data) {
    this.data = data
  }

  get texts(): Texts {
    return this.data.texts
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    this.tables.add(table)
    return this.data.get(table, id)
  }

  select<T extends TableName>(table: T, clauses: Clauses<T>): Selection<Row<T>> {
    this.tables.add(table)
    return this.data.select(table, clauses)
  }

  derive<V>(cache: DerivedCache<V>, key: string, names: readonly TableName[], make: () => V): V {
    for (const name of names) this.tables.add(name)
    return this.data.derive(cache, key, names, make)
  }
}

/** The data with rows that are gone, so that records of the past can be presented. */
export class PastData extends TrackingData {
  readonly #find: Reader['get']

  /** @param find finds a row that the session has no more */
  constructor(data: Data, find: Reader['get']) {
    super(data)
    this.#find = find
  }

  override get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    return this.data.get(table, id) ?? this.#find(table, id)
  }
}
