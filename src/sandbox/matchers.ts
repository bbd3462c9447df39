import * as z from 'zod'

import { withCallerErrors } from '../core/caller-errors.ts'
import { parseInput } from '../core/issues.ts'
import { isObject } from '../core/json.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { indent, pluralize } from '../core/words.ts'
import type { Copies, VerdictOptions } from '../lab/sync/verdict.ts'
import { nameIgnored, type RequestControl } from '../testing/journal/requests.ts'
import type { VerifyRule } from '../testing/journal/verify.ts'
import { type JournalEntry, nameEntry } from '../testing/journal/view.ts'
import type { WarningOptions } from '../testing/journal/warnings.ts'
import type { ChangeFilter, WrittenChange } from '../testing/records/types.ts'
import type { ScenarioName } from '../testing/scenarios/definitions.ts'
import { Scenario } from '../testing/scenarios/scenario.ts'
import { checkChanged, type ExpectedChange } from './expected-changes.ts'
import type { CommonControl, SessionControl } from './session-handle.ts'

/** Matchers for a sandbox or a session. */
export interface CommonMatchers<R> {
  /** Expects at least one matching request, or the number given by `count`, `atLeast` or `atMost`. @example expect(sandbox).toHaveReceived({ operationId: 'listCustomers', count: 1 }) */
  toHaveReceived(rule: VerifyRule): R
  /** Expects matching requests in this order; others may come between. @example expect(sandbox).toHaveReceivedInOrder([{ operationId: 'listCustomers' }, { method: 'POST' }]) */
  toHaveReceivedInOrder(steps: Steps): R
  /** Expects requests without warnings. @example expect(sandbox).toHaveNoWarnings({ ignore: ['unread_pages'] }) */
  toHaveNoWarnings(options?: WarningOptions): R
  /** Expects that a scenario has acted at least once, or this number of times. @example expect(sandbox).toHaveActed('page-drift') */
  toHaveActed(name: ScenarioName, times?: number): R
  /**
   * Expects that exactly these records were changed, since the session was opened, reset or restored, or since a request
   * or an instant, by anybody or by one author.
   * @example expect(sandbox).toHaveChanged([{ created: 'notes', where: { customerId: 7 } }], { by: 'service' })
   */
  toHaveChanged(expected: readonly ExpectedChange[], filter?: ChangeFilter): R
  /** Expects that the copy of a client is correct; without a copy, what was delivered. @example await expect(sandbox).toHaveSynced({ customers: rows }) */
  toHaveSynced(copies?: Copies, options?: VerdictOptions): Promise<void>
}

type Steps = NonNullable<VerifyRule['inOrder']>

export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** A result at once in process, and later over HTTP. */
type Soon<T> = T | Promise<T>

/** A sandbox or a session, in this process or another one. */
type Tested = SessionControl | (CommonControl<true> & { readonly requests: RequestControl<true> })

/**
 * Creates the matchers of a test runner.
 * @param readChanges reads the written changes that a filter selects
 * @param run checks once, or until the result is the expected one
 */
export function createMatchers<T extends Tested, S extends { readonly isNot: boolean }>(
  readChanges: (tested: T, filter: ChangeFilter) => Soon<readonly WrittenChange[]>,
  run: (check: () => Soon<MatcherResult>, state: S) => Soon<MatcherResult>,
): Record<string, (this: S, received: T, ...args: readonly unknown[]) => Soon<MatcherResult>> {
  const matchers: {
    readonly [Name in keyof CommonMatchers<void>]: (
      tested: T,
      isNot: boolean,
      ...args: Parameters<CommonMatchers<void>[Name]>
    ) => Soon<MatcherResult>
  } = {
    toHaveReceived: checkReceived,
    toHaveReceivedInOrder: (tested, isNot, steps = []) => checkReceived(tested, isNot, { inOrder: steps }),
    toHaveNoWarnings: ({ requests }, _, options) =>
      use([findFailure(() => requests.assertNoWarnings(options))], (failure) => {
        const negated = `Expected a warning${nameIgnored(options?.ignore)}, but there was none.`
        return { pass: failure === undefined, message: () => failure ?? negated }
      }),
    toHaveActed: ({ scenarios, requests }, isNot, name, times) =>
      use([scenarios.list(), requests.list()], (played, received) =>
        checkActed({ name, times, isNot }, played, received),
      ),
    toHaveChanged: (tested, isNot, expected, filter = {}) =>
      use([readChanges(tested, filter)], (changes) => checkChanged(changes, expected, filter, isNot)),
    toHaveSynced: ({ sync }, _, copies, options) =>
      use([sync.verdict(copies, options)], ({ correct, text }) => ({
        pass: correct,
        message: () => (correct ? `Expected a copy that is not correct.\n${text}` : text),
      })),
  }
  const create = (match: (tested: T, isNot: boolean, ...args: never[]) => Soon<MatcherResult>) =>
    function matcher(this: S, received: T, ...args: readonly unknown[]): Soon<MatcherResult> {
      rejectOthers(received)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the declarations of the runner check the arguments
      return run(() => match(received, this.isNot, ...(args as never[])), this)
    }
  return Object.fromEntries(Object.entries(matchers).map(([name, match]) => [name, create(match)]))
}

