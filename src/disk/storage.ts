import { type Adapter, Memory } from 'lowdb'

import type { Change, Write } from '../store/change.ts'
import { Database, type DatabaseParts, type Replacement, type Stored } from './database.ts'
import { noLog, type SeededFile } from './documents.ts'
import { WriteQueue } from './write-queue.ts'

export interface Storage {
  /** Errors: storage_unavailable if the data cannot be read. */
  load(): Promise<Stored | undefined>
  /**
   * Replaces the dataset and the changes in one step. Calls `apply` when that is durable, before any later write.
   * Errors: `storage_full`, `storage_unavailable`; the old dataset and changes are then still there.
   */
  replace(content: Replacement, apply?: () => void): Promise<void>
  /**
   * Writes the rows of a dataset that was stored without them, beside other writes; not those of another dataset.
   * A failure is ignored, since the rows follow from the key.
   */
  writeRows(dataset: Pick<SeededFile, 'key' | 'rows'>): Promise<void>
  readonly isPending: boolean
  readonly isVolatile: boolean
  /** Stores changes, or what a write decides on; resolves when it is durable. Errors: as `replace`; nothing is then stored. */
  append(changes: readonly Change[] | Write): Promise<void>
  clear(apply?: () => void): Promise<void>
  close(): Promise<void>
}

export function createMemoryStorage(place = 'memory', seeded: Adapter<SeededFile> = new Memory()): Storage {
  const storage = createStorage({ place, seeded, changes: new Memory(), log: noLog })
  return { ...storage, isVolatile: true, isPending: false }
}

export function createStorage(parts: DatabaseParts): Storage {
  const database = new Database(parts)
  const queue = new WriteQueue((commit) => database.append(commit))
  let closed: Promise<void> | undefined
  let writing: Promise<void> = Promise.resolve()
  const writeInTurn = (write: () => Promise<void>): Promise<void> => {
    const written = writing.then(write)
    writing = written.catch(() => undefined)
    return written
  }
  return {
    isVolatile: false,
    get isPending() {
      return database.isPending
    },
    load: () => queue.alone(() => database.load()),
    replace: (content, apply) => queue.alone(() => writeInTurn(() => database.replace(content)).then(apply)),
    writeRows: (dataset) => writeInTurn(() => database.writeRows(dataset)).catch(ignoreMissing),
    append: (changes) =>
      queue.append(
        'decide' in changes
          ? changes
          : { decide: () => ({ changes }), apply: () => undefined, isIndependent: true },
      ),
    clear: (apply) => queue.alone(() => database.clear().then(apply)),
    close: () => {
      closed ??= queue.alone(async () => {
        await writing
        await database.close()
      })
      queue.end()
      return closed
    },
  }
}

/** NOTE: rows that are missing are generated again. */
function ignoreMissing(): undefined {}
