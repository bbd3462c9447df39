import { loadFixture } from '../../../seed/dataset/content.ts'
import type { createFuture, TenantState } from '../../../seed/future/index.ts'
import { SandboxError } from '../../core/errors.ts'
import { importSequentially } from '../../core/import-sequentially.ts'
import { getOrCreate, RecentMap } from '../../core/maps.ts'
import { finish, runInSlices, type Steps } from '../../core/slices.ts'
import { letOthersRun } from '../../core/system-clock.ts'
import type { LivingData } from '../../sessions/clock.ts'
import { type Dataset, readRows } from '../../store/dataset.ts'
import { SessionData } from '../../store/session-data.ts'
import { type Change, forEachTable, type TableName, tableNames } from '../../store/tables.ts'

type Future = ReturnType<typeof createFuture>

interface TenantMoment {
  readonly state: TenantState
  readonly dataset: Dataset
  readonly bytes: number
}

const DAY_MS = 86_400_000

/** A moment is kept at the end of each of these spans, from which nearby ones are computed. */
const SPAN_MS = 30 * DAY_MS

/** The work that is done at once, without others in between. Units: days of a customer. */
const MAX_WORK = 600

/** The memory of the moments that are kept besides the dataset's own. Units: bytes, estimated. */
const MAX_BYTES = 64 * 1_048_576

/** The memory of a row of a changed table, with its share of the indexes, and of a changed row. Units: bytes, estimated. */
const [POSITION_BYTES, ROW_BYTES] = [40, 1_500]

/** Loads the events after a dataset's time. Records of its fixture stand still, unless the fixture lets them live. */
export async function loadMoments(dataset: Dataset): Promise<Moments> {
  const { key } = dataset
  const [{ createFuture }, fixture] = await Promise.all([
    importSequentially(() => import('../../../seed/index.ts')),
    loadFixture(key.fixture, key.fixtureContent),
    dataset.complete(),
  ])
  const data = new SessionData(() => dataset)
  const future = createFuture({
    seed: key.seed,
    now: key.now,
    data,
    draft: data.draft(),
    rows: dataset.rows,
    fixture,
  })
  return new Moments(dataset, future)
}

/** The data of a tenant at any time. Moments that were used lately are kept, so that a step costs only its events. */
export class Moments implements LivingData {
  readonly future: Future
  readonly #dataset: Dataset
  readonly #nowMs: number
  readonly #running = new Map<string, Promise<void>>()
  #first: TenantMoment | undefined
  /** By their times. Order: the one used last comes last. Two are kept however large they are. */
  readonly #kept = new RecentMap<TenantMoment>(MAX_BYTES, ({ bytes }) => Math.min(bytes, MAX_BYTES / 2))
  #latest: { readonly instant: string; readonly dataset: Dataset } | undefined
  #isClosed = false

  constructor(dataset: Dataset, future: Future) {
    this.#dataset = dataset
    this.future = future
    this.#nowMs = Date.parse(dataset.key.now)
  }

  at(instant: string): Dataset {
    if (this.#latest?.instant === instant) return this.#latest.dataset
    const timeMs = this.clamp(Date.parse(instant))
    const before = this.findBefore(timeMs)
    const { dataset } =
      timeMs < before.state.nextMs ? before : this.#keep(finish(this.advance(before, timeMs)))
    this.#latest = { instant, dataset }
    return dataset
  }

  /** Returns the nearest time for which there are events. Units: milliseconds since 1970. */
  clamp(timeMs: number): number {
    return Math.max(this.#nowMs, Math.min(timeMs, this.future.lastMs))
  }

  isNear(instant: string): boolean {
    if (this.#latest?.instant === instant) return true
    const timeMs = this.clamp(Date.parse(instant))
    const { length } = this.#dataset.rows.customers
    if (timeMs === this.#nowMs) return true
    if (!this.#first && length > MAX_WORK) return false
    const { atMs, nextMs } = this.findBefore(timeMs).state
    return timeMs < nextMs || ((timeMs - atMs) / DAY_MS) * length <= MAX_WORK
  }

  /** Computes the data at an instant in slices, between which others run. Errors: storage_unavailable once it is closed. */
  async prepare(instant: string): Promise<void> {
    const timeMs = this.clamp(Date.parse(instant))
    while (!this.isNear(instant)) {
      const before = this.#first && this.findBefore(timeMs)
      const spans = before ? Math.floor((before.state.atMs - this.#nowMs) / SPAN_MS) + 1 : 0
      const endMs = Math.min(timeMs, this.#nowMs + spans * SPAN_MS)
      const key = `${before?.state.atMs} ${endMs}`
      const run = async (): Promise<void> => {
        await this.#pause()
        if (before) this.#keep(await runInSlices(this.advance(before, endMs), this.#pause))
        else await runInSlices(this.#begin(), this.#pause)
      }
      await getOrCreate(this.#running, key, () => run().finally(() => this.#running.delete(key)))
    }
  }

  close(): void {
    this.#isClosed = true
  }

  readonly #pause = (): Promise<void> => {
    if (!this.#isClosed) return letOthersRun()
    throw new SandboxError('storage_unavailable', 'The sandbox is closing. Start it again.')
  };

  *#begin(): Steps<TenantMoment> {
    const state = yield* this.future.begin()
    return (this.#first ??= { state, dataset: this.#dataset, bytes: 0 })
  }

  /** Applies the events up to a time to a moment, day by day. The result is not kept. */
  *advance(before: TenantMoment, toMs: number): Steps<TenantMoment> {
    const changed = forEachTable<Record<TableName, Map<number, Change>>>(() => new Map())
    let { state } = before
    while (state.atMs < toMs) {
      const step = yield* this.future.advance(state, Math.min(state.atMs + DAY_MS, toMs))
      ;({ state } = step)
      for (const change of step.changes) changed[change.table].set(change.id, change)
      yield
    }
    const tables = { ...before.dataset.tables }
    let bytes = 0
    for (const name of tableNames) {
      const changes = [...changed[name].values()]
      if (changes.length === 0) continue
      bytes += tables[name].rows.length * POSITION_BYTES + changes.length * ROW_BYTES
      Object.assign(tables, { [name]: tables[name].withRows(changes) })
      yield
    }
    return { state, bytes, dataset: bytes === 0 ? before.dataset : this.#withTables(tables) }
  }

  #keep(moment: TenantMoment): TenantMoment {
    this.#kept.set(`${moment.state.atMs}`, moment)
    return moment
  }

  /** Returns the latest known moment up to a time. Units: milliseconds since 1970. */
  findBefore(timeMs: number): TenantMoment {
    let latest = this.#first ?? finish(this.#begin())
    for (const moment of this.#kept.values()) {
      const { atMs } = moment.state
      if (atMs <= timeMs && atMs >= latest.state.atMs) latest = moment
    }
    return latest === this.#first ? latest : this.#keep(latest)
  }

  #withTables(tables: Dataset['tables']): Dataset {
    return {
      ...this.#dataset,
      generatedBy: undefined,
      rows: readRows(tables),
      tables,
      texts: this.future.texts({ get: (name, id) => tables[name].get(id) }),
      isMoment: true,
    }
  }
}
