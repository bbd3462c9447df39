import { isObject } from '../../core/json.ts'
import type { VerifyRule } from './verify.ts'
import type { WarningCode, WarningOptions } from './warnings.ts'

export type Steps = NonNullable<VerifyRule['inOrder']>

/** Methods of a journal that check an expectation, at once or later. */
export interface Checks<R> {
  readonly verify: (rule: VerifyRule) => R
  readonly assertNoWarnings: (options?: WarningOptions) => R
}

export interface Expectation {
  readonly check: <R>(journal: Checks<R>) => R
  /** Fails with the requests that a negated matcher shows if the check does not fail; undefined if it shows none. */
  readonly reveal?: Expectation['check'] | undefined
  /**
   * The result of a matcher from the reason why the check fails; undefined if it does not fail.
   * @param revealed the reason why `reveal` fails
   */
  readonly toResult: (failure: string | undefined, revealed?: string) => MatcherResult
}

export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** Returns the sandbox or session that a matcher is applied to. @throws TypeError for anything else, such as a client */
export function requireSession<T>(received: T): T {
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
  const reveal: Expectation['check'] = ({ verify }) => verify({ ...pattern, never: true })
  if (!isNot || [count, atLeast, atMost, never, inOrder].some((value) => value !== undefined)) {
    const negated = inOrder
      ? 'Expected the requests not to arrive in this order.'
      : 'Expected a different number of such requests.'
    return expectNoFailure(({ verify }) => verify(rule), negated, isNot ? reveal : undefined)
  }
  return { check: reveal, toResult: (text) => ({ pass: text !== undefined, message: () => text ?? '' }) }
}

export function expectOrder(steps: Steps, isNot: boolean): Expectation {
  return expectReceived({ inOrder: steps }, isNot)
}

export function expectNoWarnings(options: WarningOptions | undefined): Expectation {
  return expectNoFailure(
    ({ assertNoWarnings }) => assertNoWarnings(options),
    `Expected a warning${nameIgnored(options?.ignore)}, but there was none.`,
  )
}

/** Names the codes that an expectation ignores, as in ` other than unread_pages`. */
export const nameIgnored = (codes: readonly WarningCode[] = []): string =>
  codes.length === 0 ? '' : ` other than ${codes.join(' and ')}`

function expectNoFailure(
  check: Expectation['check'],
  negated: string,
  reveal?: Expectation['check'],
): Expectation {
  const toResult: Expectation['toResult'] = (failure, revealed = '') => ({
    pass: failure === undefined,
    message: () => failure ?? [negated, ...revealed.split('\n').slice(1)].join('\n'),
  })
  return { check, reveal, toResult }
}

/** Returns why an expectation failed. @throws the error, if it is about something else */
export function readFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'Error') return error.message
  throw error
}
