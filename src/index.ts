import * as z from 'zod'

import { Calibration } from './contract/calibration.ts'
import { PartialSettings } from './contract/settings.ts'
import { ShapesInput } from './contract/shapes.ts'
import { withCallerErrorsAsync } from './core/caller-errors.ts'
import { parseInput } from './core/issues.ts'
import {
  type AssumptionMatrix,
  type ClientSuite,
  type MatrixChoice,
  runMatrix,
} from './sandbox/assumption-matrix.ts'
import type { SandboxFields } from './sandbox/sandbox-fields.ts'
import { openSandbox, type Sandbox } from './sandbox/sandbox.ts'
import type { StateDocument } from './sessions/summary.ts'
import { DatasetOptions, parseOptions } from './store/dataset-options.ts'

// The sandbox
export type { PartialSettings } from './contract/settings.ts'
export type { ShapeName, ShapesInput } from './contract/shapes.ts'
export type { Credentials } from './sessions/credentials.ts'
export type { DatasetOptions } from './store/dataset-options.ts'
export type { ExplainInput, Explanation } from './explain/explain.ts'
export type { Preview, PreviewInput } from './explain/preview.ts'
export type { ClockControl } from './sandbox/clock-control.ts'
export type { SessionHandle } from './sandbox/session-handle.ts'
export type { DatasetView, Sandbox } from './sandbox/sandbox.ts'
export type { StateDocument } from './sessions/summary.ts'
export type { ExportedDataset } from './store/dataset.ts'

// The contract as zod schemas and inferred types
export { Automation, AutomationSummary, ActionLogEntry, TriggerLogEntry } from './resources/automations.ts'
export { Brief, BriefContent } from './resources/briefs.ts'
export { Customer } from './resources/customers.ts'
export { CustomFieldDefinition, MemberRoleDefinition, NoteCategory } from './resources/definitions.ts'
export { Meeting, MeetingSummary, MeetingTranscriptLine } from './resources/meetings.ts'
export { Member } from './resources/members.ts'
export { CreateCustomerNote, CustomerNote } from './resources/notes.ts'
export { Product, ProductMetric } from './resources/products.ts'
export { Signal } from './resources/signals.ts'

// Faults, scenarios and expectations
export type { OperationId } from './resources/index.ts'
export type { FaultInput } from './faults/fault.ts'
export type { Scenario, ScenarioInput } from './scenarios/scenario.ts'
export type { Requests } from './sandbox/session-handle.ts'
export type { VerifyRule } from './journal/verify.ts'
export type { ExpectedChange } from './records/check-changed.ts'
export type { ChangeFilter, WrittenChange } from './records/change-types.ts'
export type { WarningCode } from './journal/warnings.ts'

// Assumptions
export type { AssumptionReport, UsedAssumption } from './explain/report.ts'
export type { AssumptionMatrix, ClientSuite, MatrixChoice, MatrixRun } from './sandbox/assumption-matrix.ts'

// Errors
export { type FieldError, type ProblemCode, SandboxError } from './core/errors.ts'

const SandboxOptions = DatasetOptions.extend({
  /** Overrides of assumptions. */
  assumptions: PartialSettings.optional(),
  /** The observations of a real tenant. */
  calibration: z.record(z.string(), z.unknown(), 'must be a calibration').optional(),
  /** JSON Schemas of records whose fields the document does not show. */
  shapes: ShapesInput.optional(),
  /** A saved state to start from. */
  state: z.record(z.string(), z.unknown(), 'must be a saved state').optional(),
})

/** The options of `createSandbox`. */
export interface SandboxOptions extends SandboxFields {
  /**
   * The observations of a real tenant, as `workspace-sandbox calibrate` writes them; `assumptions` overrides them. Default: none.
   * @example JSON.parse(await readFile('workspace-sandbox.calibration.json', 'utf8'))
   */
  readonly calibration?: Readonly<Record<string, unknown>> | undefined
  /**
   * A saved state to start from, which also gives the options of the dataset that are left out. Default: none.
   * @example JSON.parse(await readFile('state.json', 'utf8'))
   */
  readonly state?: StateDocument | undefined
}

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
  return withCallerErrorsAsync('option', async () => {
    const { assumptions, shapes, calibration, state, ...dataset } = parseOptions(SandboxOptions, options)
    const observed = calibration && parseInput(Calibration, calibration, ['calibration'])
    return openSandbox(dataset, { assumptions, shapes, calibration: observed, state })
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
 * @throws Error if the suite fails before anything is overridden; SandboxError `invalid_request` for unknown assumptions
 * @example
 * const matrix = await assumptionMatrix(async ({ fetch }) => {
 *   await syncCustomers(createClient({ baseUrl: 'http://sandbox/v1', token, fetch }))
 * })
 * console.log(matrix.dependsOn, String(matrix))
 */
export async function assumptionMatrix(
  suite: ClientSuite,
  { sandbox, ...choice }: MatrixOptions = {},
): Promise<AssumptionMatrix> {
  if (sandbox) return runMatrix((input) => sandbox.session(input), suite, choice)
  const created = await openSandbox({ size: 'small' })
  try {
    return await runMatrix((input) => created.session(input), suite, choice)
  } finally {
    await created.close()
  }
}
