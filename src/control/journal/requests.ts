import { invalidRequest } from '../../contract/errors.ts'
import { bodyErrors } from '../../contract/issues.ts'
import { inProcess } from '../in-process.ts'
import type { AssumptionReport } from './assumptions-report.ts'
import { EMPTIED } from './events.ts'
import { found, parsedFilter, type RequestFilter } from './filter.ts'
import { type Har, harOf } from './har.ts'
import type { Journal } from './journal.ts'
import { judged, ruleKeys, VerifyRule } from './verify.ts'
import { type JournalEntry, type RequestSummary, summaryOf, viewOf } from './view.ts'
import type { Warning, WarningCode } from './warnings.ts'

/** The requests that a session has answered: read, verified, watched. */
export interface Requests {
  /** The requests that a filter lets through; all without. Order: by id ascending. Errors: invalid_request. */
  list(filter?: RequestFilter): JournalEntry[]
  /** Forgets every request and warning. */
  clear(): void
  /**
   * Expects requests: how many of a kind, or an order; at least one where nothing is said of the number.
   * Errors: an Error whose message shows the nearest requests, and in what each differs; invalid_request for a wrong rule.
   */
  verify(rule: VerifyRule): void
  /** What a careful reviewer would say of the requests so far. Order: as found. */
  warnings(): Warning[]
  /** Which assumptions the requests rest on, and how many rest on documented rules only. */
  assumptions(): AssumptionReport
  /** Errors: an Error that lists the warnings; those with the codes in `ignore` are let through. */
  assertNoWarnings(options?: { readonly ignore?: readonly WarningCode[] }): void
  /** The requests as an HTTP archive, HAR 1.2, which Playwright's `routeFromHAR` replays. Errors: as list. */
  har(filter?: RequestFilter): Har
  /** Calls a function with each request once it is answered, and again when its warnings change; gives a function that ends it. */
  subscribe(listener: (request: RequestSummary) => void): () => void
}

/** A journal as tests see it. The journal is looked up at each call, so that nothing is made before it is needed. */
export function requestsOf(journal: () => Journal): Omit<Requests, 'assumptions'> {
  const foundBy = (filter: RequestFilter) => found(journal(), parsedFilter(filter)).entries
  return {
    list: (filter = {}) =>
      inProcess('filter', () => foundBy(filter).map((entry) => viewOf(entry, journal().session))),
    clear: () => journal().clear(),
    verify: (rule) => {
      const parsed = inProcess('rule', () => parsedRule(rule))
      const { passed, message } = judged(journal(), parsed)
      if (!passed) throw new Error(message)
    },
    warnings: () => journal().warnings(),
    assertNoWarnings: ({ ignore = [] } = {}) => {
      const left = journal()
        .warnings()
        .filter(({ code }) => !ignore.includes(code))
      if (left.length > 0) throw new Error(warningsText(left))
    },
    har: (filter = {}) => inProcess('filter', () => harOf(foundBy(filter))),
    subscribe: (listener) => subscribed(journal(), listener),
  }
}

/** A rule as it may be used. Errors: invalid_request that names each field, with the nearest known one. */
function parsedRule(rule: VerifyRule) {
  const parsed = VerifyRule.safeParse(rule)
  if (parsed.success) return parsed.data
  throw invalidRequest(bodyErrors(parsed.error.issues, ruleKeys))
}

function warningsText(warnings: readonly Warning[]): string {
  const lines = warnings.map(
    ({ code, message, requestIds }) => `  ${code}: ${message} (request ${requestIds.join(', ')})`,
  )
  return [`Expected no warnings, found ${warnings.length}:`, ...lines].join('\n')
}

function subscribed(journal: Journal, listener: (request: RequestSummary) => void): () => void {
  return journal.events.listen((id) => {
    const entry = id === EMPTIED ? undefined : journal.get(id)
    if (!entry) return
    try {
      listener(summaryOf(entry, journal.session))
    } catch (error) {
      // The listener's failure is not the request's.
      queueMicrotask(() => {
        throw error
      })
    }
  })
}
