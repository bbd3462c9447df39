import * as z from 'zod'

import { anyNames } from './contract/fields.ts'
import { withCallerErrors } from './core/caller-errors.ts'
import { parseInput } from './core/issues.ts'
import type { VerdictOptions } from './lab/sync/verdict.ts'
import {
  type AssumptionMatrix,
  type ClientSuite,
  MATRIX_TIMEOUT_MS,
  type MatrixChoice,
  runMatrix,
} from './sandbox/assumption-matrix.ts'
import { runInTime } from './sandbox/run-client.ts'
import { SandboxOptions } from './sandbox/sandbox-options.ts'
import { openSandbox, type Sandbox } from './sandbox/sandbox.ts'
import { type ClientFunctions, createFunctionClient, type SweepSession } from './sandbox/sweep/in-process.ts'
import { type PlayOptions, RUNS, type SweepReason } from './sandbox/sweep/play.ts'
import { parseSchedules, type Schedule } from './sandbox/sweep/schedule.ts'
import { runSweep, type SweepChoice, type SweepResult } from './sandbox/sweep/sweep.ts'
import { parseOptions } from './sessions/dataset-options.ts'

// The sandbox
export type { PartialSettings } from './contract/settings.ts'
export type { Presenter } from './contract/choices.ts'
export type { Credentials } from './sessions/credentials.ts'
export type { DatasetOptions } from './sessions/dataset-options.ts'
export type { ExplainInput, Explanation, Preview, PreviewInput } from './lab/explain/schemas.ts'
export type { ClockControl, SessionHandle } from './sandbox/session-handle.ts'
export type { SandboxOptions } from './sandbox/sandbox-options.ts'
export type { DatasetView, Sandbox } from './sandbox/sandbox.ts'
export type { StateDocument } from './sessions/summary.ts'
export type { ExportedDataset } from './sandbox/export-dataset.ts'

// The contract as zod schemas and inferred types
export { Automation, AutomationSummary, ActionLogEntry, TriggerLogEntry } from './service/automations.ts'
export { Brief, BriefContent } from './service/briefs.ts'
export { Customer } from './service/customers.ts'
export {
  CustomFieldDefinition,
  MemberRoleDefinition,
  NoteCategory,
  Product,
  ProductMetric,
} from './service/definitions.ts'
export { Meeting, MeetingSummary, MeetingTranscriptLine } from './service/meetings.ts'
export { Member } from './service/members.ts'
export { CreateCustomerNote, CustomerNote } from './service/notes.ts'
export { Signal } from './service/signals.ts'

// Faults, scenarios and expectations
export type { OperationId } from './service/index.ts'
export type { FaultInput } from './testing/faults/fault.ts'
export type { Scenario, ScenarioInput } from './testing/scenarios/scenario.ts'
export type { Requests } from './testing/journal/requests.ts'
export type { VerifyRule } from './testing/journal/verify.ts'
export type { ExpectedChange } from './sandbox/expected-changes.ts'
export type { ChangeFilter, WrittenChange } from './testing/records/types.ts'
export type { WarningCode } from './testing/journal/warnings.ts'

// Syncs
export type { Copies, RowMapper, SyncControl, TruthOptions, VerdictOptions } from './lab/sync/verdict.ts'
export type { Cause, Entry, Kind, Reason, Truth, Verdict, Walk } from './lab/sync/verdict.ts'

// Assumptions
export type { AssumptionMatrix, ClientSuite, MatrixChoice, MatrixRun } from './sandbox/assumption-matrix.ts'

// Sweeps
export { createArbitrary as schedules, type SweepEvents } from './sandbox/sweep/events.ts'
export type { SweepSession } from './sandbox/sweep/in-process.ts'
export type { EventAction, EventAddress, RunKind, Schedule, SweepEvent } from './sandbox/sweep/schedule.ts'
export { SweepError, type SweepResult } from './sandbox/sweep/sweep.ts'

// Errors
export { type FieldError, type ProblemCode, SandboxError } from './core/errors.ts'

const Options = SandboxOptions.extend({
  state: anyNames(z.record(z.string(), z.unknown(), 'must be a saved state')).optional(),
})

/**
 * Creates a sandbox in memory, in any runtime with `fetch`.
 * @throws SandboxError `invalid_request` for invalid options or fixtures
 * @example
 * const sandbox = await createSandbox({ size: 'small' })
 * const token = sandbox.credentials.organizations[0].members[0].token
 * const headers = { authorization: `Bearer ${token}` }
 * const response = await sandbox.fetch('/v1/members/me', { headers })
 */
export function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return withCallerErrors('option', async () => {
    const { assumptions, present, state, ...dataset } = parseOptions(Options, options)
    return openSandbox(dataset, { assumptions, present, state })
  })
}

/** The options of `assumptionMatrix`. */
export interface MatrixOptions extends MatrixChoice {
  /** The sandbox to open sessions in. Default: a new small one. @example sandbox */
  readonly sandbox?: Pick<Sandbox, 'session'> | undefined
}

