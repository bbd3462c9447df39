import type { Settings } from '../../contract/choices.ts'
import { lowerBound } from '../../core/lower-bound.ts'
import { addTo, getOrCreate } from '../../core/maps.ts'
import { runAtOnce, runInSlices, type Steps } from '../../core/slices.ts'
import { letOthersRun } from '../../core/system-clock.ts'
import type { LivingData } from '../../sessions/clock.ts'
import type { Session } from '../../sessions/session.ts'
import type { Dataset } from '../../store/dataset.ts'
import type { Moment, PastCommit } from '../../store/history.ts'
import { isComplete, listReferredTables, type Lookup } from '../../store/references.ts'
import type { SessionData } from '../../store/session-data.ts'
import { type Row, type TableName, toChange } from '../../store/tables.ts'
import type { Texts } from '../../store/texts.ts'
import { findDifferences } from '../../testing/records/differences.ts'

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

type AnyRow = Row<TableName>

interface FormerRow {
  readonly id: number
  /** The index of the first state that no longer has it. */
  readonly until: number
  /** As `SessionData` keeps it: null if the session has deleted it, undefined if there was none. */
  readonly row: AnyRow | null | undefined
}

/** Whether the session has written a row, or it is that of the dataset. */
type Source = 'own' | 'original'

/** The former rows of a table. Order: chronological. */
interface FormerRows extends Readonly<Record<Source, Map<number, FormerRow[]>>> {
  readonly all: FormerRow[]
}

/** Counts the rows that were replaced up to a state. */
const countReplaced = (rows: readonly FormerRow[], index: number): number =>
  lowerBound(rows.length, (at) => (rows[at]?.until ?? 0) > index)

