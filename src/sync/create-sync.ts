import { parseInput } from '../core/issues.ts'
import type { Session } from '../sessions/session.ts'
import { findSyncCaller } from './caller.ts'
import { judgeSession } from './judge-session.ts'
import type { Copies, VerdictOptions } from './sync-control.ts'
import { TruthInput, VerdictInput } from './sync-inputs.ts'
import { readTruth, type SyncHost } from './truth.ts'
import type { Truth, Verdict } from './verdict.ts'

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
