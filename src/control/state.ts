import { SandboxError } from '../contract/errors.ts'
import type { Contract } from '../resources/contract.ts'
import type { Dataset, DatasetKey } from '../store/dataset.ts'
import { rowsOf } from '../store/dataset.ts'
import { fingerprintOf } from '../store/fingerprint.ts'
import type { Storage } from '../store/storage.ts'
import { Waits } from './faults/connection.ts'
import { type AssumptionReport, AssumptionTally } from './journal/assumptions-report.ts'
import { summed } from './journal/assumptions-sum.ts'
import { Session, type Shared } from './sessions/session.ts'
import { type SessionLimits, Sessions } from './sessions/sessions.ts'

/** What a sandbox's state is made with. */
export interface StateParts {
  readonly storage: Storage
  readonly version: string
  readonly limits: SessionLimits
  /** A number from 0 up to 1 that follows from a seed and a key. */
  readonly draw: (seed: number, key: string) => number
  /** The contract of a session that sets nothing. */
  readonly contract: Contract
}

/** What a sandbox is at the moment: a dataset, the default session, and those that were opened. */
export class State {
  #dataset: Dataset
  #fingerprint: Promise<string> | undefined
  readonly #storage: Storage
  readonly #version: string
  /** The only session whose changes are kept. */
  readonly defaultSession: Session
  readonly sessions: Sessions
  /** Requests that faults delay. */
  readonly waits = new Waits()
  /** The contract of a session that sets nothing. */
  readonly contract: Contract
  readonly #shared: Shared
  #tally: AssumptionTally | undefined

  constructor(dataset: Dataset, { storage, version, limits, draw, contract }: StateParts) {
    this.#dataset = dataset
    this.#storage = storage
    this.contract = contract
    this.#version = version
    const shared = {
      dataset: () => this.#dataset,
      draw: (key: string) => draw(this.#dataset.key.seed, key),
      contract,
      tally: () => this.#tally,
    }
    this.#shared = shared
    this.defaultSession = new Session(undefined, shared, (write) => storage.append(write))
    this.sessions = new Sessions(shared, limits)
  }

  get dataset(): Dataset {
    return this.#dataset
  }

  /** The dataset's hash; made when first asked for. */
  fingerprint(): Promise<string> {
    this.#fingerprint ??= fingerprintOf(this.#dataset)
    return this.#fingerprint
  }

  /** Counts from now on what the requests of all sessions rest on, of those that are dropped too. */
  collectAssumptions(): void {
    this.#tally ??= new AssumptionTally()
  }

  /** What the requests of all sessions rest on since `collectAssumptions`. */
  assumptionReport(): AssumptionReport {
    const live = new AssumptionTally()
    for (const { requests, data } of [this.defaultSession, ...this.sessions.list()])
      live.addAll(requests, data)
    const { settings } = this.contract
    const ended = this.#tally?.report(settings)
    return summed([...(ended ? [ended] : []), live.report(settings)])
  }

  /** A session with the data, time and assumptions of another, but without its faults; it is in no list. */
  copyOf(session: Session): Session {
    const copy = new Session(session.id, this.#shared)
    copy.restore({ ...session.snapshot(), faults: undefined })
    return copy
  }

  /** Drops a session's changes. Errors: storage_full, storage_unavailable; nothing is then dropped. */
  async reset(session: Session): Promise<void> {
    if (session === this.defaultSession) await this.#storage.clear(() => session.reset())
    else session.reset()
  }

  /** Puts another dataset in place and drops every session. Errors: as reset; nothing is then changed. */
  async replace(dataset: Dataset): Promise<void> {
    await keep(dataset, this.#storage, this.#version, () => {
      this.#dataset = dataset
      this.#fingerprint = undefined
      this.defaultSession.reset()
      this.sessions.clear()
    })
  }
}

/** Writes a dataset to where it is kept; `apply` runs once it is there. Errors: storage_full, storage_unavailable. */
export function keep(dataset: Dataset, storage: Storage, version: string, apply?: () => void): Promise<void> {
  const { key, organizations } = dataset
  return storage.replace({ version, key, organizations, rows: rowsOf(dataset) }, apply)
}

/** The refusal to open a place whose dataset was made from something else. */
export function otherDataset(
  { seed, size, fixture, now }: DatasetKey,
  version: string,
  requested: readonly string[],
  advice = 'Run reseed to replace it, or choose another folder with --data.',
): SandboxError {
  const there = `seed ${seed}, size ${size}, fixture ${fixture}, now ${now}, version ${version}`
  const fact = `it was made with ${there}, but you requested ${requested.join(', ')}`
  return new SandboxError('conflict', `Cannot use this data: ${fact}. ${advice}`)
}