const compareMoments = (a: Moment, b: Moment): number =>
  a.revision - b.revision || (a.at < b.at ? -1 : Number(a.at > b.at))

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
  readonly #former = new Map<TableName, FormerRows>()
  /** The tables of which the session has deleted records, at any time. */
  readonly #deletedTables: ReadonlySet<TableName>
  readonly #followed = new Set<object>()
  readonly #moving: SessionData
  #moved: { readonly state: State; readonly dataset: Dataset }

  /** @param commits all since the first of the moments */
  constructor({ data, clock }: Session, moments: readonly Moment[], commits: readonly PastCommit[]) {
    const { dataset } = data
    const { moments: living } = clock
    this.#moments = living
    this.#datasetAt = (instant) => living?.at(instant) ?? dataset
    this.#commits = commits
    this.#present = data.copy(() => dataset)
    // A list that lags may show the data just before a change, which no request has seen.
    const between = commits.flatMap(({ revision, at }) => [
      { revision: revision - 1, at },
      { revision, at },
    ])
    const sorted = [...moments, ...between].toSorted(compareMoments)
    const former = sorted
      .filter((moment, at) => at === 0 || this.#compare(sorted[at - 1] ?? moment, moment) < 0)
      .map(({ revision, at }, index) => ({ revision, at, index }))
    this.now = { revision: data.revision, at: clock.now(), index: former.length }
    this.states = [...former, this.now]
    const written = [
      ...data.changes(),
      ...commits.flatMap(({ rows }) => rows.map((row) => ({ ...row, row: row.replaced }))),
    ]
    this.#deletedTables = new Set(written.flatMap(({ table, row }) => (row === null ? table : [])))
    this.#moved = { state: this.now, dataset }
    this.#moving = data.copy(() => this.#moved.dataset)
  }

  get isLiving(): boolean {
    return this.#moments !== undefined
  }

  /** Compares moments by their data: if that stands still, it does not depend on the time. */
  #compare(a: Moment, b: Moment): number {
    return this.isLiving ? compareMoments(a, b) : a.revision - b.revision
  }

  find(moment: Moment): State {
    // Not the present, which is earlier than its place once the clock has gone back.
    const { index: end } = this.now
    return this.getState(lowerBound(end, (index) => this.#compare(this.getState(index), moment) >= 0))
  }

  getState(index: number): State {
    return this.states[index] ?? this.now
  }

  /** Finds what has changed, in slices between which others run. Called, as `openAtOnce`, before anything is read. */
  async open(): Promise<void> {
    if (!this.#moments) return this.openAtOnce()
    for (const state of this.states) {
      await this.#moments.prepare(state.at)
      await letOthersRun()
      await runInSlices(this.#addChanges(state))
    }
  }

  openAtOnce(): void {
    for (const state of this.states) runAtOnce(this.#addChanges(state))
  }

  *#addChanges({ index, revision, at }: State): Steps<void> {
    const before = this.states[index - 1]
    if (!before) return
    for (const { rows } of this.#listCommits(before.revision, revision)) {
      for (const { table, id, replaced } of rows) this.#add('own', table, { id, until: index, row: replaced })
    }
    if (!this.isLiving || before.at === at) return
    const changed = yield* findDifferences(this.#datasetAt(before.at), this.#datasetAt(at))
    for (const [table, differences] of changed) {
      for (const { id, before: row } of differences) this.#add('original', table, { id, until: index, row })
    }
  }

  #add(source: Source, table: TableName, former: FormerRow): void {
    const rows = getOrCreate(this.#former, table, () => ({ all: [], own: new Map(), original: new Map() }))
    rows.all.push(former)
    addTo(rows[source], former.id, former)
  }

  #listCommits(after: number, until: number): readonly PastCommit[] {
    const start = this.#commits[0]?.revision ?? 0
    return this.#commits.slice(after + 1 - start, until + 1 - start)
  }

  /** Finds a row of a state. @param reads takes the records that the result depends on */
  findRow<T extends TableName>(table: T, id: number, state: State, reads?: Reads): Row<T> | undefined {
    reads?.rows.push([table, id])
    const own = this.#findOwnRow(table, id, state)
    const former = this.#findFormer('original', table, id, state)
    const original = former ? former.row : this.#present.dataset.tables[table].get(id)
    const rows = own === null ? [] : this.isLiving ? [own, original] : [own ?? original]
    const row = rows.find((one) => one && this.#isShown(table, one, one === own, state, reads))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows are kept under their own table's name
    return row as Row<T> | undefined
  }

  /** Reports whether a row is there, as `SessionData` does: in a living tenant, records that it refers to may not be. */
  #isShown(table: TableName, row: AnyRow, isOwn: boolean, state: State, reads?: Reads): boolean {
    if (!this.isLiving) return true
    const mayBeGone = (name: TableName): boolean => this.#deletedTables.has(name)
    const mayLack = (name: TableName): boolean => mayBeGone(name) || listReferredTables(name).some(mayBeGone)
    const data: Pick<Lookup, 'get' | 'find'> = {
      get: (name, id) => this.findRow(name, id, state, reads),
      find: (name, index, key) => {
        reads?.tables.add(name)
        return this.dataWith([name], state).find(name, index, key)
      },
    }
    return isComplete(table, row, data, this.#followed, isOwn ? undefined : mayLack)
  }

  #findOwnRow(table: TableName, id: number, state: State): FormerRow['row'] {
    const former = this.#findFormer('own', table, id, state)
    return former ? former.row : this.#present.getChange(table, id)
  }

  /** Finds the row of a state that was replaced later; undefined if it is the present one. */
  #findFormer(source: Source, table: TableName, id: number, { index }: State): FormerRow | undefined {
    const rows = this.#former.get(table)?.[source].get(id) ?? []
    return rows[countReplaced(rows, index)]
  }

  /** Finds the states around one in which nothing that was read changes. @param within those to choose from */
  findSpan(index: number, { rows, tables }: Reads, within: Span = { from: 0, to: this.now.index }): Span {
    let { from, to } = within
    const narrow = (replaced: readonly FormerRow[] | undefined): void => {
      if (!replaced) return
      const next = countReplaced(replaced, index)
      from = Math.max(from, replaced[next - 1]?.until ?? 0)
      to = Math.min(to, (replaced[next]?.until ?? Infinity) - 1)
    }
    for (const [table, id] of rows) {
      const { own, original } = this.#former.get(table) ?? {}
      narrow(own?.get(id))
      narrow(original?.get(id))
    }
    for (const table of tables) narrow(this.#former.get(table)?.all)
    return { from, to }
  }

  /** Lists the records of a table that have changed between two states, as often as they have. */
  listChanged(table: TableName, after: number, until: number): number[] {
    const { all = [] } = this.#former.get(table) ?? {}
    return all.slice(countReplaced(all, after), countReplaced(all, until)).map(({ id }) => id)
  }

  /** Returns the data of a state, until it is called for another one. It costs the changes between the two. */
  moveTo(state: State): SessionData {
    const { state: from } = this.#moved
    if (from === state) return this.#moving
    const [low, high] = [from.revision, state.revision].toSorted((a, b) => a - b)
    const rows = this.#listCommits(low ?? 0, high ?? 0).flatMap((commit) => commit.rows)
    this.#moved = { state, dataset: this.#datasetAt(state.at) }
    this.#moving.load(rows.map(({ table, id }) => toChange(table, id, this.#findOwnRow(table, id, state))))
    return this.#moving
  }

  /** Returns data in which some tables are as in a state. */
  dataWith(tables: readonly TableName[], state: State): SessionData {
    return tables.some((table) => this.#former.has(table)) ? this.moveTo(state) : this.#moving
  }

  textsAt(state: State): Texts {
    return this.#datasetAt(state.at).texts
  }
}
