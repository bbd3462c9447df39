import type { Session } from '../control/sessions/session.ts'
import type { Origin } from './exchange.ts'

/** What Hono hands on to the routes of the control plane. */
export interface Environment {
  Bindings: Origin
  Variables: {
    /** The session that the call is about. */
    session: Session
  }
}
