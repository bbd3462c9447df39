import { Reading } from '../store/reading.ts'
import type { Selection } from '../store/selection.ts'
import type { Clause } from '../store/table.ts'
import type { Row, TableName } from '../store/tables.ts'

/** A session's data that looks nothing up twice: for many questions at once, between which nothing changes. */
export class Remembered extends Reading {
  readonly #derived = new Map<string, unknown>()
  readonly #selections = new Map<string, Selection<Row<TableName>>>()
  /** A number for each value, list or function that conditions were made of. */
  readonly #numbers = new Map<unknown, number>()

  override derived<V>(key: string, names: readonly TableName[], make: () => V): V {
    if (!this.#derived.has(key)) this.#derived.set(key, super.derived(key, names, make))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was made under this key before
    return this.#derived.get(key) as V
  }

  override select<T extends TableName>(
    table: T,
    clauses: readonly Clause<T>[],
    keep?: (row: Row<T>) => boolean,
  ): Selection<Row<T>> {
    const wanted = clauses.map(([index, value]) => `${index}=${this.#numberOf(value)}`)
    const key = `${table} ${wanted.join(' ')} ${this.#numberOf(keep)}`
    const found = this.#selections.get(key) ?? super.select(table, clauses, keep)
    this.#selections.set(key, found)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was found in this table before
    return found as Selection<Row<T>>
  }

  #numberOf(value: unknown): number {
    const number = this.#numbers.get(value) ?? this.#numbers.size
    this.#numbers.set(value, number)
    return number
  }
}
