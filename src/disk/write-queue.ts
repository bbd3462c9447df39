import { SandboxError } from '../core/errors.ts'
import type { Commit, Write } from '../store/change.ts'

interface Waiting {
  readonly write: Write
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs writes one after the other, in the order of the calls. Waiting independent writes are stored together (group
 * commit); each call settles with its own outcome.
 */
export class WriteQueue {
  readonly #store: (commit: Commit) => Promise<void>
  readonly #tasks: (Waiting | (() => Promise<void>))[] = []
  #isWorking = false
  #hasEnded = false

  /** @param store makes a commit durable, all of it or nothing. */
  constructor(store: (commit: Commit) => Promise<void>) {
    this.#store = store
  }

  /** Resolves when a write is durable and applied. Errors: those of the write; nothing is then stored. */
  append(write: Write): Promise<void> {
    return new Promise((resolve, reject) => this.#add({ write, resolve, reject }, reject))
  }

  alone<R>(work: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => this.#add(() => work().then(resolve, reject), reject))
  }

  end(): void {
    this.#hasEnded = true
  }

  #add(task: Waiting | (() => Promise<void>), reject: (error: unknown) => void): void {
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

  #takeIndependent({ write }: Waiting): Waiting[] {
    if (!write.isIndependent) return []
    const end = this.#tasks.findIndex((task) => typeof task === 'function' || !task.write.isIndependent)
    const following = this.#tasks.splice(0, end === -1 ? this.#tasks.length : end)
    return following.filter((task) => typeof task !== 'function')
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const decided: { readonly waiting: Waiting; readonly commit: Commit }[] = []
    for (const waiting of group) {
      try {
        decided.push({ waiting, commit: waiting.write.decide() })
      } catch (error) {
        waiting.reject(error)
      }
    }
    if (decided.length === 0) return
    try {
      await this.#store({
        changes: decided.flatMap(({ commit }) => commit.changes),
        clock: decided.findLast(({ commit }) => commit.clock !== undefined)?.commit.clock,
      })
    } catch (error) {
      // The group may be too large for the disk, but a single write may fit.
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      if (decided.length > 1) for (const { waiting } of decided) await this.#commit([waiting])
      else for (const { waiting } of decided) waiting.reject(error)
      return
    }
    for (const { waiting, commit } of decided) apply(waiting, commit)
  }
}

/** Applies a durable write. NOTE: an error here is a bug; it rejects its own call, and the queue goes on. */
function apply({ write, resolve, reject }: Waiting, commit: Commit): void {
  try {
    write.apply(commit)
    resolve()
  } catch (error) {
    reject(error)
  }
}
