import { SandboxError } from '../../core/errors.ts'
import { type JsonObject, listChangedFields } from '../../core/json.ts'
import { mapInSlices, readInSlices, runAtOnce, runInSlices, type Steps } from '../../core/slices.ts'
import type { Contract } from '../../service/contract.ts'
import type { ClockMove } from '../../store/change.ts'
import type { Dataset } from '../../store/dataset.ts'
import type { Moment, PastCommit, WrittenRow } from '../../store/history.ts'
import type { SessionData } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import { PastData } from '../tracking-data.ts'
import { type Difference, differs, findShownDifferences, getKind, readLastDate } from './differences.ts'
import { presentRecord } from './forms/forms.ts'
import type { ChangeFilter, ChangesQuery, ListedChange, WrittenChange } from './types.ts'

export interface WritableSession {
  readonly data: SessionData
  readonly clock: {
    now(): string
    after(duration: string): string
    stateAt(instant: string): ClockMove
    /** Undefined while the dataset stands still. */
    readonly moments: { prepare(instant: string): Promise<void> } | undefined
    datasetAt(instant: string): Dataset
  }
  readonly contract: Pick<Contract, 'codec' | 'settings'>
  readonly start: Moment
  readonly requests: {
    find(id: number): { readonly time: string; readonly moment: Moment | undefined }
  }
}

type RowOrigin = Pick<WrittenChange, 'by' | 'at' | 'request' | 'scenario'>

interface WrittenDifference extends Difference {
  readonly table: TableName
}

interface ChangedRow<O = RowOrigin> extends WrittenDifference {
  readonly origin: O
  readonly steps: readonly Pick<WrittenRow, 'before' | 'after'>[]
}

/** Errors: 404 for an unknown request; 409 for one before the session was restored. */
function findStart(session: WritableSession, { since }: ChangeFilter): Moment {
  const { start, requests } = session
  if (typeof since === 'string') {
    return { ...start, at: new Date(since).toISOString() }
  }
  if (since === undefined || since === 0) return start
  const { moment } = requests.find(since)
  if (moment && moment.revision >= start.revision) return moment
  const advice = 'Choose a later request, or an instant.'
  throw new SandboxError(
    'conflict',
    `Cannot list the changes since request ${since}, which came before the session was restored. ${advice}`,
  )
}

/**
 * Lists the records that one author, or anybody, has changed since a moment, with both versions.
 * Order: as they were first changed; those that changed with time last, by collection.
 * Errors: those of `findStart`; 409 if some of the writes since are no longer kept.
 */
export function listWrittenChanges(session: WritableSession, filter: ChangeFilter): WrittenChange[] {
  const rows = collectRows(session, filter)
  const present = createPresenter(session, rows)
  return rows.flatMap((row) => toChange(row, present) ?? [])
}

/** Finds the records that differ from the dataset because the session has written them. */
export function* findWritten(data: SessionData): Steps<WrittenDifference[]> {
  const differences: WrittenDifference[] = []
  for (const { table, id } of data.changes()) {
    const row = { table, id, before: data.dataset.tables[table].get(id), after: data.get(table, id) }
    if (differs(row)) differences.push(row)
    yield
  }
  return differences
}

/**
 * Lists a page of the changes since a moment, or since the dataset. Order: as in `listWrittenChanges`, or the latest first,
 * and last those whose time is not known.
 * Errors: those of `listWrittenChanges`.
 */
export async function readChangesPage(
  session: WritableSession,
  { kind, latest, offset, limit, ...filter }: ChangesQuery,
): Promise<{ readonly items: ListedChange[]; readonly totalCount: number }> {
  const { by, since } = filter
  // Only the last author of a difference from the dataset is known.
  const isSinceDataset = latest !== undefined && since === undefined && (by === undefined || by === 'clock')
  const start = isSinceDataset ? session.data.dataset.key.now : findStart(session, filter).at
  await session.clock.moments?.prepare(start)
  await session.clock.moments?.prepare(session.clock.now())
  const rows = isSinceDataset
    ? await collectAll(session, start)
    : await readInSlices(() => collectRows(session, filter))
  const matching = rows.filter(
    (row) =>
      (by === undefined || row.origin.by === by) && (kind === undefined || getChangeKind(row) === kind),
  )
  const ordered = latest === undefined ? matching : sortByTime(matching)
  const page = ordered.slice(offset, offset + (latest ?? limit))
  const present = createPresenter({ data: session.data.copy(), contract: session.contract }, ordered)
  const items = await mapInSlices(page, (row) => toChange(row, present) ?? [])
  return { items: items.flat(), totalCount: matching.length }
}

function collectRows(session: WritableSession, filter: ChangeFilter): readonly ChangedRow[] {
  const start = findStart(session, filter)
  const written = filter.by === 'clock' ? [] : collectWritten(session, filter, start)
  const isTimed = filter.by === undefined || filter.by === 'clock'
  return [...written, ...(isTimed ? collectTimed(session, start.at, written) : [])].filter(isChange)
}

