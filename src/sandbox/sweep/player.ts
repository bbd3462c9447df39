import { letOthersRun } from '../../core/system-clock.ts'
import { countRenewals } from '../../http/middleware/authenticate.ts'
import { stripSessionBase } from '../../http/middleware/session.ts'
import { matchRoute } from '../../service/match-route.ts'
import type { JournalEntry } from '../../testing/journal/view.ts'
import { definitions } from '../../testing/scenarios/definitions.ts'
import type { SessionHandle } from '../session-handle.ts'
import {
  isAddressed,
  normalizeQuery,
  type RunKind,
  type Schedule,
  type SweepEvent,
  type TracedRequest,
} from './schedule.ts'

export interface ClientProcess {
  isDead: boolean
  readonly kill: () => void
}

// The number of requests after which timers get a turn, since requests in process leave them none.
const TURN = 50

/** Never settles, as the requests of a client that was killed. */
const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

interface EventState {
  readonly event: SweepEvent
  seen: number
  hasActed: boolean
  id?: string
}

export class Player {
  readonly #session: SessionHandle
  readonly #states: readonly EventState[]
  readonly #maxRequests: number
  #run: RunKind | undefined
  count = 0
  mostRequests = 0
  /** The last request that was refused before a run began with a token that no run before has used. */
  renewedLate: JournalEntry | undefined
  #renewals: number | undefined
  readonly trace: TracedRequest[] = []
  /** The events that have happened, each at a request of a run, where the first is request 1. */
  readonly order: { readonly run: RunKind; readonly request: number; readonly event: SweepEvent }[] = []
  readonly #occurrences = new Map<string, number>()

  constructor(session: SessionHandle, schedule: Schedule, maxRequests: number) {
    this.#session = session
    this.#maxRequests = maxRequests
    this.#states = schedule.map((event) => ({ event, seen: 0, hasActed: false }))
  }

  begin(run: RunKind | undefined): void {
    this.#run = run
    this.count = 0
  }

  get isEndless(): boolean {
    return this.count > this.#maxRequests
  }

  /** Ends the faults of a run. Returns whether a fault or a refusal has acted in it, so that it may have failed. */
  end(): boolean {
    this.mostRequests = Math.max(this.mostRequests, this.count)
    const { faults, scenarios } = this.#session
    const injected = faults.list().filter((fault) => fault.injected > 0)
    const acting = [...injected, ...scenarios.list().filter(({ acted }) => acted > 0)]
    const acted = this.#states.filter((state) => acting.some(({ id }) => id === state.id))
    for (const state of acted) state.hasActed = true
    faults.clear()
    return injected.length > 0 || acted.some(({ event }) => refuses(event))
  }

  get acted(): Schedule {
    return this.#states.filter(({ hasActed }) => hasActed).map(({ event }) => event)
  }

  async answer(request: Request, client: ClientProcess, forward: () => Promise<Response>): Promise<Response> {
    if (client.isDead) return never()
    this.count += 1
    const renewals = countRenewals(request.headers.get('authorization') ?? undefined)
    const known = this.#renewals ?? renewals
    if (this.count === 1 && renewals > known) {
      this.renewedLate = this.#session.requests.list({ status: 401 }).at(-1)
    }
    this.#renewals = Math.max(renewals, known)
    if (this.isEndless) {
      client.kill()
      return never()
    }
    if (this.count % TURN === 0) await letOthersRun()
    let kill: SweepEvent['kill']
    for (const state of this.#findDue(request)) {
      this.order.push({ run: state.event.run, request: this.count, event: state.event })
      kill = this.#bringAbout(state) ?? kill
    }
    if (kill === 'before') client.kill()
    if (client.isDead) return never()
    const response = await forward()
    if (kill === 'after') client.kill()
    // Another request may have brought about the end meanwhile.
    return client.isDead ? never() : response
  }

  #findDue(request: Request): EventState[] {
    if (this.#run === undefined) return []
    const { search, searchParams } = new URL(request.url)
    const { method } = request
    const path = stripSessionBase(request)
    const operationId = matchRoute(method, path)?.endpoint.id
    const query = normalizeQuery(searchParams)
    const key = `${this.#run} ${method} ${path}?${query}`
    const occurrence = (this.#occurrences.get(key) ?? 0) + 1
    this.#occurrences.set(key, occurrence)
    const traced = { run: this.#run, operationId, path, query, occurrence, method, target: path + search }
    this.trace.push(traced)
    return this.#states.filter((state) => {
      if (!isAddressed(state.event, traced)) return false
      state.seen += 1
      return state.seen === (state.event.occurrence ?? 1)
    })
  }

  #bringAbout(state: EventState): SweepEvent['kill'] {
    const { kill, fault, scenario, advance, operationId, path } = state.event
    const { faults, scenarios, clock } = this.#session
    if (fault !== undefined) {
      // A single fault hits this very request, and an outage the whole operation.
      const place = fault.times === undefined || path === undefined ? {} : { path }
      state.id = faults.add({ operationId, ...place, ...fault }).id
    }
    if (scenario !== undefined) state.id = scenarios.add(scenario).id
    if (advance !== undefined) clock.advance(advance)
    state.hasActed = kill !== undefined || advance !== undefined
    return kill
  }
}

const refuses = ({ scenario }: SweepEvent): boolean => {
  const definition = scenario && definitions[scenario.name]
  return definition?.fault !== undefined || definition?.refuse !== undefined
}
