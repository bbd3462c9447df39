import { invalidRequest, SandboxError } from '../contract/errors.ts'
import { didYouMean } from '../contract/nearest.ts'
import { decide, type FaultClock } from '../faults/decide.ts'
import type { Injection } from '../faults/inject.ts'
import { Stage } from '../records/stage.ts'
import { tables } from '../store/tables.ts'
import { type ActiveScenario, copyState, createScenario } from './active-scenario.ts'
import type {
  AnsweredRequest,
  ScenarioDefinition,
  ScenarioHost,
  ScenarioMemory,
  ScenarioRequest,
  View,
} from './definition.ts'
import { definitions, type ScenarioName } from './definitions.ts'
import { findCustomers, isMatch, isTurn } from './match.ts'
import {
  MAX_SCENARIOS,
  parseScenario,
  type Scenario,
  type ScenarioInput,
  type ScenarioSettings,
} from './scenario.ts'

/** The scenarios of a session, as tests control them. */
export interface ScenarioControl {
  /**
   * Adds a scenario.
   * @throws SandboxError `invalid_request`; `conflict` if there are too many
   * @example session.scenarios.add({ name: 'page-drift' })
   */
  add(scenario: ScenarioInput): Scenario
  /** Lists the scenarios with their counts. Order: as added. @example expect(session.scenarios.list()).toMatchObject([{ acted: 1 }]) */
  list(): Scenario[]
  /** Removes a scenario and returns it; its changes stay. @throws SandboxError `not_found` @example session.scenarios.remove('scenario-1') */
  remove(id: string): Scenario
  /** Removes all scenarios; their ids are not used again. @example session.scenarios.clear() */
  clear(): void
}

/** Records that a scenario has acted on the present request. */
export type Report = (scenario: { readonly id: string; readonly name: ScenarioName }, did: string) => void

/** A copy of the scenarios; undefined if the session never had any. */
export type ScenariosSnapshot =
  | { readonly states: readonly ActiveScenario[]; readonly count: number }
  | undefined

/** The scenarios of one session. */
export class Scenarios implements ScenarioControl {
  readonly #host: ScenarioHost
  #states: readonly ActiveScenario[] = []
  #count = 0
  /** Increases whenever one is added or removed. */
  revision = 0

  constructor(host: ScenarioHost) {
    this.#host = host
  }

  get isEmpty(): boolean {
    return this.#states.length === 0
  }

