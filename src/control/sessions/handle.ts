import type { App } from '../../http/app.ts'
import { whole } from '../../http/respond.ts'
import { parsedInstant } from '../../options.ts'
import { advanced } from '../clock.ts'
import { type SessionRecords, sessionRecords } from '../data/api.ts'
import type { Arranger } from '../data/data.ts'
import type { Explanation } from '../explain-shape.ts'
import type { ExplainInput } from '../explain.ts'
import type { Connection } from '../faults/connection.ts'
import type { FaultControl } from '../faults/faults.ts'
import { inProcess, inProcessLater } from '../in-process.ts'
import { assumptionReport } from '../journal/assumptions-report.ts'
import { type Requests, requestsOf } from '../journal/requests.ts'
import type { Preview, PreviewInput } from '../preview.ts'
import type { Session, SessionSnapshot } from './session.ts'

/** A session's clock. Units: instants in UTC with milliseconds. */
export interface ClockControl {
  now(): string
  /** Errors: invalid_request for what is no instant. */
  set(instant: string): void
  /** Moves on by an ISO 8601 duration, as in `P1DT2H`. Errors: invalid_request. */
  advance(duration: string): void
  /** Back to where the dataset starts it. */
  reset(): void
}

/** A session as a test holds it: what it asks, what it arranges, and what it looks at afterwards. */
export interface SessionHandle {
  /** What requests name it by; `default` for the one that needs no name. */
  readonly id: string
  /**
   * Answers as the service does, seeing and making this session's changes only.
   * @param connection what faults break; without, they fail as `fetch` fails
   */
  readonly fetch: (request: Request, connection?: Connection) => Promise<Response>
  readonly clock: ClockControl
  readonly faults: FaultControl
  readonly requests: Requests
  readonly data: SessionRecords
  /** Says why an answer is what it is, or why a record is not in it; changes nothing. Errors: invalid_request. */
  explain(input: ExplainInput): Promise<Explanation>
  /** Shows what the service would answer to a GET; changes nothing, and no fault acts. Errors: invalid_request. */
  preview(input: PreviewInput): Promise<Preview>
  /** Drops changes, clock, faults and journal. Errors: storage_full, storage_unavailable. */
  reset(): Promise<void>
  /** What the session is now, but for its journal; in constant time. */
  snapshot(): SessionSnapshot
  /** Back to a snapshot of a session of this sandbox; in constant time. */
  restore(snapshot: SessionSnapshot): void
  /** Drops the session; requests that name it are then refused. */
  close(): void
}

/** What a handle needs of the sandbox around it. */
export interface HandleParts {
  readonly app: App
  readonly arranger: (session: Session) => Promise<Arranger>
  readonly reset: (session: Session) => Promise<void>
  readonly drop: (session: Session) => void
}

/** The handle of a session; its parts are made when they are asked for. */
export class Handle implements SessionHandle {
  readonly #session: Session
  readonly #parts: HandleParts
  /** A function of its own, so that it can be handed on as `fetch` is. */
  readonly fetch: (request: Request, connection?: Connection) => Promise<Response>

  constructor(session: Session, parts: HandleParts) {
    this.#session = session
    this.#parts = parts
    this.fetch = async (request, connection) => whole(await parts.app.fetch(request, { session, connection }))
  }

  get id(): string {
    return this.#session.id ?? 'default'
  }

  get clock(): ClockControl {
    const { clock } = this.#session
    return {
      now: () => clock.now(),
      set: (instant) => inProcess('instant', () => clock.set(parsedInstant(instant))),
      advance: (duration) => {
        const advance = (): void => clock.set(advanced(clock.now(), duration))
        inProcess(() => 'duration', advance)
      },
      reset: () => clock.restore(undefined),
    }
  }

  get faults(): FaultControl {
    const session = this.#session
    return {
      add: (input) => inProcess('fault', () => session.faults.add(input)),
      addAll: (inputs) => inProcess('faults', () => session.faults.addAll(inputs)),
      list: () => session.faults.list(),
      get: (id) => inProcess('argument', () => session.faults.get(id)),
      remove: (id) => inProcess('argument', () => session.faults.remove(id)),
      clear: () => session.faults.clear(),
    }
  }

  get requests(): Requests {
    const session = this.#session
    return { ...requestsOf(() => session.requests), assumptions: () => assumptionReport(session) }
  }

  get data(): SessionRecords {
    return sessionRecords(() => this.#parts.arranger(this.#session))
  }

  explain(input: ExplainInput): Promise<Explanation> {
    return inProcessLater('input', () => this.#parts.app.explain(this.#session, input))
  }

  preview(input: PreviewInput): Promise<Preview> {
    return inProcessLater('input', () => this.#parts.app.preview(this.#session, input))
  }

  reset(): Promise<void> {
    return inProcessLater('argument', () => this.#parts.reset(this.#session))
  }

  snapshot(): SessionSnapshot {
    return this.#session.snapshot()
  }

  restore(snapshot: SessionSnapshot): void {
    this.#session.restore(snapshot)
  }

  /** Drops the session. */
  close(): void {
    this.#parts.drop(this.#session)
  }
}
