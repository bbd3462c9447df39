import { constants } from 'node:os'

import type { Command } from 'commander'

import { type RunningSandbox, startServer } from '../server/start.ts'
import { readCopyOf } from './command-client.ts'
import { runCommandMatrix } from './exec-matrix.ts'
import { addSweepOptions, readSweepFlags, sweepCommand } from './exec-sweep.ts'
import { notRunError, usageError } from './failure.ts'
import { addExamples } from './help.ts'
import { warn } from './output.ts'
import { addSetting, type CommandHelp, commandVariables, defineOption, settingNames } from './settings.ts'
import { resolveSettings } from './sources.ts'

const ownHelp: CommandHelp = {
  port: { default: 'a free one', hasVariable: false },
  data: { default: 'nothing is stored', hasVariable: false },
  // Hidden, because it is the default without --data.
  memory: { isHidden: true, hasVariable: false },
  quiet: { help: 'print nothing about a copy that is correct, and no progress of a sweep' },
}

export function addExec(program: Command): void {
  const command = program
    .command('exec')
    .description('run a command with its own sandbox, and exit with its code')
    .usage('[options] -- <command> [arguments...]')
    .argument(
      '<command>',
      'the command to run, with WORKSPACE_SANDBOX_URL, _CONTROL_URL, _TOKEN and _ORGANIZATION set',
    )
    .argument('[arguments...]', 'the arguments of the command')
    .passThroughOptions()
  for (const setting of settingNames) {
    // The command owns standard output.
    if (setting === 'json') continue
    // Before the general options, which end every help.
    if (setting === 'config') addSweepOptions(command)
    addSetting(command, setting, ownHelp[setting])
  }
  const verdict = 'judge the copy that a command prints as JSON or NDJSON; exit 1 if it is not correct'
  const matrix = 'run the command under each value of each setting; exit 1 if it fails under one'
  command
    .addOption(defineOption('Output', '--verdict <command>', verdict))
    .addOption(defineOption('Service', '--matrix', matrix))
  addExamples(command).action((name: string, args: readonly string[]) => exec(command, name, args))
}

async function exec(command: Command, name: string, args: readonly string[]): Promise<void> {
  const { sweep, rest } = readSweepFlags(command.opts())
  const { verdict: copyCommand, matrix = false, ...flags } = rest
  if (sweep && copyCommand !== undefined) {
    throw usageError('Cannot use --verdict with --sweep, which judges the copy that --copy prints.')
  }
  if (matrix && (sweep || copyCommand !== undefined)) {
    throw usageError('Cannot use --matrix with --sweep or --verdict. Run them one after the other.')
  }
  const place = flags['data'] === undefined ? { memory: true } : {}
  const { options, data } = await resolveSettings(command, { port: 0, ...place })
  const { json: _json, log, quiet = false, ...start } = options
  // A sweep runs the command hundreds of times.
  if (sweep && data === undefined) start.size ??= 'small'
  const running = await startServer(
    { ...start, ...(data !== undefined && { data }) },
    { ownsProcess: true, log: log ? warn : undefined },
  )
  if (sweep || matrix) {
    const words = [name, ...args]
    const create = (url: string) => createVariables(running, url)
    try {
      process.exitCode = sweep
        ? await sweepCommand(running, sweep, words, create, { ...flags, quiet })
        : await runCommandMatrix(running, words, create, start.assumptions)
    } finally {
      await running.close()
    }
    return
  }
  const env = { ...process.env, ...createVariables(running) }
  const code = await run(name, args, env)
  const isCorrect = typeof copyCommand !== 'string' || (await judge(running, copyCommand, env, quiet))
  process.exitCode = code === 0 && !isCorrect ? 1 : code
  await running.close()
}

async function judge(
  { sandbox }: RunningSandbox,
  command: string,
  env: NodeJS.ProcessEnv,
  quiet: boolean,
): Promise<boolean> {
  try {
    const { correct, text } = await sandbox.sync.verdict(await readCopyOf('--verdict', command, env))
    if (!correct || !quiet) for (const line of text.split('\n')) warn(line)
    return correct
  } catch (error) {
    if (!(error instanceof Error)) throw error
    warn(error.message)
    return false
  }
}

/** @param baseUrl that of the session of a sweep, which has no control plane */
function createVariables({ sandbox, url }: RunningSandbox, baseUrl?: string): NodeJS.ProcessEnv {
  const [organization] = sandbox.credentials.organizations
  return {
    [commandVariables.baseUrl]: baseUrl ?? `${url}/v1`,
    [commandVariables.controlUrl]: baseUrl === undefined ? `${url}/_sandbox` : undefined,
    [commandVariables.token]: organization?.members[0]?.token,
    [commandVariables.organization]: organization?.id,
  }
}

async function run(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // Imported here, because other commands do not need it.
  const { spawn } = await import('node:child_process')
  return new Promise((resolve) => {
    const child = spawn(name, args, { stdio: 'inherit', env })
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // A terminal sends Ctrl-C to the command itself.
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
      })
    }
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    child.on('error', (error) => {
      if (child.pid !== undefined) return
      const { message, exitCode } = notRunError(name, error)
      warn(message)
      resolve(exitCode)
    })
  })
}
