import { type Adapter, Low, Memory } from 'lowdb'

import { SandboxError } from '../contract/errors.ts'
import { ChangeReader } from './change-reader.ts'
import {
  type Change,
  type ChangesFile,
  type Commit,
  createEmptyFile,
  FORMAT,
  isSameClock,
  LatestChanges,
  type LogEntry,
  noLog,
  type SeededFile,
  type StoredClock,
  type WriteAheadLog,
  writeDocument,
} from './documents.ts'
import { type MomentFile, MomentStore, type SavedMoment } from './moment-file.ts'
import { checkSequence, DamagedFile, LostFolder } from './storage-errors.ts'
import { type Write, WriteQueue } from './write-queue.ts'

/** A stored dataset with the changes and the clock of the default session. */
interface Stored {
  readonly seeded: SeededFile
  readonly changes: readonly Change[]
  readonly clock: StoredClock | undefined
  /** The invalid changes that were left out, and why. */
  readonly leftOut: readonly string[]
}

/** A new dataset, and the changes and the clock of the default session over it. */
export interface Replacement extends Omit<SeededFile, 'format' | 'generation'> {
  readonly changes?: readonly Change[]
  readonly clock?: StoredClock | undefined
}

/** Stores the dataset and the changes of the default session. */
export interface Storage {
  /** Returns the stored data; undefined if nothing is stored. Errors: storage_unavailable if it cannot be read. */
  load(): Promise<Stored | undefined>
  /**
   * Replaces the dataset and the changes in one step. Calls `apply` when that is durable, before any later write.
   * Errors: `storage_full`, `storage_unavailable`; the old dataset and changes are then still there.
   */
  replace(content: Replacement, apply?: () => void): Promise<void>
  /** Stores changes, or what a write decides on; resolves when it is durable. Errors: as `replace`; nothing is then stored. */
  append(changes: readonly Change[] | Write): Promise<void>
  /** Drops the changes and the clock; `apply` as for `replace`. Errors: as `replace`. */
  clear(apply?: () => void): Promise<void>
  /** Stores the changes of the living dataset, beside other writes. A failure is ignored. */
  keepMoment(moment: SavedMoment): void
  /** Returns the stored changes of the living dataset; undefined if they have to be computed. */
  loadMoment(): Promise<SavedMoment | undefined>
  /** Closes the files and releases the lock. */
  close(): Promise<void>
}

/** The parts of a storage. */
export interface StorageParts {
  /** The name of the place in messages. */
  readonly place: string
  readonly seeded: Adapter<SeededFile>
  readonly changes: Adapter<ChangesFile>
  readonly moment?: Adapter<MomentFile>
  readonly log: WriteAheadLog
  /** Checks changes after their file was edited. Errors: storage_unavailable. */
  readonly checkEdited?: (seeded: SeededFile, changes: readonly Change[]) => void
  /** Called for each damaged file, which is then ignored and can be replaced; without it, damage is an error. */
  readonly onDamage?: (damage: DamagedFile) => void
  readonly close?: () => Promise<void>
}

/** The log is merged into `changes.json` above this size if half of it is superseded. Units: bytes. */
const CHECKPOINT_ABOVE = 1_048_576

/** The log is merged above this size in any case. Units: bytes. */
const LOG_LIMIT = 256 * CHECKPOINT_ABOVE

/** Creates a storage that keeps data in memory only. */
export function createMemoryStorage(place = 'memory', seeded: Adapter<SeededFile> = new Memory()): Storage {
  return createStorage({ place, seeded, changes: new Memory(), log: noLog })
}

/** Creates a storage over two lowdb documents. Writes happen in the order of the calls; waiting appends are grouped. */
export function createStorage(parts: StorageParts): Storage {
  const database = new Database(parts)
  const queue = new WriteQueue((commit) => database.append(commit))
  const moments = new MomentStore(parts.moment)
  let closed: Promise<void> | undefined
  return {
    load: () => queue.alone(() => database.load()),
    replace: (content, apply) => queue.alone(() => database.replace(content).then(apply)),
    append: (changes) =>
      queue.append(
        'decide' in changes
          ? changes
          : { decide: () => ({ changes }), apply: () => undefined, isIndependent: true },
      ),
    clear: (apply) => queue.alone(() => database.clear().then(apply)),
    keepMoment: (moment) => moments.keep(moment, database.generation),
    loadMoment: () => moments.load(database.generation),
    close: () => {
      closed ??= queue.alone(() => moments.close().then(() => database.close()))
      queue.end()
      return closed
    },
  }
}

