import type { Result } from '../../core/caller-errors.ts'
import { parseInput } from '../../core/issues.ts'
import type { Coverage } from './coverage.ts'
import type { Har } from './har.ts'
import type { RequestFilter } from './pattern.ts'
import type { VerifyRule } from './verify.ts'
import type { JournalEntry, RequestSummary } from './view.ts'
import { type Warning, type WarningCode, WarningOptions } from './warnings.ts'

/** The requests that a session has answered, in this process or in another one, which takes a promise for each result. */
export interface RequestControl<Remote extends boolean> {
  /**
   * Lists the requests that match a filter, or all requests.
   * Order: by id ascending. Errors: invalid_request.
   * @example sandbox.requests.list({ operationId: 'listCustomers', status: '5xx' })
   */
  list(filter?: Filter<Remote>): Result<Remote, JournalEntry[]>
  /**
   * Removes all requests and warnings.
   * @example sandbox.requests.clear()
   */
  clear(): Result<Remote, void>
  /**
   * Verifies the number of matching requests (by default at least one), or their order.
   * Errors: an Error that shows the most similar requests and how they differ; invalid_request for an invalid rule.
   * @example sandbox.requests.verify({ operationId: 'createCustomerNote', caller: 1, count: 1 })
   */
  verify(rule: VerifyRule): Result<Remote, void>
  /**
   * Lists warnings about wasteful or mistaken requests. Those that follow from several requests are found when you read them.
   * Order: by kind, those of single requests first; then by request.
   * @example sandbox.requests.warnings().map(({ code }) => code)
   */
  warnings(): Result<Remote, Warning[]>
  /**
   * Throws if there are warnings, except those with a code in `ignore`.
   * Errors: an Error that lists the warnings; invalid_request for an unknown code.
   * @example sandbox.requests.assertNoWarnings({ ignore: ['unread_pages'] })
   */
  assertNoWarnings(options?: WarningOptions): Result<Remote, void>
  /**
   * Counts the requests since the reset by operation and status, also those that are not kept, and lists the documented and
   * assumed statuses that no answer has had. Order: of the operations in the service's document.
   * @example sandbox.requests.coverage().operations.filter(({ requests }) => requests === 0)
   */
  coverage(): Result<Remote, Coverage>
  /**
   * Exports the requests as an HTTP archive (HAR 1.2), which Playwright's `routeFromHAR` replays.
   * Errors: as list.
   * @example await writeFile('requests.har', JSON.stringify(sandbox.requests.har()))
   */
  har(filter?: Filter<Remote>): Result<Remote, Har>
}

/** A query and a body are compared in process only. */
type Filter<Remote extends boolean> = Remote extends true
  ? Omit<RequestFilter, 'query' | 'body'>
  : RequestFilter

/** The requests that a session of this process has answered. */
export interface Requests extends RequestControl<false> {
  /**
   * Calls a function with each request once it is answered, with the warnings that follow from it alone. Returns a function
   * that ends the subscription.
   * @example const stop = sandbox.requests.subscribe(({ method, path, status }) => log(method, path, status))
   */
  subscribe(listener: (request: RequestSummary) => void): () => void
}

/** @throws Error that lists the warnings that are not ignored, if there are any */
export function rejectWarnings(warnings: readonly Warning[], options: unknown = {}): void {
  const { ignore = [] } = parseInput(WarningOptions, options)
  const rest = warnings.filter(({ code }) => !ignore.includes(code))
  if (rest.length === 0) return
  const lines = rest.map((warning) => `  ${describeWarning(warning)}`)
  throw new Error([`Expected no warnings${nameIgnored(ignore)}, found ${rest.length}:`, ...lines].join('\n'))
}

/** Names the codes that are ignored, as in ` other than unread_pages`. */
export const nameIgnored = (codes: readonly WarningCode[] = []): string =>
  codes.length === 0 ? '' : ` other than ${codes.join(' and ')}`

export const describeWarning = ({ code, message, requestIds }: Warning): string =>
  `${code}: ${message} (request ${requestIds.join(', ')})`
