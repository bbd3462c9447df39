import type { Connection } from '../control/faults/connection.ts'
import type { Entry } from '../control/journal/entry.ts'
import type { Session } from '../control/sessions/session.ts'
import type { Reading } from '../store/reading.ts'
import type { Row } from '../store/tables.ts'
import type { Route } from './match.ts'
import type { ServiceRequest } from './request.ts'

/** What comes with a request besides itself. */
export interface Origin {
  /** The session that an in-process caller chose; other requests name theirs. */
  readonly session?: Session | undefined
  /** The connection that the request came by, where there is one. */
  readonly connection?: Connection | undefined
  /** Whether the client is on this machine; absent for in-process callers. */
  readonly isLocal?: boolean
}

/** Answers a web request; the answer has no body before it is `whole`. */
export type AnswerWeb = (request: Request, origin: Origin) => Response | Promise<Response>

/** A request on its way through the pipeline. */
export interface Exchange {
  readonly request: ServiceRequest
  readonly session: Session
  /** The session's data; it remembers what the request looks at. */
  readonly data: Reading
  readonly route: Route | undefined
  readonly entry: Entry
  /** Whose token the request carries; undefined until that is known. */
  caller: Row<'members'> | undefined
  /** Undefined where none was read. */
  body: Uint8Array | undefined
}
