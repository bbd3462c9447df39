import type { Settings } from '../../contract/choices.ts'
import { lowerBound } from '../../core/lower-bound.ts'
import { getOrCreate } from '../../core/maps.ts'
import { letOthersRun } from '../../core/system-clock.ts'
import type { Session } from '../../sessions/session.ts'
import type { LivingData } from '../../sessions/time.ts'
import type { Dataset } from '../../store/dataset.ts'
import { findDifferences } from '../../store/differences.ts'
import type { Moment, PastCommit } from '../../store/history.ts'
import { isBelowItself, isComplete, listReferredTables, type Lookup } from '../../store/references.ts'
import type { SessionData } from '../../store/session-data.ts'
import { type Row, type TableName, toChange } from '../../store/tables.ts'
import type { Texts } from '../../store/texts.ts'

/** The data of a session at a moment. */
export interface State extends Moment {
  /** The place among the states. */
  readonly index: number
}

/** States between which something stays the same; both belong to them. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The records that were read, and the tables that were read as a whole. */
export interface Reads {
  readonly rows: (readonly [table: TableName, id: number])[]
  readonly tables: Set<TableName>
}

/** The member for whom a sync is judged, and the past as it is rebuilt for that. */
export interface Viewer {
  readonly caller: Row<'members'>
  readonly settings: Settings
  readonly past: Past
}

/** The indexes of the states in which a table, or each of its records, may differ from the state before. */
interface Points {
  readonly all: number[]
  /** The records that differ at each of them. */
  readonly ids: number[][]
  readonly byId: Map<number, number[]>
}

type AnyRow = Row<TableName>

interface FormerRow {
  /** The revision that has replaced it. */
  readonly until: number
  readonly row: AnyRow | null | undefined
}

interface TimedRow {
  /** The index of the first state that has it. */
  readonly from: number
  readonly row: AnyRow | undefined
}

type ByRecord<V> = Map<TableName, Map<number, V[]>>

const add = <V>(map: ByRecord<V>, table: TableName, id: number, value: V): void => {
  const ofTable = getOrCreate(map, table, () => new Map<number, V[]>())
  getOrCreate(ofTable, id, () => []).push(value)
}

const compareMoments = (a: Moment, b: Moment): number =>
  a.revision - b.revision || (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)

/**
 * The states of a session's data that its requests have seen, those between them, and the present one. A row of any state
 * is found in logarithmic time, by the changes of its record.
 */
export class Past {
  /** Order: chronological, the present last. */
  readonly states: readonly State[]
  readonly now: State
  readonly #moments: LivingData | undefined
  readonly #datasetAt: (instant: string) => Dataset
  readonly #commits: readonly PastCommit[]
  readonly #present: SessionData
  readonly #dataset: Dataset
  readonly #byMoment = new Map<string, State>()
  readonly #formerRows: ByRecord<FormerRow> = new Map()
  readonly #timedRows: ByRecord<TimedRow> = new Map()
  readonly #points = new Map<TableName, Points>()
  /** The tables of which the session has deleted records, at any time. */
  readonly #deletedTables: ReadonlySet<TableName>
  /** The rows whose references are being followed, since some lead back to them. */
  readonly #followed = new Set<object>()
  readonly #moving: SessionData
  #moved: { readonly state: State; readonly dataset: Dataset }

