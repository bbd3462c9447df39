import { SandboxError } from '../core/errors.ts'
import { letOthersRun } from '../core/system-clock.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { Dataset } from '../store/dataset.ts'

/** The time without requests after which a server does work that nobody waits for. Units: milliseconds. */
const QUIET_MS = 5_000

/** Generates and stores the rows of a server's dataset that are not there yet, while nobody sends requests. */
export class IdleWork {
  readonly #state: SandboxState
  #isQuiet = false
  #isStopped = false
  /** The dataset that was worked on last: a disk that is full is not tried again. */
  #latest: Dataset | undefined
  readonly #timer: NodeJS.Timeout

  constructor(state: SandboxState) {
    this.#state = state
    this.#timer = setInterval(() => this.#checkQuiet(), QUIET_MS).unref()
  }

  onRequest(): void {
    this.#isQuiet = false
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  #checkQuiet(): void {
    const { dataset, isComplete } = this.#state
    if (this.#isQuiet && !isComplete && this.#latest !== dataset) {
      this.#latest = dataset
      this.#state.complete(() => this.#pause()).catch(() => undefined)
    }
    this.#isQuiet = true
  }

  async #pause(): Promise<void> {
    do {
      // oxlint-disable-next-line no-await-in-loop -- waits until it is quiet
      await letOthersRun(this.#isQuiet ? 0 : QUIET_MS)
      if (this.#isStopped) throw new SandboxError('storage_unavailable', 'The sandbox is closing.')
    } while (!this.#isQuiet)
  }
}
