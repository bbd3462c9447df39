import type { Selection } from '../store/selection.ts'
import type { Creation, Data, DerivedCache } from '../store/session-data.ts'
import type { Clause } from '../store/table.ts'
import type { Row, TableName } from '../store/tables.ts'
import type { Texts } from '../store/texts.ts'

export class NarrowedData implements Data {
  readonly #data: Data
  readonly #isVisible: (table: TableName, row: Row<TableName>) => boolean

  constructor(data: Data, isVisible: (table: TableName, row: Row<TableName>) => boolean) {
    this.#data = data
    this.#isVisible = isVisible
  }

  get texts(): Texts {
    return this.#data.texts
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const row = this.#data.get(table, id)
    return row && this.#isVisible(table, row) ? row : undefined
  }

  select<T extends TableName>(
    table: T,
    clauses: readonly Clause<T>[],
    keep?: (row: Row<T>) => boolean,
  ): Selection<Row<T>> {
    return this.#data.select(table, clauses, (row) => this.#isVisible(table, row) && (keep?.(row) ?? true))
  }

  create<T extends TableName>(table: T, decide: () => Creation<T>): Promise<Row<T>> {
    return this.#data.create(table, decide)
  }

  /** Computes the value each time, because the cached one is of all rows. */
  derive<V>(_cache: DerivedCache<V>, _key: string, _names: readonly TableName[], make: () => V): V {
    return make()
  }

  hasChanged(names: readonly TableName[]): boolean {
    return this.#data.hasChanged(names)
  }

  isChanged(table: TableName, id: number): boolean {
    return this.#data.isChanged(table, id)
  }
}
