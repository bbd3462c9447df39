import * as z from 'zod'

import type { Settings } from '../../contract/choices.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { getContract, listErrorCodes, TOO_MANY_REQUESTS, toStatus } from '../../service/contract.ts'
import type { Outcome } from './recorded-request.ts'

const count = z.int()

/** The operations of the service, and those of their statuses that requests have met. */
export const Coverage = lazyObject(() => ({
  operations: z.array(
    z.object({
      operationId: z.string(),
      requests: count,
      statuses: z
        .record(z.string(), count)
        .describe('The number of answers by their status, or by the way in which they were interrupted'),
      untried: z
        .array(count)
        .describe('The documented and assumed statuses that no answer has had, ascending'),
    }),
  ),
  tried: count.describe('The number of operations with a request'),
  of: count.describe('The number of operations'),
})).meta({
  id: 'Coverage',
  example: {
    operations: [
      { operationId: 'getCurrentMember', requests: 2, statuses: { 200: 1, 401: 1 }, untried: [429] },
      { operationId: 'listMembers', requests: 0, statuses: {}, untried: [200, 400, 401, 403, 429] },
    ],
    tried: 1,
    of: 22,
  },
})
/** The operations and statuses that requests have tried. */
export interface Coverage extends z.infer<typeof Coverage> {}

/** The numbers of answers by operation and status. */
export type AnswerCounts = Map<string, Map<Outcome, number>>

export function createCoverage(counts: AnswerCounts, settings: Settings): Coverage {
  const operations = getContract(settings).operations.map((operation) => {
    const statuses = counts.get(operation.id) ?? new Map<Outcome, number>()
    const errors = listErrorCodes(operation, settings).map((code) => toStatus(code, settings))
    const known = [operation.status, ...errors, TOO_MANY_REQUESTS].toSorted((a, b) => a - b)
    return {
      operationId: operation.id,
      requests: [...statuses.values()].reduce((sum, answers) => sum + answers, 0),
      statuses: Object.fromEntries(statuses),
      untried: known.filter((status) => !statuses.has(status)),
    }
  })
  const tried = operations.filter(({ requests }) => requests > 0).length
  return { operations, tried, of: operations.length }
}
