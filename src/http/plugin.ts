import type { Session } from '../sessions/session.ts'
import type { Data } from '../store/session-data.ts'
import type { Row } from '../store/tables.ts'

/** A room that looks on while the service answers. The service knows no other way to be watched. */
export interface Plugin {
  /**
   * Called for each request that has passed token and scenarios, before its path is looked at and anything is read; not for
   * one that was refused, or replaced by a fault.
   * @param data what the request is going to see: the session's data, or those that a scenario shows instead
   */
  readonly onAdmitted?: (session: Session, data: Data, caller: Row<'members'>) => void
}