/**
 * Runs a client's suite under every value of every assumption, one at a time, each in its own session. The client
 * depends on the assumptions under which the suite fails.
 * @throws Error if the suite fails before anything is overridden, or sends no request through its session; SandboxError
 * `invalid_request` for unknown assumptions
 * @example
 * const matrix = await assumptionMatrix(async ({ fetch }) => {
 *   await syncCustomers(createClient({ baseUrl: 'http://sandbox/v1', token, fetch }))
 * })
 * console.log(matrix.dependsOn, String(matrix))
 */
export function assumptionMatrix(
  suite: ClientSuite,
  { sandbox, timeoutMs = MATRIX_TIMEOUT_MS, ...choice }: MatrixOptions = {},
): Promise<AssumptionMatrix> {
  return withSandbox(sandbox, (opened) =>
    runMatrix(
      async (assumptions) => {
        const session = opened.session({ assumptions })
        let isIdle = true
        // The journal has no request either after a suite that resets its session.
        session.requests.subscribe(() => {
          isIdle = false
        })
        const outcome = await runInTime(() => suite(session), timeoutMs)
        session.close()
        return { ...outcome, isIdle }
      },
      choice,
      'Let it use the `fetch` of the session that it is given.',
    ),
  )
}

async function withSandbox<R>(
  sandbox: Pick<Sandbox, 'session'> | undefined,
  use: (sandbox: Pick<Sandbox, 'session'>) => Promise<R>,
): Promise<R> {
  if (sandbox) return use(sandbox)
  const created = await openSandbox({ size: 'small' })
  try {
    return await use(created)
  } finally {
    await created.close()
  }
}

const isFunction = z.custom((value) => typeof value === 'function', 'must be a function')

/** The functions of a client, one of which code without types may lack. */
const ClientInput = z.object({
  client: isFunction.optional(),
  run: isFunction,
  full: isFunction.optional(),
  copy: isFunction.optional(),
})

/** The options of `sweep`. Another type of `schedule` than the default is that of an arbitrary's values. */
export interface SweepOptions<C = SweepSession, S = Schedule>
  extends ClientFunctions<C>, Omit<SweepChoice, 'schedules'>, Omit<VerdictOptions, 'allow'> {
  /** Tries this schedule only, such as one that has failed. Default: all. @example [{ run: 'first', operationId: 'listCustomers', kill: 'before' }] */
  readonly schedule?: S | undefined
  /** Tries these schedules only, in the JSON that any sweep prints: one, a list, or a receipt of `exec --sweep --json`. Default: all. */
  readonly schedules?: unknown
  /** The reasons for which a copy may be wrong; `hasty_retry` accepts a client that does not wait as `Retry-After` says. Default: none. @example ['silent_change'] */
  readonly allow?: readonly SweepReason[] | undefined
  /** The sandbox to open sessions in. Default: a new small one. @example sandbox */
  readonly sandbox?: Pick<Sandbox, 'session'> | undefined
  /** The time between two runs, as an ISO 8601 duration. Default: ten seconds. @example 'PT15M' */
  readonly between?: string | undefined
  /** How long a run may take, in milliseconds of real time. Default: 10,000. @example 60_000 */
  readonly timeoutMs?: number | undefined
  /** The most quiet runs by which the copy must be right once all is healed. Default: 2. @example 1 */
  readonly runs?: number | undefined
}

/**
 * Runs a sync client under every schedule of events, the smallest first, each in its own session: it is killed, meets
 * faults and scenarios, and the clock moves, in its first, its incremental and its full runs. Then all is healed, and within
 * two quiet runs its copy must be correct. Without `copy`, it must not crash, hang or store a note twice.
 * @throws SweepError with the smallest schedule under which the client fails, as a test to paste; or if some kind of event
 * has never made a difference. SandboxError `invalid_request` for invalid options
 * @example
 * await sweep({
 *   client: ({ fetch, state }) => new CustomerSync({ fetch, store: state }),
 *   run: (client) => client.sync(),
 *   copy: (client) => ({ customers: client.listCustomers() }),
 * })
 */
export function sweep<C = SweepSession>(options: SweepOptions<C>): Promise<SweepResult>
export function sweep<C = SweepSession>(options: SweepOptions<C, readonly unknown[]>): Promise<SweepResult>
export function sweep<C>(options: SweepOptions<C, readonly unknown[]>): Promise<SweepResult> {
  return withCallerErrors('option', async () => {
    parseInput(ClientInput, options)
    const { schedule, schedules: given = schedule, sandbox, as, ignore, allow, row, ...choice } = options
    const { between = 'PT10S', timeoutMs = 10_000, runs = RUNS } = options
    const parsed = given === undefined ? undefined : parseSchedules(given)
    return withSandbox(sandbox, (opened) => {
      const playing: PlayOptions = {
        open: () => opened.session(),
        start: async (session, player) => createFunctionClient(options, timeoutMs, session, player),
        between,
        timeoutMs,
        runs,
        verdict: { as, ignore, allow, row },
      }
      return runSweep(playing, { ...choice, schedules: parsed })
    })
  })
}
