import { ChangeHistory } from '../living/change-history.ts'
import type { Change } from '../store/change.ts'

/** The most that the replaced rows of a session may take. Units: bytes, estimated. */
const MAX_BYTES = 2 * 1_048_576

/** The past of a session's data since its first request: the rows that changes have replaced, in bounded memory. */
export class Past {
  #history: ChangeHistory<number> | undefined

  /** Units: bytes, estimated. */
  get bytes(): number {
    return this.#history?.bytes ?? 0
  }

  /**
   * Keeps the rows that a change is going to replace.
   * @param revision the revision of the data before the change
   * @param reversals the changes that undo it
   */
  keep(revision: number, reversals: readonly Change[]): void {
    this.#history ??= new ChangeHistory()
    this.#history.add(revision + 1, 0, reversals)
    this.#history.shrinkTo(MAX_BYTES)
  }

  /** Forgets everything. */
  clear(): void {
    this.#history = undefined
  }

  /**
   * Lists the changes between two revisions, each as the changes that undo it, with the revision that it has led to.
   * Order: as they were made. Shape: undefined if some are no longer kept.
   */
  listBetween(first: number, last: number): readonly PastChange[] | undefined {
    const steps = this.#history?.stepsSince(first) ?? []
    // A restored snapshot leads to a revision without changes.
    if (steps.length !== last - first) return undefined
    return steps.map(({ at, reversals }) => ({ revision: at, reversals: [...reversals.values()] }))
  }
}

/** A change of the past. */
export interface PastChange {
  /** The revision that it has led to. */
  readonly revision: number
  /** The changes that undo it. */
  readonly reversals: readonly Change[]
}
