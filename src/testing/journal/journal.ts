import type * as z from 'zod'

import type { Settings } from '../../contract/choices.ts'
import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { finish, runInSlices } from '../../core/slices.ts'
import { stopwatch } from '../../core/system-clock.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import type { Moment } from '../../store/history.ts'
import { findEntries } from './compare.ts'
import { type Coverage, createCoverage } from './coverage.ts'
import { Deliveries } from './deliveries.ts'
import { type Har, toHar, toHarEntry } from './har.ts'
import { RequestFilter } from './pattern.ts'
import { type Arrival, type Completion, RecordedRequest } from './recorded-request.ts'
import { rejectWarnings, type Requests } from './requests.ts'
import { type Verification, verify, VerifyRule } from './verify.ts'
import { type JournalEntry, type RequestSummary, toJournalEntry, toSummary } from './view.ts'
import { createReview, type Warning, type WarningOptions, type WarningSearch } from './warnings.ts'

export interface JournalLimits {
  readonly entries: number
  /** Units: bytes, estimated from above. */
  readonly bytes: number
}

const defaultLimits: JournalLimits = { entries: 1_000, bytes: 16 * 1_048_576 }

/** The number of entries that a journal keeps if other sessions need memory. */
const SHORTENED = 50

/** The number of warnings that are kept of requests that are not. */
const MAX_WARNINGS = 100

/** The number of events that are kept for subscribers that reconnect. */
const MAX_EVENTS = 2_000

/** The id of an entry that is delayed, complete or changed, or that the journal was cleared. */
type JournalEvent = number | 'cleared'

export interface JournalSession {
  readonly id: string | undefined
  readonly moment: Moment
  readonly settings: Settings
  /** Begins to find the warnings that follow from several requests. */
  readonly searchWarnings?: () => WarningSearch | undefined
}

/**
 * The requests that a session has answered. If they take too much memory, the oldest bodies are evicted first, then the
 * oldest entries. Order: as the requests arrived.
 */
export class Journal implements Requests {
  readonly deliveries = new Deliveries()
  readonly #session: JournalSession
  readonly #limits: JournalLimits
  /** The warnings of dropped entries. */
  #warnings: readonly Warning[] = []
  /** Their ids follow each other. */
  #entries: RecordedRequest[] = []
  #firstId = 1
  #firstWithBodies = 1
  #events: JournalEvent[] = []
  /** The number of events so far: each subscriber has one as its cursor, and no buffer. */
  lastEvent = 0
  readonly #listeners = new Set<(event: JournalEvent) => void>()
  /** Units: bytes, estimated from above. */
  bytes = 0
  /** The number of resets so far: what began before the last one belongs to this journal no more. */
  #resets = 0
  /** The number of entries that are no longer kept. */
  dropped = 0
  /** True once the session was dropped, so that subscribers can stop. */
  isClosed = false

  constructor(session: JournalSession, limits: JournalLimits = defaultLimits) {
    this.#session = session
    this.#limits = limits
  }

  get session(): string {
    return this.#session.id ?? 'default'
  }

