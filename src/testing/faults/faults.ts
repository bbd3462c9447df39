import type { Result } from '../../core/caller-errors.ts'
import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { ActiveStates, type StatesSnapshot } from '../active-states.ts'
import { matchesTarget, type TargetedRequest } from '../request-target.ts'
import { countLeft, decide, type Draw, type FaultClock, type ActiveFault, isSpent } from './decide.ts'
import { type Fault, FaultInput, FaultList, type FaultSettings, MAX_FAULTS } from './fault.ts'
import { Gates } from './gates.ts'
import type { Injection } from './inject.ts'

/** Units: characters of JSON of all faults of a session. */
const MAX_SIZE = 16 * 1_048_576

export interface FaultControl<Remote extends boolean = false> {
  /**
   * Adds a fault after the others; the first that acts on a request wins.
   * @throws SandboxError `invalid_request`; `conflict` if there are too many
   * @example session.faults.add({ operationId: 'listCustomers', status: 503, times: 2 })
   */
  add(fault: FaultInput): Result<Remote, Fault>
  /**
   * Adds several faults, or none if one is invalid.
   * @throws SandboxError as `add`
   * @example session.faults.addAll([{ status: 503, times: 1 }, { delayMs: 2_000 }])
   */
  addAll(faults: readonly FaultInput[]): Result<Remote, Fault[]>
  /** Lists the faults with their counts. Order: as added. @example expect(session.faults.list()).toMatchObject([{ injected: 1 }]) */
  list(): Result<Remote, Fault[]>
  /** Finds a fault by its id. @throws SandboxError `not_found` @example session.faults.get('fault-1').injected */
  get(id: string): Result<Remote, Fault>
  /** Removes a fault, and releases the requests that it holds; in process, returns it. @throws SandboxError `not_found` @example session.faults.remove('fault-1') */
  remove(id: string): Remote extends true ? Promise<void> : Fault
  /** Removes all faults and releases the requests that they hold; their ids are not used again. @example session.faults.clear() */
  clear(): Result<Remote, void>
}

export type FaultsSnapshot = StatesSnapshot<ActiveFault>

export class Faults extends ActiveStates<ActiveFault, Fault> implements FaultControl {
  readonly gates: Gates = new Gates(() =>
    this.states.flatMap(({ settings }) => (settings.gate ? [settings.operationId] : [])),
  )
  readonly #draw: Draw
  protected readonly copy = (state: ActiveFault): ActiveFault => ({ ...state })
  protected readonly describe = (state: ActiveFault): Fault => {
    const { id, settings, matched, injected } = state
    return { id, ...structuredClone(settings), matched, injected, left: countLeft(state) }
  }

  constructor(draw: Draw) {
    super('fault')
    this.#draw = draw
  }

  get bytes(): number {
    return this.states.length * 1_000 + sumSizes(this.states) * 2
  }

  add(input: FaultInput): Fault {
    const id = this.nextId()
    this.append([parseInput(FaultInput, input)])
    return this.get(id)
  }

  addAll(inputs: readonly FaultInput[]): Fault[] {
    return this.append(parseInput(FaultList, inputs))
  }

  append(faults: readonly FaultSettings[], place: 'first' | 'last' = 'last'): Fault[] {
    const added = faults.map((fault, at) => createState(this.nextId(at), fault))
    const states = place === 'first' ? [...added, ...this.states] : [...this.states, ...added]
    if (states.length > MAX_FAULTS || sumSizes(states) > MAX_SIZE) {
      const limit = `a session can have at most ${MAX_FAULTS} faults, with ${MAX_SIZE} characters in total`
      throw new SandboxError('conflict', `Cannot add the fault: ${limit}. Remove some first.`)
    }
    this.replace(states, added.length)
    return added.map(this.describe)
  }

  /** Releases the requests that removed faults hold, and ends the waits for requests that no fault holds any more. */
  protected override replace(states: readonly ActiveFault[], added?: number): void {
    const removed = this.states.filter((state) => state.settings.gate && !states.includes(state))
    super.replace(states, added)
    for (const { id } of removed) this.gates.releaseAll({}, id)
    if (removed.length > 0) this.gates.endWaits()
  }

  /**
   * Decides what happens to a request: the first fault that acts on it wins, and rate limits before it add their headers.
   * @param carried the faults of scenarios, which come first
   */
  decide(
    request: TargetedRequest,
    clock: FaultClock,
    carried: readonly ActiveFault[] = [],
  ): Injection | undefined {
    const headers: Record<string, string> = {}
    for (const state of [...carried, ...this.states]) {
      if (isSpent(state) || !matchesTarget(state.settings, request)) continue
      const injection = decide(state, this.#draw, clock)
      if (injection === 'pass') break
      Object.assign(headers, injection?.headers)
      if (injection?.id === undefined) continue
      state.injected += 1
      return { ...injection, headers }
    }
    return Object.keys(headers).length === 0 ? undefined : { step: 'proceed', headers }
  }

  override restore(snapshot: FaultsSnapshot): void {
    this.gates.interrupt('the session was reset or restored while the request was held')
    super.restore(snapshot)
  }
}

const sumSizes = (states: readonly ActiveFault[]): number => states.reduce((sum, { size }) => sum + size, 0)

export function createState(id: string, settings: FaultSettings): ActiveFault {
  const { length: size } = JSON.stringify(settings)
  return { id, settings, size, matched: 0, injected: 0, step: 0, window: undefined }
}
