import type { Change } from '../store/documents.ts'
import { estimateSize } from '../store/overlay.ts'

/** The changes that undo those of an instant, by record. */
interface Step {
  readonly at: string
  readonly reversals: Map<string, Change>
}

/** The estimated memory of a reversal without its row. Units: bytes. */
const REVERSAL = 200

const estimate = ({ row }: Change): number => REVERSAL + estimateSize(row)

/** The former rows of what a session has changed lately. A fork takes constant time, and is copied by its next addition. */
export class ChangeHistory {
  /** Order: as the changes were made. */
  #steps: Step[] = []
  #isShared = false
  #bytes = 0

  /** The estimated size of the rows. Units: bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Adds the changes that undo others, and drops those up to an instant.
   * @param reversals the first of a record at an instant counts
   */
  add(now: string, dropUntil: string, reversals: readonly Change[]): void {
    if (this.#isShared) this.#copy()
    const kept = this.#steps.findIndex(({ at }) => at > dropUntil)
    for (const dropped of this.#steps.splice(0, kept === -1 ? this.#steps.length : kept)) {
      for (const reversal of dropped.reversals.values()) this.#bytes -= estimate(reversal)
    }
    if (this.#steps.at(-1)?.at !== now) this.#steps.push({ at: now, reversals: new Map() })
    const step = this.#steps.at(-1)
    for (const reversal of reversals) {
      const key = `${reversal.table}/${reversal.id}`
      if (!step || step.reversals.has(key)) continue
      step.reversals.set(key, reversal)
      this.#bytes += estimate(reversal)
    }
  }

  /** Lists the changes that undo all since the first after an instant. Order: as they must be made. */
  listSince(instant: string): Change[] {
    const first = this.#steps.findIndex(({ at }) => at > instant)
    const steps = first === -1 ? [] : this.#steps.slice(first).toReversed()
    return steps.flatMap(({ reversals }) => [...reversals.values()])
  }

  /** Creates an independent history with the same changes. */
  fork(): ChangeHistory {
    const copy = new ChangeHistory()
    copy.#steps = this.#steps
    copy.#bytes = this.#bytes
    copy.#isShared = true
    this.#isShared = true
    return copy
  }

  /** Copies the steps; only the last one is ever added to. */
  #copy(): void {
    this.#steps = this.#steps.map((step, at) =>
      at < this.#steps.length - 1 ? step : { ...step, reversals: new Map(step.reversals) },
    )
    this.#isShared = false
  }
}