  /** @param commits all since the first of the moments */
  constructor({ data, clock, time }: Session, moments: readonly Moment[], commits: readonly PastCommit[]) {
    const { dataset } = data
    const { moments: living } = time
    this.#moments = living
    this.#datasetAt = (instant) => living?.at(instant) ?? dataset
    this.#commits = commits
    this.#present = data.copy(() => dataset)
    // A list that lags may show the data just before a change, which no request has seen.
    const between = commits.flatMap(({ revision, at }) => [
      { revision: revision - 1, at },
      { revision, at },
    ])
    const unique = new Map<string, Moment>()
    for (const moment of [...moments, ...between]) {
      const key = this.#toKey(moment)
      const earlier = unique.get(key)
      if (!earlier || moment.at < earlier.at) unique.set(key, moment)
    }
    const present = { at: clock.now(), revision: data.revision }
    const former = [...unique.values()]
      .toSorted(compareMoments)
      .map((moment, index) => ({ ...moment, index }))
    this.now = { ...present, index: former.length }
    this.states = [...former, this.now]
    for (const state of former) this.#byMoment.set(this.#toKey(state), state)
    for (const { revision, rows } of commits) {
      for (const { table, id, replaced } of rows) {
        add(this.#formerRows, table, id, { until: revision, row: replaced })
      }
    }
    const written = [
      ...data.changes(),
      ...commits.flatMap(({ rows }) => rows.map((row) => ({ ...row, row: row.replaced }))),
    ]
    this.#deletedTables = new Set(written.flatMap(({ table, row }) => (row === null ? table : [])))
    const [first = this.now] = this.states
    this.#dataset = this.#datasetAt(first.at)
    this.#moved = { state: this.now, dataset }
    this.#moving = data.copy(() => this.#moved.dataset)
  }

  get isLiving(): boolean {
    return this.#moments !== undefined
  }

  /** Data that stands still does not depend on the time. */
  #toKey({ revision, at }: Moment): string {
    return this.isLiving ? `${revision} ${at}` : `${revision}`
  }

  find(moment: Moment): State {
    return this.#byMoment.get(this.#toKey(moment)) ?? this.now
  }

  getState(index: number): State {
    return this.states[index] ?? this.now
  }

