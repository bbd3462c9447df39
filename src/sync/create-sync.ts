import * as z from 'zod'

import { utcDateTime } from '../contract/fields.ts'
import { parseInput } from '../core/issues.ts'
import type { Session } from '../sessions/session.ts'
import { findSyncCaller } from './caller.ts'
import { judgeSession } from './judge-session.ts'
import type { Copies, VerdictOptions } from './sync-control.ts'
import { readTruth, type SyncHost, type Truth } from './truth.ts'
import { Collection, Reason, type Verdict } from './verdict.ts'

const As = z.union([z.string().max(1_000), z.int()], 'must be a token or the id of a member')

/** The rows to read. */
export const TruthInput = z.strictObject({
  collection: Collection.describe('The collection. Example: `customers`.'),
  as: As.optional().describe(
    'A token, or the id of a member. Default: the only caller among the requests, or the first member. Example: `1`.',
  ),
  at: utcDateTime
    .optional()
    .describe('The instant. Default: the session’s now. Example: `2026-01-15T12:00:00Z`.'),
  scenarios: z
    .boolean()
    .optional()
    .describe('Whether the scenarios of the session act on the rows. Default: true. Example: `false`.'),
})
export type TruthInput = z.infer<typeof TruthInput>

const Rows = z.array(z.unknown(), 'must be a list of rows or of ids')

/** A copy to judge. */
export const VerdictInput = z.strictObject({
  copy: z
    .partialRecord(Collection, Rows)
    .optional()
    .describe(
      'For each collection the rows with any of their fields, or their ids. Default: what was delivered is judged. Example: `{ "customers": [{ "id": 1, "name": "Acme" }] }`.',
    ),
  as: As.optional().describe(
    'A token, or the id of a member. Default: the only caller among the requests. Example: `1`.',
  ),
  ignore: z
    .array(z.string().max(200))
    .max(1_000)
    .optional()
    .describe('Fields that are not compared. Default: none. Example: `["employeeCount"]`.'),
  allow: z
    .array(Reason)
    .optional()
    .describe('Reasons for which a verdict stays correct. Default: none. Example: `["silent_change"]`.'),
})
export type VerdictInput = z.infer<typeof VerdictInput>

/** Judges how clients have synced sessions. */
export interface Sync {
  /** Errors: invalid_request, conflict. */
  truth(session: Session, input: unknown): Promise<Truth>
  /** @param row maps rows to the client's form. Errors: invalid_request. */
  verdict(session: Session, input: unknown, row?: VerdictOptions['row']): Promise<Verdict>
}

/** Creates what judges the syncs of a sandbox. */
export function createSync(host: SyncHost): Sync {
  return {
    truth: async (session, input) => {
      const {
        collection: table,
        as,
        at = session.clock.now(),
        scenarios = true,
      } = parseInput(TruthInput, input)
      const now = new Date(at).toISOString()
      session.time.checkReach(now, 'at', 'query')
      const { id: callerId } = findSyncCaller(session, as)
      return readTruth(host, session, { table, callerId, at: now, withScenarios: scenarios })
    },
    verdict: async (session, input, row) => {
      const { copy, ...options } = parseInput(VerdictInput, input)
      const copies: Copies | undefined = copy
      return judgeSession(host, session, copies, { ...options, row })
    },
  }
}
