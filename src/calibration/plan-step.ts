import type { OperationId } from '../resources/index.ts'
import type { Answer } from './answers.ts'
import type { Seen } from './seen.ts'

/** The values of a path's parameters, and a query. */
export interface PlannedRequest {
  readonly parameters?: Readonly<Record<string, string | number>>
  readonly query?: string
}

/** A step of the plan: one request, or several until one shows what is needed. */
export interface Step {
  readonly operation: OperationId
  /** The request without the tenant's values, like `limit=250`. */
  readonly query: string
  /** The records that the step asks for, if not those of the answers so far. */
  readonly note?: string
  /** The most requests that the step sends. */
  readonly most: number
  /** Chooses the requests from the answers so far. */
  readonly choose: (seen: Seen) => Iterable<PlannedRequest>
  /** Ends the step early. */
  readonly isEnough?: (answer: Answer) => boolean
}
