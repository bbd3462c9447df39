import type { Settings } from '../../contract/choices.ts'
import type { Endpoint } from '../../resources/endpoint.ts'
import { stopwatch } from '../clock.ts'
import { type Arrival, type Completion, Entry } from './entry.ts'
import { EMPTIED, EventLog } from './events.ts'
import { Analyser } from './warnings-analyser.ts'
import type { Surroundings } from './warnings-repeats.ts'
import type { Warning } from './warnings.ts'

/** How much a journal keeps. */
export interface JournalLimits {
  readonly entries: number
  /** Units: bytes, estimated from above. */
  readonly bytes: number
}

const journalLimits: JournalLimits = { entries: 1_000, bytes: 16 * 1_048_576 }

/** How many entries a journal keeps that has to make room for other sessions. */
const SHORTENED = 50

/** How many warnings are kept beyond their requests. */
const MAX_WARNINGS = 100

/** What a journal needs to know of its session. */
export interface JournalOwner extends Surroundings {
  /** Undefined for the default session. */
  readonly id: string | undefined
  /** How it answers at the moment. */
  readonly settings?: Settings
  /** Is told of each entry that the journal lets go of, where somebody counts them. */
  readonly letGo?: ((entry: Entry) => void) | undefined
}

/**
 * The requests that a session has answered. Where the bytes are too many, bodies go first, then whole entries,
 * the oldest first. Order: as the requests came.
 */
export class Journal {
  /** What happens here, for those who watch. */
  readonly events = new EventLog()
  readonly #owner: JournalOwner
  readonly #limits: JournalLimits
  #analyser: Analyser
  readonly #warnings = new Set<Warning>()
  /** Entry n lies at (n - 1) modulo the limit. */
  #ring: (Entry | undefined)[] = []
  #first = 1
  #last = 0
  /** The first entry that may still have bodies. */
  #firstWithBodies = 1
  #bytes = 0
  #dropped = 0
  #isClosed = false

  constructor(owner: JournalOwner, limits: JournalLimits = journalLimits) {
    this.#owner = owner
    this.#limits = limits
    this.#analyser = new Analyser(owner)
  }

  /** The session's name in entries. */
  get session(): string {
    return this.#owner.id ?? 'default'
  }

  /** Units: bytes, estimated from above. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many entries made room for younger ones. */
  get dropped(): number {
    return this.#dropped
  }

  /** True once the session is gone: whoever reads the events may stop. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Enters a request, before anything else is done about it. */
  open(arrival: Arrival, endpoint: Endpoint | undefined): Entry {
    const { clock, settings } = this.#owner
    const entry = new Entry(this.#last + 1, clock.now(), arrival, endpoint, stopwatch(), settings)
    this.#last = entry.id
    if (this.#last - this.#first >= this.#limits.entries) this.#dropFirst()
    this.#ring[this.#slot(entry.id)] = entry
    this.#bytes += entry.bytes
    this.#analyser.opened(entry)
    return entry
  }

  /** Takes over how a request was answered; nothing happens where its entry is gone. */
  complete(entry: Entry, completion: Completion): void {
    if (this.get(entry.id) !== entry || entry.isComplete) return
    const nowMs = stopwatch()
    this.#bytes -= entry.bytes
    entry.complete(completion, nowMs - entry.startedMs)
    if (entry.id < this.#firstWithBodies) entry.dropBodies()
    this.#bytes += entry.bytes
    const changed = this.#analyser.completed(entry, nowMs)
    this.#makeRoom()
    for (const warning of entry.warnings) {
      if (this.#warnings.size < MAX_WARNINGS) this.#warnings.add(warning)
    }
    // Readers take an entry that they cannot read for one that they have missed.
    for (const { id } of [entry, ...changed]) if (this.get(id)) this.events.push(id)
  }

  /** Tells whoever reads the events of a request that has to wait for its answer. */
  delay(entry: Entry): void {
    if (this.get(entry.id) === entry) this.events.push(entry.id)
  }

  /** The entry with an id; undefined where there is none, or no more. */
  get(id: number): Entry | undefined {
    return id >= this.#first && id <= this.#last ? this.#ring[this.#slot(id)] : undefined
  }

  /** Every entry after an id. Order: by id ascending. */
  entries(since = 0): Entry[] {
    const found: Entry[] = []
    for (let id = Math.max(this.#first, since + 1); id <= this.#last; id += 1) {
      const entry = this.get(id)
      if (entry) found.push(entry)
    }
    return found
  }

  /** What a careful reviewer would say, of requests that are gone too. Order: as found; unread pages last. */
  warnings(): Warning[] {
    return [...this.#warnings, ...this.#analyser.unreadPages()]
  }

  /** Drops every entry and warning; ids go on. */
  clear(): void {
    this.#letAllGo()
    this.#ring = []
    this.#first = this.#last + 1
    this.#firstWithBodies = this.#first
    this.#bytes = 0
    this.#dropped = 0
    this.#warnings.clear()
    this.#analyser = new Analyser(this.#owner)
    this.events.push(EMPTIED)
  }

  /** Drops everything; ids start anew. */
  reset(): void {
    this.#letAllGo()
    this.#last = 0
    this.clear()
  }

  /** Tells whoever reads the events that nothing will follow. */
  close(): void {
    this.#isClosed = true
    this.clear()
  }

  /** Releases the bodies of every answered request. */
  dropBodies(): void {
    for (let id = this.#firstWithBodies; id <= this.#last; id += 1) {
      const entry = this.get(id)
      if (entry?.isComplete === false) continue
      if (entry) this.#dropBodiesOf(entry)
      if (id === this.#firstWithBodies) this.#firstWithBodies += 1
    }
  }

  /** Drops all entries but the last few. */
  shorten(): void {
    while (this.#last - this.#first >= SHORTENED) this.#dropFirst()
  }

  #dropBodiesOf(entry: Entry): void {
    this.#bytes -= entry.bytes
    entry.dropBodies()
    this.#bytes += entry.bytes
  }

  #letAllGo(): void {
    const { letGo } = this.#owner
    if (letGo) for (const entry of this.entries()) letGo(entry)
  }

  #slot(id: number): number {
    return (id - 1) % this.#limits.entries
  }

  #makeRoom(): void {
    while (this.#bytes > this.#limits.bytes && this.#firstWithBodies <= this.#last) {
      const entry = this.get(this.#firstWithBodies)
      this.#firstWithBodies += 1
      if (entry) this.#dropBodiesOf(entry)
    }
    while (this.#bytes > this.#limits.bytes && this.#first < this.#last) this.#dropFirst()
  }

  #dropFirst(): void {
    const entry = this.get(this.#first)
    if (entry) this.#owner.letGo?.(entry)
    this.#bytes -= entry?.bytes ?? 0
    // Whoever still holds the entry shall not hold its bodies.
    entry?.dropBodies()
    this.#ring[this.#slot(this.#first)] = undefined
    this.#first += 1
    this.#firstWithBodies = Math.max(this.#firstWithBodies, this.#first)
    this.#dropped += 1
  }
}
