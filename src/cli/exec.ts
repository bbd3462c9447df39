import { constants } from 'node:os'

import type { Command } from 'commander'

import type { AssumptionReport } from '../control/journal/assumptions-report.ts'
import { reportLines } from '../control/journal/assumptions-table.ts'
import { type RunningSandbox, startSandbox } from '../node.ts'
import { codeOf } from '../store/disk.ts'
import { warn } from './output.ts'
import { resolved } from './resolve.ts'
import { optionOf, type OwnHelp, settingNames, type SettingName } from './settings.ts'

/** The exit code of a command that cannot be run, as shells have it. */
const NOT_RUN = 127

const forwarded = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** The help of settings that mean something else to `exec` than to a server. */
const own: Partial<Record<SettingName, OwnHelp>> = {
  port: { default: 'a free one' },
  data: { help: 'folder to keep the data in', default: 'nothing is kept' },
  quiet: { help: 'print no report at the end' },
}

/** Adds the command that runs another one beside a sandbox. */
export function addExec(program: Command): void {
  const command = program
    .command('exec')
    .description('run a command against a sandbox of its own; end with its exit code')
    .usage('[options] -- <command> [arguments...]')
    .argument('<command>', 'gets WORKSPACE_SANDBOX_URL, _TOKEN and _ORGANIZATION in its environment')
    .argument('[arguments...]', 'its arguments')
    .passThroughOptions()
  for (const setting of settingNames) {
    // What is printed on standard output is the command's business.
    if (setting === 'json') continue
    const option = optionOf(setting, own[setting])
    // It is accepted, but there is no need for it: without --data, nothing is kept.
    command.addOption(setting === 'memory' ? option.hideHelp() : option)
  }
  command.action((name: string, args: readonly string[], flags: Readonly<Record<string, unknown>>) =>
    exec(flags, name, args),
  )
}

/** Starts a server, in memory and on a free port unless flags say otherwise, and ends it with the command. */
async function exec(
  flags: Readonly<Record<string, unknown>>,
  name: string,
  args: readonly string[],
): Promise<void> {
  const place = flags['data'] === undefined ? { memory: true } : {}
  const { options, data } = await resolved({ port: 0, ...place, ...flags })
  const { json: _json, quiet = false, ...rest } = options
  const running = await startSandbox({ ...rest, ...(data !== undefined && { data }) })
  const report = quiet ? undefined : running.sandbox.collectAssumptions()
  process.exitCode = await run(name, args, { ...process.env, ...variables(running) })
  if (report) tell(report())
  await running.close()
}

/** Says on standard error what the run rested on; nothing where it asked for nothing. */
function tell(report: AssumptionReport): void {
  if (report.requests === 0) return
  warn('')
  for (const line of reportLines(report)) warn(line)
}

/** What the command finds in its environment: where the service is, and who it is there. */
function variables({ baseUrl, sandbox }: RunningSandbox): Record<string, string | undefined> {
  const [organization] = sandbox.credentials.organizations
  return {
    WORKSPACE_SANDBOX_URL: baseUrl,
    WORKSPACE_SANDBOX_TOKEN: organization?.members[0]?.token,
    WORKSPACE_SANDBOX_ORGANIZATION: organization?.id,
  }
}

/** Runs a command to its end, hands signals on to it, and gives the exit code that a shell would give. */
async function run(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // A start needs none of it.
  const { spawn } = await import('node:child_process')
  return new Promise((resolve) => {
    const child = spawn(name, args, { stdio: 'inherit', env })
    for (const signal of forwarded) {
      process.on(signal, () => {
        // A terminal sends Ctrl-C to the command itself.
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
      })
    }
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    child.on('error', (error) => {
      if (child.pid !== undefined) return
      warn(`Cannot run ${name}: ${factOf(error)}. Check its name, and that it is in the PATH.`)
      resolve(NOT_RUN)
    })
  })
}

function factOf(error: Error): string {
  if (codeOf(error) === 'ENOENT') return 'there is no such command'
  return codeOf(error) === 'EACCES' ? 'it may not be executed' : error.message
}
