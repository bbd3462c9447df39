// Generated from the schemas by `npm run tables`.

import type { OperationId } from '../../service/index.ts'
import type { ScenarioName } from './definitions.ts'

/** A scenario to play, with its options. */
export interface ScenarioFields {
  /** The scenario. @example 'page-drift' */
  readonly name: ScenarioName
  /** The operation whose requests count and are acted on. @example 'listCustomers' */
  readonly on?: OperationId | undefined
  /** The number of matching requests that are answered before the scenario acts. @example 2 */
  readonly after?: number | undefined
  /** How often the scenario acts. @example 3 */
  readonly times?: number | undefined
  /** The number of records that it acts on. @example 5 */
  readonly count?: number | undefined
  /** The customer that it acts on. Default: one that the request concerns. @example 7 */
  readonly customerId?: number | undefined
  /** The member that it acts on. Default: the caller; for `member-leaves`, one with a role on a customer that the request concerns. @example 2 */
  readonly memberId?: number | undefined
  /** The time that passes, or by which lists lag, on the clock of the session. @example 30 */
  readonly seconds?: number | undefined
  /** The lifetime of a token on the clock of the session; with it, `requests` does not count. Default: no limit. @example 30 */
  readonly minutes?: number | undefined
  /** The number of requests that a token, or a day, allows. @example 100 */
  readonly requests?: number | undefined
  /**
   * The records that it acts on: `customers`, or `meetings`, `signals` or `notes` of a customer; for `page-drift` also `briefContents`, `triggerLogs` or `actionLogs`; for `extra-field`, any collection.
   * @example 'signals'
   */
  readonly collection?: string | undefined
  /**
   * The field that gets a value: for `new-enum-value` one of `signals.status`, `customers.segment`, `customers.products.status`, `triggerLogs.status`; for `extra-field` a new name; for `child-only-change` only `transcript`.
   * @example 'lifecycleStage'
   */
  readonly field?: string | undefined
  /** The value that the service sends. @example 'paused' */
  readonly value?: string | undefined
  /** The changes that lists show late: `all`, or `alternate`, the first, the third and so on, so that a later change shows before an earlier one. @example 'alternate' */
  readonly lag?: 'all' | 'alternate' | undefined
  /** Whether `totalCount` is too low or too high, by `count`. @example 'high' */
  readonly total?: 'low' | 'high' | undefined
  /** The scope of customers that the member still sees. @example 'mine' */
  readonly scope?: 'team' | 'mine' | undefined
}
