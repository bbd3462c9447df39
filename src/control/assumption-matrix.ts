import { type AssumptionId, assumptions } from '../contract/assumptions.ts'
import type { Choice } from '../contract/choice.ts'
import { type ChoiceName, choices } from '../contract/choices.ts'
import { invalidRequest } from '../contract/errors.ts'
import { didYouMean } from '../contract/nearest.ts'
import { choiceNames, defaultSettings, type PartialSettings, withSettings } from '../contract/settings.ts'
import { aligned, plural, switchOf } from './journal/assumptions-table.ts'
import type { SessionHandle } from './sessions/handle.ts'
import type { SessionInput } from './sessions/input.ts'

/** What is run under each assumption: it throws, or rejects, where the client does not cope. */
export type ClientSuite = (session: SessionHandle) => unknown

/** Which assumptions are decided otherwise, and from where. */
export interface MatrixChoice {
  /** The assumptions, by name; without, every one that can be set. */
  readonly names?: readonly ChoiceName[] | undefined
  /** The same by id; both given, what is in both. */
  readonly only?: readonly AssumptionId[] | undefined
  /** What is known of the real service: it holds in every run that does not decide it otherwise. */
  readonly assumptions?: PartialSettings | undefined
}

/** One run of a suite, under one value of one assumption. */
export interface MatrixRun {
  readonly id: AssumptionId
  readonly name: ChoiceName
  readonly value: unknown
  readonly meaning: string
  readonly passed: boolean
  /** What the suite threw; undefined where it passed. */
  readonly error: unknown
}

/** What a suite makes of every assumption. */
export interface AssumptionMatrix {
  /** Order: the ledger's, the default of each first. */
  readonly runs: readonly MatrixRun[]
  /** The assumptions on which the client depends: the suite fails under another value of theirs. Order: the ledger's. */
  readonly dependsOn: readonly ChoiceName[]
  /** The failures as a table. */
  toString(): string
}

const byName: Readonly<Record<ChoiceName, Choice>> = choices

/**
 * Runs a suite under every value of every assumption, one at a time, each in a session of its own.
 * Errors: an Error where the suite fails before anything is decided otherwise, since then nothing can be told;
 * invalid_request for assumptions that do not exist or cannot be set.
 */
export async function matrixOf(
  open: (input: SessionInput) => SessionHandle,
  suite: ClientSuite,
  { names = choiceNames, only, assumptions: base = {} }: MatrixChoice,
): Promise<AssumptionMatrix> {
  refuseUnknown('names', names, choiceNames)
  refuseUnknown('only', only ?? [], Object.keys(assumptions))
  const first = await outcomeOf(open, suite, base)
  if (!first.passed) throw new Error(`${BEFORE}: ${messageOf(first.error)}`, { cause: first.error })
  const settings = withSettings(defaultSettings, base)
  const chosen = choiceNames.filter(
    (name) => names.includes(name) && (only?.includes(byName[name].assumption) ?? true),
  )
  const runs: MatrixRun[] = []
  for (const name of chosen) {
    const { assumption: id, alternatives } = byName[name]
    for (const { value, meaning } of alternatives) {
      const isBase = JSON.stringify(value) === JSON.stringify(settings[name])
      // oxlint-disable-next-line no-await-in-loop -- a suite may not be one that runs beside itself
      const outcome = isBase ? first : await outcomeOf(open, suite, { ...base, [name]: value })
      runs.push({ id, name, value, meaning, ...outcome })
    }
  }
  const failed = runs.filter(({ passed }) => !passed)
  return {
    runs,
    dependsOn: chosen.filter((name) => failed.some((run) => run.name === name)),
    toString: () => textOf(runs.length, failed),
  }
}

function refuseUnknown(option: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const message = `${unknown} is not an assumption. ${didYouMean(unknown, known)}`
  throw invalidRequest([{ in: 'body', name: option, message }])
}

const BEFORE = 'The suite fails before any assumption is decided otherwise'

type Outcome = Pick<MatrixRun, 'passed' | 'error'>

async function outcomeOf(
  open: (input: SessionInput) => SessionHandle,
  suite: ClientSuite,
  settings: PartialSettings,
): Promise<Outcome> {
  const session = open({ assumptions: settings })
  try {
    await suite(session)
    return { passed: true, error: undefined }
  } catch (error) {
    return { passed: false, error }
  } finally {
    session.close()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

function textOf(count: number, failed: readonly MatrixRun[]): string {
  const sentence = `The suite fails in ${failed.length} of ${plural(count, 'run')}.`
  const lines = failed.map(({ id, name, value, error }) => [
    id,
    assumptions[id].subject,
    switchOf({ name, others: [value] }),
    messageOf(error),
  ])
  return [sentence, ...aligned(lines).map((line) => `  ${line}`)].join('\n')
}
