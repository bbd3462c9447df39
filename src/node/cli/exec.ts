import type { Command } from 'commander'

import { stopwatch } from '../../core/system-clock.ts'
import { Reason } from '../../lab/sync/verdict.ts'
import type { LoggedRequest } from '../../sandbox/connect.ts'
import { type RunningServer, startServer } from '../server/start.ts'
import { readCopyOf, runCommand } from './command-client.ts'
import {
  addJournalOptions,
  type Job,
  type JournalFlags,
  JournalReport,
  type ModeResult,
} from './exec-journal.ts'
import { runCommandMatrix } from './exec-matrix.ts'
import { addSweepOptions, type SweepFlags, sweepCommand } from './exec-sweep.ts'
import { usageError } from './failure.ts'
import { formatJUnit, type TestCase, writeReport } from './junit.ts'
import { warn } from './output.ts'
import { endWithParent } from './processes.ts'
import { readReplay } from './receipt.ts'
import {
  addSetting,
  bypassProxy,
  type CommandHelp,
  commandVariables,
  defineOption,
  type Flags,
  settingNames,
  toFlag,
} from './settings.ts'
import { resolveSettings } from './sources.ts'

const ownHelp: CommandHelp = {
  port: { default: 'a free one', hasVariable: false },
  data: { default: 'nothing is stored', hasVariable: false },
  // Hidden, because it is the default without --data.
  memory: { isHidden: true, hasVariable: false },
  quiet: { help: 'print no progress, and only warnings about a correct copy' },
}

export function addExec(command: Command): void {
  command
    .argument(
      '[command]',
      'the command to run, with WORKSPACE_SANDBOX_URL, _CONTROL_URL, _TOKEN and _ORGANIZATION set',
    )
    .argument('[arguments...]', 'the arguments of the command')
    .passThroughOptions()
  const verdict =
    'judge the copy that a command prints: JSON, NDJSON, or messages of Singer or Airbyte; exit 1 if it is not correct'
  for (const setting of settingNames) {
    // The command owns standard output.
    if (setting === 'json') continue
    // Before the general options, which end every help.
    if (setting === 'config') {
      command.addOption(defineOption('Sync', '--verdict <command>', verdict))
      addSweepOptions(command)
    }
    addSetting(command, setting, ownHelp[setting])
  }
  const matrix = 'run the command under each value of each setting; exit 1 if it fails under one'
  command
    .addOption(defineOption('Service', '--matrix', matrix))
    .addOption(
      defineOption('Output', '--junit <file>', 'write the result as JUnit XML, which CI systems show'),
    )
    .addOption(defineOption('Output', '--json', 'print the receipt of a sweep, for --replay'))
  addJournalOptions(command)
  command.action((name: string | undefined, args: readonly string[]) =>
    exec(command, name === undefined ? [] : [name, ...args]),
  )
}

interface ExecFlags extends SweepFlags, JournalFlags {
  readonly sweep?: true
  readonly matrix?: true
  readonly verdict?: string
  readonly replay?: string
  readonly junit?: string
  readonly json?: true
}

/** The modes in which an option means something. */
const modes: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['copy', 'full', 'events', 'schedules', 'schedule', 'budget', 'runs', 'runTimeout', 'replay', 'json'].map(
      (name) => [name, ['--sweep']],
    ),
  ),
  allow: ['--sweep', '--verdict'],
  junit: ['--sweep', '--verdict', '--matrix'],
}

/** The options that a receipt does not decide. */
const besideReceipt = new Set([
  'sweep',
  'replay',
  'schedule',
  'junit',
  'json',
  'quiet',
  'log',
  'port',
  'config',
  'failOnWarnings',
  'coverage',
  'har',
])

/** The options that name a file or a command, and must not be empty. */
const named = new Set(['copy', 'full', 'verdict', 'junit', 'replay', 'har'])

/** Rejects options that do not go together. @throws CommandError */
function checkFlags(flags: ExecFlags & Flags): void {
  const { sweep, matrix, verdict } = flags
  if (sweep && verdict !== undefined) {
    throw usageError('Cannot use --verdict with --sweep, which judges the copy that --copy prints.')
  }
  if (matrix && (sweep || verdict !== undefined)) {
    throw usageError('Cannot use --matrix with --sweep or --verdict. Run them one after the other.')
  }
  const isOn = (mode: string): boolean => flags[mode.slice(2)] !== undefined
  for (const [name, value] of Object.entries(flags)) {
    if (named.has(name) && String(value).trim() === '') {
      throw usageError(`Cannot use ${toFlag(name)}: it must not be empty.`)
    }
    const wanted = modes[name] ?? []
    if (wanted.length > 0 && !wanted.some(isOn)) {
      const [first] = wanted
      throw usageError(`Cannot use ${toFlag(name)} without ${wanted.join(' or ')}. Add ${first}.`)
    }
  }
}

/** Reads what is to be replayed, and rejects options that a receipt decides; schedules alone decide none. @throws CommandError */
async function readReplayed(command: Command, path: string): Promise<Awaited<ReturnType<typeof readReplay>>> {
  const reading = readReplay(path)
  const isReceipt = await reading.then(
    ({ receipt }) => receipt !== undefined,
    () => true,
  )
  const decided = Object.keys(command.opts()).find(
    (name) => !besideReceipt.has(name) && command.getOptionValueSource(name) === 'cli',
  )
  if (!isReceipt || decided === undefined) return reading
  throw usageError(`Cannot use ${toFlag(decided)} with --replay: the receipt says it. Remove it.`)
}

