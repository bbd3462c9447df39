import { LAST_MS } from '../contract/instants.ts'
import { SandboxError } from '../core/errors.ts'
import { getOrCreate } from '../core/maps.ts'
import { letOthersRun, stopwatch } from '../core/system-clock.ts'
import type { Dataset } from '../store/dataset.ts'
import { forEachTable, type Rows, type TableName, tableNames } from '../store/tables.ts'
import type { Reader, Texts } from '../store/texts.ts'
import { addRows, applyChanges, type Delta, estimateBytes, type MergedDelta } from './differences.ts'

export interface FutureState {
  /** The time of the next event; infinite if there is none. Units: milliseconds since 1970. */
  readonly nextMs: number
}

export interface Future<S extends FutureState = FutureState> {
  begin(): Generator<undefined, S>
  /** Applies the events up to a time, and lists what they change. Any number of steps gives the same result as one. */
  advance(state: S, toMs: number): { readonly state: S; readonly changes: Delta }
  /** Creates the reader of long texts in the data of a moment; each is written as of its record's time. */
  texts(moment: Reader): Texts
  /** Keeps what can change a record: the events of its customer, or of organizations, and those of the fixture. */
  narrow(state: S, record: RecordPlace): S
}

export interface RecordPlace {
  readonly table: TableName
  readonly id: number
  readonly customerId?: number | undefined
}

const DAY_MS = 86_400_000

/** How far time can go from a dataset's own on. Units: days. */
export const MAX_AGE_DAYS = 7_305

/** Returns the last time of data that changes with time: twenty years after the dataset's. Units: milliseconds since 1970. */
export const findLastMs = (now: string): number => Math.min(Date.parse(now) + MAX_AGE_DAYS * DAY_MS, LAST_MS)

export interface Moment {
  readonly fromMs: number
  readonly state: FutureState
  dataset: Dataset | undefined
  readonly bytes: number
}

/** The memory of the moments that are kept besides the dataset's own. Units: bytes, estimated. */
const MAX_BYTES = 64 * 1_048_576

const MIN_KEPT = 2

/** A moment is kept at the end of each of these spans, from which nearby ones are computed. Units: days. */
const SPAN_DAYS = 30

const MAX_WORK = 600

const SLICE_MS = 15

const MIN_SLICE_MS = 1_000

// The work of the first slice, before it is known how long a slice takes: days of a customer.
const FIRST_SLICE = 60

/** The data of a tenant at any time. Moments that were used lately are kept, so that a step costs only its events. */
export class Moments {
  readonly #dataset: Dataset
  readonly #future: Future
  readonly #nowMs: number
  #first: KeptMoment | undefined
  #kept: readonly KeptMoment[] = []
  readonly #spans = new Map<string, Promise<void>>()
  #isClosed = false

  constructor(dataset: Dataset, future: Future) {
    this.#dataset = dataset
    this.#future = future
    this.#nowMs = Date.parse(dataset.key.now)
  }

  at(instant: string): Dataset {
    return this.find(instant).dataset ?? this.#dataset
  }

  find(instant: string): Moment {
    const timeMs = Date.parse(instant)
    const moment = this.#findBefore(Math.max(timeMs, this.#nowMs))
    if (timeMs < moment.state.nextMs) return moment
    const { state, changes } = this.#future.advance(moment.state, timeMs)
    const { dataset } = moment
    const tables = forEachTable<Dataset['tables']>((name) =>
      applyChanges(dataset.tables[name], changes[name]),
    )
    return this.#keep(timeMs, state, this.#replaceTables(dataset, tables), changes)
  }

