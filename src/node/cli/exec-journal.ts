import type { Command } from 'commander'

import { withCallerErrors } from '../../core/caller-errors.ts'
import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { asSentence, pluralize } from '../../core/words.ts'
import type { SessionControl } from '../../sandbox/session-handle.ts'
import { type FaultInput, FaultsInput } from '../../testing/faults/fault.ts'
import type { Coverage } from '../../testing/journal/coverage.ts'
import type { Har } from '../../testing/journal/har.ts'
import { describeWarning } from '../../testing/journal/requests.ts'
import type { Warning } from '../../testing/journal/warnings.ts'
import { ScenarioInput } from '../../testing/scenarios/scenario.ts'
import type { RunningServer } from '../server/start.ts'
import { usageError } from './failure.ts'
import { type TestCase, writeReport } from './junit.ts'
import { warn } from './output.ts'
import { defineOption } from './settings.ts'

/** The options that arrange a session, and show or judge its journal. */
export interface JournalFlags {
  readonly fault?: readonly FaultInput[] | undefined
  readonly scenario?: readonly ScenarioInput[] | undefined
  readonly failOnWarnings?: true
  readonly coverage?: true
  readonly har?: string
}

export function addJournalOptions(command: Command): void {
  const faultHelp = 'inject a fault, such as {"status":503,"times":1}; repeatable'
  const fault = defineOption('Service', '--fault <json>', faultHelp)
  const scenarioHelp = 'begin a scenario, such as {"name":"page-drift"}; repeatable'
  const scenario = defineOption('Service', '--scenario <json>', scenarioHelp)
  command
    .addOption(fault.argParser(collect('--fault', FaultsInput)))
    .addOption(scenario.argParser(collect('--scenario', ScenarioInput)))
    .addOption(defineOption('Output', '--fail-on-warnings', 'exit 1 if the journal has warnings'))
    .addOption(defineOption('Output', '--coverage', 'print the operations and statuses that were tried'))
    .addOption(defineOption('Output', '--har <file>', 'write the requests as an HTTP archive'))
}

const collect =
  (flag: string, schema: Parameters<typeof parseInput>[0]) =>
  (text: string, before: readonly unknown[] = []): unknown[] => {
    const value = parseFlag(flag, text, (input) => {
      parseInput(schema, input)
      return input
    })
    return [...before, value].flat()
  }

/** Parses the JSON of a flag. @throws CommandError that names the flag */
export function parseFlag<T>(flag: string, text: string, parse: (input: unknown) => T): T {
  try {
    return withCallerErrors(flag, () => parse(JSON.parse(text)))
  } catch (error) {
    if (error instanceof SandboxError) throw usageError(asSentence(`Cannot use ${error.message}`))
    throw usageError(`Cannot use ${flag}: it must be JSON. Quote it for your shell.`)
  }
}

/** The command to run, and how to show what comes of it. */
export interface Job {
  readonly running: RunningServer
  readonly words: readonly string[]
  /** Creates the variables of the command. @param baseUrl that of a session of its own, which has no control plane */
  readonly variables: (baseUrl?: string) => NodeJS.ProcessEnv
  /** Arranges a session as the flags say. @throws SandboxError for a scenario that cannot act */
  readonly prepare: (session: SessionControl) => void
  readonly isQuiet: boolean
  readonly journal: JournalReport
}

/** The exit code of a mode, and the test cases of its report. */
export interface ModeResult {
  readonly code: number
  readonly cases: readonly TestCase[]
}

const MAX_WARNINGS = 10

type Journal = Pick<SessionControl['requests'], 'warnings' | 'coverage' | 'har'>

/** The findings of the journals of a run. */
export class JournalReport {
  readonly #flags: JournalFlags
  #warnings: readonly Warning[] = []
  #coverage: Coverage | undefined
  #har: Har | undefined

  constructor(flags: JournalFlags) {
    this.#flags = flags
  }

  /** The warnings as lines. */
  get lines(): readonly string[] {
    return this.#warnings.map(describeWarning)
  }

  /** The reason why `--fail-on-warnings` fails the run; undefined if it does not. */
  get failure(): string | undefined {
    if (!this.#flags.failOnWarnings) return undefined
    if (!this.#coverage?.tried) return 'The journal has no request, so it could not warn.'
    const count = this.#warnings.length
    return count === 0 ? undefined : `The journal has ${pluralize(count, 'warning')}.`
  }

  /** Reads a journal before its session ends. @param isShown whether its warnings and its requests are shown, or counted only */
  read(journal: Journal, isShown: boolean): void {
    this.#coverage = addCoverage(this.#coverage, journal.coverage())
    if (!isShown) return
    this.#warnings = [...this.#warnings, ...journal.warnings()]
    this.keepRequests(journal)
  }

  /** Keeps the requests of a journal, in place of those before. */
  keepRequests(journal: Journal): void {
    if (this.#flags.har !== undefined) this.#har = journal.har()
  }

  /** Prints the warnings and the coverage to standard error, and writes the HTTP archive. */
  async write(): Promise<void> {
    const { lines } = this
    for (const line of lines.slice(0, MAX_WARNINGS)) warn(`Warning ${line}`)
    if (lines.length > MAX_WARNINGS) warn(`and ${pluralize(lines.length - MAX_WARNINGS, 'more warning')}.`)
    if (this.failure !== undefined) warn(this.failure)
    const { coverage, har } = this.#flags
    if (coverage && this.#coverage) for (const line of formatCoverage(this.#coverage)) warn(line)
    if (har !== undefined && this.#har) await writeReport(har, `${JSON.stringify(this.#har)}\n`)
  }
}

function addCoverage(before: Coverage | undefined, { operations, of }: Coverage): Coverage {
  const sums = operations.map(({ operationId, requests, statuses, untried }, index) => {
    const other = before?.operations[index]
    const sum = { ...other?.statuses }
    for (const [status, count] of Object.entries(statuses)) sum[status] = (sum[status] ?? 0) + count
    return {
      operationId,
      requests: requests + (other?.requests ?? 0),
      statuses: sum,
      untried: untried.filter((status) => other?.untried.includes(status) ?? true),
    }
  })
  return { operations: sums, tried: sums.filter(({ requests }) => requests > 0).length, of }
}

function formatCoverage({ operations, tried, of }: Coverage): string[] {
  const [used, unused] = [
    operations.filter(({ requests }) => requests > 0),
    operations.filter(({ requests }) => requests === 0),
  ]
  const lines = used.map(({ operationId, requests, statuses, untried }) => {
    const counts = Object.entries(statuses).map(([status, count]) => `${status} (${count})`)
    const rest = untried.length === 0 ? '' : `; not tried: ${untried.join(', ')}`
    return `  ${operationId}: ${pluralize(requests, 'request')}, ${counts.join(', ')}${rest}`
  })
  const rest = unused.map(({ operationId }) => operationId)
  return [
    `The run has tried ${tried} of ${of} operations.`,
    ...lines,
    ...(rest.length === 0 ? [] : [`  Not tried: ${rest.join(', ')}`]),
  ]
}
