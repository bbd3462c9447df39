import type { PartialSettings } from './contract/settings.ts'
import {
  type AssumptionMatrix,
  type ClientSuite,
  type MatrixChoice,
  matrixOf,
} from './control/assumption-matrix.ts'
import { inProcessLater } from './control/in-process.ts'
import { type DatasetOptions, parsedSandboxOptions } from './options.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

// The sandbox
export type { Credentials } from './control/credentials.ts'
export type { PartialSettings } from './contract/settings.ts'
export type { DatasetOptions } from './options.ts'
export type { Explanation } from './control/explain-shape.ts'
export type { ExplainInput } from './control/explain.ts'
export type { Preview, PreviewInput } from './control/preview.ts'
export type { ClockControl, SessionHandle } from './control/sessions/handle.ts'
export type { DatasetView, Sandbox } from './sandbox.ts'
export type { WholeDataset } from './store/whole.ts'

// The contract: what goes over the wire, as zod schemas and inferred types
export { Automation, AutomationSummary, ActionLogEntry, TriggerLogEntry } from './resources/automations.ts'
export { Brief, BriefContent } from './resources/briefs.ts'
export { Customer } from './resources/customers.ts'
export { CustomFieldDefinition, MemberRoleDefinition, NoteCategory } from './resources/definitions.ts'
export { Meeting, MeetingSummary, MeetingTranscriptLine } from './resources/meetings.ts'
export { Member } from './resources/members.ts'
export { CreateCustomerNote, CustomerNote } from './resources/notes.ts'
export { Product, ProductMetric } from './resources/products.ts'
export { Signal } from './resources/signals.ts'

// What tests say
export type { FaultInput } from './control/faults/input.ts'
export type { Requests } from './control/journal/requests.ts'
export type { VerifyRule } from './control/journal/verify.ts'
export type { WarningCode } from './control/journal/warnings.ts'

// What answers rest on
export type { AssumptionReport, UsedAssumption } from './control/journal/assumptions-report.ts'
export type { AssumptionMatrix, ClientSuite, MatrixChoice, MatrixRun } from './control/assumption-matrix.ts'

// What goes wrong
export { type FieldError, type ProblemCode, SandboxError } from './contract/errors.ts'

/** What a sandbox is made from. */
export interface SandboxOptions extends DatasetOptions {
  /** How what the document leaves open is decided, where otherwise than by default. */
  readonly assumptions?: PartialSettings | undefined
}

/**
 * Opens a sandbox in this process, kept in memory: any runtime with `fetch` will do.
 * Errors: SandboxError `invalid_request` for options or a fixture that cannot be used.
 */
export function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return inProcessLater('option', async () => {
    const { assumptions, ...dataset } = parsedSandboxOptions(options)
    return openSandbox(dataset, { assumptions })
  })
}

/** What `assumptionMatrix` runs a suite over. */
export interface MatrixOptions extends MatrixChoice {
  /** The sandbox whose sessions the suite is given; a small one of its own without. */
  readonly sandbox?: Pick<Sandbox, 'session'> | undefined
}

/**
 * Runs a client's suite under every value of every assumption, one at a time, each in a fresh session: where it
 * throws, the client depends on what the sandbox assumes.
 * Errors: an Error where the suite fails before anything is decided otherwise; invalid_request.
 */
export async function assumptionMatrix(
  suite: ClientSuite,
  { sandbox, ...choice }: MatrixOptions = {},
): Promise<AssumptionMatrix> {
  if (sandbox) return matrixOf((input) => sandbox.session(input), suite, choice)
  const own = await openSandbox({ size: 'small' })
  try {
    return await matrixOf((input) => own.session(input), suite, choice)
  } finally {
    await own.close()
  }
}
