// Generated from the schemas by `npm run tables`.

import type { PartialSettings } from '../contract/settings.ts'
import type { FaultInput } from '../faults/fault.ts'

/** The options of a new session. */
export interface SessionFields {
  /**
   * The id that requests name the session by: 1 to 64 letters, digits, dots, dashes or underscores. Default: `session-1` and so on.
   * @example 'checkout'
   */
  readonly id?: string | undefined
  /**
   * A name for people, up to 200 characters. Default: none.
   * @example 'Checkout fails'
   */
  readonly name?: string | undefined
  /**
   * The time at which the clock starts, in UTC. Default: the dataset's `now`.
   * @example '2026-03-01T09:00:00Z'
   */
  readonly now?: string | undefined
  /**
   * The id of the session to copy, without its journal. Default: the session starts from the dataset.
   * @example 'default'
   */
  readonly from?: string | undefined
  /**
   * Overrides of assumptions: facts that you know about the real service, by name. Default: those of the sandbox.
   * @example { errorFormat: 'message' }
   */
  readonly assumptions?: PartialSettings | undefined
  /**
   * A fault, or a list of faults, that are active from the start. Default: none.
   * @example [{ operationId: 'listCustomers', status: 503, times: 1 }]
   */
  readonly faults?: FaultInput | readonly FaultInput[] | undefined
}
