import { SandboxError } from '../core/errors.ts'
import { RecentMap } from '../core/maps.ts'
import { stopwatch } from '../core/system-clock.ts'
import { Session, type SessionLimits, type Shared } from './session.ts'

export const sessionLimits: SessionLimits = {
  ttlMs: 30 * 60_000,
  count: 10_000,
  bytes: 64 * 1_048_576,
  sessionBytes: 32 * 1_048_576,
  inUse: 100,
}

const MAX_EXPIRED = 1_000

interface Slot {
  readonly session: Session
  usedMs: number
  bytes: number
  inFlight: number
}

/** The open sessions, without the default one. Order: the longest idle first. */
export class Sessions {
  readonly #shared: Shared
  readonly #slots = new Map<string, Slot>()
  readonly #expired = new RecentMap<true>(MAX_EXPIRED)
  #count = 0
  #bytes = 0

  constructor(shared: Shared) {
    this.#shared = shared
  }

  /** @throws SandboxError `conflict` if the id is taken, `storage_full` if the sessions in use take all the memory */
  open(id: string = this.#nextId()): Session {
    this.#sweep()
    if (this.#slots.has(id)) {
      throw new SandboxError(
        'conflict',
        `Cannot open session ${id}: the id is taken. Delete that session, or choose another id.`,
      )
    }
    this.#freeMemory()
    if (!this.hasRoom) {
      const limit = `${Math.round(this.#shared.limits.bytes / 1_048_576)} MB`
      const fact = `the sessions in use take up all memory for sessions (${limit})`
      const advice =
        'Delete sessions that you no longer need with DELETE /_sandbox/sessions/{id}, and try again.'
      throw new SandboxError('storage_full', `Cannot open session ${id}: ${fact}. ${advice}`)
    }
    const session = new Session(id, this.#shared)
    this.#expired.delete(id)
    const slot = { session, usedMs: stopwatch(), bytes: 0, inFlight: 0 }
    this.#slots.set(id, slot)
    this.#evictSurplus(slot)
    return session
  }

  find(id: string): Session | undefined {
    this.#sweep()
    const slot = this.#slots.get(id)
    if (slot) this.#use(id, slot)
    return slot?.session
  }

  /** Protects a session from eviction until the returned function is called, which also measures its memory. */
  hold(session: Session): () => void {
    const { id = '' } = session
    const slot = this.#slots.get(id)
    // The id of a dropped session may belong to another one.
    if (slot?.session !== session) return () => undefined
    slot.inFlight += 1
    return () => {
      slot.inFlight -= 1
      if (this.#slots.get(id) !== slot) return
      this.#use(id, slot)
      this.#measure(slot)
      this.#evictSurplus(slot)
      this.#freeMemory()
    }
  }

  get hasRoom(): boolean {
    return this.#bytes <= this.#shared.limits.bytes
  }

  hasExpired(id: string): boolean {
    return this.#expired.has(id)
  }

  delete(id: string): boolean {
    this.#slots.get(id)?.session.drop()
    return this.#remove(id)
  }

  #remove(id: string): boolean {
    const slot = this.#slots.get(id)
    this.#bytes -= slot?.bytes ?? 0
    slot?.session.close()
    return this.#slots.delete(id)
  }

  list(): Session[] {
    this.#sweep()
    return Array.from(this.#slots.values(), ({ session }) => session)
  }

  clear(): void {
    for (const id of this.#slots.keys()) this.delete(id)
  }

  #nextId(): string {
    do this.#count += 1
    while (this.#slots.has(`session-${this.#count}`))
    return `session-${this.#count}`
  }

  #use(id: string, slot: Slot): void {
    slot.usedMs = stopwatch()
    this.#slots.delete(id)
    this.#slots.set(id, slot)
  }

  #sweep(): void {
    const deadline = stopwatch() - this.#shared.limits.ttlMs
    for (const [id, { usedMs, inFlight }] of this.#slots) {
      if (usedMs > deadline) return
      if (inFlight === 0) this.#expire(id)
    }
  }

  #measure(slot: Slot): void {
    const { bytes } = slot.session
    this.#bytes += bytes - slot.bytes
    slot.bytes = bytes
  }

  #evictSurplus(current: Slot): void {
    for (const [id, slot] of this.#slots) {
      if (this.#slots.size <= this.#shared.limits.count) return
      if (slot.inFlight === 0 && slot !== current) this.#expire(id)
    }
  }

  /**
   * Frees memory if the sessions use too much, starting with the longest idle: evicts the bodies in journals, then
   * sessions that are not in use, then all but the last journal entries.
   */
  #freeMemory(): void {
    const { bytes, inUse } = this.#shared.limits
    if (this.#bytes <= bytes) return
    // Frees more than necessary, so that the next request does not have to repeat it.
    const enough = bytes - bytes / 8
    const free = (slots: Iterable<Slot>, release: (slot: Slot) => void): void => {
      if (this.#bytes <= bytes) return
      for (const slot of slots) {
        if (this.#bytes <= enough) return
        release(slot)
      }
    }
    free(this.#slots.values(), (slot) => {
      slot.session.dropBodies()
      this.#measure(slot)
    })
    free([...this.#slots.values()].slice(0, Math.max(0, this.#slots.size - inUse)), (slot) => {
      if (slot.inFlight === 0 && slot.bytes > 0) this.#expire(slot.session.id ?? '')
    })
    free(this.#slots.values(), (slot) => {
      slot.session.requests.shorten()
      this.#measure(slot)
    })
  }

  #expire(id: string): void {
    this.#remove(id)
    this.#expired.set(id, true)
  }
}