/** The two documents and the log between them; one call at a time. */
class Database {
  readonly #parts: StorageParts
  readonly #seeded: Low<SeededFile>
  readonly #changesFile: Low<ChangesFile>
  #changes = new LatestChanges()
  #clock: StoredClock | undefined
  /** The number of stored changes that later ones have superseded. */
  #superseded = 0
  /** The sequence number of the last log entry. */
  #sequence = 0
  #isOpen = false
  /** Whether a file is damaged; only a new dataset replaces it. */
  #isDamaged = false
  /** The highest generation in any file. */
  #latestGeneration = 0
  #checkpointAbove = CHECKPOINT_ABOVE
  readonly #reader = new ChangeReader()
  /** The last log entry when the log could not be merged on a full disk. */
  #unmergeable: number | undefined

  constructor(parts: StorageParts) {
    this.#parts = parts
    this.#seeded = new Low(parts.seeded, createEmptyFile())
    this.#changesFile = new Low(parts.changes, { format: FORMAT, generation: 0, sequence: 0, changes: [] })
  }

  async load() {
    await this.#open()
    const seeded = this.#seeded.data
    if (seeded.generation === 0) return undefined
    return { seeded, changes: this.#changes.list(), clock: this.#clock, leftOut: this.#reader.leftOut }
  }

  async append({ changes, clock }: Commit): Promise<void> {
    if (!this.#isOpen) await this.#open()
    const isMoved = clock !== undefined && !isSameClock(clock, this.#clock)
    if (changes.length === 0 && !isMoved) return
    try {
      await this.#write(changes, isMoved ? clock : undefined)
    } catch (error) {
      if (!(await this.#freeSpace(error))) throw error
      await this.#write(changes, isMoved ? clock : undefined)
    }
    const size = this.#parts.log.size
    const isWorthIt = this.#superseded >= this.#changes.size || size > LOG_LIMIT
    if (size > this.#checkpointAbove && isWorthIt) {
      await this.#checkpoint().catch(() => (this.#checkpointAbove = 2 * size))
    }
  }

  /** Merges the log if a write did not fit, and the log holds more than the changes in effect. Reports whether it has. */
  async #freeSpace(error: unknown): Promise<boolean> {
    const isFull = error instanceof SandboxError && error.code === 'storage_full'
    if (!isFull || this.#superseded === 0 || this.#unmergeable === this.#sequence) return false
    try {
      await this.#checkpoint()
      return true
    } catch {
      this.#unmergeable = this.#sequence
      return false
    }
  }

  async clear(): Promise<void> {
    await this.#open()
    if (this.#changes.size > 0 || this.#clock) await this.#write(null)
  }

  async replace(content: Replacement): Promise<void> {
    await this.#open()
    // Not used again if a write fails, because the log may then have an entry of this generation.
    const generation = (this.#latestGeneration += 1)
    const { version, key, organizations, rows, changes = [], clock } = content
    const hasChanges = changes.length > 0 || clock !== undefined
    if (hasChanges) await this.#append({ generation, changes, clock, isAhead: true })
    try {
      await writeDocument(this.#seeded, { format: FORMAT, version, generation, key, organizations, rows })
    } catch (error) {
      if (error instanceof LostFolder) throw error
      // A disk may report an error although the new file is in place.
      const found = await this.#parts.seeded.read().catch(() => null)
      if (found?.generation !== generation) throw error
      this.#seeded.data = found
    }
    this.#changes = new LatestChanges()
    this.#superseded = this.#apply(changes, clock ?? null)
    // The changes of the old dataset are now ignored, but a damaged file has to be replaced.
    const checkpoint = this.#checkpoint()
    await (this.#isDamaged ? checkpoint : checkpoint.catch(ignoreFailedCheckpoint))
    this.#isDamaged = false
  }

  /** Counts the datasets. */
  get generation(): number {
    return this.#seeded.data.generation
  }

  async close(): Promise<void> {
    try {
      const hasEntries = this.#isOpen && !this.#isDamaged && this.#parts.log.size > 0
      if (hasEntries) await this.#checkpoint().catch(ignoreFailedCheckpoint)
    } finally {
      await this.#parts.close?.()
    }
  }

  /** Reads all files before the first write, so that no unreadable file is overwritten. */
  async #open(): Promise<void> {
    if (this.#isOpen) return
    const { place, log, checkEdited } = this.#parts
    await this.#reportDamage(() => this.#seeded.read())
    await this.#reportDamage(() => this.#changesFile.read())
    const entries = (await this.#reportDamage(() => log.read())) ?? []
    const seeded = this.#seeded.data
    const stored = this.#changesFile.data
    const { generation } = seeded
    this.#latestGeneration = Math.max(
      generation,
      stored.generation,
      ...entries.map((entry) => entry.generation),
    )
    this.#sequence = Math.max(stored.sequence, entries.at(-1)?.sequence ?? 0)
    await this.#reportDamage(async () => {
      if (this.#isDamaged) return
      checkSequence(place, seeded, stored, entries)
      if (stored.isEdited && stored.generation === generation) checkEdited?.(seeded, stored.changes)
    })
    this.#isOpen = true
    if (this.#isDamaged) return
    if (stored.generation === generation) {
      this.#changes.apply(this.#reader.select(stored.changes))
      this.#clock = stored.clock
    }
    for (const { changes, clock, ...entry } of entries) {
      const isNew = entry.sequence > stored.sequence && entry.generation === generation
      if (isNew) this.#apply(changes && this.#reader.select(changes), clock)
    }
    this.#changes.apply(this.#reader.undoDependents(seeded, this.#changes.list()))
    const isOutdated = entries.length > 0 || this.#reader.leftOut.length > 0
    if (isOutdated) await this.#checkpoint().catch(ignoreFailedCheckpoint)
  }

  /** Reads a file. With `onDamage`, a damaged one is reported and counts as missing. */
  async #reportDamage<R>(read: () => Promise<R>): Promise<R | undefined> {
    try {
      return await read()
    } catch (error) {
      if (!this.#parts.onDamage || !(error instanceof DamagedFile)) throw error
      this.#isDamaged = true
      this.#parts.onDamage(error)
      return undefined
    }
  }

  async #write(changes: readonly Change[] | null, clock?: StoredClock | null): Promise<void> {
    const { generation } = this.#seeded.data
    await this.#append({ generation, changes, ...(clock !== undefined && { clock }) })
    this.#superseded += this.#apply(changes, clock)
  }

  async #append(entry: Omit<LogEntry, 'sequence'>): Promise<void> {
    const sequence = this.#sequence + 1
    await this.#parts.log.append({ sequence, ...entry })
    this.#sequence = sequence
  }

  /** Applies an entry of the log. Returns how many changes were superseded. */
  #apply(changes: readonly Change[] | null, clock: StoredClock | null | undefined): number {
    if (clock !== undefined || changes === null) this.#clock = clock ?? undefined
    return this.#changes.apply(changes)
  }

  /** Merges the log into `changes.json`, then empties it. */
  async #checkpoint(): Promise<void> {
    const { generation } = this.#seeded.data
    const changes = this.#changes.list()
    const clock = this.#clock
    const file = { format: FORMAT, generation, sequence: this.#sequence, clock, changes }
    await writeDocument(this.#changesFile, file)
    this.#superseded = 0
    this.#checkpointAbove = CHECKPOINT_ABOVE
    await this.#parts.log.empty()
  }
}

/** NOTE: a checkpoint only saves space. If it fails, all changes are still in the log, and the next one retries. */
function ignoreFailedCheckpoint(): void {}