/** @throws TypeError for what is neither a sandbox nor a session, such as a client */
function rejectOthers(received: unknown): void {
  const { requests, scenarios }: { readonly requests?: unknown; readonly scenarios?: unknown } =
    Object(received)
  if (isObject(requests) && isObject(scenarios)) return
  throw new TypeError(
    'This matcher needs a sandbox or a session, as in expect(sandbox); a client or a URL records no requests.',
  )
}

/** Uses results at once, or once all are there. */
function use<A extends readonly unknown[], R>(
  results: readonly [...A],
  check: (...results: { [I in keyof A]: Awaited<A[I]> }) => R,
): Soon<R> {
  if (results.some((one) => one instanceof Promise)) return Promise.all(results).then((all) => check(...all))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- none is a promise
  return check(...(results as { [I in keyof A]: Awaited<A[I]> }))
}

/** Returns why an expectation fails; undefined if it holds. @throws the error, if it is about something else */
function findFailure(expectation: () => Soon<void>): Soon<string | undefined> {
  try {
    return expectation()?.then(() => undefined, readFailure)
  } catch (error) {
    return readFailure(error)
  }
}

function readFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'Error') return error.message
  throw error
}

function checkReceived({ requests }: Tested, isNot: boolean, rule: VerifyRule): Soon<MatcherResult> {
  const { count, atLeast, atMost, never, inOrder, ...pattern } = { ...rule }
  const isCounted = [count, atLeast, atMost, never, inOrder].some((value) => value !== undefined)
  const negated = inOrder
    ? 'Expected the requests not to arrive in this order.'
    : 'Expected a different number of such requests.'
  // With `never`, the failure shows the received requests.
  const rules: readonly VerifyRule[] = isNot ? [rule, { ...pattern, never: true }] : [rule]
  const failures = rules.map((one) => findFailure(() => requests.verify(one)))
  return use(failures, (failure, received = '') => {
    const listing = isCounted ? [negated, ...received.split('\n').slice(1)].join('\n') : received
    return { pass: failure === undefined, message: () => failure ?? listing }
  })
}

/** The most requests that a message lists. */
const MAX_SHOWN = 20

const ExpectedAct = lazyObject(() => ({
  name: Scenario.shape.name,
  times: z.int('must be a whole number').nonnegative('must be 0 or more').optional(),
}))

function checkActed(
  expected: { readonly name: ScenarioName; readonly times?: number | undefined; readonly isNot: boolean },
  scenarios: readonly Scenario[],
  requests: readonly JournalEntry[],
): MatcherResult {
  const { name, times } = withCallerErrors('argument', () => parseInput(ExpectedAct, expected))
  const acted = scenarios.reduce((sum, scenario) => sum + (scenario.name === name ? scenario.acted : 0), 0)
  const wanted = times === undefined ? 'at least once' : pluralize(times, 'time')
  const lines = [
    `${name}: expected ${expected.isNot ? 'not ' : ''}to act ${wanted}, acted ${pluralize(acted, 'time')}.`,
    ...(scenarios.length > 0 ? ['Scenarios:', ...indent(describeScenarios(scenarios))] : ['No scenarios.']),
    ...(requests.length > 0
      ? ['Latest requests:', ...indent(describeRequests(requests.slice(-MAX_SHOWN)))]
      : ['No requests.']),
  ]
  return { pass: times === undefined ? acted > 0 : acted === times, message: () => lines.join('\n') }
}

export function describeScenarios(scenarios: readonly Scenario[]): string[] {
  return scenarios.map(
    ({ id, name, on, matched, acted }) =>
      `${id} ${name}${on === undefined ? '' : ` on ${on}`}: matched ${pluralize(matched, 'time')}, acted ${pluralize(acted, 'time')}`,
  )
}

export function describeRequests(requests: readonly JournalEntry[]): string[] {
  return requests.map((request) => {
    const { status, fault, scenarios = [] } = request
    const did = scenarios.map((scenario) => `${scenario.name}: ${scenario.did}`)
    const notes = [...(fault === undefined ? [] : [fault]), ...did].map((note) => `(${note})`)
    return [nameEntry(request), '->', status, ...notes].join(' ')
  })
}
