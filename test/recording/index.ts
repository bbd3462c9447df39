import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env } from 'node:process'

import { COLUMNS, drawTerminal, type Step } from './svg.ts'

// Records real commands in a terminal, and draws them as examples/terminal.svg: `npx jiti test/recording/index.ts`. Needs `script` of
// util-linux, curl, and port 4500. The output is the same on every machine, so `git diff` shows if the picture is stale.

const target = resolve('examples/terminal.svg')

function createProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-sandbox-recording-'))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  symlinkSync(resolve('dist/cli.js'), join(folder, 'node_modules/.bin/workspace-sandbox'))
  return folder
}

/** Starts a line of shell in a terminal. NOTE: without `npx` itself, whose progress would be recorded. */
function start(cwd: string, line: string): ChildProcess {
  const { NO_COLOR: _, CI: _ci, ...others } = env
  const inTerminal = `stty cols ${COLUMNS} rows 40; ${line.replace(/^npx /, 'node_modules/.bin/')}`
  return spawn('script', ['--quiet', '--flush', '--return', '--command', inTerminal, '/dev/null'], {
    cwd,
    env: {
      ...others,
      TERM: 'xterm-256color',
      npm_config_loglevel: 'error',
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** Reads what a terminal shows, up to a text or to the end of the command. */
async function read({ stdout }: ChildProcess, upTo?: string): Promise<string> {
  let shown = ''
  for await (const part of stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    shown += String(part)
    if (upTo !== undefined && shown.includes(upTo)) break
  }
  return shown.replaceAll('\r', '').trimEnd()
}

/** Runs a command to its end, and returns it with its output. */
async function run(cwd: string, command: string): Promise<Step> {
  return { command, output: await read(start(cwd, command)) }
}

const base = 'http://127.0.0.1:4500'
const ask = `curl -H 'Authorization: Bearer sbx_harbor_1' ${base}/v1/members/me`
const fault = `curl ${base}/_sandbox/faults --json '{ "operationId": "getCurrentMember", "status": 503 }'`

async function record(cwd: string): Promise<Step[][]> {
  // A user's ~/.curlrc would change the output.
  writeFileSync(join(cwd, '.curlrc'), 'silent')
  env['CURL_HOME'] = cwd
  const command = 'npx workspace-sandbox'
  const server = start(cwd, command)
  try {
    const output = await read(server, 'workspace-sandbox reset')
    if (!output.includes(base)) throw new Error(`Port 4500 must be free, but the server printed:\n${output}`)
    const steps: Step[] = []
    for (const line of [ask, fault, ask, 'npx workspace-sandbox reset', ask]) {
      steps.push(await run(cwd, line))
    }
    return [[{ command, output }], steps]
  } finally {
    const ended = once(server, 'exit')
    // It ends the server before it ends itself.
    server.kill('SIGTERM')
    await ended
  }
}

const project = createProject()
try {
  const picture = drawTerminal(await record(project))
  writeFileSync(target, picture)
  console.log(`Wrote ${target}: ${Math.ceil(picture.length / 1024)} KiB.`)
} finally {
  rmSync(project, { recursive: true, force: true })
}
