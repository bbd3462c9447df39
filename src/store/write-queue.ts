import { SandboxError } from '../contract/errors.ts'

/** A write that decides what to keep when its turn comes, so that nothing it has checked changes before it is kept. */
export interface Write<T> {
  /** Checks what the write depends on and returns the items to keep. Errors: its own; nothing is then kept. */
  readonly decide: () => readonly T[]
  /** Applies the items once they are durable, before any later write decides. */
  readonly apply: (items: readonly T[]) => void
  /** Whether the write may decide while others of its kind are not applied yet, to be kept together with them. */
  readonly isIndependent: boolean
}

interface Waiting<T> {
  readonly write: Write<T>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Does writes one after the other, in the order of the calls. Independent writes that wait for their turn are kept
 * together (group commit); each is told of its own outcome.
 */
export class WriteQueue<T> {
  readonly #keep: (items: readonly T[]) => Promise<void>
  readonly #tasks: (Waiting<T> | (() => Promise<void>))[] = []
  #isWorking = false
  #hasEnded = false

  /** @param keep makes items durable, all or none. */
  constructor(keep: (items: readonly T[]) => Promise<void>) {
    this.#keep = keep
  }

  /** Resolves when what the write decided on is durable and applied. Errors: those of the write; none of it is then kept. */
  append(write: Write<T>): Promise<void> {
    return new Promise((resolve, reject) => this.#add({ write, resolve, reject }, reject))
  }

  /** Does something while nothing else is written. */
  alone<R>(work: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => this.#add(() => work().then(resolve, reject), reject))
  }

  /** Refuses everything that comes from now on. */
  end(): void {
    this.#hasEnded = true
  }

  #add(task: Waiting<T> | (() => Promise<void>), reject: (error: unknown) => void): void {
    if (this.#hasEnded) {
      reject(new SandboxError('storage_unavailable', 'Cannot write: the sandbox is closed. Start it again.'))
      return
    }
    this.#tasks.push(task)
    if (!this.#isWorking) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is what this is for
      await (typeof task === 'function' ? task() : this.#commit([task, ...this.#writesThatJoin(task)]))
    }
    this.#isWorking = false
  }

  #writesThatJoin({ write }: Waiting<T>): Waiting<T>[] {
    if (!write.isIndependent) return []
    const end = this.#tasks.findIndex((task) => typeof task === 'function' || !task.write.isIndependent)
    const following = this.#tasks.splice(0, end === -1 ? this.#tasks.length : end)
    return following.filter((task) => typeof task !== 'function')
  }

  async #commit(group: readonly Waiting<T>[]): Promise<void> {
    const decided: { readonly waiting: Waiting<T>; readonly items: readonly T[] }[] = []
    for (const waiting of group) {
      try {
        decided.push({ waiting, items: waiting.write.decide() })
      } catch (error) {
        waiting.reject(error)
      }
    }
    const items = decided.flatMap((each) => each.items)
    try {
      if (items.length > 0) await this.#keep(items)
    } catch (error) {
      // Together they did not fit; alone, some of them may.
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      if (decided.length > 1) for (const { waiting } of decided) await this.#commit([waiting])
      else for (const { waiting } of decided) waiting.reject(error)
      return
    }
    for (const { waiting, items: kept } of decided) {
      waiting.write.apply(kept)
      waiting.resolve()
    }
  }
}