async function exec(command: Command, given: readonly string[]): Promise<void> {
  const all: ExecFlags & Flags = command.opts()
  checkFlags(all)
  const { sweep: isSweep, matrix, verdict, replay, junit, json, ...flags } = all
  const { receipt: replayed, schedules } = replay === undefined ? {} : await readReplayed(command, replay)
  const words = given.length > 0 ? given : (replayed?.command ?? [])
  if (!words[0]) {
    throw usageError('exec needs a command to run, like workspace-sandbox exec -- npm test.')
  }
  const place = flags['data'] === undefined ? { memory: true } : {}
  const { options, data } = await resolveSettings(command, { port: 0, ...place })
  const { json: _json, log, quiet: isQuiet = false, ...start } = options
  // A sweep runs the command hundreds of times.
  if (isSweep && data === undefined) start.size ??= 'small'
  if (replayed) {
    const { seed, size, fixture, now, future, assumptions } = replayed
    Object.assign(start, { seed, size, fixture, now, future, assumptions })
  }
  // An old report must not outlive a run that is cut off, nor a run be lost because its report cannot be written.
  for (const path of [junit, all.har]) if (path !== undefined) await writeReport(path, '')
  const running = await startServer(
    { ...start, data },
    { ownsProcess: true, log: log ? printRequest : undefined },
  )
  const sweep = { ...(replayed ?? all), schedule: all.schedule ?? schedules }
  const journal = new JournalReport(all)
  const job: Job = {
    running,
    words,
    variables: (baseUrl) => createVariables(running, baseUrl),
    prepare: ({ faults, scenarios }) => {
      for (const one of sweep.fault ?? []) faults.add(one)
      for (const one of sweep.scenario ?? []) scenarios.add(one)
    },
    isQuiet,
    journal,
  }
  const runMode = async (): Promise<ModeResult> => {
    if (!isSweep && !matrix) {
      const allow = all.allow?.filter((reason) => reason !== 'hasty_retry')
      return runOnce(job, verdict, allow)
    }
    endWithParent()
    const { fixture = running.sandbox.dataset.fixture, assumptions = {} } = start
    if (matrix) return runCommandMatrix(job, assumptions)
    const dataset = { fixture, assumptions }
    const isJson = json === true
    return sweepCommand({ ...job, sweep, flags, dataset, replay: replayed && replay, replayed, isJson })
  }
  try {
    const { code, cases } = await runMode()
    await journal.write()
    process.exitCode = code || (journal.failure === undefined ? 0 : 1)
    if (junit === undefined) return
    const suite = matrix ? 'matrix' : isSweep ? 'sweep' : 'verdict'
    const failure = journal.failure && [journal.failure, ...journal.lines].join('\n')
    const judged = all.failOnWarnings ? [...cases, { name: 'the journal has no warnings', failure }] : cases
    await writeReport(junit, formatJUnit(suite, judged, journal.lines))
  } finally {
    await running.close()
  }
}

/** Prints a line of the log with the number of the request in its session, but none for the control plane. */
function printRequest(line: string, { isControl, id }: LoggedRequest): void {
  if (!isControl) warn(id === undefined ? line : `${line} #${id}`)
}

/** Runs the command with the streams of this process, and judges the copy that the verdict's command prints. */
async function runOnce(
  { running: { sandbox }, words, variables, prepare, isQuiet, journal }: Job,
  verdict: string | undefined,
  allow: readonly Reason[] | undefined,
): Promise<ModeResult> {
  prepare(sandbox)
  const [name = '', ...args] = words
  const env = { ...process.env, ...variables() }
  const startedMs = stopwatch()
  const code = await runCommand(name, args, env)
  const endedMs = stopwatch()
  const { defaultSession, sessions } = sandbox.state
  for (const { requests } of [defaultSession, ...sessions.list()]) journal.read(requests, true)
  if (verdict === undefined) return { code, cases: [] }
  endWithParent()
  const failure = code === 0 ? undefined : `The command ended with ${code}.`
  const cases: TestCase[] = [{ name: 'the command succeeds', tookMs: endedMs - startedMs, failure }]
  const judged = () => ({ name: 'the copy can be judged', tookMs: stopwatch() - endedMs })
  try {
    const copy = await readCopyOf('--verdict', verdict, env)
    const { correct, text, causes } = await sandbox.sync.verdict(copy, { allow })
    if (!correct || !isQuiet) for (const line of text.split('\n')) warn(line)
    cases.push(judged())
    for (const reason of Reason.options) {
      const matching = causes.filter((cause) => cause.reason === reason)
      const lines = matching.map((cause) => cause.text)
      if (matching.length === 0) cases.push({ name: reason })
      else if (allow?.includes(reason)) cases.push({ name: reason, isSkipped: true })
      else cases.push({ name: reason, failure: lines.join('\n') })
    }
    return { code: code === 0 && !correct ? 1 : code, cases }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    warn(error.message)
    return { code: code || 1, cases: [...cases, { ...judged(), failure: error.message }] }
  }
}

/** @param baseUrl that of the session of a sweep, which has no control plane */
function createVariables({ sandbox, url }: RunningServer, baseUrl?: string): NodeJS.ProcessEnv {
  const [organization] = sandbox.credentials.organizations
  return {
    [commandVariables.baseUrl]: baseUrl ?? `${url}/v1`,
    [commandVariables.controlUrl]: baseUrl === undefined ? `${url}/_sandbox` : undefined,
    [commandVariables.token]: organization?.members[0]?.token,
    [commandVariables.organization]: organization?.id,
    ...bypassProxy(new URL(url).hostname),
  }
}
