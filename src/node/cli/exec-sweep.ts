import { constants } from 'node:os'

import type { Command } from 'commander'

import { SandboxError } from '../../core/errors.ts'
import { sessionInBase } from '../../http/session-base.ts'
import type { PlayOptions } from '../../lab/sweep/play.ts'
import { parseSchedule, type Schedule } from '../../lab/sweep/schedule.ts'
import { runSweep, type SweepChoice, SweepError } from '../../lab/sweep/sweep.ts'
import { Reason } from '../../lab/sync/verdict.ts'
import { type RunningSandbox, serveSessions } from '../server/start.ts'
import { CommandClient, type SweptCommands } from './command-client.ts'
import { usageError } from './failure.ts'
import { print, warn } from './output.ts'
import { defineOption, type Flags, formatFlags } from './settings.ts'

export interface SweepFlags {
  readonly copy?: string
  readonly full?: string
  readonly allow?: readonly Reason[]
  readonly schedules?: number
  readonly schedule?: Schedule
  readonly runTimeout?: number
}

const SCHEDULES = 200
const RUN_TIMEOUT_SECONDS = 30
const MAX_COUNT = 1_000_000
const PROGRESS = 25

export function addSweepOptions(command: Command): void {
  const add = (flags: string, help: string, parse?: (text: string) => unknown): void => {
    const option = defineOption('Sweep', flags, help)
    command.addOption(parse ? option.argParser(parse) : option)
  }
  add('--sweep', 'run the command under every schedule of kills, faults, scenarios and clock ticks')
  add('--copy <command>', 'shell command that prints the copy as JSON; STATE names the folder to keep it in')
  add('--full <command>', 'shell command that reads everything again')
  add('--allow <reasons>', 'reasons for which a copy may be wrong, such as silent_change', parseReasons)
  add('--schedules <number>', `how many schedules to try (default: ${SCHEDULES})`, parseCount)
  add('--schedule <json>', 'try this schedule only, as a failed sweep has printed it', readSchedule)
  add('--run-timeout <seconds>', `how long a run may take (default: ${RUN_TIMEOUT_SECONDS})`, parseCount)
}

export function readSweepFlags(flags: Flags & SweepFlags & { readonly sweep?: true }): {
  readonly sweep: SweepFlags | undefined
  readonly rest: Flags
} {
  const { sweep, copy, full, allow, schedules, schedule, runTimeout, ...rest } = flags
  const own = { copy, full, allow, schedules, schedule, runTimeout }
  const given = Object.entries(own).filter(([, value]) => value !== undefined)
  const [first] = given
  if (sweep) return { sweep: Object.fromEntries(given), rest }
  if (first === undefined) return { sweep: undefined, rest }
  const flag = `--${first[0].replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  throw usageError(`Cannot use ${flag} without --sweep. Add --sweep.`)
}

function parseReasons(text: string): readonly Reason[] {
  return text.split(',').map((name) => {
    const reason = Reason.safeParse(name.trim())
    if (reason.success) return reason.data
    throw usageError(`Cannot use --allow ${text}: ${name.trim()} is not one of ${Reason.options.join(', ')}.`)
  })
}

function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count < MAX_COUNT && text === String(count)) return count
  throw usageError(`Cannot use ${text}: it must be a whole number from 1 to ${MAX_COUNT - 1}.`)
}

function readSchedule(text: string): Schedule {
  try {
    return parseSchedule(JSON.parse(text))
  } catch (error) {
    const fact = error instanceof SandboxError ? error.message : 'it must be JSON. Quote it for your shell.'
    throw usageError(`Cannot use --schedule: ${fact}`)
  }
}

/** @returns the exit code: 1 if the command fails under a schedule */
export async function sweepCommand(
  { sandbox }: Pick<RunningSandbox, 'sandbox'>,
  sweep: SweepFlags,
  run: readonly string[],
  variables: (baseUrl: string) => NodeJS.ProcessEnv,
  flags: Flags,
): Promise<number> {
  const { copy, full, allow, schedules = SCHEDULES, schedule, runTimeout = RUN_TIMEOUT_SECONDS } = sweep
  const commands: SweptCommands = { run, full, copy }
  const clients = new Map<string, CommandClient>()
  const served = await serveSessions({
    fetch: (input, init, connection) => {
      const request = new Request(input, init)
      const forward = () => sandbox.fetch(request, undefined, connection)
      return clients.get(sessionInBase(request) ?? '')?.answer(request, forward) ?? forward()
    },
  })
  const timeoutMs = runTimeout * 1_000
  const playing: PlayOptions = {
    open: () => sandbox.session(),
    start: async ({ id }, player) => {
      const env = variables(`${served.url}/_sandbox/sessions/${id}/v1`)
      const client = new CommandClient(commands, env, timeoutMs, player)
      clients.clear()
      clients.set(id, client)
      return client
    },
    between: 'PT10S',
    timeoutMs,
    verdict: { allow },
  }
  killWithParent(clients)
  const choice: SweepChoice = { limit: schedules, schedule }
  const onTry = (tried: number): void => {
    if (flags['quiet'] !== true && tried % PROGRESS === 0) warn(`${tried} schedules so far.`)
  }
  try {
    const format = (failing: Schedule) => formatCommand(failing, sweep, run, flags)
    print(String(await runSweep(playing, choice, format, onTry)))
    return 0
  } catch (error) {
    if (!(error instanceof SweepError)) throw error
    for (const line of error.message.split('\n')) warn(line)
    return 1
  } finally {
    await served.close()
  }
}

/** Ends the running command, which is in a group of its own, when a signal ends this process. */
function killWithParent(clients: ReadonlyMap<string, CommandClient>): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const client of clients.values()) void client.close()
      process.exit(128 + constants.signals[signal])
    })
  }
}

function formatCommand(
  schedule: Schedule,
  { full, copy, allow, runTimeout }: SweepFlags,
  run: readonly string[],
  flags: Flags,
): string {
  const repeated = { full, copy, allow: allow?.join(','), 'run-timeout': runTimeout }
  const options = [
    ...formatFlags(flags),
    ...Object.entries(repeated).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, String(value)],
    ),
    '--schedule',
    JSON.stringify(schedule),
  ]
  const words = ['workspace-sandbox', 'exec', '--sweep', ...options, '--', ...run]
  return `Try this schedule alone, also in CI:\n\n  ${words.map(quote).join(' ')}`
}

const quote = (word: string): string =>
  /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
