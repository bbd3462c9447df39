import { ChangeHistory } from '../living/change-history.ts'
import type { Change, Origin, WrittenRow } from '../store/change.ts'
import { type DataSnapshot, SessionData } from '../store/session-data.ts'

/** The most that the replaced rows of a session may take. Units: bytes, estimated. */
const MAX_BYTES = 2 * 1_048_576

/** The memory of a write besides its rows, of which those that it has replaced are counted. Units: bytes. */
const WRITE = 400

export interface Write extends Origin {
  readonly at: string
  readonly rows: readonly WrittenRow[]
}

/** The past of a session's data: its writes, and the rows that they have replaced, in bounded memory. */
export class Past {
  #history: ChangeHistory<number> | undefined
  readonly #writes = new Map<number, Write>()
  readonly #forgotten = new Map<Origin['by'], { readonly revision: number; readonly at: string }>()

  /** Units: bytes, estimated. */
  get bytes(): number {
    return (this.#history?.bytes ?? 0) + this.#writes.size * WRITE
  }

  /**
   * Keeps a write, and the rows that it is going to replace.
   * @param revision the revision of the data before the write
   * @param reversals the changes that undo it
   */
  keep(revision: number, reversals: readonly Change[], write: Write): void {
    this.#history ??= new ChangeHistory()
    this.#history.add(revision + 1, 0, reversals)
    this.#writes.set(revision + 1, write)
    this.#shrinkTo(MAX_BYTES)
  }

  forget(): void {
    this.#shrinkTo(-1)
  }

  clear(): void {
    this.#history = undefined
    this.#writes.clear()
    this.#forgotten.clear()
  }

  #shrinkTo(bytes: number): void {
    for (const { at: revision } of this.#history?.shrinkTo(bytes - this.#writes.size * WRITE) ?? []) {
      const write = this.#writes.get(revision)
      if (write) this.#forgotten.set(write.by, { revision, at: write.at })
      this.#writes.delete(revision)
    }
  }

  /**
   * Lists the changes after an instant. Order: as they were made.
   * Shape: undefined if some are no longer kept.
   */
  listAfter(instant: string): readonly PastChange[] | undefined {
    if (Array.from(this.#forgotten.values()).some(({ at }) => at > instant)) return undefined
    const [first] = [...this.#writes].find(([, { at }]) => at > instant) ?? []
    return first === undefined ? [] : this.#toChanges(this.#history?.stepsSince(first - 1) ?? [])
  }

  /**
   * Lists the changes between two revisions, each as the changes that undo it, with the revision that it has led to.
   * Order: as they were made. Shape: undefined if some are no longer kept.
   */
  listBetween(first: number, last: number): readonly PastChange[] | undefined {
    const steps = this.#history?.stepsSince(first) ?? []
    // A restored snapshot leads to a revision without changes.
    if (steps.length !== last - first) return undefined
    return this.#toChanges(steps)
  }

  #toChanges(steps: ReturnType<ChangeHistory<number>['stepsSince']>): PastChange[] {
    return steps.map(({ at: revision, reversals }) => ({
      revision,
      at: this.#writes.get(revision)?.at ?? '',
      reversals: [...reversals.values()],
    }))
  }

  /**
   * Lists the writes of an author, or of all, since a revision and an instant. Order: as they were made.
   * Shape: undefined if some are no longer kept.
   */
  listWrites(
    revision: number,
    at: string | undefined,
    by: Origin['by'] | undefined,
  ): readonly Write[] | undefined {
    const isInside = (write: { readonly at: string }, of: number): boolean =>
      of > revision && (at === undefined || write.at >= at)
    for (const [author, last] of this.#forgotten) {
      if ((by === undefined || by === author) && isInside(last, last.revision)) return undefined
    }
    return Array.from(this.#writes).flatMap(([of, write]) =>
      isInside(write, of) && (by === undefined || by === write.by) ? [write] : [],
    )
  }
}

export interface PastChange {
  readonly revision: number
  readonly at: string
  readonly reversals: readonly Change[]
}

export function undoChanges(
  session: { readonly data: SessionData },
  changes: readonly PastChange[],
  snapshot = session.data.snapshot(),
): DataSnapshot {
  const data = new SessionData(() => session.data.dataset)
  data.restore(snapshot)
  data.load(changes.toReversed().flatMap(({ reversals }) => reversals))
  return data.snapshot()
}