/** Collects what differs from the dataset. Order: as last written; what time has changed comes last. */
async function collectAll(
  session: WritableSession,
  start: string,
): Promise<readonly ChangedRow<Partial<RowOrigin>>[]> {
  // A copy, so that all changes are of one time.
  const data = session.data.copy()
  const commits = session.data.history.listBy(undefined, session.start.revision, undefined) ?? []
  const last = new Map<string, { readonly origin: RowOrigin; readonly at: number }>()
  await mapInSlices([...commits.entries()], ([at, commit]) => {
    for (const { table, id } of commit.rows) last.set(`${table}/${id}`, { origin: getOrigin(commit), at })
  })
  const written = await runInSlices(() => findWritten(data))
  const rows = written.map((row) => {
    const { origin = {}, at = -1 } = last.get(`${row.table}/${row.id}`) ?? {}
    return { ...row, origin, at, steps: [] }
  })
  const timed = await readInSlices(() => collectTimed(session, start, rows))
  return [...rows.toSorted((a, b) => a.at - b.at), ...timed]
}

/** Reports whether a record differs from what it was, in a field that its author has changed. */
function isChange({ before, after, steps }: ChangedRow<object>): boolean {
  if (!before || !after || steps.length < 2) return differs({ before, after })
  const own = new Set(steps.flatMap((step) => listChangedFields(step.before, step.after)))
  return listChangedFields(before, after).some((name) => own.has(name))
}

function sortByTime<O extends Partial<RowOrigin>>(rows: readonly ChangedRow<O>[]): readonly ChangedRow<O>[] {
  const timed = rows.toReversed().map((row) => {
    const { origin, after, before } = row
    const at = origin.at ?? (after && readLastDate(after, before))
    return { row, at: at ?? '' }
  })
  return timed.toSorted((a, b) => (a.at === b.at ? 0 : a.at > b.at ? -1 : 1)).map(({ row }) => row)
}

function collectWritten(session: WritableSession, { since, by }: ChangeFilter, start: Moment): ChangedRow[] {
  const author = by === 'clock' ? undefined : by
  const at = typeof since === 'string' ? start.at : undefined
  const commits = session.data.history.listBy(author, start.revision, at)
  if (!commits) {
    const advice = 'Choose a later request or instant with `since`, or call `changes` without options.'
    throw new SandboxError(
      'conflict',
      `Cannot list all changes, because the session keeps only the latest 2 MB of replaced records. ${advice}`,
    )
  }
  const rows = new Map<string, ChangedRow>()
  for (const commit of commits) {
    // The change that a request itself has made is part of that request.
    if (commit.request !== undefined && commit.request === since) continue
    const origin = getOrigin(commit)
    for (const row of commit.rows) {
      const key = `${row.table}/${row.id}`
      const first = rows.get(key)
      // Time may have changed a record between the moment and its first write.
      const isTimed = !first && !author && session.clock.moments !== undefined && row.replaced === undefined
      const atStart = isTimed ? session.clock.datasetAt(start.at).tables[row.table].get(row.id) : row.before
      const before = first ? first.before : atStart
      const after = author ? row.after : session.data.get(row.table, row.id)
      const steps = author ? [...(first?.steps ?? []), row] : []
      rows.set(key, { table: row.table, id: row.id, before, after, origin, steps })
    }
  }
  return [...rows.values()]
}

function getOrigin({ number: _number, revision: _revision, rows: _rows, ...origin }: PastCommit): RowOrigin {
  return origin
}

function collectTimed(
  { data, clock }: Pick<WritableSession, 'data' | 'clock'>,
  start: string,
  written: readonly Pick<ChangedRow, 'table' | 'id'>[],
): ChangedRow[] {
  if (!clock.moments) return []
  const keys = new Set(written.map(({ table, id }) => `${table}/${id}`))
  const all = runAtOnce(findShownDifferences(data, clock.datasetAt(start), data.dataset))
  return Array.from(all).flatMap(([table, differences]) =>
    differences.flatMap(({ id, before, after }): ChangedRow[] => {
      if (keys.has(`${table}/${id}`)) return []
      const at = after && readLastDate(after, before)
      const origin = { by: 'clock', ...(at !== undefined && { at }) } as const
      return [{ table, id, before, after, origin, steps: [] }]
    }),
  )
}

type Present = (table: TableName, row: Row<TableName> | undefined) => JsonObject | null

function createPresenter(
  { data, contract }: Pick<WritableSession, 'data' | 'contract'>,
  rows: readonly ChangedRow<object>[],
): Present {
  const gone = new Map(rows.map((row) => [`${row.table}/${row.id}`, row.before]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows are kept under their own table's name
  const find = <T extends TableName>(table: T, id: number) => gone.get(`${table}/${id}`) as Row<T> | undefined
  const past = new PastData(data, find)
  return (table, row) => (row ? presentRecord(table, row, past, contract) : null)
}

const kinds = { created: 'created', changed: 'replaced', deleted: 'deleted' } as const

export const getChangeKind = (row: Parameters<typeof getKind>[0]) => kinds[getKind(row)]

function toChange<O extends object>(row: ChangedRow<O>, present: Present) {
  const { table, id, origin, steps } = row
  if (!row.before && !row.after) return undefined
  const [before, after] = [present(table, row.before), present(table, row.after)]
  const change = { collection: table, id, kind: getChangeKind(row), ...origin }
  if (!before || !after) return { ...change, before, after }
  const byStep =
    steps.length > 1
      ? steps.map((step) => listChangedFields(present(table, step.before), present(table, step.after)))
      : []
  const changed = new Set(byStep.flat())
  const fields = listChangedFields(before, after).filter((name) => byStep.length === 0 || changed.has(name))
  return fields.length === 0 ? undefined : { ...change, fields, before, after }
}
