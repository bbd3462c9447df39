import type { Origin } from './change.ts'
import { type Change, estimateSize, type Row, type TableName, toChange } from './tables.ts'

/** The data of a session at some time. */
export interface Moment {
  readonly at: string
  readonly revision: number
}

/** A record that a commit has written. */
export interface WrittenRow {
  readonly table: TableName
  readonly id: number
  /** The row that the session showed before; undefined if there was none. */
  readonly before: Row<TableName> | undefined
  readonly after: Row<TableName> | undefined
  /** The session's own row before: null if it was deleted, undefined if it was that of the dataset. */
  readonly replaced: Row<TableName> | null | undefined
}

/** A write of a session, with the rows that it has replaced. */
export interface PastCommit extends Origin {
  /** Counts the commits of a session, and goes on in its snapshots. */
  readonly number: number
  /** The revision of the data that it has led to. */
  readonly revision: number
  readonly at: string
  readonly rows: readonly WrittenRow[]
}

/** The most that the replaced rows of a session may take. Units: bytes, estimated. */
const MAX_BYTES = 2 * 1_048_576

/** The memory of a commit, and of each of its rows, besides the replaced rows. Units: bytes. */
const [COMMIT, ROW] = [400, 200]

function estimateBytes({ rows }: PastCommit): number {
  let bytes = COMMIT
  for (const { replaced } of rows) bytes += ROW + estimateSize(replaced)
  return bytes
}

/** The commits of a session, in bounded memory: the past of its data. Order: as they were made. */
export class History {
  #commits: PastCommit[] = []
  /** The number of the first commit since the data was restored; those before have other revisions. */
  #firstNumber = 1
  /** The number of commits so far. */
  count = 0
  /** Units: bytes, estimated. */
  bytes = 0
  /** The latest commit of each author that is no longer kept. */
  #forgotten = new Map<Origin['by'], PastCommit>()

  /** @param findNeeded returns an instant after which commits are kept, however much memory they take */
  add(commit: PastCommit, findNeeded: () => string | undefined): void {
    this.#commits.push(commit)
    this.count = commit.number
    this.bytes += estimateBytes(commit)
    // A quarter at once, since each cut moves all commits that are left.
    if (this.bytes > MAX_BYTES) this.shrink(0.75 * MAX_BYTES, findNeeded())
  }

  shrink(bytes: number, neededAfter?: string): void {
    let count = 0
    for (const commit of this.#commits) {
      if (this.bytes <= bytes || (neededAfter !== undefined && commit.at > neededAfter)) break
      this.bytes -= estimateBytes(commit)
      this.#forgotten.set(commit.by, commit)
      count += 1
    }
    this.#commits.splice(0, count)
  }

  /**
   * Lists the commits after an instant, without as many as are to be skipped.
   * Shape: undefined if some are no longer kept.
   */
  listAfter(instant: string, skipped = 0): PastCommit[] | undefined {
    const isAfter = ({ at, number }: PastCommit): boolean => at > instant && number > skipped
    if ([...this.#forgotten.values()].some(isAfter)) return undefined
    const first = this.#commits.findIndex(isAfter)
    return first === -1 ? [] : this.#commits.slice(first)
  }

  /** Lists the commits since the data was restored, each of which has led to the next revision. */
  listLatest(): PastCommit[] {
    return this.#commits.filter(({ number }) => number >= this.#firstNumber)
  }

  /**
   * Lists the commits between two revisions of the data, of which the last is the present one.
   * Shape: undefined if some are no longer kept, or the data was restored in between.
   */
  listBetween(first: number, last: number): PastCommit[] | undefined {
    const latest = this.listLatest()
    const count = last - first
    return count > latest.length ? undefined : latest.slice(latest.length - count)
  }

  /**
   * Lists the commits of an author, or of all, since a revision and an instant.
   * Shape: undefined if some are no longer kept.
   */
  listBy(
    by: Origin['by'] | undefined,
    revision: number,
    since: string | undefined,
  ): PastCommit[] | undefined {
    const isMeant = (commit: PastCommit): boolean =>
      commit.number >= this.#firstNumber &&
      commit.revision > revision &&
      (by === undefined || commit.by === by) &&
      (since === undefined || commit.at >= since)
    return [...this.#forgotten.values()].some(isMeant) ? undefined : this.#commits.filter(isMeant)
  }

  /** Returns the history of data that is restored: the same commits, none of which belongs to a revision of that data. */
  fork(): History {
    const fork = new History()
    fork.#commits = [...this.#commits]
    fork.bytes = this.bytes
    fork.count = this.count
    fork.#firstNumber = this.count + 1
    fork.#forgotten = new Map(this.#forgotten)
    return fork
  }
}

/** Lists the changes that undo commits, in the order in which they must be made. */
export const listReversals = (commits: readonly Pick<PastCommit, 'rows'>[]): Change[] =>
  commits
    .toReversed()
    .flatMap(({ rows }) => rows.map(({ table, id, replaced }) => toChange(table, id, replaced)))
