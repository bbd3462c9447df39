import { SandboxError } from '../contract/errors.ts'

/** A write that decides what to store when its turn comes, so that nothing changes between its checks and the write. */
export interface Write<T> {
  /** Runs the checks and returns the items to store. Errors: its own; nothing is then stored. */
  readonly decide: () => readonly T[]
  /** Applies the items once they are durable, before any later write decides. */
  readonly apply: (items: readonly T[]) => void
  /** Whether the write may decide before earlier independent writes are applied, so that they are stored together. */
  readonly isIndependent: boolean
}

interface Waiting<T> {
  readonly write: Write<T>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs writes one after the other, in the order of the calls. Waiting independent writes are stored together (group
 * commit); each call settles with its own outcome.
 */
export class WriteQueue<T> {
  readonly #store: (items: readonly T[]) => Promise<void>
  readonly #tasks: (Waiting<T> | (() => Promise<void>))[] = []
  #isWorking = false
  #hasEnded = false

  /** @param store makes items durable, all or none. */
  constructor(store: (items: readonly T[]) => Promise<void>) {
    this.#store = store
  }

  /** Resolves when the items of a write are durable and applied. Errors: those of the write; nothing is then stored. */
  append(write: Write<T>): Promise<void> {
    return new Promise((resolve, reject) => this.#add({ write, resolve, reject }, reject))
  }

  /** Runs work while no write is in progress. */
  alone<R>(work: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => this.#add(() => work().then(resolve, reject), reject))
  }

  /** Rejects all further calls. */
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
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await (typeof task === 'function' ? task() : this.#commit([task, ...this.#takeIndependent(task)]))
    }
    this.#isWorking = false
  }

  #takeIndependent({ write }: Waiting<T>): Waiting<T>[] {
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
      if (items.length > 0) await this.#store(items)
    } catch (error) {
      // The group may be too large for the disk, but a single write may fit.
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      if (decided.length > 1) for (const { waiting } of decided) await this.#commit([waiting])
      else for (const { waiting } of decided) waiting.reject(error)
      return
    }
    for (const { waiting, items: stored } of decided) {
      waiting.write.apply(stored)
      waiting.resolve()
    }
  }
}
