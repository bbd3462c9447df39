import type { Dataset } from './dataset.ts'
import type { Table } from './table.ts'
import { forEachTable, type Row, type Rows, type TableName, tableNames } from './tables.ts'
import type { Reader, Texts } from './texts.ts'

/** The records that change in some time, by table and id; null for those that are gone. */
export type Delta = { readonly [T in TableName]?: ReadonlyMap<number, Row<T> | null> }

/** The inner state of a future at a time. */
export interface FutureState {
  /** The time of the next event; infinite if there is none. Units: milliseconds since 1970. */
  readonly nextMs: number
}

/** The events after a dataset's time: a pure function of the dataset. */
export interface Future<S extends FutureState = FutureState> {
  /** Returns the state at the dataset's time. */
  begin(): S
  /** Applies the events up to a time, and lists what they change. Any number of steps gives the same result as one. */
  advance(state: S, toMs: number): { readonly state: S; readonly changes: Delta }
  /** Returns what does not follow from the rows at the time of a whole state, as plain JSON. */
  save(state: S): unknown
  /**
   * Returns the state that was saved. Unchanged rows of the moment are the objects of the dataset.
   * Errors: if it does not fit the dataset, or the rows at that time.
   */
  load(saved: unknown, moment: Reader): S
  /** Creates the reader of long texts in the data of a moment; each is written as of its record's time. */
  texts(moment: Reader): Texts
  /** Keeps what can change a record: the events of its customer, or of organizations, and those of the fixture. */
  narrow(state: S, record: RecordPlace): S
}

/** A record, and the customer that it belongs to, if it does. */
export interface RecordPlace {
  readonly table: TableName
  readonly id: number
  readonly customerId?: number | undefined
}

/** A time from which on the data stays the same until the next event. */
interface Moment {
  /** Units: milliseconds since 1970. */
  readonly fromMs: number
  readonly state: FutureState
  readonly dataset: Dataset
}

/** The number of moments that are kept besides the dataset's own. */
const KEPT = 8

/** The data of a tenant at any time. Moments that were used lately are kept, so that a step costs only its events. */
export class Moments {
  readonly #dataset: Dataset
  readonly #future: Future
  readonly #nowMs: number
  #first: Moment | undefined
  /** Order: the least recently used first. */
  #kept: Moment[] = []

  constructor(dataset: Dataset, future: Future) {
    this.#dataset = dataset
    this.#future = future
    this.#nowMs = Date.parse(dataset.key.now)
  }

  /** Returns the data at an instant: the dataset itself up to its own time, and the same object until the next event. */
  at(instant: string): Dataset {
    const timeMs = Date.parse(instant)
    if (!(timeMs > this.#nowMs)) return this.#dataset
    const moment = this.#find(timeMs)
    if (timeMs < moment.state.nextMs) return moment.dataset
    const { state, changes } = this.#future.advance(moment.state, timeMs)
    const next = { fromMs: timeMs, state, dataset: this.#change(moment.dataset, changes) }
    this.#kept = [...this.#kept.slice(1 - KEPT), next]
    return next.dataset
  }

  /** Returns the future and its latest known state at or before a time, from which events can be listed. */
  startAt(timeMs: number): { readonly future: Future } & Pick<Moment, 'fromMs' | 'state'> {
    return { future: this.#future, ...this.#find(timeMs) }
  }

  /** Finds the latest known moment at or before a time. */
  #find(timeMs: number): Moment {
    this.#first ??= { fromMs: this.#nowMs, state: this.#future.begin(), dataset: this.#dataset }
    let found = this.#first
    for (const moment of this.#kept) {
      if (moment.fromMs <= timeMs && moment.fromMs >= found.fromMs) found = moment
    }
    if (found !== this.#first && found !== this.#kept.at(-1)) {
      this.#kept = [...this.#kept.filter((moment) => moment !== found), found]
    }
    return found
  }

  #change(before: Dataset, changes: Delta): Dataset {
    const changed = forEachTable<Dataset['tables']>((name) =>
      applyChanges(before.tables[name], changes[name]),
    )
    if (tableNames.every((name) => changed[name] === before.tables[name])) return before
    return {
      key: before.key,
      organizations: before.organizations,
      rows: forEachTable<Rows>((name) => changed[name].rows),
      tables: changed,
      texts: this.#future.texts({ get: (name, id) => changed[name].get(id) }),
      derived: new Map(),
      isMoment: true,
    }
  }
}

function applyChanges<T extends TableName>(
  table: Table<T>,
  changes: ReadonlyMap<number, Row<T> | null> | undefined,
): Table<T> {
  return changes && changes.size > 0 ? table.withRows(changes) : table
}