  /** Finds what has changed, in slices between which others run. Called, as `openAtOnce`, before anything is read. */
  async open(): Promise<void> {
    for (const state of this.states) {
      // oxlint-disable-next-line no-await-in-loop -- one state after the other
      if (this.#moments) await this.#moments.prepare(state.at)
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (this.#moments) await letOthersRun()
      this.#addChanges(state)
    }
  }

  openAtOnce(): void {
    for (const state of this.states) this.#addChanges(state)
  }

  #addChanges({ index, revision, at }: State): void {
    const before = this.states[index - 1]
    if (!before) return
    for (const { rows } of this.#listCommits(before.revision, revision)) {
      for (const { table, id } of rows) this.#addPoint(table, id, index)
    }
    if (!this.isLiving || before.at === at) return
    for (const [table, differences] of findDifferences(this.#datasetAt(before.at), this.#datasetAt(at))) {
      for (const { id, after } of differences) {
        add(this.#timedRows, table, id, { from: index, row: after })
        this.#addPoint(table, id, index)
      }
    }
  }

  #listCommits(after: number, until: number): readonly PastCommit[] {
    const start = this.#commits[0]?.revision ?? 0
    return this.#commits.slice(after + 1 - start, until + 1 - start)
  }

  #addPoint(table: TableName, id: number, index: number): void {
    const { all, ids, byId } = getOrCreate(this.#points, table, () => ({ all: [], ids: [], byId: new Map() }))
    const revisions = getOrCreate(byId, id, () => [])
    if (revisions.at(-1) === index) return
    revisions.push(index)
    if (all.at(-1) === index) ids.at(-1)?.push(id)
    else {
      all.push(index)
      ids.push([id])
    }
  }

  /** Finds a row of a state. @param reads takes the records that the result depends on */
  findRow<T extends TableName>(
    table: T,
    id: number,
    { index, revision }: State,
    reads?: Reads,
  ): Row<T> | undefined {
    reads?.rows.push([table, id])
    const own = this.#findOwnRow(table, id, revision)
    const original = own === null ? undefined : this.#findDatasetRow(table, id, index)
    const rows = this.isLiving ? [own, original] : [own ?? original]
    const row = rows.find((one) => one && this.#isShown(table, one, one === own, this.getState(index), reads))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows are kept under their own table's name
    return row as Row<T> | undefined
  }

  /** Reports whether a row is there, as `SessionData` does: in a living tenant, records that it refers to may not be. */
  #isShown(table: TableName, row: AnyRow, isOwn: boolean, state: State, reads?: Reads): boolean {
    if (!this.isLiving || this.#followed.has(row)) return true
    const mayBeGone = (name: TableName): boolean => this.#deletedTables.has(name)
    const mayLack = (name: TableName): boolean =>
      isOwn || mayBeGone(name) || listReferredTables(name).some(mayBeGone)
    this.#followed.add(row)
    try {
      const data: Pick<Lookup, 'get' | 'find'> = {
        get: (name, id) => this.findRow(name, id, state, reads),
        find: (name, index, key) => {
          reads?.tables.add(name)
          return this.dataWith([name], state).find(name, index, key)
        },
      }
      return isComplete(table, row, data, mayLack) && !(isOwn && isBelowItself(row, data))
    } finally {
      this.#followed.delete(row)
    }
  }

  #findOwnRow(table: TableName, id: number, revision: number): FormerRow['row'] {
    const former = this.#formerRows.get(table)?.get(id) ?? []
    const later = former[lowerBound(former.length, (at) => (former[at]?.until ?? 0) > revision)]
    return later ? later.row : this.#present.getChange(table, id)
  }

  #findDatasetRow(table: TableName, id: number, index: number): AnyRow | undefined {
    const timed = this.#timedRows.get(table)?.get(id) ?? []
    const latest = timed[lowerBound(timed.length, (at) => (timed[at]?.from ?? 0) > index) - 1]
    return latest ? latest.row : this.#dataset.tables[table].get(id)
  }

  /** Finds the states around one in which nothing that was read changes. */
  findSpan(index: number, { rows, tables }: Reads): Span {
    let [from, to] = [0, this.states.length - 1]
    const narrow = (points: readonly number[] = []): void => {
      const next = lowerBound(points.length, (at) => (points[at] ?? 0) > index)
      from = Math.max(from, points[next - 1] ?? 0)
      to = Math.min(to, (points[next] ?? Infinity) - 1)
    }
    for (const [table, id] of rows) narrow(this.#points.get(table)?.byId.get(id))
    for (const table of tables) narrow(this.#points.get(table)?.all)
    return { from, to }
  }

  /** Returns the states of a span around one in which a table does not change either. */
  narrow({ from, to }: Span, index: number, table: TableName): Span {
    const span = this.findSpan(index, { rows: [], tables: new Set([table]) })
    return { from: Math.max(from, span.from), to: Math.min(to, span.to) }
  }

  /** Lists the records of a table that have changed between two states. */
  listChanged(table: TableName, after: number, until: number): number[] {
    const { all = [], ids = [] } = this.#points.get(table) ?? {}
    const findFirst = (index: number): number => lowerBound(all.length, (at) => (all[at] ?? 0) > index)
    return ids.slice(findFirst(after), findFirst(until)).flat()
  }

  /** Returns the data of a state, until it is called for another one. It costs the changes between the two. */
  moveTo(state: State): SessionData {
    const { state: from } = this.#moved
    if (from === state) return this.#moving
    const [low, high] = [from.revision, state.revision].toSorted((a, b) => a - b)
    const rows = this.#listCommits(low ?? 0, high ?? 0).flatMap((commit) => commit.rows)
    this.#moved = { state, dataset: this.#datasetAt(state.at) }
    this.#moving.load(
      rows.map(({ table, id }) => toChange(table, id, this.#findOwnRow(table, id, state.revision))),
    )
    return this.#moving
  }

  /** Returns data in which some tables are as in a state. */
  dataWith(tables: readonly TableName[], state: State): SessionData {
    return tables.some((table) => this.#points.has(table)) ? this.moveTo(state) : this.#moving
  }

  textsAt(state: State): Texts {
    return this.#datasetAt(state.at).texts
  }
}
