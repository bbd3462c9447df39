import * as z from 'zod'

import type { DryRun } from '../http/dry-run.ts'
import type { Bindings, ServiceHost, Variables } from '../http/env.ts'
import type { RecordWriter } from '../records/record-writer.ts'
import type { Timeline } from '../records/timeline.ts'
import type { Credentials } from '../sessions/credentials.ts'
import type { Session, SessionSnapshot } from '../sessions/session.ts'
import type { DatasetOptions } from '../store/dataset-options.ts'
import type { Sync } from '../sync/create-sync.ts'
import type { Access } from './access.ts'

/** The state of the sandbox, and the options that its dataset was generated from. */
export const Summary = z.object({
  status: z.literal('ok'),
  version: z.string(),
  seed: z.int(),
  size: z.int(),
  fixture: z.string(),
  now: z.string(),
  /** Whether the data changes as the session's time passes. */
  future: z.enum(['still', 'living']),
})
export type Summary = z.infer<typeof Summary>

/** The same with a fingerprint of the dataset: equal fingerprints mean equal data. */
export const Health = Summary.extend({ fingerprint: z.string() })
export type Health = z.infer<typeof Health>

/** A session as one document, in outline; the sandbox validates the whole of it. */
export const StateDocument = z
  .looseObject({
    format: z.int(),
    version: z.string(),
    dataset: z.looseObject({ seed: z.int(), size: z.int(), fixture: z.string(), now: z.string() }),
    clock: z.looseObject({ now: z.string() }),
    changes: z.array(z.looseObject({ table: z.string(), id: z.int() })),
  })
  .meta({ id: 'StateDocument' })
export type StateDocument = z.infer<typeof StateDocument>

/** Reads a file that was built for browsers by its name in the package's `dist`; undefined if it was not built. */
export type BuiltFile = (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>

/** The sandbox as the control plane sees it. Everything is looked up per request, since a reseed replaces it. */
export interface Host extends ServiceHost {
  /** Undefined for in-process use, where the caller is trusted. */
  readonly access: Access | undefined
  /** Undefined if there is no package to read from. */
  readonly builtFile: BuiltFile | undefined
  readonly dryRun: DryRun
  credentials(session: Session): Credentials
  /** The summary and a fingerprint of the dataset. */
  health(session: Session): Promise<Health>
  summary(session: Session): Summary
  /** The time at which the clocks of sessions start. */
  startTime(): string
  recordWriter(session: Session): Promise<RecordWriter>
  /** Saves a session as one document. */
  saveState(session: Session): Promise<StateDocument>
  /** Restores a saved state into a session; into the default one with its dataset. Errors: 400, 409. */
  restoreState(session: Session, state: unknown): Promise<void>
  /** Returns what reads the changes of a session's data over time. */
  timeline(session: Session): Promise<Timeline>
  /** Loads what judges the syncs of clients. */
  readonly sync: () => Promise<Sync>
  reset(session: Session): Promise<void>
  reseed(options: DatasetOptions): Promise<void>
  /** Loads the events after the dataset's time, so that sessions can live. */
  readonly loadFuture: () => Promise<void>
  /** Copies a session with its data, time and assumptions, and with changes; the copy is not listed. */
  copySession(session: Session, changes?: Partial<SessionSnapshot>): Session
}

/** Hono's types for the routes of the control plane. */
export interface ControlEnv {
  Bindings: Bindings
  Variables: Variables & { host: Host }
}
