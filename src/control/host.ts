import type { DatasetOptions } from '../options.ts'
import type { Contract } from '../resources/contract.ts'
import type { Access } from './access.ts'
import type { Credentials } from './credentials.ts'
import type { Arranger } from './data/data.ts'
import type { Waits } from './faults/connection.ts'
import type { BuiltFile } from './pages.ts'
import type { Session } from './sessions/session.ts'
import type { Sessions } from './sessions/sessions.ts'

/** How the sandbox is and what its data is made from. */
export interface Health {
  readonly status: 'ok'
  readonly version: string
  readonly seed: number
  readonly size: number
  readonly fixture: string
  readonly now: string
  /** A hash over the dataset: equal data, equal fingerprint. */
  readonly fingerprint: string
}

/** What HTTP steers: everything is looked up at each call, so that a reset or a reseed changes all of it. */
export interface Host {
  /** Undefined for in-process use, where the caller is trusted. */
  readonly access: Access | undefined
  /** Undefined where there is no package to read from. */
  readonly builtFile: BuiltFile | undefined
  /** The contract of a session that sets nothing. */
  readonly contract: Contract
  readonly defaultSession: Session
  readonly sessions: Sessions
  /** Requests that faults delay. */
  readonly waits: Waits
  /** Says whether a request must name its session. */
  readonly requiresSession: boolean
  credentials(session: Session): Credentials
  health(session: Session): Promise<Health>
  /** The same without the hash, which takes time on a large dataset. */
  summary(session: Session): Omit<Health, 'fingerprint'>
  /** What arranges the records of a session. */
  arranger(session: Session): Promise<Arranger>
  reset(session: Session): Promise<void>
  reseed(options: DatasetOptions): Promise<void>
  /** A session with the same data, time and assumptions that nobody else knows of, for the examples of the OpenAPI document. */
  copyOf(session: Session): Session
}
