import type { Selection } from '../store/selection.ts'
import type { Data, DerivedCache } from '../store/session-data.ts'
import type { Clause } from '../store/table.ts'
import type { Row, TableName } from '../store/tables.ts'
import { WrappedData } from '../store/wrapped-data.ts'

export class NarrowedData extends WrappedData {
  readonly #isVisible: (table: TableName, row: Row<TableName>) => boolean

  constructor(data: Data, isVisible: (table: TableName, row: Row<TableName>) => boolean) {
    super(data)
    this.#isVisible = isVisible
  }

  override get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const row = this.data.get(table, id)
    return row && this.#isVisible(table, row) ? row : undefined
  }

  override select<T extends TableName>(
    table: T,
    clauses: readonly Clause<T>[],
    keep?: (row: Row<T>) => boolean,
  ): Selection<Row<T>> {
    return this.data.select(table, clauses, (row) => this.#isVisible(table, row) && (keep?.(row) ?? true))
  }

  /** Computes the value each time, because the cached one is of all rows. */
  override derive<V>(_cache: DerivedCache<V>, _key: string, _names: readonly TableName[], make: () => V): V {
    return make()
  }
}
