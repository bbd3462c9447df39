import { SandboxError } from '../../contract/errors.ts'
import { stopwatch } from '../clock.ts'
import { Session, type Shared } from './session.ts'

/** How many sessions are kept, and for how long. */
export interface SessionLimits {
  /** How long an idle session lives. Units: milliseconds. */
  readonly ttlMs: number
  readonly count: number
  /** What all sessions may hold together. Units: bytes, estimated. */
  readonly bytes: number
}

export const sessionLimits: SessionLimits = { ttlMs: 30 * 60_000, count: 10_000, bytes: 64 * 1_048_576 }

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

  /** Opens a session, under a given id or the next free one. Errors: conflict where the id is taken. */
  open(id: string = this.#nextId()): Session {
    this.#sweep()
    if (this.#kept.has(id)) {
      throw new SandboxError(
        'conflict',
        `Cannot open session ${id}: there is one. Delete it, or choose another id.`,
      )
    }
    const session = new Session(id, this.#shared)
    this.#expired.delete(id)
    const kept = { session, usedMs: stopwatch(), bytes: 0, inFlight: 0 }
    this.#kept.set(id, kept)
    this.#evict(kept)
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
      this.#bytes += session.bytes - kept.bytes
      kept.bytes = session.bytes
      this.#evict(kept)
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

  /** Makes room for a session that was used just now, whatever it takes itself. */
  #evict(current: Kept): void {
    for (const [id, kept] of this.#kept) {
      if (this.#kept.size <= this.#limits.count && this.#bytes <= this.#limits.bytes) return
      if (kept.inFlight === 0 && kept !== current) this.#expire(id)
    }
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