  /** Estimates the memory of the scenarios. Units: bytes. */
  get bytes(): number {
    const past = this.#states.flatMap(({ memory }) => memory.past ?? [])
    return past.reduce((sum, { before }) => sum + before.overlay.bytes, this.#states.length * 2_000)
  }

  /** Adds a scenario. Errors: invalid_request; conflict if there are too many. */
  add(input: ScenarioInput): Scenario {
    return this.append(parseScenario(input))
  }

  /** Adds a validated scenario. Errors: invalid_request if a record does not exist; conflict if there are too many. */
  append({ name, ...given }: ScenarioSettings): Scenario {
    if (this.#states.length >= MAX_SCENARIOS) {
      const limit = `a session can have at most ${MAX_SCENARIOS} scenarios`
      throw new SandboxError('conflict', `Cannot add the scenario: ${limit}. Remove some first.`)
    }
    this.#requireRecord('customers', 'customerId', given.customerId)
    this.#requireRecord('members', 'memberId', given.memberId)
    this.#count += 1
    const state = createScenario(`scenario-${this.#count}`, { name, ...given })
    this.#states = [...this.#states, state]
    this.revision += 1
    return describeScenario(state)
  }

  #requireRecord(table: 'customers' | 'members', name: string, id: number | undefined): void {
    if (id === undefined || this.#host.data.get(table, id)) return
    const message = `must be the id of a ${tables[table].noun} (got ${id})`
    throw invalidRequest([{ in: 'body', name, message }])
  }

  /** Lists the scenarios. Order: as added. */
  list(): Scenario[] {
    return this.#states.map(describeScenario)
  }

  /** Removes a scenario and returns it. Errors: not_found. */
  remove(id: string): Scenario {
    const found = this.#states.find((state) => state.id === id)
    if (!found) {
      const known = this.#states.map((state) => state.id)
      const none = 'This session has none; POST /_sandbox/scenarios adds one.'
      const hint = known.length > 0 ? didYouMean(id, known) : none
      throw new SandboxError('not_found', `There is no scenario ${id.slice(0, 60)}. ${hint}`)
    }
    this.#states = this.#states.filter((state) => state !== found)
    this.revision += 1
    return describeScenario(found)
  }

  /** Removes all scenarios; their ids are not used again. */
  clear(): void {
    this.#states = []
    this.revision += 1
  }

  /** Decides whether a scenario that a fault carries acts on a request. */
  decideFault(clock: FaultClock, report: Report): Injection | undefined {
    for (const state of this.#states) {
      const decision = state.fault ? decide(state.fault, () => 0, clock) : 'pass'
      if (decision === 'pass') continue
      state.matched += 1
      const { injection, headers } = decision
      if (injection) {
        state.acted += 1
        report(state, 'refused the request')
        return injection
      }
      if (headers) {
        return { id: undefined, delayMs: 0, step: 'proceed', body: undefined, isStored: false, headers }
      }
    }
    return undefined
  }

  /** Makes the changes that are due before a request. Errors: those of a write. */
  async prepare(request: ScenarioRequest, report: Report): Promise<void> {
    const arrived = { ...request, ids: [], page: undefined, hasResponse: false }
    const due = this.#states.filter((state) => this.#isMatch(state, request) && state.options.after === 0)
    for (const state of due) {
      // oxlint-disable-next-line no-await-in-loop -- each change starts from the one before
      await this.#change(state, arrived, report)
    }
  }

  /** Refuses a request if a scenario does. Errors: those of the scenario. */
  refuse(request: ScenarioRequest, report: Report): void {
    for (const state of this.#findBegun(request)) {
      try {
        define(state.name).refuse?.(request, state, this.#host.clock.now())
      } catch (error) {
        state.acted += 1
        report(state, 'refused the token')
        throw error
      }
    }
  }

  /** Returns the data as a request sees it; undefined if it sees the session's data. */
  view(request: ScenarioRequest, report: Report): View['data'] | undefined {
    for (const state of this.#findBegun(request)) {
      const view = define(state.name).view?.(request, state, this.#host)
      if (!view) continue
      state.acted += 1
      report(state, view.did)
      return view.data
    }
    return undefined
  }

  /** Returns the records of a response as the scenarios send them; undefined if they change none. */
  rewrite(records: readonly object[], request: AnsweredRequest, report: Report): object[] | undefined {
    let rewritten: object[] | undefined
    for (const state of this.#findBegun(request)) {
      const { rewrite } = define(state.name)
      if (!rewrite) continue
      const before = rewritten ?? records
      const after = before.map((record) => rewrite(record, request, state) ?? record)
      const count = after.filter((record, at) => record !== before[at]).length
      if (count === 0) continue
      rewritten = after
      state.acted += 1
      report(state, `changed ${count} ${count === 1 ? 'record' : 'records'} of the response`)
    }
    return rewritten
  }

  /** Counts an answered request, and makes the changes that are due after it. Errors: those of a write. */
  async answer(request: AnsweredRequest, report: Report): Promise<void> {
    const matching = this.#states.filter((state) => !state.fault && this.#isMatch(state, request))
    const due = matching.filter((state) => {
      const { turn, remember } = define(state.name)
      if (remember) state.memory = remember(state.memory, request, this.#host.data)
      if (turn !== undefined && !isTurn(turn, request)) return false
      state.matched += 1
      const { after = 0 } = state.options
      return turn !== undefined && after > 0 && state.matched >= after
    })
    for (const state of due) {
      // oxlint-disable-next-line no-await-in-loop -- each change starts from the one before
      await this.#change(state, request, report)
    }
  }

  async #change(state: ActiveScenario, request: AnsweredRequest, report: Report): Promise<void> {
    const { change, pause } = define(state.name)
    const { options } = state
    const { data, clock } = this.#host
    const isDone = (): boolean => state.acted >= (options.times ?? 1)
    const hasSubject = state.memory.removed !== undefined || findCustomers(request, state, data).length > 0
    if (!change || isDone() || !hasSubject) return
    const remember = (facts: ScenarioMemory) => (state.memory = { ...state.memory, ...facts })
    const wait = (): void => {
      if (pause) clock.advance(pause(options))
    }
    wait()
    const did = await data.change(() => {
      const stage = new Stage(data, () => data.dataset)
      const customers = findCustomers(request, state, stage.data)
      const now = clock.now()
      const context = { stage, options, request, now, memory: state.memory, remember, customers }
      const result = isDone() ? undefined : change(context)
      if (result !== undefined) state.acted += 1
      return { changes: stage.commit(), result }
    })
    wait()
    if (did !== undefined) report(state, did)
  }

  #isMatch(state: ActiveScenario, request: ScenarioRequest): boolean {
    return isMatch(state, request, define(state.name).isForOneCaller ?? false)
  }

  /** Finds the scenarios that act on a request, because enough others were answered before. */
  #findBegun(request: ScenarioRequest): readonly ActiveScenario[] {
    return this.#states.filter(
      (state) => this.#isMatch(state, request) && state.matched >= (state.options.after ?? 0),
    )
  }

  /** The names of the scenarios that refuse requests or change what responses show. */
  get namesOfAltering(): readonly ScenarioName[] {
    return this.#states.flatMap(({ name }) => (define(name).change ? [] : [name]))
  }

  /** Keeps the session's changes, if a scenario shows them later; called before each further change. */
  keepPast(): void {
    const { data, clock } = this.#host
    for (const state of this.#states) {
      const seconds = define(state.name).keepsSeconds?.(state.options)
      if (seconds === undefined) continue
      const now = clock.now()
      const since = new Date(Date.parse(now) - seconds * 1_000).toISOString()
      const past = state.memory.past?.filter(({ at }) => at > since) ?? []
      if (past.at(-1)?.at === now) continue
      state.memory = { ...state.memory, past: [...past, { at: now, before: data.snapshot() }] }
    }
  }

  /** Takes a snapshot. */
  snapshot(): ScenariosSnapshot {
    return this.#count === 0 ? undefined : { states: this.#states.map(copyState), count: this.#count }
  }

  /** Restores a snapshot of any session; undefined removes all scenarios and restarts the ids. */
  restore(snapshot: ScenariosSnapshot): void {
    this.#states = snapshot?.states.map(copyState) ?? []
    this.#count = snapshot?.count ?? 0
    this.revision += 1
  }
}

const define = (name: ScenarioName): ScenarioDefinition => definitions[name]

function describeScenario({ id, name, options, matched, acted }: ActiveScenario): Scenario {
  return { id, name, ...options, matched, acted, text: define(name).text }
}
