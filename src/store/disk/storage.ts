import { SandboxError } from '../../core/errors.ts'
import { letInputArrive } from '../../core/system-clock.ts'
import type { Commit, Write } from '../change.ts'
import type { Documents, Stored } from './documents.ts'
import type { StoredDataset } from './formats.ts'

/** A write, or work that runs alone. */
interface Task {
  readonly write?: Write
  readonly work?: () => Promise<void>
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
  readonly #tasks: Task[] = []
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
    return this.#add({ write })
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
    const work = async () => {
      await this.#documents?.replace?.(dataset, commits)
      apply()
    }
    return this.#add({ work })
  }

  /** Rejects further writes, and waits for those before. */
  close(): Promise<void> {
    this.#closed ??= this.#add({ work: async () => this.#documents?.close?.() })
    return this.#closed
  }

  #add(task: Pick<Task, 'write' | 'work'>): Promise<void> {
    if (this.#closed) {
      const error = new SandboxError(
        'storage_unavailable',
        'Cannot write: the sandbox is closed. Start it again.',
      )
      return Promise.reject(error)
    }
    return new Promise((resolve, reject) => {
      this.#tasks.push({ resolve, reject, ...task })
      if (!this.#isWorking) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isWorking = true
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) {
      const group = [task]
      while (group.at(-1)?.write?.mayDecideEarly && this.#tasks[0]?.write?.mayDecideEarly)
        group.push(...this.#tasks.splice(0, 1))
      await (task.work ? task.work().then(task.resolve, task.reject) : this.#commit(group))
      // Clients that were answered together write again at once. Without a pause, the first note is flushed alone: 20,000
      // notes of 32 clients then take 1,400 flushes in place of 690.
      if (group.length > 1 && this.#documents) await letInputArrive()
    }
    this.#isWorking = false
  }

  async #commit(group: readonly Task[]): Promise<void> {
    const decided = new Map<Task, Commit>()
    for (const task of group) {
      try {
        const commit = task.write?.decide()
        if (commit) decided.set(task, commit)
      } catch (error) {
        task.reject(error)
      }
    }
    try {
      await this.#documents?.append?.([...decided.values()])
    } catch (error) {
      for (const task of decided.keys()) {
        // The group may be too large for the disk, but a single write may fit.
        if (decided.size > 1) await this.#commit([task])
        else task.reject(error)
      }
      return
    }
    for (const [{ write, resolve, reject }, commit] of decided) {
      try {
        write?.apply(commit)
        resolve()
      } catch (error) {
        // NOTE: a bug; it rejects its own call, and the queue goes on.
        reject(error)
      }
    }
  }
}
