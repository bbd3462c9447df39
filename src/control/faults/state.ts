import type { HeaderFields } from './headers.ts'
import type { Injected } from './inject.ts'
import type { FaultSettings } from './input.ts'
import { profiles } from './profiles.ts'
import { counted, type Moment, type Rule, ruleOf, type Step, type Window } from './rule.ts'
import { resolvedTarget, type Target } from './target.ts'

/** A number from 0 up to 1, 1 excluded, that follows from the seed and a key. */
export type Draw = (key: string) => number

/** A fault at work. */
export interface FaultState {
  readonly id: string
  readonly settings: FaultSettings
  readonly target: Target
  /** One, or those of its profile; the first that acts wins. */
  readonly rules: readonly Rule[]
  /** The number of requests within which it acts for the first time; undefined if chance alone decides. */
  readonly firstWithin: number | undefined
  matched: number
  injected: number
  /** How many steps of its sequence are done. */
  step: number
  window: Window | undefined
}

/** What a fault decides of a request: to let it through before all other faults, or to act, or to add headers only. */
export type Outcome =
  | 'pass'
  | { readonly injected: Injected | undefined; readonly headers: HeaderFields | undefined }

const NOTHING: Outcome = { injected: undefined, headers: undefined }
const ANY: Target = { method: undefined, operationIds: undefined, segments: undefined }

/** A fault that has not done anything yet. */
export function stateOf(id: string, settings: FaultSettings): FaultState {
  const target = resolvedTarget(settings)
  const profile = settings.profile === undefined ? undefined : profiles[settings.profile]
  return {
    id,
    settings,
    target: 'message' in target ? ANY : target,
    rules: (profile?.faults ?? [settings]).map(ruleOf),
    firstWithin: profile?.firstWithin,
    matched: 0,
    injected: 0,
    step: 0,
    window: undefined,
  }
}

/** Says whether a fault has done all that it was to do. */
export function isSpent({ settings, rules, injected, step }: FaultState): boolean {
  if (settings.times !== undefined && injected >= settings.times) return true
  return rules.every(({ isEndless, steps }) => !isEndless && step >= steps.length)
}

/** How often a fault acts yet; null where there is no end. */
export function leftOf({ settings, rules, injected, step }: FaultState): number | null {
  const { times = Infinity } = settings
  const steps = rules.map((rule) =>
    rule.isEndless ? Infinity : rule.steps.slice(step).filter((next) => next !== 'pass').length,
  )
  const left = Math.min(times - injected, Math.max(...steps))
  return left === Infinity ? null : left
}

/** Counts a request that a fault is for, and decides. */
export function outcomeOf(state: FaultState, draw: Draw, now: () => Moment): Outcome {
  state.matched += 1
  if (state.matched <= (state.settings.after ?? 0)) return NOTHING
  const isDue = isFirstDue(state, draw)
  let limitHeaders: HeaderFields | undefined
  for (const [index, rule] of state.rules.entries()) {
    const key = (purpose: string): string => `${state.id} ${index} ${purpose} ${state.matched}`
    const probability = isDue ? shareOf(state.rules, index) : rule.probability
    if (probability < 1 && draw(key('chance')) >= probability) continue
    if (rule.limit) {
      const count = counted(rule.limit, state.window, now())
      state.window = count.window
      limitHeaders = count.headers
      if (!count.isOver) continue
    }
    const step = nextStep(state, rule)
    if (step === 'pass') return 'pass'
    const { min, max } = rule.delayMs
    const delayMs = min === max ? min : min + Math.floor(draw(key('delay')) * (max - min + 1))
    const headers = { ...limitHeaders, ...rule.headers }
    const { body, isStored } = rule
    return { injected: { id: state.id, delayMs, step, body, isStored, headers }, headers: undefined }
  }
  return { injected: undefined, headers: limitHeaders }
}

/** Says whether a fault that has not acted yet has to act on this request; the request is drawn from the seed. */
function isFirstDue({ id, settings, firstWithin, matched, injected }: FaultState, draw: Draw): boolean {
  if (firstWithin === undefined || injected > 0) return false
  const latest = 1 + Math.floor(draw(`${id} first`) * firstWithin)
  return matched - (settings.after ?? 0) === latest
}

/** The probability of a rule among itself and those behind it, so that one of all rules acts for certain. */
function shareOf(rules: readonly Rule[], index: number): number {
  const [first, ...others] = rules.slice(index).map(({ probability }) => probability)
  return first === undefined ? 0 : first / others.reduce((sum, probability) => sum + probability, first)
}

function nextStep(state: FaultState, { steps, isEndless }: Rule): Step {
  const step = steps[state.step % steps.length] ?? 'pass'
  if (steps.length > 1 || !isEndless) state.step += 1
  return step
}
