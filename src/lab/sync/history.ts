import { getOrCreate } from '../../core/maps.ts'
import type { Session } from '../../sessions/session.ts'
import { compareRows } from '../../store/differences.ts'
import type { Moment, PastCommit } from '../../store/history.ts'
import { type Data, type DataSnapshot, SessionData } from '../../store/session-data.ts'
import { type TableName, tables } from '../../store/tables.ts'

export interface State extends Moment {
  readonly index: number
  readonly data: Data
}

/**
 * The states of a session's data that its requests have seen, those between them, and the present one. Data is rebuilt
 * when it is read. Order: chronological.
 */
export class History {
  readonly #session: Session
  readonly #changes: readonly PastCommit[]
  readonly states: readonly State[]
  readonly #snapshots = new Map<number, DataSnapshot>()
  readonly #customersMoved = new Map<number, boolean>()
  readonly #changed = new Map<string, ReadonlySet<number>>()

  constructor(session: Session, moments: readonly Moment[]) {
    this.#session = session
    const now: Moment = { at: session.clock.now(), revision: session.data.revision }
    const first = Math.min(now.revision, ...moments.map(({ revision }) => revision))
    this.#changes = session.data.history.listBetween(first, now.revision) ?? []
    // A list that lags may show the data just before a change, which no request has seen.
    const between = this.#changes.flatMap(({ revision, at }) => [
      { revision: revision - 1, at },
      { revision, at },
    ])
    const unique = new Map<string, Moment>()
    for (const moment of [...moments, ...between]) {
      // Data that stands still does not depend on the time.
      const key = session.time.moments ? `${moment.revision} ${moment.at}` : `${moment.revision}`
      const earlier = unique.get(key)
      if (!earlier || moment.at < earlier.at) unique.set(key, moment)
    }
    unique.set('now', now)
    this.#snapshots.set(now.revision, session.data.snapshot())
    this.states = [...unique.values()]
      .toSorted((a, b) => a.revision - b.revision || (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
      .map((moment, index) => this.#createState(moment, index))
  }

  get now(): State {
    const last = this.states.at(-1)
    if (!last) throw new RangeError('A history has at least one state.')
    return last
  }

  find({ revision, at }: Moment): State {
    const isLiving = this.#session.time.moments !== undefined
    const isSeen = (state: State): boolean => state.revision === revision && (!isLiving || state.at === at)
    return this.states.find(isSeen) ?? this.now
  }

  /** Reports whether a record, or one of a table that its shape embeds, may have changed between a state and the one before. */
  mayHaveChanged(index: number, table: TableName, id: number, embeds: readonly TableName[]): boolean {
    if (this.findChanged(index, table).has(id)) return true
    if (embeds.some((name) => this.findChanged(index, name).size > 0)) return true
    // The records of a customer go and come with it.
    return 'customerId' in tables[table].row.shape && this.#haveCustomersMoved(index)
  }

  #haveCustomersMoved(index: number): boolean {
    return getOrCreate(this.#customersMoved, index, () => {
      const data = [this.states[index - 1]?.data, this.states[index]?.data]
      return [...this.findChanged(index, 'customers')].some((id) => {
        const [before, after] = data.map((one) => one?.get('customers', id) !== undefined)
        return before !== after
      })
    })
  }

  findChanged(index: number, table: TableName): ReadonlySet<number> {
    return getOrCreate(this.#changed, `${index} ${table}`, () => {
      const [before, after] = [this.states[index - 1], this.states[index]]
      return new Set(before && after ? this.#listChanged(before, after, table) : [])
    })
  }

  #listChanged(before: Moment, after: Moment, table: TableName): readonly number[] {
    const bySession = this.#changes.flatMap(({ revision, rows }) =>
      revision > before.revision && revision <= after.revision ? rows : [],
    )
    const { time } = this.#session
    const [old, present] = [time.datasetAt(before.at), time.datasetAt(after.at)]
    const byTime =
      old.tables[table] === present.tables[table]
        ? []
        : compareRows(table, old.rows[table], present.rows[table])
    return [...bySession.filter((change) => change.table === table), ...byTime].map(({ id }) => id)
  }

  #createState(moment: Moment, index: number): State {
    const rebuild = (): Data => {
      const dataset = this.#session.time.datasetAt(moment.at)
      const rebuilt = new SessionData(() => dataset)
      rebuilt.restore(this.#findSnapshot(moment.revision))
      return rebuilt
    }
    let data: Data | undefined
    return {
      ...moment,
      index,
      get data() {
        return (data ??= rebuild())
      },
    }
  }

  /** Returns the session's changes as of a revision: those of the next one that is stored, without what was changed between. */
  #findSnapshot(revision: number): DataSnapshot {
    return getOrCreate(this.#snapshots, revision, () => {
      const later = Math.min(...[...this.#snapshots.keys()].filter((one) => one > revision))
      const undone = this.#changes.filter((one) => one.revision > revision && one.revision <= later)
      return this.#session.data.undo(undone, this.#snapshots.get(later))
    })
  }
}
