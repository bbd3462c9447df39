import type { SavedEntry } from '../journal/saved-entries.ts'
import type { SavedSession } from '../sessions/saved-state.ts'
import type { Change, ClockMove } from '../store/change.ts'
import type { ObjectStorage } from './options.ts'

export interface StoredSession {
  readonly id: string | undefined
  readonly name: string | undefined
  readonly openedWith: Readonly<Record<string, string>> | undefined
  readonly firstAssumptions: SavedSession['assumptions']
  readonly clock: ClockMove | undefined
  readonly state: Omit<SavedSession, 'changes'>
}

export interface StoredEntry {
  readonly entry: SavedEntry
  readonly requestBody: Uint8Array | undefined
  readonly responseBody: Uint8Array<ArrayBuffer> | undefined
}

export interface Stored {
  readonly session: StoredSession
  readonly changes: readonly Change[]
  readonly entries: readonly StoredEntry[]
}

interface SessionWrite extends Stored {
  readonly isCleared: boolean
  readonly firstEntry: number
}

const tables = [
  'CREATE TABLE IF NOT EXISTS session (id INTEGER PRIMARY KEY, text TEXT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS changes (place TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS journal (id INTEGER PRIMARY KEY, text TEXT NOT NULL, request BLOB, response BLOB)',
]

/** How many dropped entries are deleted at once, since each deletion is paid for. */
const SURPLUS = 100

export class SessionStore {
  readonly #storage: ObjectStorage
  #changes = new Map<string, Change>()
  #session: string | undefined
  #firstEntry = 1

  constructor(storage: ObjectStorage) {
    this.#storage = storage
  }

  get exists(): boolean {
    return this.#session !== undefined
  }

  read(): Stored | undefined {
    const { sql } = this.#storage
    if (sql.exec("SELECT name FROM sqlite_master WHERE name = 'session'").toArray().length === 0)
      return undefined
    const [row] = sql.exec<{ text: string }>('SELECT text FROM session').toArray()
    if (!row) return undefined
    this.#session = row.text
    const changes = sql.exec<{ place: string; text: string }>('SELECT place, text FROM changes').toArray()
    this.#changes = new Map(changes.map(({ place, text }) => [place, JSON.parse(text)]))
    type EntryRow = { text: string; request: ArrayBuffer | null; response: ArrayBuffer | null }
    const entries = sql.exec<EntryRow>('SELECT text, request, response FROM journal ORDER BY id').toArray()
    const stored = {
      session: JSON.parse(row.text),
      changes: [...this.#changes.values()],
      entries: entries.map(({ text, request, response }) => ({
        entry: JSON.parse(text),
        requestBody: toBytes(request),
        responseBody: toBytes(response),
      })),
    }
    this.#firstEntry = stored.entries[0]?.entry.id ?? 1
    return stored
  }

  write({ session, changes, entries, isCleared, firstEntry }: SessionWrite): void {
    const text = JSON.stringify(session)
    const present = new Map(changes.map((change) => [`${change.table} ${change.id}`, change]))
    const isLong = firstEntry >= this.#firstEntry + SURPLUS
    const { sql } = this.#storage
    this.#storage.transactionSync(() => {
      if (this.#session === undefined) for (const table of tables) sql.exec(table)
      if (text !== this.#session) sql.exec('INSERT OR REPLACE INTO session VALUES (1, ?)', text)
      for (const [place, change] of present) {
        if (this.#changes.get(place)?.row === change.row) continue
        sql.exec('INSERT OR REPLACE INTO changes VALUES (?, ?)', place, JSON.stringify(change))
      }
      for (const place of this.#changes.keys()) {
        if (!present.has(place)) sql.exec('DELETE FROM changes WHERE place = ?', place)
      }
      if (isCleared) sql.exec('DELETE FROM journal')
      for (const { entry, requestBody, responseBody } of entries) {
        const values = [entry.id, JSON.stringify(entry), toBlob(requestBody), toBlob(responseBody)]
        sql.exec('INSERT OR REPLACE INTO journal VALUES (?, ?, ?, ?)', ...values)
      }
      if (isLong) sql.exec('DELETE FROM journal WHERE id < ?', firstEntry)
    })
    this.#session = text
    this.#changes = present
    if (isCleared || isLong) this.#firstEntry = firstEntry
  }

  async delete(): Promise<void> {
    this.#session = undefined
    this.#changes = new Map()
    this.#firstEntry = 1
    await this.#storage.deleteAlarm()
    await this.#storage.deleteAll()
  }
}

const toBytes = (blob: ArrayBuffer | null): Uint8Array<ArrayBuffer> | undefined =>
  blob ? new Uint8Array(blob) : undefined

const toBlob = (bytes: Uint8Array | undefined): ArrayBuffer | null =>
  bytes ? new Uint8Array(bytes).buffer : null
