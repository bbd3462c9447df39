import { withCallerErrors } from '../../core/caller-errors.ts'
import { isObject } from '../../core/json.ts'
import { describeWarnings, nameIgnored } from './requests.ts'
import type { VerifyRule } from './verify.ts'
import type { Warning, WarningOptions } from './warnings.ts'

export type Steps = NonNullable<VerifyRule['inOrder']>

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

/** Returns the rules that a matcher for received requests verifies, and its result from why they fail. */
export function expectReceived(rule: VerifyRule, isNot: boolean) {
  const { count, atLeast, atMost, never, inOrder, ...pattern } = { ...rule }
  const isCounted = [count, atLeast, atMost, never, inOrder].some((value) => value !== undefined)
  const negated = inOrder
    ? 'Expected the requests not to arrive in this order.'
    : 'Expected a different number of such requests.'
  return {
    // With `never`, the failure shows the received requests.
    rules: isNot ? [rule, { ...pattern, never: true } as const] : [rule],
    toResult: ([failure, received = '']: readonly (string | undefined)[]): MatcherResult => {
      const listing = isCounted ? [negated, ...received.split('\n').slice(1)].join('\n') : received
      return { pass: failure === undefined, message: () => failure ?? listing }
    },
  }
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
