import type { VerifyRule } from './verify.ts'
import type { WarningCode } from './warnings.ts'

/** The steps of an order of requests. */
export type Steps = NonNullable<VerifyRule['inOrder']>

/** The options of `toHaveNoWarnings`. */
export interface WarningOptions {
  /** The kinds of warnings to accept. Default: none. @example ['unread_pages'] */
  readonly ignore?: readonly WarningCode[]
}

/** Methods of a journal that check an expectation, at once or later. */
export interface Checks<R> {
  readonly verify: (rule: VerifyRule) => R
  readonly assertNoWarnings: (options?: WarningOptions) => R
}

/** A matcher's check of a journal. */
export interface Expectation {
  readonly check: <R>(journal: Checks<R>) => R
  /** The result of a matcher from the reason why the check fails; undefined if it does not fail. */
  readonly toResult: (failure: string | undefined) => MatcherResult
}

/** The result of a matcher. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

const counts = ['count', 'atLeast', 'atMost', 'never', 'inOrder'] as const

/** Creates the check of `toHaveReceived`. */
export function expectReceived(rule: VerifyRule, isNot: boolean): Expectation {
  if (!isNot || counts.some((name) => rule[name] !== undefined)) {
    return expectNoFailure(({ verify }) => verify(rule), 'Expected a different number of such requests.')
  }
  // With `never`, so that the failure shows the received requests.
  return {
    check: ({ verify }) => verify({ ...rule, never: true }),
    toResult: (found) => ({ pass: found !== undefined, message: () => found ?? '' }),
  }
}

/** Creates the check of `toHaveReceivedInOrder`. */
export function expectOrder(steps: Steps): Expectation {
  return expectNoFailure(
    ({ verify }) => verify({ inOrder: steps }),
    'Expected the requests not to arrive in this order.',
  )
}

/** Creates the check of `toHaveNoWarnings`. */
export function expectNoWarnings(options: WarningOptions | undefined): Expectation {
  return expectNoFailure(
    ({ assertNoWarnings }) => assertNoWarnings(options),
    'Expected a warning, but there were none.',
  )
}

/** @param negated the message of the negated matcher */
function expectNoFailure(check: Expectation['check'], negated: string): Expectation {
  const toResult: Expectation['toResult'] = (failure) => ({
    pass: failure === undefined,
    message: () => failure ?? negated,
  })
  return { check, toResult }
}

/** Returns why an expectation failed. @throws the error, if it is about something else */
export function readFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'Error') return error.message
  throw error
}
