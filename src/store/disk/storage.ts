import { SandboxError } from '../../core/errors.ts'
import type { Commit, Write } from '../change.ts'
import type { Documents, Stored, StoredDataset } from './documents.ts'

interface Waiting {
  readonly write: Write
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** The documents of a folder; if they are only read, without those that write. */
type Store = Pick<Documents, 'load'> & Partial<Pick<Documents, 'append' | 'replace' | 'close'>>

/**
 * Runs writes one after the other, in the order of the calls. Waiting independent writes are stored together (group
 * commit); each call settles with its own outcome. Without documents, nothing outlives the process.
 */
export class Storage {
  readonly #documents: Store | undefined
  readonly #tasks: (Waiting | (() => Promise<void>))[] = []
  #isWorking = false
  #closed: Promise<void> | undefined

  constructor(documents?: Store) {
    this.#documents = documents
  }

  get isVolatile(): boolean {
    return this.#documents === undefined
  }

  /** Errors: storage_unavailable if the data cannot be read. */
  async load(): Promise<Stored | undefined> {
    return this.#documents?.load()
  }

  /** Resolves when what a write decides is durable and applied. Errors: its own, storage_full, storage_unavailable; nothing is then stored. */
  append(write: Write): Promise<void> {
    return new Promise((resolve, reject) => this.#add({ write, resolve, reject }, reject))
  }

  /**
   * Replaces the dataset and all changes in one step. Calls `apply` when that is durable, before any later write.
   * Errors: storage_full, storage_unavailable; the old dataset and changes are then still there.
   */
  replace(
    dataset: Omit<StoredDataset, 'id'>,
    commits: readonly Commit[] = [],
    apply: () => void = () => undefined,
  ): Promise<void> {
    return this.#alone(async () => {
      await this.#documents?.replace?.(dataset, commits)
      apply()
    })
  }

  /** Rejects further writes, and waits for those before. */
  close(): Promise<void> {
    this.#closed ??= this.#alone(async () => this.#documents?.close?.())
    return this.#closed
  }

  #alone(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => this.#add(() => work().then(resolve, reject), reject))
  }

  #add(task: Waiting | (() => Promise<void>), reject: (error: unknown) => void): void {
    if (this.#closed) {
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
    try {
      await this.#documents?.append?.(decided.map(({ commit }) => commit))
    } catch (error) {
      // The group may be too large for the disk, but a single write may fit.
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      if (decided.length > 1) for (const { waiting } of decided) await this.#commit([waiting])
      else for (const { waiting } of decided) waiting.reject(error)
      return
    }
    for (const { waiting, commit } of decided) {
      try {
        waiting.write.apply(commit)
        waiting.resolve()
      } catch (error) {
        // NOTE: a bug; it rejects its own call, and the queue goes on.
        waiting.reject(error)
      }
    }
  }
}
