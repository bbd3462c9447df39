import type { Result } from '../../core/caller-errors.ts'
import { invalidField, SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import type { Shown } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'
import { pluralize } from '../../core/words.ts'
import type { Data } from '../../store/session-data.ts'
import { ActiveStates, type StatesSnapshot } from '../active-states.ts'
import type { ActiveFault } from '../faults/faults.ts'
import type { AnsweredRequest, ScenarioHost, ScenarioRequest, Turn } from './definition.ts'
import { definitions } from './definitions.ts'
import { makeChange, type Report } from './make-change.ts'
import type { ScenarioMemory } from './options.ts'
import {
  type ActiveScenario,
  createScenario,
  MAX_SCENARIOS,
  type Scenario,
  ScenarioInput,
  type ScenarioSettings,
} from './scenario.ts'

export interface ScenarioControl<Remote extends boolean = false> {
  /**
   * Adds a scenario.
   * @throws SandboxError `invalid_request`; `conflict` if there are too many
   * @example session.scenarios.add({ name: 'page-drift' })
   */
  add(scenario: ScenarioInput): Result<Remote, Scenario>
  /** Lists the scenarios with their counts. Order: as added. @example expect(session.scenarios.list()).toMatchObject([{ acted: 1 }]) */
  list(): Result<Remote, Scenario[]>
  /** Removes a scenario, whose changes stay; in process, returns it. @throws SandboxError `not_found` @example session.scenarios.remove('scenario-1') */
  remove(id: string): Remote extends true ? Promise<void> : Scenario
  /** Removes all scenarios; their ids are not used again. @example session.scenarios.clear() */
  clear(): Result<Remote, void>
}

export type ScenariosSnapshot = StatesSnapshot<ActiveScenario>

export class Scenarios extends ActiveStates<ActiveScenario, Scenario> implements ScenarioControl {
  readonly #host: ScenarioHost
  protected readonly copy = (state: ActiveScenario): ActiveScenario => ({
    ...state,
    fault: state.fault && { ...state.fault },
  })

  protected readonly describe = ({ id, name, options, matched, acted }: ActiveScenario): Scenario => {
    return { id, name, ...options, matched, acted, text: definitions[name].text }
  }

  constructor(host: ScenarioHost) {
    super('scenario')
    this.#host = host
  }

  get bytes(): number {
    return this.states.reduce((sum, { memory }) => sum + 2_000 + estimateMemory(memory), 0)
  }

  add(input: ScenarioInput): Scenario {
    return this.append(parseInput(ScenarioInput, input))
  }

  /** Adds a validated scenario. Errors: invalid_request if a record does not exist; conflict if there are too many. */
  append(settings: ScenarioSettings): Scenario {
    if (this.states.length >= MAX_SCENARIOS) {
      const limit = `a session can have at most ${MAX_SCENARIOS} scenarios`
      throw new SandboxError('conflict', `Cannot add the scenario: ${limit}. Remove some first.`)
    }
    const { customerId, memberId } = settings
    const { data } = this.#host
    if (customerId !== undefined && !data.get('customers', customerId))
      throw invalidId('customerId', customerId, 'customer')
    if (memberId !== undefined) {
      const member = data.get('members', memberId)
      if (!member) throw invalidId('memberId', memberId, 'member')
      if (member.leftDate !== undefined) throw invalidId('memberId', memberId, 'member who has not left')
    }
    const state = createScenario(this.nextId(), settings, data.history.count)
    this.replace([...this.states, state], 1)
    return this.describe(state)
  }

  /** The faults by which scenarios act. */
  get faults(): ActiveFault[] {
    return this.states.flatMap(({ fault }) => fault ?? [])
  }

  /** Counts a request that these faults have met. @param id that of the fault that has acted, which is its scenario's */
  countFaults(id: string | undefined, report: Report): void {
    for (const state of this.states) {
      if (!state.fault) continue
      state.matched = state.fault.matched
      if (state.id !== id) continue
      state.acted += 1
      report(state, 'refused the request')
    }
  }

  async prepare(request: ScenarioRequest, report: Report): Promise<void> {
    const past = this.findNeededPast(this.#findBegun(request))
    if (past !== undefined) await this.#host.clock.moments?.prepare(past)
    const arrived = { ...request, ids: [], page: undefined, hasResponse: false }
    for (const state of this.states.filter((one) => this.#isMatch(one, request))) {
      const { after = 0 } = state.options
      if (after > 0 && ((request.offset ?? 0) > 0 || state.matched + 1 < after)) continue
      await makeChange(state, arrived, this.#host, report, after > 0 ? 'begin' : 'change')
    }
  }

  refuse(request: ScenarioRequest, report: Report): void {
    for (const state of this.#findBegun(request)) {
      try {
        definitions[state.name].refuse?.(request, state, this.#host.clock.now())
      } catch (error) {
        state.acted += 1
        report(state, 'refused the token')
        throw error
      }
    }
  }

  view(request: ScenarioRequest, report: Report): Data | undefined {
    const { data } = this.#host
    let viewed: Data = data
    // Data as of an earlier time replaces any other, so it comes first, the earliest before the rest.
    const begun = this.#findBegun(request).toSorted((a, b) => getLag(b) - getLag(a))
    for (const state of begun) {
      const view = definitions[state.name].view?.(request, state, this.#host, viewed)
      if (!view) continue
      state.acted += 1
      report(state, view.did)
      viewed = view.data
    }
    return viewed === data ? undefined : viewed
  }

  /** Changes what a response shows. Shape: undefined if no scenario changes it. */
  rewrite(content: Shown, request: AnsweredRequest, report: Report): Shown | undefined {
    let sent = content
    for (const state of this.#findBegun(request)) {
      const { rewrite, rewriteTotal } = definitions[state.name]
      const { records: before, total: all } = sent
      const records = rewrite ? before.map((record) => rewrite(record, request, state) ?? record) : before
      const total = all === undefined ? all : (rewriteTotal?.(all, state.options) ?? all)
      const count = records.filter((record, at) => record !== before[at]).length
      if (count === 0 && total === all) continue
      sent = { records, total }
      state.acted += 1
      const did =
        total === all
          ? `changed ${pluralize(count, 'record')} of the response`
          : `answered with a totalCount of ${total} in place of ${all}`
      report(state, did)
    }
    return sent === content ? undefined : sent
  }

  /** Counts an answered request, if it shows records or the scenario does not depend on them, and makes the changes that are due after it. Errors: those of a write. */
  async answer(request: AnsweredRequest, report: Report): Promise<void> {
    const matching = this.states.filter((state) => !state.fault && this.#isMatch(state, request))
    const due = matching.filter((state) => {
      const { turn, rewrite, rewriteTotal, remember } = definitions[state.name]
      if ((turn !== undefined || rewrite) && request.ids.length === 0) return false
      if (rewriteTotal && !request.page) return false
      if (remember) state.memory = remember(state.memory, request, this.#host.data)
      if (turn !== undefined && !isTurn(turn, request)) return false
      state.matched += 1
      const { after = 0 } = state.options
      return turn !== undefined && after > 0 && state.matched >= after
    })
    for (const state of due) {
      await makeChange(state, request, this.#host, report)
    }
  }

  #isMatch(state: ActiveScenario, { endpoint, caller }: ScenarioRequest): boolean {
    const { on, memberId = state.memory.memberId } = state.options
    if (on !== undefined && on !== endpoint?.id) return false
    if (!definitions[state.name].isForOneCaller || memberId === caller.id) return true
    if (memberId !== undefined) return false
    state.memory = { ...state.memory, memberId: caller.id }
    return true
  }

  #findBegun(request: ScenarioRequest): readonly ActiveScenario[] {
    return this.states.filter(
      (state) => this.#isMatch(state, request) && state.matched >= (state.options.after ?? 0),
    )
  }

  /** Returns the instant whose data lists still show; undefined if no scenario lets them lag. */
  findNeededPast(states: readonly ActiveScenario[] = this.states): string | undefined {
    const lag = Math.max(0, ...states.map(getLag))
    if (lag === 0) return undefined
    return new Date(Date.parse(this.#host.clock.now()) - lag * 1_000).toISOString()
  }
}

const invalidId = (name: string, id: number, noun: string): SandboxError =>
  invalidField(name, `must be the id of a ${noun} (got ${id})`)

const memorySizes = new WeakMap<ScenarioMemory, number>()

const estimateMemory = (memory: ScenarioMemory): number =>
  getOrCreate(memorySizes, memory, () => JSON.stringify(memory).length)

const getLag = ({ name, options }: ActiveScenario): number => definitions[name].lagSeconds?.(options) ?? 0

function isTurn(turn: Turn, { page, ids }: AnsweredRequest): boolean {
  const isFirst = !page || page.offset === 0
  const isLast = !page || page.offset + ids.length >= page.total
  if (turn === 'first page') return isFirst
  return turn === 'last page' ? isLast : !isLast
}
