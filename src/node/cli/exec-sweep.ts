import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Command } from 'commander'

import type { PartialSettings } from '../../contract/settings.ts'
import { parseInput } from '../../core/issues.ts'
import { version } from '../../core/version.ts'
import { pluralize } from '../../core/words.ts'
import { sessionInBase } from '../../http/middleware/session.ts'
import { EventKind } from '../../sandbox/sweep/events.ts'
import { type PlayOptions, RUNS, SweepReason } from '../../sandbox/sweep/play.ts'
import { describeEvent, parseSchedules, type Schedule } from '../../sandbox/sweep/schedule.ts'
import { runSweep, SweepError, type Trial } from '../../sandbox/sweep/sweep.ts'
import { describeWriteError, errorCode } from '../../store/disk/storage-errors.ts'
import { serveSessions } from '../server/start.ts'
import { type CommandClient, createCommandClient } from './command-client.ts'
import { type Job, type JournalFlags, type ModeResult, parseFlag } from './exec-journal.ts'
import { CommandError, usageError } from './failure.ts'
import type { TestCase } from './junit.ts'
import { createProgress, print, quote, warn } from './output.ts'
import { Receipt } from './receipt.ts'
import { defineOption, type Flags, formatFlags } from './settings.ts'

type Repeated = 'copy' | 'full' | 'allow' | 'schedules' | 'events' | 'runs' | 'runTimeout'

/** The options of a sweep: those that its receipt repeats, and those of this run alone. */
export interface SweepFlags
  extends Partial<Pick<Receipt, Repeated>>, Pick<JournalFlags, 'fault' | 'scenario'> {
  readonly schedule?: readonly Schedule[] | undefined
  readonly budget?: number | undefined
}

const SCHEDULES = 200
const RUN_TIMEOUT_SECONDS = 30
const MAX_COUNT = 1_000_000

export function addSweepOptions(command: Command): void {
  const add = (flags: string, help: string, parse?: (text: string, flag: string) => unknown): void => {
    const option = defineOption('Sync', flags, help)
    command.addOption(parse ? option.argParser((text) => parse(text, option.long ?? '')) : option)
  }
  add('--sweep', 'run the command under every schedule of kills, faults, scenarios and clock ticks')
  add(
    '--copy <command>',
    'shell command that prints the copy; STATE and {state} name the folder to keep it in',
  )
  add('--full <command>', 'shell command that reads everything again')
  const allowed = 'reasons for which a sweep may fail, such as silent_change'
  add('--allow <reasons>', allowed, parseNames(SweepReason.options))
  const kinds = 'kinds of events: kills, faults, scenarios, ticks, or names of scenarios'
  add('--events <kinds>', kinds, parseNames(EventKind.options))
  add('--schedules <number>', `how many schedules to try (default: ${SCHEDULES})`, parseCount)
  add('--budget <duration>', 'how long to try schedules, such as 60s or 5m (default: no limit)', parseBudget)
  add('--runs <number>', `quiet runs after which the copy must be correct (default: ${RUNS})`, parseCount)
  add('--run-timeout <seconds>', `how long a run may take (default: ${RUN_TIMEOUT_SECONDS})`, parseCount)
  add('--schedule <json>', 'try this schedule only, as a failed sweep has printed it', (text, flag) =>
    parseFlag(flag, text, parseSchedules),
  )
  add(
    '--replay <file>',
    'repeat the sweep whose receipt --json has printed, or the schedule that has failed in it',
  )
}

const parseNames = (known: readonly string[]) => (text: string, flag: string) => {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return names
  throw usageError(`Cannot use ${flag} ${text}: ${unknown} is not one of ${known.join(', ')}.`)
}

function parseCount(text: string, flag: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count < MAX_COUNT && text === String(count)) return count
  throw usageError(`Cannot use ${flag} ${text}: it must be a whole number from 1 to ${MAX_COUNT - 1}.`)
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** @returns milliseconds */
function parseBudget(text: string): number {
  const [, count = '', unit = 's'] = /^(\d{1,5})([smh])?$/.exec(text) ?? []
  const budgetMs = Number(count) * (unitsMs[unit] ?? 0)
  if (budgetMs > 0) return budgetMs
  throw usageError(`Cannot use --budget ${text}: it must be a time such as 60s, 5m or 1h.`)
}

/** How a sweep is to be run, and reported. */
export interface SweepJob extends Job {
  readonly sweep: SweepFlags
  /** The settings to repeat in a command. */
  readonly flags: Flags
  readonly dataset: { readonly fixture: unknown; readonly assumptions: PartialSettings }
  /** The file of the receipt, which has the dataset and the options of the sweep. */
  readonly replay: string | undefined
  readonly replayed: Receipt | undefined
  readonly isJson: boolean
}

