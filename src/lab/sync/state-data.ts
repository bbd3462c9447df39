import { listReferredTables } from '../../store/references.ts'
import type { Clauses, Selection } from '../../store/selection.ts'
import type { DerivedCache, Keep } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import type { Texts } from '../../store/texts.ts'
import { TrackingData } from '../../store/tracking-data.ts'
import type { Past, Reads, State } from './past.ts'

/** The data of a state, which notes what is read. */
export class StateData extends TrackingData {
  readonly reads: Reads = { rows: [], tables: this.tables }
  readonly #past: Past
  readonly #state: State

  constructor(past: Past, state: State) {
    super(past.dataWith([], state))
    this.#past = past
    this.#state = state
  }

  override get texts(): Texts {
    return this.#past.textsAt(this.#state)
  }

  override get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    return this.#past.findRow(table, id, this.#state, this.reads)
  }

  override select<T extends TableName>(table: T, clauses: Clauses<T>, keep?: Keep<T>): Selection<Row<T>> {
    this.reads.tables.add(table)
    // Rows that refer to records that are not there are not selected.
    for (const name of this.#past.isLiving ? listReferredTables(table) : []) this.reads.tables.add(name)
    return this.#past.dataWith([...this.reads.tables], this.#state).select(table, clauses, keep)
  }

  override derive<V>(cache: DerivedCache<V>, key: string, names: readonly TableName[], make: () => V): V {
    for (const name of names) this.reads.tables.add(name)
    return this.#past.dataWith(names, this.#state).derive(cache, key, names, make)
  }
}