  open(arrival: Arrival, endpoint: Endpoint | undefined): RecordedRequest {
    const id = this.#firstId + this.#entries.length
    const before = this.#entries.at(-1)
    const entry = new RecordedRequest(id, this.#session, arrival, endpoint, this.#resets, before)
    this.#entries.push(entry)
    this.bytes += entry.bytes
    if (this.#entries.length > this.#limits.entries) this.#dropFirst()
    return entry
  }

  complete(entry: RecordedRequest, completion: Completion): void {
    if (entry.resets !== this.#resets) return
    const { bytes } = entry
    entry.complete(completion, stopwatch() - entry.startedMs)
    this.deliveries.add(entry)
    if (this.#entries[entry.id - this.#firstId] !== entry) return entry.dropBodies()
    this.bytes -= bytes
    if (entry.id < this.#firstWithBodies) entry.dropBodies()
    this.bytes += entry.bytes
    if (this.bytes > this.#limits.bytes) this.#makeRoom()
    this.announce(entry)
  }

  /** Tells subscribers that an entry is delayed, complete or changed, or that the journal was cleared. */
  announce(change: RecordedRequest | 'cleared'): void {
    // An evicted entry has no event, which subscribers would take for a missed one.
    if (change !== 'cleared' && this.#entries[change.id - this.#firstId] !== change) return
    const event = change === 'cleared' ? change : change.id
    this.lastEvent += 1
    this.#events.push(event)
    if (this.#events.length > MAX_EVENTS * 2) this.#events = this.#events.slice(-MAX_EVENTS)
    for (const listener of this.#listeners) listener(event)
  }

  /** Reads up to `max` events after a cursor. A cursor beyond the last event counts as 0. */
  readEvents(cursor: number, max: number) {
    const position = cursor > this.lastEvent ? 0 : cursor
    const evicted = this.lastEvent - this.#events.length
    const first = Math.max(position, evicted)
    const events = this.#events.slice(first - evicted, first - evicted + max)
    return { events, missed: first - position, cursor: first + events.length }
  }

  listen(listener: (event: JournalEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get(id: number): RecordedRequest | undefined {
    return this.#entries[id - this.#firstId]
  }

  find(id: number): RecordedRequest {
    const entry = this.get(id)
    if (entry) return entry
    const fact = 'The journal has no request with this id'
    throw new SandboxError('not_found', `${fact}. It may have been evicted or cleared.`)
  }

  findAnswered(id: number): RecordedRequest {
    const entry = this.find(id)
    if (entry.isComplete) return entry
    throw new SandboxError('conflict', `Request ${id} has no response yet. Try again once it has.`)
  }

  entries(): RecordedRequest[] {
    return [...this.#entries]
  }

  list(filter: RequestFilter = {}): JournalEntry[] {
    const entries = this.#findAll(filter)
    const review = this.review()
    return entries.map((entry) => toJournalEntry(entry, this.session, review.of(entry)))
  }

  verify(rule: VerifyRule): void {
    const { passed, message } = this.judge(parseInput(VerifyRule, rule))
    if (!passed) throw new Error(message)
  }

  judge(rule: z.output<typeof VerifyRule>): Verification {
    return verify(this.entries(), this.dropped, rule)
  }

  warnings(): Warning[] {
    return [...this.review().warnings]
  }

  assertNoWarnings(options?: WarningOptions): void {
    rejectWarnings(this.review().warnings, options)
  }

  har(filter: RequestFilter = {}): Har {
    const finished = this.#findAll(filter).filter(({ status }) => status !== 'pending')
    const review = this.review()
    return toHar(finished.map((entry) => toHarEntry(entry, review.of(entry))))
  }

  subscribe(listener: (request: RequestSummary) => void): () => void {
    return this.listen((event) => {
      const entry = event === 'cleared' ? undefined : this.get(event)
      if (!entry) return
      try {
        listener(toSummary(entry, this.session))
      } catch (error) {
        // An error in the listener must not fail the request.
        queueMicrotask(() => {
          throw error
        })
      }
    })
  }

  #findAll(filter: RequestFilter): readonly RecordedRequest[] {
    return finish(findEntries(this.entries(), parseInput(RequestFilter, filter))).entries
  }

  /** Finds the warnings about its requests at once. */
  review() {
    const search = this.#session.searchWarnings?.()
    return this.#createReview(search ? finish(search.steps) : [])
  }

  /** Finds the warnings about its requests in slices, between which others run. */
  async reviewInSlices() {
    const search = this.#session.searchWarnings?.()
    await search?.prepare()
    return this.#createReview(search ? await runInSlices(search.steps) : [])
  }

  #createReview(fromSeveral: readonly Warning[]) {
    const ofEntries = this.#entries.flatMap(({ warnings }) => warnings)
    const kept = fromSeveral.filter(({ requestIds }) => requestIds.every((id) => this.get(id)))
    return createReview([...this.#warnings, ...ofEntries, ...kept])
  }

  /** Counts the answers since the reset, also those of entries that are not kept. */
  coverage(): Coverage {
    return createCoverage(this.deliveries.counts, this.#session.settings)
  }

  /** Drops all entries and warnings, but not the counts of answers and the record of deliveries; later ids continue. */
  clear(): void {
    this.#firstId += this.#entries.length
    this.#entries = []
    this.#firstWithBodies = this.#firstId
    this.bytes = 0
    this.dropped = 0
    this.#warnings = []
    this.announce('cleared')
  }

  reset(): void {
    this.#resets += 1
    this.deliveries.clear()
    this.#entries = []
    this.#firstId = 1
    this.clear()
  }

  close(): void {
    this.isClosed = true
    this.reset()
  }

  dropBodies(): void {
    this.deliveries.shrink(0)
    for (const entry of this.#entries) if (entry.isComplete) this.#evictBodies(entry)
  }

  shorten(): void {
    while (this.#entries.length > SHORTENED) this.#dropFirst()
  }

  #evictBodies(entry: RecordedRequest): void {
    this.bytes -= entry.bytes
    entry.dropBodies()
    this.bytes += entry.bytes
  }

  #makeRoom(): void {
    const { bytes } = this.#limits
    while (this.bytes > bytes) {
      const entry = this.get(this.#firstWithBodies)
      if (!entry) break
      this.#firstWithBodies += 1
      this.#evictBodies(entry)
    }
    while (this.bytes > bytes && this.#entries.length > 1) this.#dropFirst()
  }

  #dropFirst(): void {
    const entry = this.#entries.shift()
    if (!entry) return
    this.#firstId += 1
    this.#firstWithBodies = Math.max(this.#firstWithBodies, this.#firstId)
    if (entry.warnings.length > 0)
      this.#warnings = [...this.#warnings, ...entry.warnings].slice(-MAX_WARNINGS)
    this.bytes -= entry.bytes
    // A request in progress may still hold the entry.
    entry.dropBodies()
    this.dropped += 1
  }
}
