/// <reference lib="esnext.disposable" preserve="true" />
import { defaultSettings, type PartialSettings, withSettings } from '../contract/settings.ts'
import { withCallerErrors } from '../core/caller-errors.ts'
import { toJson } from '../core/exact-json.ts'
import { importSequentially, loadOnce } from '../core/import-sequentially.ts'
import { parseInput } from '../core/issues.ts'
import { freeze } from '../core/json.ts'
import type { RequestHandler } from '../http/env.ts'
import { getContract } from '../service/contract.ts'
import type { Present } from '../service/present.ts'
import { type Credentials, listCredentials } from '../sessions/credentials.ts'
import type { DatasetOptions } from '../sessions/dataset-options.ts'
import { fingerprint } from '../sessions/fingerprint.ts'
import { ensureSession, openSession, SessionInput } from '../sessions/open-session.ts'
import { openState } from '../sessions/open-state.ts'
import type { SandboxState, StateOptions } from '../sessions/sandbox-state.ts'
import type { SessionLimits } from '../sessions/session.ts'
import { sessionLimits } from '../sessions/sessions.ts'
import type { FutureMode } from '../store/dataset-key.ts'
import { readRows } from '../store/dataset.ts'
import { Storage } from '../store/disk/storage.ts'
import { forEachTable, type Rows, type TableName } from '../store/tables.ts'
import { connect, type Connected, type ConnectOptions, type SandboxFetch } from './connect.ts'
import { exportDataset, type ExportedDataset, formatExport } from './export-dataset.ts'
import { Control, Handle, type SessionControl, type SessionHandle } from './session-handle.ts'

/** The dataset of a sandbox. */
export interface DatasetView {
  /** The number that all data is generated from. */
  readonly seed: number
  /** The customers of the first organization. */
  readonly size: number
  /** The name of the fixture. */
  readonly fixture: string
  /** The time at which the clock starts. */
  readonly now: string
  /** Whether the data changes as the clock moves. */
  readonly future: FutureMode
  /** The records of each table, over all organizations. */
  readonly counts: Readonly<Record<TableName, number>>
  /** Every record as it is stored, without the long texts that are generated on reading. */
  readonly rows: Rows
  /**
   * Returns the complete dataset, including every transcript, brief and log message, but without changes.
   * The result is a fixture that gives the same dataset again, without further options.
   */
  export(): ExportedDataset
  /** Returns a hash of the dataset: equal data, equal fingerprint. */
  fingerprint(): Promise<string>
}

/** A running sandbox. It controls the default session, the only one whose changes are stored. */
export interface Sandbox extends SessionControl, AsyncDisposable {
  /**
   * Sends a request to the service or the control plane, in the session that the request names, as the global `fetch` does.
   * @example
   * const headers = { authorization: `Bearer ${token}` }
   * const response = await sandbox.fetch('/v1/members/me', { headers })
   */
  readonly fetch: SandboxFetch
  /** Every member with a token. */
  readonly credentials: Credentials
  /** The data that every session starts from. */
  readonly dataset: DatasetView
  /**
   * Generates a new dataset and drops every session; options that are left out keep their values.
   * @throws SandboxError `invalid_request`, `storage_full`, `storage_unavailable`
   * @example
   * await sandbox.reseed({ seed: 7 })
   */
  reseed(options?: DatasetOptions): Promise<void>
  /**
   * Opens an isolated session.
   * @throws SandboxError `not_found` for an unknown `from`, `conflict` if the id is taken, `storage_full` if the sessions in
   * use take all the memory, `invalid_request`
   * @example
   * const session = sandbox.session({ assumptions: { violationStatus: 422 } })
   */
  session(input?: SessionInput): SessionHandle
  /**
   * Opens an isolated session with an id, or returns the one that exists.
   * @throws SandboxError `conflict` if it was opened with other options, and as `session`
   * @example
   * const session = sandbox.ensureSession('checkout')
   */
  ensureSession(id: string, input?: Omit<SessionInput, 'id'>): SessionHandle
  /** Continues the requests that faults delay; call it before you wait for requests in flight. @example sandbox.release() */
  release(): void
  /** Closes the storage and continues the requests that faults delay. @example await sandbox.close() */
  close(): Promise<void>
}

