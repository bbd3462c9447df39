import { type Adapter, Low } from 'lowdb'

import { SandboxError } from '../core/errors.ts'
import { type Change, type ClockMove, type Commit, isSameClock } from '../store/change.ts'
import { Overlay } from '../store/overlay.ts'
import {
  ChangeReader,
  type ChangesFile,
  emptyFile,
  FORMAT,
  type LogEntry,
  type SeededFile,
  type WriteAheadLog,
  writeDocument,
} from './documents.ts'
import { checkSequence, DamagedFile, LostFolder } from './storage-errors.ts'

export interface Stored {
  readonly seeded: SeededFile
  readonly changes: readonly Change[]
  readonly clock: ClockMove | undefined
  readonly leftOut: readonly string[]
}

export interface Replacement extends Omit<SeededFile, 'format' | 'generation'> {
  readonly changes?: readonly Change[]
  readonly clock?: ClockMove | undefined
}

export interface DatabaseParts {
  readonly place: string
  readonly seeded: Adapter<SeededFile>
  readonly changes: Adapter<ChangesFile>
  readonly log: WriteAheadLog
  /** Errors: storage_unavailable. */
  readonly checkEdited?: (seeded: SeededFile, changes: readonly Change[]) => void
  /** Called for each damaged file, which is then ignored and can be replaced; without it, damage is an error. */
  readonly onDamage?: (damage: DamagedFile) => void
  readonly close?: () => Promise<void>
}

/** The log is merged into `changes.json` above this size if half of it is superseded. Units: bytes. */
const CHECKPOINT_ABOVE = 1_048_576

/** The log is merged above this size in any case. Units: bytes. */
const LOG_LIMIT = 256 * CHECKPOINT_ABOVE

export class Database {
  readonly #parts: DatabaseParts
  readonly #seeded: Low<SeededFile>
  readonly #changesFile: Low<ChangesFile>
  #changes = new Overlay()
  #clock: ClockMove | undefined
  #superseded = 0
  #sequence = 0
  #isOpen = false
  #isDamaged = false
  #latestGeneration = 0
  #checkpointAbove = CHECKPOINT_ABOVE
  readonly #reader = new ChangeReader()
  #unmergeable: number | undefined

  constructor(parts: DatabaseParts) {
    this.#parts = parts
    this.#seeded = new Low(parts.seeded, emptyFile)
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
    const isWorthIt = this.#superseded >= this.#changes.count || size > LOG_LIMIT
    if (size > this.#checkpointAbove && isWorthIt) {
      await this.#checkpoint().catch(() => (this.#checkpointAbove = 2 * size))
    }
  }

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
    if (this.#changes.count > 0 || this.#clock) await this.#write(null)
  }

  async replace(content: Replacement): Promise<void> {
    await this.#open()
    // Not used again if a write fails, because the log may then have an entry of this generation.
    const generation = (this.#latestGeneration += 1)
    const { changes = [], clock, ...dataset } = content
    const hasChanges = changes.length > 0 || clock !== undefined
    if (hasChanges) await this.#append({ generation, changes, clock, isAhead: true })
    try {
      await writeDocument(this.#seeded, { format: FORMAT, generation, ...dataset })
    } catch (error) {
      if (error instanceof LostFolder) throw error
      // A disk may report an error although the new file is in place.
      const stored = await this.#parts.seeded.read().catch(() => null)
      if (stored?.generation !== generation) throw error
      this.#seeded.data = stored
    }
    this.#changes = new Overlay()
    this.#superseded = this.#apply(changes, clock ?? null)
    // The changes of the old dataset are now ignored, but a damaged file has to be replaced.
    const checkpoint = this.#checkpoint()
    await (this.#isDamaged ? checkpoint : checkpoint.catch(ignoreFailedCheckpoint))
    this.#isDamaged = false
  }

  async writeRows({ key, rows }: Pick<SeededFile, 'key' | 'rows'>): Promise<void> {
    const { isPending, ...file } = this.#seeded.data
    if (isPending && JSON.stringify(file.key) === JSON.stringify(key)) {
      await writeDocument(this.#seeded, { ...file, rows })
    }
  }

  get isPending(): boolean {
    return this.#seeded.data.isPending === true
  }

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
    const generations = entries.map((entry) => entry.generation)
    this.#latestGeneration = Math.max(generation, stored.generation, ...generations)
    this.#sequence = Math.max(stored.sequence, entries.at(-1)?.sequence ?? 0)
    await this.#reportDamage(async () => {
      if (this.#isDamaged) return
      checkSequence(place, seeded, stored, entries)
      if (stored.isEdited && stored.generation === generation) checkEdited?.(seeded, stored.changes)
    })
    this.#isOpen = true
    if (this.#isDamaged) return
    if (stored.generation === generation) this.#apply(this.#reader.select(stored.changes), stored.clock)
    for (const { changes, clock, ...entry } of entries) {
      const isNew = entry.sequence > stored.sequence && entry.generation === generation
      if (isNew) this.#apply(changes && this.#reader.select(changes), clock)
    }
    this.#apply(this.#reader.undoDependents(seeded, this.#changes.list()), undefined)
    const isOutdated = entries.length > 0 || this.#reader.leftOut.length > 0
    if (isOutdated) await this.#checkpoint().catch(ignoreFailedCheckpoint)
  }

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

  async #write(changes: readonly Change[] | null, clock?: ClockMove | null): Promise<void> {
    await this.#append({ generation: this.generation, changes, ...(clock !== undefined && { clock }) })
    this.#superseded += this.#apply(changes, clock)
  }

  async #append(entry: Omit<LogEntry, 'sequence'>): Promise<void> {
    const sequence = this.#sequence + 1
    await this.#parts.log.append({ sequence, ...entry })
    this.#sequence = sequence
  }

  /** Applies changes, or drops all of them for null. Returns how many changes were superseded. */
  #apply(changes: readonly Change[] | null, clock: ClockMove | null | undefined): number {
    if (clock !== undefined || changes === null) this.#clock = clock ?? undefined
    const before = this.#changes.count
    if (changes === null) this.#changes = new Overlay()
    for (const change of changes ?? []) this.#changes.set(change)
    return before + (changes?.length ?? 0) - this.#changes.count
  }

  async #checkpoint(): Promise<void> {
    await writeDocument(this.#changesFile, {
      format: FORMAT,
      generation: this.generation,
      sequence: this.#sequence,
      clock: this.#clock,
      changes: this.#changes.list(),
    })
    this.#superseded = 0
    this.#checkpointAbove = CHECKPOINT_ABOVE
    await this.#parts.log.empty()
  }
}

/** NOTE: a checkpoint only saves space. If it fails, all changes are still in the log, and the next one retries. */
function ignoreFailedCheckpoint(): void {}
