import type { Change } from '../store/change.ts'
import { estimateSize } from '../store/overlay.ts'

interface Step<At> {
  readonly at: At
  readonly reversals: Map<string, Change>
}

const REVERSAL = 200

const estimate = ({ row }: Change): number => REVERSAL + estimateSize(row)

/** The former rows of what a session has changed lately. A fork takes constant time, and is copied by its next addition. */
export class ChangeHistory<At extends string | number = string> {
  #steps: Step<At>[] = []
  #isShared = false
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** @param reversals the changes that undo others; the first of a record at an instant counts */
  add(now: At, dropUntil: At, reversals: readonly Change[]): void {
    if (this.#isShared) {
      this.#steps = this.#steps.map((one, at) =>
        at < this.#steps.length - 1 ? one : { ...one, reversals: new Map(one.reversals) },
      )
      this.#isShared = false
    }
    const kept = this.#steps.findIndex(({ at }) => at > dropUntil)
    this.#drop(kept === -1 ? this.#steps.length : kept)
    if (this.#steps.at(-1)?.at !== now) this.#steps.push({ at: now, reversals: new Map() })
    const step = this.#steps.at(-1)
    for (const reversal of reversals) {
      const key = `${reversal.table}/${reversal.id}`
      if (!step || step.reversals.has(key)) continue
      step.reversals.set(key, reversal)
      this.#bytes += estimate(reversal)
    }
  }

  shrinkTo(bytes: number): Step<At>[] {
    const dropped: Step<At>[] = []
    while (this.#bytes > bytes && this.#steps.length > 0) dropped.push(...this.#drop(1))
    return dropped
  }

  #drop(count: number): Step<At>[] {
    const dropped = this.#steps.splice(0, count)
    for (const { reversals } of dropped) {
      for (const reversal of reversals.values()) this.#bytes -= estimate(reversal)
    }
    return dropped
  }

  stepsSince(instant: At): readonly Step<At>[] {
    const first = this.#steps.findIndex(({ at }) => at > instant)
    return first === -1 ? [] : this.#steps.slice(first)
  }

  /** Lists the changes that undo all since the first after an instant. Order: as they must be made. */
  listSince(instant: At): Change[] {
    const steps = this.stepsSince(instant).toReversed()
    return steps.flatMap(({ reversals }) => [...reversals.values()])
  }

  fork(): ChangeHistory<At> {
    const copy = new ChangeHistory<At>()
    copy.#steps = this.#steps
    copy.#bytes = this.#bytes
    copy.#isShared = true
    this.#isShared = true
    return copy
  }
}