async function sweepWith(options: PlayOptions, job: SweepJob): Promise<ModeResult> {
  const { sweep, words, replayed, isQuiet, isJson } = job
  const { full, copy, allow, schedules = SCHEDULES, events, fault, scenario, budget: budgetMs } = sweep
  const cases: TestCase[] = []
  const sayProgress = createProgress('schedule', isQuiet, budgetMs)
  let last: Trial | undefined
  // A schedule that fails ends the sweep, which prints it at once.
  const sayInterrupted = (): void => {
    warn(`Interrupted: the client has survived ${pluralize(last?.tried ?? 0, 'schedule')} so far.`)
  }
  process.once('exit', sayInterrupted)
  const outcome = await runSweep(
    options,
    { limit: schedules, schedules: sweep.schedule, budgetMs, events },
    {
      format: (failing) => formatCommand(failing, job),
      onTrial: (trial) => {
        last = trial
        const { schedule, tookMs, tried, total } = trial
        const quiet = cases.length === 0 ? 'without any event' : 'without any event, once more'
        cases.push({ name: schedule.map(describeEvent).join('; ') || quiet, tookMs })
        sayProgress(tried, total)
      },
      ...(!isQuiet && { onIdle: (kind) => warn(`So far, this has made no difference: ${kind}.`) }),
    },
  )
    .catch((error: unknown) => {
      if (error instanceof SweepError) return error
      throw error
    })
    .finally(() => process.off('exit', sayInterrupted))
  const passed = !(outcome instanceof SweepError)
  const text = passed ? String(outcome) : outcome.message
  if (!passed) {
    const failed = outcome.schedule && cases.pop()
    cases.push({ name: 'some event makes a difference', ...failed, failure: text })
  }
  const lines = [text, ...(replayed ? describeReplay(replayed, passed, last) : [])]
  if (passed && !isJson) print(lines.join('\n'))
  else if (!passed || !isQuiet) for (const line of lines.join('\n').split('\n')) warn(line)
  if (isJson) {
    const { tried, isDeterministic } = outcome
    const { seed, size, now, future } = job.running.sandbox.dataset
    const { runs, timeoutMs } = options
    const schedule = (passed ? undefined : outcome.schedule) ?? sweep.schedule?.[0]
    const order = schedule && last?.play.order
    const dataset = { version, seed, size, now, future, ...job.dataset }
    const key = { ...dataset, command: words, full, copy, allow, events, fault, scenario, schedules }
    const result = { passed, tried, isDeterministic, schedule, order, text }
    const receipt = { ...key, runs, runTimeout: timeoutMs / 1_000, ...result }
    print(JSON.stringify(parseInput(Receipt, JSON.parse(JSON.stringify(receipt)))))
  }
  return { code: passed ? 0 : 1, cases }
}

/**
 * Sweeps a command, and prints the result. Serves a session for each try, whose client keeps its files in a folder of its own.
 */
export async function sweepCommand(job: SweepJob): Promise<ModeResult> {
  const { running, sweep, words, variables, prepare, journal } = job
  const { sandbox } = running
  const { full, copy, allow, runs = RUNS, runTimeout = RUN_TIMEOUT_SECONDS } = sweep
  const folder = createTemporaryFolder()
  const removeAtExit = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', removeAtExit)
  const timeoutMs = runTimeout * 1_000
  let playing: { readonly id: string; readonly client: CommandClient } | undefined
  const served = await serveSessions({
    fetch: (input, init, connection) => {
      const request = new Request(input, init)
      const forward = () => sandbox.fetch(request, undefined, connection)
      return playing?.id === sessionInBase(request) && playing
        ? playing.client.answer(request, forward)
        : forward()
    },
  })
  let count = 0
  const options: PlayOptions = {
    open: () => {
      const session = sandbox.session()
      prepare(session)
      return session
    },
    start: async ({ id }, player) => {
      const env = variables(`${served.url}/_sandbox/sessions/${id}/v1`)
      const clientFolder = join(folder, String((count += 1)))
      const client = createCommandClient({ run: words, full, copy }, env, clientFolder, timeoutMs, player)
      playing = { id, client }
      return client
    },
    between: 'PT10S',
    timeoutMs,
    runs,
    verdict: { allow },
    // The warnings of the run without any event are the client's own.
    onPlayed: ({ requests }, _, failure) => {
      journal.read(requests, count === 1)
      if (failure) journal.keepRequests(requests)
    },
  }
  try {
    return await sweepWith(options, job)
  } finally {
    await served.close()
    process.off('exit', removeAtExit)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(
      (error: unknown) => {
        const fact = `a process that the command has left still writes there (${errorCode(error)})`
        warn(`Cannot remove ${folder}: ${fact}. End that process, and remove the folder.`)
      },
    )
  }
}

function createTemporaryFolder(): string {
  const path = join(tmpdir(), 'workspace-sandbox-')
  try {
    return mkdtempSync(path)
  } catch (error) {
    const advice = 'Set TMPDIR to a folder that can be written.'
    throw new CommandError(`Cannot write ${path}*: ${describeWriteError(error)}. ${advice}`)
  }
}

/** Compares a replay with its receipt. */
function describeReplay(receipt: Receipt, passed: boolean, last: Trial | undefined): string[] {
  const before = receipt.passed ? 'passed' : 'failed'
  const lines = [
    `It ${before} before, and ${passed ? 'passes' : 'fails'} ${receipt.passed === passed ? 'again' : 'now'}.`,
  ]
  if (receipt.version !== version) {
    lines.push(`The receipt is of version ${receipt.version}, and this is ${version}, whose data may differ.`)
  }
  const isSameOrder = JSON.stringify(receipt.order) === JSON.stringify(last?.play.order)
  if (receipt.order && !isSameOrder)
    lines.push('The events have happened at other requests, or in another order.')
  return lines
}

function formatCommand(schedule: Schedule, { sweep, words, flags, replay }: SweepJob): string {
  const { full, copy, allow, runs, runTimeout, fault, scenario } = replay === undefined ? sweep : {}
  const [faults, scenarios] = [fault, scenario].map((all) => all?.map((one) => JSON.stringify(one)))
  const repeated = { replay, full, copy, allow: allow?.join(','), runs, 'run-timeout': runTimeout }
  const options = [
    ...formatFlags(flags),
    ...Object.entries({ ...repeated, fault: faults, scenario: scenarios }).flatMap(([name, value]) =>
      [value ?? []].flat().flatMap((one) => [`--${name}`, String(one)]),
    ),
    '--schedule',
    JSON.stringify(schedule),
  ]
  const command = ['npx', 'workspace-sandbox', 'exec', '--sweep', ...options, '--', ...words]
  return `Try this schedule alone, also in CI:\n\n  ${command.map(quote).join(' ')}`
}