  isNear(instant: string): boolean {
    const timeMs = Date.parse(instant)
    if (timeMs <= this.#nowMs) return true
    if (!this.#first && this.#dataset.rows.customers.length > MAX_WORK) return false
    const { fromMs, state } = this.#findBefore(timeMs)
    const days = (timeMs - fromMs) / DAY_MS
    return timeMs < state.nextMs || days * this.#dataset.rows.customers.length <= MAX_WORK
  }

  /** Computes the data at an instant in slices, between which others run. Errors: storage_unavailable once it is closed. */
  async prepare(instant: string): Promise<void> {
    const timeMs = Date.parse(instant)
    for (const steps = this.#future.begin(); !this.#first;) {
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      await letOthersRun()
      this.#beginAfter(steps.next())
    }
    while (!this.isNear(instant)) {
      const { fromMs } = this.#findBefore(timeMs)
      const place = Math.floor((fromMs - this.#nowMs) / DAY_MS / SPAN_DAYS) + 1
      const endMs = Math.min(timeMs, this.#nowMs + place * SPAN_DAYS * DAY_MS)
      // oxlint-disable-next-line no-await-in-loop -- one span after the other
      await this.#shareSpan(fromMs, endMs)
    }
  }

  close(): void {
    this.#isClosed = true
  }

  startAt(timeMs: number): { readonly future: Future } & Pick<Moment, 'fromMs' | 'state'> {
    return { future: this.#future, ...this.#findBefore(Math.max(timeMs, this.#nowMs)) }
  }

  #shareSpan(fromMs: number, endMs: number): Promise<void> {
    const key = `${fromMs} ${endMs}`
    return getOrCreate(this.#spans, key, () =>
      this.#computeSpan(fromMs, endMs).finally(() => this.#spans.delete(key)),
    )
  }

  async #computeSpan(fromMs: number, endMs: number): Promise<void> {
    const { dataset, state: begun } = this.#findBefore(fromMs)
    const changes: MergedDelta = {}
    let state = begun
    let sliceMs = (FIRST_SLICE * DAY_MS) / this.#dataset.rows.customers.length
    for (let atMs = fromMs; atMs < endMs;) {
      // oxlint-disable-next-line no-await-in-loop -- one slice after the other
      await letOthersRun()
      if (this.#isClosed)
        throw new SandboxError('storage_unavailable', 'The sandbox is closing. Start it again.')
      const startedMs = stopwatch()
      atMs = Math.min(atMs + sliceMs, endMs)
      const step = this.#future.advance(state, atMs)
      ;({ state } = step)
      for (const name of tableNames) addRows(changes, name, step.changes[name])
      const tookMs = stopwatch() - startedMs
      if (tookMs > SLICE_MS) sliceMs = Math.max(sliceMs / 2, MIN_SLICE_MS)
      else if (tookMs < SLICE_MS / 2) sliceMs *= 2
    }
    const tables = { ...dataset.tables }
    for (const name of tableNames) {
      // oxlint-disable-next-line no-await-in-loop -- one table after the other
      if (changes[name]) await letOthersRun()
      Object.assign(tables, { [name]: applyChanges(dataset.tables[name], changes[name]) })
    }
    this.#keep(endMs, state, this.#replaceTables(dataset, tables), changes)
  }

  #findBefore(timeMs: number): KeptMoment {
    let latest = this.#begin()
    for (const moment of this.#kept) {
      if (moment.fromMs <= timeMs && moment.fromMs >= latest.fromMs) latest = moment
    }
    if (latest !== this.#first && latest !== this.#kept.at(-1)) {
      this.#kept = [...this.#kept.filter((moment) => moment !== latest), latest]
    }
    return latest
  }

  #begin(): KeptMoment {
    for (const steps = this.#future.begin(); ;) {
      const first = this.#first ?? this.#beginAfter(steps.next())
      if (first) return first
    }
  }

  #beginAfter({ done, value }: IteratorResult<undefined, FutureState>): KeptMoment | undefined {
    if (done === true) this.#first ??= { fromMs: this.#nowMs, state: value, dataset: this.#dataset, bytes: 0 }
    return this.#first
  }

  #keep(fromMs: number, state: FutureState, dataset: Dataset, changes: Delta): KeptMoment {
    const moment = { fromMs, state, dataset, bytes: estimateBytes(dataset, changes) }
    this.#kept = [...this.#kept, moment]
    let bytes = this.#kept.reduce((sum, one) => sum + one.bytes, 0)
    while (bytes > MAX_BYTES && this.#kept.length > MIN_KEPT) {
      const [oldest]: readonly Moment[] = this.#kept
      this.#kept = this.#kept.slice(1)
      bytes -= oldest?.bytes ?? 0
      if (oldest) oldest.dataset = undefined
    }
    return moment
  }

  #replaceTables(before: Dataset, changed: Dataset['tables']): Dataset {
    if (tableNames.every((name) => changed[name] === before.tables[name])) return before
    return {
      key: before.key,
      organizations: before.organizations,
      rows: forEachTable<Rows>((name) => changed[name].rows),
      tables: changed,
      isWhole: before.isWhole,
      complete: before.complete,
      texts: this.#future.texts({ get: (name, id) => changed[name].get(id) }),
      isMoment: true,
    }
  }
}

type KeptMoment = Moment & { dataset: Dataset }
