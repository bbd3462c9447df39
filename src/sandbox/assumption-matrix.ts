import { type AssumptionId, assumptions } from '../contract/assumptions.ts'
import { type ChoiceName, choiceNames, choices } from '../contract/choices.ts'
import { defaultSettings, type PartialSettings, withSettings } from '../contract/settings.ts'
import { invalidField } from '../core/errors.ts'
import { didYouMean } from '../core/nearest.ts'
import { asSentence, indentColumns, pluralize } from '../core/words.ts'
import { getFirstLine, type RunOutcome } from './run-client.ts'
import type { SessionHandle } from './session-handle.ts'

/** A suite of tests for a client; it throws or rejects if the client fails. */
export type ClientSuite = (session: SessionHandle) => unknown

/** The assumptions to override, and the ones to start from. */
export interface MatrixChoice {
  /** The names of the assumptions to override. Default: every one that can be overridden. @example ['errorFormat', 'pages'] */
  readonly names?: readonly ChoiceName[] | undefined
  /** The ids of the assumptions to override; combined with `names`, both must match. Default: all. @example ['A-05'] */
  readonly only?: readonly AssumptionId[] | undefined
  /** Known values of the real service, for every run that does not override them. Default: none. @example { violationStatus: 422 } */
  readonly assumptions?: PartialSettings | undefined
  /** How long a run of the suite may take, in milliseconds of real time. Default: 300,000. @example 10_000 */
  readonly timeoutMs?: number | undefined
}

export const MATRIX_TIMEOUT_MS = 300_000

/** One run of a suite, under one value of one assumption. */
export interface MatrixRun {
  readonly id: AssumptionId
  readonly name: ChoiceName
  readonly value: unknown
  readonly meaning: string
  readonly passed: boolean
  /** The error of the suite; undefined if it passed. */
  readonly error: unknown
}

/** The result of a suite under every assumption. */
export interface AssumptionMatrix {
  /** Order: by assumption, the default of each first. */
  readonly runs: readonly MatrixRun[]
  /** The assumptions that the client depends on: the suite fails under another value. Order: as the runs. */
  readonly dependsOn: readonly ChoiceName[]
  toString(): string
}

/** Lists the values of every assumption, and says which are the ones to start from. Order: as documented. */
export function listRuns({
  names = choiceNames,
  only,
  assumptions: base = {},
}: Omit<MatrixChoice, 'timeoutMs'>) {
  const settings = withSettings(defaultSettings, base)
  return choiceNames
    .filter((name) => names.includes(name) && only?.includes(choices[name].assumption) !== false)
    .flatMap((name) =>
      choices[name].alternatives.map(({ value, meaning }) => {
        const isBase = JSON.stringify(value) === JSON.stringify(settings[name])
        return { id: choices[name].assumption, name, value, meaning, isBase }
      }),
    )
}

interface SuiteOutcome extends RunOutcome {
  /** Whether the suite has sent no request through its session. */
  readonly isIdle: boolean
}

/**
 * Runs a suite under the assumptions to start from, and under each other value of each assumption.
 * Errors: the suite's own; one that ends with `advice` if it sends no request.
 */
export async function runMatrix(
  run: (assumptions: PartialSettings) => Promise<SuiteOutcome>,
  choice: Omit<MatrixChoice, 'timeoutMs'>,
  advice: string,
): Promise<AssumptionMatrix> {
  const { names = [], only = [], assumptions: base = {} } = choice
  rejectUnknown('names', names, choiceNames)
  rejectUnknown('only', only, Object.keys(assumptions))
  const listed = listRuns(choice)
  if (listed.length === 0) throw invalidField('names', 'must have an assumption that `only` does not exclude')
  const first = await run(base)
  if (!first.passed) {
    const fact = 'The suite fails before any assumption is overridden'
    throw new Error(asSentence(`${fact}: ${getFirstLine(first.error)}`), { cause: first.error })
  }
  if (first.isIdle) {
    const fact = 'The suite has sent no request through its session, so no assumption could matter.'
    throw new Error(`${fact} ${advice}`)
  }
  const runs: MatrixRun[] = []
  for (const { isBase, ...one } of listed) {
    // Suites may not support concurrent runs.
    const { passed, error } = isBase ? first : await run({ ...base, [one.name]: one.value })
    runs.push({ ...one, passed, error })
  }
  const failed = runs.filter(({ passed }) => !passed)
  return {
    runs,
    dependsOn: choiceNames.filter((name) => failed.some((one) => one.name === name)),
    toString: () => formatFailures(listed.filter(({ isBase }) => !isBase).length, failed),
  }
}

function rejectUnknown(option: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw invalidField(option, `${unknown} is not an assumption. ${didYouMean(unknown, known)}`)
}

/** The runs that the text names, so that it fits on a terminal. */
const MAX_LINES = 12

function formatFailures(count: number, failed: readonly MatrixRun[]): string {
  const sentence = `The suite fails in ${failed.length} of ${pluralize(count, 'run')}.`
  const lines = failed.map(({ id, name, value, error }) => {
    return [id, assumptions[id].subject, `${name}=${choices[name].write(value)}`, getFirstLine(error)]
  })
  const rest = lines.length - MAX_LINES
  const shown = indentColumns(rest > 0 ? lines.slice(0, MAX_LINES) : lines)
  return [sentence, ...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n')
}
