// Generated from the schemas by `npm run tables`.

import type { PartialSettings } from '../contract/settings.ts'
import type { FaultInput } from '../testing/faults/fault.ts'

/** The options of a new session. */
export interface SessionFields {
  /** The id, which is part of the base URL. Default: a generated one. @example 'checkout-test' */
  readonly id?: string | undefined
  /** A name for people, shown in the console. Default: none. @example 'Checkout, happy path' */
  readonly name?: string | undefined
  /** The time of the session’s clock. Default: that of the dataset. @example '2026-03-01T09:00Z' */
  readonly now?: string | undefined
  /** Whether the data changes as the time of the session passes. Default: as in the dataset. @example 'living' */
  readonly future?: 'still' | 'living' | undefined
  /**
   * The id of a session whose changes, clock, faults, scenarios and assumptions are copied; `default` is the default session. Default: none, so that the session starts from the dataset.
   * @example 'template'
   */
  readonly from?: string | undefined
  /** Overrides of assumptions, by name. Default: those of the server. @example { team: 'branch' } */
  readonly assumptions?: PartialSettings | undefined
  /** A fault or a list of faults that are active from the start. Default: none. @example [{ operationId: 'listCustomers', status: 503, times: 1 }] */
  readonly faults?: FaultInput | readonly FaultInput[] | undefined
}
