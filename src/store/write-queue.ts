import { SandboxError } from '../contract/errors.ts'

interface Waiting<T> {
  readonly items: readonly T[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Does writes one after the other, in the order of the calls. Appends that wait for their turn are written together
 * (group commit); each is told of its own write.
 */
export class WriteQueue<T> {
  readonly #write: (items: readonly T[]) => Promise<void>
  readonly #tasks: (Waiting<T> | (() => Promise<void>))[] = []
  #isWorking = false
  #hasEnded = false

  /** @param write makes items durable, all or none. */
  constructor(write: (items: readonly T[]) => Promise<void>) {
    this.#write = write
  }

  /** Resolves when the items are durable. Errors: those of the write; none of them is then kept. */
  append(items: readonly T[]): Promise<void> {
    return new Promise((resolve, reject) => this.#add({ items, resolve, reject }, reject))
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
      await (typeof task === 'function' ? task() : this.#commit([task, ...this.#appendsThatFollow()]))
    }
    this.#isWorking = false
  }

  #appendsThatFollow(): Waiting<T>[] {
    const end = this.#tasks.findIndex((task) => typeof task === 'function')
    const following = this.#tasks.splice(0, end === -1 ? this.#tasks.length : end)
    return following.filter((task) => typeof task !== 'function')
  }

  async #commit(group: readonly Waiting<T>[]): Promise<void> {
    try {
      await this.#write(group.flatMap((waiting) => waiting.items))
      for (const waiting of group) waiting.resolve()
    } catch (error) {
      // Together they did not fit; alone, some of them may.
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      if (group.length > 1) for (const waiting of group) await this.#commit([waiting])
      else for (const waiting of group) waiting.reject(error)
    }
  }
}
