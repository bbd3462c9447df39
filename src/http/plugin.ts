import type { Session } from '../sessions/session.ts'
import type { Data } from '../store/session-data.ts'

/** A room that looks on while the service answers. The service knows no other way to be watched. */
export interface Plugin {
  /** Learns which data a request reads, once it is let in and before it reads anything. */
  readonly onRead?: (session: Session, data: Data) => void
}
