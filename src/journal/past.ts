import { ChangeHistory } from '../living/change-history.ts'
import type { Change } from '../store/change.ts'

/** The most that the replaced rows of a session may take. Units: bytes, estimated. */
const MAX_BYTES = 2 * 1_048_576

/** The past of a session's data since its first request: the rows that changes have replaced, in bounded memory. */
export class Past {
  #history: ChangeHistory<number> | undefined
  /** The session's time at each change, by the revision that it has led to. */
  readonly #times = new Map<number, string>()
  /** The session's time at the last change that is forgotten. */
  #forgottenAt: string | undefined

  /** Units: bytes, estimated. */
  get bytes(): number {
    return this.#history?.bytes ?? 0
  }

  /**
   * Keeps the rows that a change is going to replace.
   * @param revision the revision of the data before the change
   * @param at the session's time at the change
   * @param reversals the changes that undo it
   */
  keep(revision: number, at: string, reversals: readonly Change[]): void {
    this.#history ??= new ChangeHistory()
    this.#history.add(revision + 1, 0, reversals)
    this.#history.shrinkTo(MAX_BYTES)
    this.#times.set(revision + 1, at)
    const { first = revision + 2 } = this.#history
    for (const known of this.#times.keys()) {
      if (known >= first) break
      this.#forget(known)
    }
  }

  #forget(revision: number): void {
    this.#forgottenAt = this.#times.get(revision) ?? this.#forgottenAt
    this.#times.delete(revision)
  }

  /** Forgets everything to free memory. */
  forget(): void {
    for (const revision of this.#times.keys()) this.#forget(revision)
    this.#history = undefined
  }

  /** Drops everything, because the session starts anew. */
  clear(): void {
    this.#history = undefined
    this.#times.clear()
    this.#forgottenAt = undefined
  }

  /**
   * Lists the changes after an instant. Order: as they were made.
   * Shape: undefined if some are no longer kept.
   */
  listAfter(instant: string): readonly PastChange[] | undefined {
    if (this.#forgottenAt !== undefined && this.#forgottenAt > instant) return undefined
    const [first] = [...this.#times].find(([, at]) => at > instant) ?? []
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
      at: this.#times.get(revision) ?? '',
      reversals: [...reversals.values()],
    }))
  }
}

/** A change of the past. */
export interface PastChange {
  /** The revision that it has led to. */
  readonly revision: number
  /** The session's time. */
  readonly at: string
  /** The changes that undo it. */
  readonly reversals: readonly Change[]
}