export interface SandboxDependencies extends ConnectOptions {
  readonly assumptions?: PartialSettings | undefined
  readonly present?: Present | undefined
  readonly storage?: Storage
  readonly sessions?: Partial<SessionLimits>
  readonly requireSession?: boolean | undefined
  readonly otherDataset?: string | undefined
  readonly clockRate?: number | undefined
  readonly state?: unknown
}

const loadStates = () => importSequentially(() => import('../sessions/save-and-load.ts'))
const loadLab = loadOnce(() => importSequentially(() => import('../lab/attach.ts')))

/**
 * Opens a sandbox over the dataset in its storage, or over a new one.
 * @throws SandboxError `conflict` if the stored dataset was made with other options, `invalid_request` for invalid
 * options or fixtures
 */
export async function openSandbox(
  options: DatasetOptions = {},
  dependencies: SandboxDependencies = {},
): Promise<OpenSandbox> {
  const { storage = new Storage(), clockRate, state: saved, ...rest } = dependencies
  const { assumptions, present } = dependencies
  const { attachLab, sessionParts } = await loadLab()
  const settings = withSettings(defaultSettings, assumptions)
  const contract = getContract(present ? { ...settings, present } : settings)
  const start =
    saved === undefined
      ? { options, startTime: undefined, rate: undefined }
      : await withCallerErrors('state', async () => (await loadStates()).resolveStart(saved, options))
  const parts: StateOptions = {
    storage,
    limits: { ...sessionLimits, ...rest.sessions },
    contract,
    clockRate: clockRate ?? start.rate,
    startTime: start.startTime,
    requiresSession: rest.requireSession,
    ...sessionParts,
  }
  const state = await openState(start.options, parts, rest.otherDataset)
  if (saved !== undefined)
    await withCallerErrors('state', () => state.restoreState(state.defaultSession, saved))
  return new OpenSandbox(connect(state, attachLab, dependencies), storage)
}

export class OpenSandbox extends Control implements Sandbox {
  readonly state: SandboxState = this.connected.state
  readonly handle: RequestHandler = this.connected.handle
  readonly fetch: SandboxFetch = this.connected.fetchIn()
  readonly #storage: Storage

  constructor(connected: Connected, storage: Storage) {
    super(connected.state.defaultSession, connected)
    this.#storage = storage
  }

  get credentials(): Credentials {
    return listCredentials(this.state.dataset, this.state.defaultSession)
  }

  get dataset(): DatasetView {
    const { state } = this
    const { dataset } = state
    const { seed, size, fixture, now, future = 'still' } = dataset.key
    return {
      seed,
      size,
      fixture,
      now,
      future,
      get counts() {
        return forEachTable<DatasetView['counts']>((name) => dataset.rows[name].length)
      },
      get rows() {
        return readRows(dataset.tables, freeze)
      },
      export: () => structuredClone(exportDataset(dataset)),
      fingerprint: () => fingerprint(dataset),
    }
  }

  exportText(): ReturnType<typeof formatExport> {
    return formatExport(this.state.dataset)
  }

  reseed(options: DatasetOptions = {}): Promise<void> {
    return withCallerErrors('option', () => this.state.reseed(options))
  }

  session(input: SessionInput = {}): SessionHandle {
    const open = () => openSession(this.state, parseInput(SessionInput, toJson(input)))
    return new Handle(withCallerErrors('session', open), this.connected)
  }

  ensureSession(id: string, input: Omit<SessionInput, 'id'> = {}): SessionHandle {
    const ensure = () =>
      ensureSession(this.state, { ...parseInput(SessionInput, toJson({ ...input, id })), id }).session
    return new Handle(withCallerErrors('session', ensure), this.connected)
  }

  release(): void {
    this.state.waits.end()
  }

  async close(): Promise<void> {
    this.release()
    await this.#storage.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
