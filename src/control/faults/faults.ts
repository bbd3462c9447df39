import { SandboxError } from '../../contract/errors.ts'
import { didYouMean } from '../../contract/nearest.ts'
import { stopwatch } from '../clock.ts'
import type { Injected } from './inject.ts'
import { type FaultInput, type FaultSettings, MAX_FAULTS, parsedFaults } from './input.ts'
import type { Moment } from './rule.ts'
import { type Draw, type FaultState, isSpent, leftOf, outcomeOf, stateOf } from './state.ts'
import { type FaultableRequest, isTarget } from './target.ts'

/** Units: characters of JSON that all faults of a session may have together. */
const MAX_SIZE = 16 * 1_048_576

/** How many ids a refusal names at most. */
const SHOWN = 20

/** A fault of a session, and what it has done. */
export type Fault = FaultSettings & {
  readonly id: string
  /** How many requests it was asked about while it was not spent. */
  readonly matched: number
  /** How many of them it acted on. */
  readonly injected: number
  /** How many more it acts on; null where there is no end. */
  readonly left: number | null
}

/** The faults of a session, as a test steers them. */
export interface FaultControl {
  /** Adds a fault behind the others. Errors: invalid_request, conflict where there are too many. */
  add(input: FaultInput): Fault
  /** Adds several, or none of them. Errors: as add. */
  addAll(inputs: readonly FaultInput[]): Fault[]
  /** Order: as they were added, which is the order in which they are asked. */
  list(): Fault[]
  /** Errors: not_found. */
  get(id: string): Fault
  /** Takes a fault away, and gives it as it was last. Errors: not_found. */
  remove(id: string): Fault
  /** Takes all away; their ids are not given again. */
  clear(): void
}

/** What the faults were at a moment; undefined where there never was one. */
export type FaultsSnapshot =
  | { readonly states: readonly FaultState[]; readonly count: number; readonly size: number }
  | undefined

/** The faults of one session: asked in order, the first that acts wins. */
export class Faults implements FaultControl {
  readonly #draw: Draw
  #states: readonly FaultState[] = []
  #count = 0
  #size = 0
  /** Whether a snapshot holds the states too, so that they must not change. */
  #isShared = false

  /** @param draw a number from 0 up to 1 that follows from the seed and the key. */
  constructor(draw: Draw) {
    this.#draw = draw
  }

  /** Whether there is nothing to ask. */
  get isEmpty(): boolean {
    return this.#states.length === 0
  }

  /** An estimate of what the faults hold. Units: bytes. */
  get bytes(): number {
    return this.#states.length * 1_000 + this.#size * 2
  }

  add(input: FaultInput): Fault {
    const [fault] = this.append(parsedFaults(input))
    if (!fault) throw new SandboxError('internal_error', 'A fault was added and is not there.')
    return fault
  }

  addAll(inputs: readonly FaultInput[]): Fault[] {
    return this.append(parsedFaults(inputs))
  }

  /** Adds faults that are checked, or none of them. Errors: conflict. */
  append(faults: readonly FaultSettings[]): Fault[] {
    const size = faults.reduce((sum, fault) => sum + JSON.stringify(fault).length, this.#size)
    if (this.#states.length + faults.length > MAX_FAULTS || size > MAX_SIZE) {
      const most = `a session has at most ${MAX_FAULTS} faults, of ${MAX_SIZE} characters`
      throw new SandboxError('conflict', `Cannot add the fault: ${most}. Remove some first.`)
    }
    this.#own()
    const added = faults.map((fault) => stateOf(`fault-${(this.#count += 1)}`, fault))
    this.#states = [...this.#states, ...added]
    this.#size = size
    return added.map(described)
  }

  list(): Fault[] {
    return this.#states.map(described)
  }

  get(id: string): Fault {
    return described(this.#find(id))
  }

  remove(id: string): Fault {
    const found = this.#find(id)
    this.#states = this.#states.filter((state) => state !== found)
    this.#size -= JSON.stringify(found.settings).length
    return described(found)
  }

  clear(): void {
    this.#states = []
    this.#size = 0
    this.#isShared = false
  }

  /**
   * What is to be done to a request; counts it.
   * @param now the session's time; only rate limits read it
   * @param isRunning whether that time passes with the machine's
   */
  take(request: FaultableRequest, now: () => string, isRunning = false): Injected | undefined {
    this.#own()
    const moment = (): Moment => ({ clockMs: Date.parse(now()), realMs: stopwatch(), isRunning })
    const headers: Record<string, string> = {}
    for (const state of this.#states) {
      if (isSpent(state) || !isTarget(state.target, request)) continue
      const outcome = outcomeOf(state, this.#draw, moment)
      if (outcome === 'pass') break
      Object.assign(headers, outcome.headers)
      if (outcome.injected) {
        state.injected += 1
        return { ...outcome.injected, headers: { ...headers, ...outcome.injected.headers } }
      }
    }
    if (Object.keys(headers).length === 0) return undefined
    return { id: undefined, delayMs: 0, step: 'proceed', body: undefined, isStored: false, headers }
  }

  /** What the faults are now; in constant time. */
  snapshot(): FaultsSnapshot {
    if (this.#count === 0) return undefined
    this.#isShared = true
    return { states: this.#states, count: this.#count, size: this.#size }
  }

  /** Back to a snapshot, of any session; in constant time. Undefined: no fault, and ids from the first on. */
  restore(snapshot: FaultsSnapshot): void {
    const { states, count, size } = snapshot ?? { states: [], count: 0, size: 0 }
    this.#count = count
    this.#size = size
    this.#isShared = true
    this.#states = states
  }

  #own(): void {
    if (!this.#isShared) return
    this.#states = this.#states.map((state) => ({ ...state }))
    this.#isShared = false
  }

  #find(id: string): FaultState {
    const found = this.#states.find((state) => state.id === id)
    if (found) return found
    const known = this.#states.slice(-SHOWN).map((state) => state.id)
    const hint = known.length > 0 ? didYouMean(id, known) : 'There is none; POST /_sandbox/faults adds one.'
    throw new SandboxError('not_found', `There is no fault ${id.slice(0, 60)}. ${hint}`)
  }
}

function described(state: FaultState): Fault {
  const { id, settings, matched, injected } = state
  return { id, ...structuredClone(settings), matched, injected, left: leftOf(state) }
}
