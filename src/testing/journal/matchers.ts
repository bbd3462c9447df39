import { withCallerErrors } from '../../core/caller-errors.ts'
import { isObject } from '../../core/json.ts'
import { describeWarnings, nameIgnored } from './requests.ts'
import type { VerifyRule } from './verify.ts'
import type { Warning, WarningOptions } from './warnings.ts'

export type Steps = NonNullable<VerifyRule['inOrder']>

/** The rules that a matcher for received requests verifies. */
export interface Expectation {
  readonly rule: VerifyRule
  /** Fails with the received requests, which a negated matcher shows if the rule passes. */
  readonly listing?: VerifyRule | undefined
  /**
   * The result of the matcher.
   * @param failure the reason why the rule fails; undefined if it passes
   * @param received the reason why `listing` fails
   */
  readonly toResult: (failure: string | undefined, received?: string) => MatcherResult
}

export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** Returns the sandbox or session that a matcher is applied to. @throws TypeError for anything else, such as a client */
export function requireHandle<T>(received: T): T {
  const { requests, scenarios }: { readonly requests?: unknown; readonly scenarios?: unknown } =
    Object(received)
  if (isObject(requests) && isObject(scenarios)) return received
  throw new TypeError(
    'This matcher needs a sandbox or a session, as in expect(sandbox); a client or a URL records no requests.',
  )
}

export function expectReceived(rule: VerifyRule, isNot: boolean): Expectation {
  const { count, atLeast, atMost, never, inOrder, ...pattern } = { ...rule }
  // With `never`, so that the failure shows the received requests.
  const listing = { ...pattern, never: true } as const
  if (isNot && [count, atLeast, atMost, never, inOrder].every((value) => value === undefined))
    return { rule: listing, toResult: (text) => ({ pass: text !== undefined, message: () => text ?? '' }) }
  const negated = inOrder
    ? 'Expected the requests not to arrive in this order.'
    : 'Expected a different number of such requests.'
  const toResult: Expectation['toResult'] = (failure, received = '') => ({
    pass: failure === undefined,
    message: () => failure ?? [negated, ...received.split('\n').slice(1)].join('\n'),
  })
  return { rule, listing: isNot ? listing : undefined, toResult }
}

export function checkWarnings(warnings: readonly Warning[], options?: WarningOptions): MatcherResult {
  const failure = withCallerErrors('options', () => describeWarnings(warnings, options))
  const negated = `Expected a warning${nameIgnored(options?.ignore)}, but there was none.`
  return { pass: failure === undefined, message: () => failure ?? negated }
}

/** Returns why an expectation failed. @throws the error, if it is about something else */
export function readFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'Error') return error.message
  throw error
}
