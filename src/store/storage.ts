import { type Adapter, Low, Memory } from 'lowdb'

import type { DatasetKey } from './dataset.ts'
import { LatestChanges } from './latest.ts'
import type { OrganizationRow } from './rows.ts'
import { forEachTable, type Row, type Rows, type TableName } from './tables.ts'
import { DamagedFile, LostFolder, refuseMismatch } from './unreadable.ts'
import { type Write, WriteQueue } from './write-queue.ts'

/** The version of the files' layout; a file with a higher one is refused. */
export const FORMAT = 1

/** A dataset as it is kept: `seeded.json`. */
export interface SeededFile {
  readonly format: number
  /** The package version that generated it. */
  readonly version: string
  /** Counts the reseedings of this place, so that changes of an earlier dataset are told apart; 0 before the first. */
  readonly generation: number
  readonly key: DatasetKey
  readonly organizations: readonly OrganizationRow[]
  readonly rows: Rows
}

/** One record as it has become: null where it was deleted, no row where it is again as in the dataset. */
export type Change = {
  [T in TableName]: { readonly table: T; readonly id: number; readonly row?: Row<T> | null | undefined }
}[TableName]

/** The default session's changes as they are kept: `changes.json`. */
export interface ChangesFile {
  readonly format: number
  readonly generation: number
  /** The last journal entry that is in here; those up to it are not counted twice. */
  readonly sequence: number
  readonly changes: readonly Change[]
  /** Whether a person has changed the file since it was written. */
  readonly isEdited?: boolean
}

/** What one durable write added. */
export interface JournalEntry {
  /** One more than the entry's before. */
  readonly sequence: number
  readonly generation: number
  /** Null where it dropped all changes before it. */
  readonly changes: readonly Change[] | null
}

/** Holds what was written since `changes.json`, so that a write costs the same however much there is. */
export interface Journal {
  /** Units: bytes. */
  readonly size: number
  /** What it holds. Order: as written. */
  read(): Promise<readonly JournalEntry[]>
  /** Resolves when the entry is durable. Errors: storage_full, storage_unavailable; it is then not there. */
  append(entry: JournalEntry): Promise<void>
  /** Forgets every entry. Errors: as append. */
  empty(): Promise<void>
}

/** Where a sandbox keeps its dataset and the default session's changes. */
export interface Storage {
  /** What was kept, undefined where nothing was. Errors: storage_unavailable where it cannot be read. */
  load(): Promise<{ readonly seeded: SeededFile; readonly changes: readonly Change[] } | undefined>
  /**
   * Replaces the dataset and drops the changes; `apply` runs once that is durable, before any later write decides.
   * Errors: `storage_full`, `storage_unavailable`; the old dataset and changes are then still there.
   */
  replace(seeded: Omit<SeededFile, 'format' | 'generation'>, apply?: () => void): Promise<void>
  /** Keeps changes, or what a write decides on; resolves when they are durable. Errors: as `replace`; nothing is then kept. */
  append(changes: readonly Change[] | Write<Change>): Promise<void>
  /** Drops the changes; `apply` as for `replace`. Errors: as `replace`. */
  clear(apply?: () => void): Promise<void>
  /** Lets go of the place. What was kept stays. */
  close(): Promise<void>
}

/** What a storage is put together from. */
export interface StorageParts {
  /** What messages call the place. */
  readonly place: string
  readonly seeded: Adapter<SeededFile>
  readonly changes: Adapter<ChangesFile>
  /** Without one, each write rewrites the changes as a whole. */
  readonly journal?: Journal
  /** Checks changes that a person has edited. Errors: storage_unavailable. */
  readonly checkEdited?: (seeded: SeededFile, changes: readonly Change[]) => Promise<void>
  /** Is told of damaged files, which are then left out until they are replaced; without it, they are an error. */
  readonly onDamage?: (damage: DamagedFile) => void
  /** Lets go of what the parts hold. */
  readonly close?: () => Promise<void>
}

/** A journal below this size is not folded. Units: bytes. */
const FOLD_ABOVE = 1_048_576

/** A journal above this size is folded, even if everything in it still counts. Units: bytes. */
const JOURNAL_LIMIT = 256 * FOLD_ABOVE

/** Keeps nothing beyond the life of the process. */
export function memoryStorage(): Storage {
  const journal = {
    size: 0,
    read: () => Promise.resolve([]),
    append: () => Promise.resolve(),
    empty: () => Promise.resolve(),
  }
  return createStorage({ place: 'memory', seeded: new Memory(), changes: new Memory(), journal })
}

/** A storage over lowdb: writes happen in the order of the calls, appends that wait are written together. */
export function createStorage(parts: StorageParts): Storage {
  const kept = new Kept(parts)
  const queue = new WriteQueue<Change>((changes) => kept.append(changes))
  let closed: Promise<void> | undefined
  return {
    load: () => queue.alone(() => kept.load()),
    replace: (seeded, apply) => queue.alone(() => kept.replace(seeded).then(apply)),
    append: (changes) => queue.append('decide' in changes ? changes : writeOf(changes)),
    clear: (apply) => queue.alone(() => kept.clear().then(apply)),
    close: () => {
      closed ??= queue.alone(() => kept.close())
      queue.end()
      return closed
    },
  }
}

function writeOf(changes: readonly Change[]): Write<Change> {
  return { decide: () => changes, apply: () => undefined, isIndependent: true }
}

/** What is on disk, and how one write at a time changes it. */
class Kept {
  readonly #parts: StorageParts
  readonly #seeded: Low<SeededFile>
  readonly #folded: Low<ChangesFile>
  #changes = new LatestChanges<Change>()
  /** How many changes the journal and `changes.json` hold that later ones have made void. */
  #void = 0
  /** The last entry written. */
  #sequence = 0
  #isOpen = false
  /** Whether there are damaged files, which only a new dataset replaces. */
  #isDamaged = false
  /** The highest generation of what was kept. */
  #latest = 0
  #foldAbove = FOLD_ABOVE

