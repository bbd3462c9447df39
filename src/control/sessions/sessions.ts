import { SandboxError } from '../../contract/errors.ts'
import { stopwatch } from '../clock.ts'
import { Session, type Shared } from './session.ts'

/** How many sessions are kept, and for how long. */
export interface SessionLimits {
  /** How long an idle session lives. Units: milliseconds. */
  readonly ttlMs: number
  readonly count: number
  /** The memory that all sessions may take together. Units: bytes, estimated. */
  readonly bytes: number
  /**
   * How many sessions count as in use: those used last, within their time to live. The memory that they take is never
   * a reason to evict one of them.
   */
  readonly inUse: number
}

export const sessionLimits: SessionLimits = {
  ttlMs: 30 * 60_000,
  count: 10_000,
  bytes: 64 * 1_048_576,
  inUse: 100,
}

/** How many ids of expired sessions are remembered, so that their requests are told why. */
const REMEMBERED = 1_000

interface Kept {
  readonly session: Session
  usedMs: number
  bytes: number
  inFlight: number
}

/** The opened sessions. Order: the longest idle first. */
export class Sessions {
  readonly #shared: Shared
  readonly #limits: SessionLimits
  readonly #kept = new Map<string, Kept>()
  readonly #expired = new Set<string>()
  #count = 0
  #bytes = 0

  constructor(shared: Shared, limits: SessionLimits) {
    this.#shared = shared
    this.#limits = limits
  }

  /**
   * Opens a session, under a given id or the next free one.
   * Errors: conflict if the id is taken; storage_full if the sessions in use take all the memory.
   */
  open(id: string = this.#nextId()): Session {
    this.#sweep()
    if (this.#kept.has(id)) {
      throw new SandboxError(
        'conflict',
        `Cannot open session ${id}: there is one. Delete it, or choose another id.`,
      )
    }
    this.#freeMemory()
    if (this.#bytes > this.#limits.bytes) throw this.#full(id)
    const session = new Session(id, this.#shared)
    this.#expired.delete(id)
    const kept = { session, usedMs: stopwatch(), bytes: 0, inFlight: 0 }
    this.#kept.set(id, kept)
    this.#evictSurplus(kept)
    return session
  }

  /** The session with an id; it counts as used. */
  find(id: string): Session | undefined {
    this.#sweep()
    const kept = this.#kept.get(id)
    if (kept) this.#use(id, kept)
    return kept?.session
  }

  /** Holds a session while a request is answered, so that it is not evicted, and counts what it holds afterwards. */
  hold(session: Session): () => void {
    const kept = session.id === undefined ? undefined : this.#kept.get(session.id)
    // One that was dropped may have left its id to another.
    if (session.id === undefined || kept?.session !== session) return () => undefined
    const { id } = session
    kept.inFlight += 1
    return () => {
      kept.inFlight -= 1
      if (this.#kept.get(id) !== kept) return
      this.#use(id, kept)
      this.#measure(kept)
      this.#evictSurplus(kept)
      this.#freeMemory()
    }
  }

  /** Says whether a session had this id and was dropped for being idle, or to make room. */
  hasExpired(id: string): boolean {
    return this.#expired.has(id)
  }

  /** Drops a session; says whether there was one. */
  delete(id: string): boolean {
    this.#kept.get(id)?.session.drop()
    return this.#remove(id)
  }

  #remove(id: string): boolean {
    const kept = this.#kept.get(id)
    this.#bytes -= kept?.bytes ?? 0
    kept?.session.close()
    return this.#kept.delete(id)
  }

  /** Every session. Order: the longest idle first. */
  list(): Session[] {
    this.#sweep()
    return Array.from(this.#kept.values(), ({ session }) => session)
  }

  /** Drops every session. */
  clear(): void {
    for (const id of this.#kept.keys()) this.delete(id)
  }

  #nextId(): string {
    do this.#count += 1
    while (this.#kept.has(`session-${this.#count}`))
    return `session-${this.#count}`
  }

  #use(id: string, kept: Kept): void {
    kept.usedMs = stopwatch()
    this.#kept.delete(id)
    this.#kept.set(id, kept)
  }

  #sweep(): void {
    const deadline = stopwatch() - this.#limits.ttlMs
    for (const [id, { usedMs, inFlight }] of this.#kept) {
      if (usedMs > deadline) return
      if (inFlight === 0) this.#expire(id)
    }
  }

  #measure(kept: Kept): void {
    const { bytes } = kept.session
    this.#bytes += bytes - kept.bytes
    kept.bytes = bytes
  }

  /** Evicts the longest idle sessions if there are too many, but never the current one. */
  #evictSurplus(current: Kept): void {
    for (const [id, kept] of this.#kept) {
      if (this.#kept.size <= this.#limits.count) return
      if (kept.inFlight === 0 && kept !== current) this.#expire(id)
    }
  }

  /**
   * Frees memory if the sessions take too much of it, the longest idle first: the bodies in their journals, then
   * sessions that are not in use, then all but the last entries of journals.
   */
  #freeMemory(): void {
    const { bytes, inUse } = this.#limits
    if (this.#bytes <= bytes) return
    // Some more than necessary, so that this is not due again with the next request.
    const enough = bytes - bytes / 8
    for (const kept of this.#kept.values()) {
      if (this.#bytes <= enough) return
      kept.session.dropBodies()
      this.#measure(kept)
    }
    if (this.#bytes <= bytes) return
    const idle = Array.from(this.#kept).slice(0, Math.max(0, this.#kept.size - inUse))
    for (const [id, kept] of idle) {
      if (this.#bytes <= enough) return
      if (kept.inFlight === 0 && kept.bytes > 0) this.#expire(id)
    }
    if (this.#bytes <= bytes) return
    for (const kept of this.#kept.values()) {
      if (this.#bytes <= enough) return
      kept.session.shortenJournal()
      this.#measure(kept)
    }
  }

  #full(id: string): SandboxError {
    const limit = `${Math.round(this.#limits.bytes / 1_048_576)} MB`
    const fact = `the sessions in use already take all the memory that sessions may take together (${limit})`
    const advice =
      'Delete the ones that you no longer need with DELETE /_sandbox/sessions/{id}, and try again.'
    return new SandboxError('storage_full', `Cannot open session ${id}: ${fact}. ${advice}`)
  }

  #expire(id: string): void {
    this.#remove(id)
    this.#expired.add(id)
    for (const oldest of this.#expired) {
      if (this.#expired.size <= REMEMBERED) return
      this.#expired.delete(oldest)
    }
  }
}
