import * as z from 'zod'

import { between, recordId, utcDateTime, zeroOrMore } from '../../contract/fields.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { ChangeList } from '../../store/change.ts'
import { OperationName } from '../request-target.ts'

const text = z.string().min(1).max(100)

export const ScenarioOptions = lazyStrictObject(() => ({
  on: OperationName.optional().describe(
    'The operation whose requests count and are acted on. Example: `listCustomers`.',
  ),
  after: between(0, 1_000_000)
    .optional()
    .describe('The number of matching requests that are answered before the scenario acts. Example: `2`.'),
  times: between(1, 1_000_000).optional().describe('How often the scenario acts. Example: `3`.'),
  count: between(1, 10_000).optional().describe('The number of records that it acts on. Example: `5`.'),
  customerId: recordId
    .optional()
    .describe('The customer that it acts on. Default: one that the request concerns. Example: `7`.'),
  memberId: recordId
    .optional()
    .describe(
      'The member that it acts on. Default: the caller; for `member-leaves`, one with a role on a customer that the request concerns. Example: `2`.',
    ),
  seconds: between(1, 86_400)
    .optional()
    .describe('The time that passes, or by which lists lag, on the clock of the session. Example: `30`.'),
  minutes: between(1, 525_600)
    .optional()
    .describe(
      'The lifetime of a token on the clock of the session; with it, `requests` does not count. Default: no limit. Example: `30`.',
    ),
  requests: between(1, 1_000_000)
    .optional()
    .describe('The number of requests that a token, or a day, allows. Example: `100`.'),
  collection: text
    .optional()
    .describe(
      'The records that it acts on: `customers`, or `meetings`, `signals` or `notes` of a customer; for `page-drift` also `briefContents`, `triggerLogs` or `actionLogs`; for `extra-field`, any collection. Example: `signals`.',
    ),
  field: text
    .optional()
    .describe(
      'The field that gets a value: for `new-enum-value` one of `signals.status`, `customers.segment`, `triggerLogs.status`; for `extra-field` a new name; for `child-only-change` only `transcript`. Example: `lifecycleStage`.',
    ),
  value: text.optional().describe('The value that the service sends. Example: `paused`.'),
  lag: z
    .enum(['all', 'alternate'])
    .optional()
    .describe(
      'The changes that lists show late: `all`, or `alternate`, the first, the third and so on, so that a later change shows before an earlier one. Example: `alternate`.',
    ),
  total: z
    .enum(['low', 'high'])
    .optional()
    .describe('Whether `totalCount` is too low or too high, by `count`. Example: `high`.'),
  scope: z
    .enum(['team', 'mine'])
    .optional()
    .describe('The scope of customers that the member still sees. Example: `mine`.'),
}))
export type ScenarioOptions = Readonly<z.output<typeof ScenarioOptions>>

export type OptionName = keyof ScenarioOptions

export const ScenarioMemory = lazyStrictObject(() => ({
  memberId: zeroOrMore.optional(),
  ids: z.array(zeroOrMore).readonly().optional(),
  startedAt: utcDateTime.optional(),
  greatest: utcDateTime.optional(),
  /** The records that the scenario is going to restore; without a row, as the dataset has them. */
  removed: ChangeList.readonly().optional(),
  tokens: z
    .record(
      z.string().regex(/^\d{1,16}$/),
      z.strictObject({ renewals: zeroOrMore, used: zeroOrMore, sinceMs: z.number() }),
    )
    .optional(),
}))
export type ScenarioMemory = Readonly<z.output<typeof ScenarioMemory>>