  constructor(parts: StorageParts) {
    this.#parts = parts
    this.#seeded = new Low(parts.seeded, unseeded())
    this.#folded = new Low(parts.changes, { format: FORMAT, generation: 0, sequence: 0, changes: [] })
  }

  async load() {
    await this.#open()
    const seeded = this.#seeded.data
    return seeded.generation === 0 ? undefined : { seeded, changes: this.#changes.list() }
  }

  async append(changes: readonly Change[]): Promise<void> {
    if (!this.#isOpen) await this.#open()
    await this.#write(changes)
    const size = this.#parts.journal?.size ?? 0
    const isWorthIt = this.#void >= this.#changes.size || size > JOURNAL_LIMIT
    if (size > this.#foldAbove && isWorthIt) await this.#fold().catch(() => (this.#foldAbove = 2 * size))
  }

  async clear(): Promise<void> {
    await this.#open()
    if (this.#changes.size > 0) await this.#write(null)
  }

  async replace(content: Omit<SeededFile, 'format' | 'generation'>): Promise<void> {
    await this.#open()
    const generation = this.#latest + 1
    const { version, key, organizations, rows } = content
    try {
      await write(this.#seeded, { format: FORMAT, version, generation, key, organizations, rows })
    } catch (error) {
      if (error instanceof LostFolder) throw error
      // A disk may complain of a file that it has put in place: what is there decides.
      const there = await this.#parts.seeded.read().catch(() => null)
      if (there?.generation !== generation) throw error
      this.#seeded.data = there
    }
    this.#latest = generation
    this.#changes = new LatestChanges<Change>()
    // From here on, what is left of the earlier dataset's changes counts no more, unless nobody can read it.
    const folded = this.#fold()
    await (this.#isDamaged ? folded : folded.catch(keptInJournal))
    this.#isDamaged = false
  }

  async close(): Promise<void> {
    try {
      const isToFold = this.#isOpen && !this.#isDamaged && (this.#parts.journal?.size ?? 0) > 0
      if (isToFold) await this.#fold().catch(keptInJournal)
    } finally {
      await this.#parts.close?.()
    }
  }

  /** Reads what was kept, before anything is written: what is not understood is never written over. */
  async #open(): Promise<void> {
    if (this.#isOpen) return
    const { place, journal, checkEdited } = this.#parts
    await this.#undamaged(() => this.#seeded.read())
    await this.#undamaged(() => this.#folded.read())
    const entries = (await this.#undamaged(async () => journal?.read())) ?? []
    const { generation } = this.#seeded.data
    const { sequence, changes, generation: changesOf, isEdited } = this.#folded.data
    this.#latest = Math.max(generation, changesOf, ...entries.map((entry) => entry.generation))
    this.#sequence = Math.max(sequence, entries.at(-1)?.sequence ?? 0)
    await this.#undamaged(async () => {
      if (this.#isDamaged) return
      refuseMismatch(place, { generation, changesOf, sequence }, entries)
      if (isEdited && changesOf === generation) await checkEdited?.(this.#seeded.data, changes)
    })
    this.#isOpen = true
    if (this.#isDamaged) return
    if (changesOf === generation) this.#changes.apply(changes)
    for (const entry of entries) {
      if (entry.sequence > sequence && entry.generation === generation) this.#changes.apply(entry.changes)
    }
    if (entries.length > 0) await this.#fold().catch(keptInJournal)
  }

  /** Reads something; what is damaged counts as missing, if damage is to be replaced. */
  async #undamaged<R>(read: () => Promise<R>): Promise<R | undefined> {
    try {
      return await read()
    } catch (error) {
      if (!this.#parts.onDamage || !(error instanceof DamagedFile)) throw error
      this.#isDamaged = true
      this.#parts.onDamage(error)
      return undefined
    }
  }

  /** Makes one change of the changes durable, then counts it. */
  async #write(changes: readonly Change[] | null): Promise<void> {
    const { generation } = this.#seeded.data
    const sequence = this.#sequence + 1
    if (this.#parts.journal) {
      await this.#parts.journal.append({ sequence, generation, changes })
      this.#void += this.#changes.apply(changes)
    } else {
      const after = new LatestChanges<Change>()
      after.apply(this.#changes.list())
      after.apply(changes)
      await write(this.#folded, { format: FORMAT, generation, sequence, changes: after.list() })
      this.#changes = after
    }
    this.#sequence = sequence
  }

  /** Writes the changes as a whole; then what the journal holds is in there, and it may be emptied. */
  async #fold(): Promise<void> {
    const { generation } = this.#seeded.data
    const changes = this.#changes.list()
    await write(this.#folded, { format: FORMAT, generation, sequence: this.#sequence, changes })
    this.#void = 0
    this.#foldAbove = FOLD_ABOVE
    await this.#parts.journal?.empty()
  }
}

/** NOTE: a fold only tidies up. Where it fails, everything is still in the journal, and the next one takes it over. */
function keptInJournal(): void {}

/** Writes data that counts only once it is written. */
async function write<T>(low: Low<T>, data: T): Promise<void> {
  const before = low.data
  low.data = data
  try {
    await low.write()
  } catch (error) {
    low.data = before
    throw error
  }
}

/** What stands for a dataset before there is one. */
function unseeded(): SeededFile {
  const key = { seed: 0, size: 0, fixture: '', now: '', clock: 'frozen' } as const
  return {
    format: FORMAT,
    version: '',
    generation: 0,
    key,
    organizations: [],
    rows: forEachTable<Rows>(() => []),
  }
}
