import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

import { isRunning, stopGroup } from '../entry-points/command.ts'
import { createEnvironment } from '../entry-points/recipe.ts'

export interface Output {
  /** The standard output and standard error of all commands. */
  readonly all: string
  /** The standard output of the last command. */
  readonly last: string
}

export interface ShellOptions {
  readonly folder: string
  /** The folder of the shell's own files. */
  readonly own: string
  /** The port that replaces 4500. */
  readonly port: number
  /** The folder of the programs that come before all others. */
  readonly bin: string
}

/** The port of the pages. */
const PORT = 4500

/** The time in which a command must end. */
const LIMIT_MS = 60_000

const SERVER = /^((?:\w+=\S+ +)*)npx workspace-sandbox(| start| -.*| start .*)$/

/** Finds the arguments of a server that runs in the foreground, with the variables before it. */
export function parseServer(command: string): { variables: string; args: string } | undefined {
  const [, variables = '', args] = SERVER.exec(command.trim().replace(/ *&$/, '')) ?? []
  if (args === undefined || /--help|--version| -h\b/.test(args)) return undefined
  return { variables, args }
}

/** Splits a script into its commands, each of one or more lines. */
function splitCommands(script: string): string[] {
  const commands: string[] = []
  let lines: string[] = []
  for (const line of script.split('\n')) {
    lines.push(line)
    const text = lines.join('\n')
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
    // An unfinished here-document is only a warning.
    if (status !== 0 || stderr !== '' || line.endsWith('\\')) continue
    lines = []
    if (/^\s*[^#\s]/m.test(text)) commands.push(text)
  }
  return lines.length === 0 ? commands : [...commands, lines.join('\n')]
}

/** A Bash that runs the blocks of a page. */
export class Shell {
  readonly #options: ShellOptions
  readonly #bash: ChildProcess
  readonly #ended: Promise<unknown>
  #count = 0
  #server: string | undefined

  constructor(options: ShellOptions) {
    this.#options = options
    const { folder, own, port, bin } = options
    mkdirSync(own, { recursive: true })
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: createEnvironment({
        PATH: `${bin}:${process.env['PATH']}:${resolve(import.meta.dirname, '../../node_modules/.bin')}`,
        WORKSPACE_SANDBOX_PORT: `${port}`,
        CI: 'true',
        NO_COLOR: '1',
      }),
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      // A group of its own, so that its servers end with it.
      detached: true,
    })
    this.#ended = once(this.#bash, 'exit')
  }

  /** Runs a block. Errors: a command that fails or takes too long. */
  async run(script: string): Promise<Output> {
    let all = ''
    let last = ''
    for (const command of splitCommands(this.toOwnPort(script))) {
      const server = parseServer(command)
      const { stdout, stderr } = await (server
        ? this.#serve(server.args, server.variables)
        : this.#execute(command))
      all += stdout + stderr
      last = stdout
    }
    return { all, last }
  }

  /** Whether a block has started a server. */
  get hasServer(): boolean {
    return this.#server !== undefined
  }

  /** Starts a server with default options that stores nothing. */
  async serveDefault(): Promise<void> {
    await this.#serve(' --memory')
  }

  toOwnPort = (text: string): string => text.replaceAll(/\b4500\b/g, String(this.#options.port))

  toPagePort = (text: string): string =>
    text.replaceAll(new RegExp(String.raw`\b${this.#options.port}\b`, 'g'), String(PORT))

  async close(): Promise<void> {
    if (this.#bash.pid === undefined) return
    stopGroup(this.#bash)
    await this.#ended
  }

  async #execute(command: string) {
    const files = this.#write(command)
    const status = await this.#send(
      `source '${files.script}' </dev/null >'${files.stdout}' 2>'${files.stderr}'; echo $? >&3`,
    )
    const output = this.#read(files)
    if (status === '0') return output
    throw new Error(this.toPagePort(`\`${command}\` has failed: ${status}\n${output.stdout}${output.stderr}`))
  }

  /** Starts a server in the background instead of the one before it, and waits until it listens. */
  async #serve(args: string, variables = '') {
    if (this.#server !== undefined) await this.#send(`kill ${this.#server}; wait ${this.#server}; echo >&3`)
    const files = this.#write(`${variables}exec workspace-sandbox${args}`)
    const pid = await this.#send(
      `( source '${files.script}' ) </dev/null >'${files.stdout}' 2>'${files.stderr}' & echo $! >&3`,
    )
    this.#server = pid
    for (const start = performance.now(); ; await delay(20)) {
      const output = this.#read(files)
      if (/http:\/\/.*\n$/s.test(output.stdout)) return output
      if (!isRunning(Number(pid)) || performance.now() - start > LIMIT_MS) {
        throw new Error(`\`npx workspace-sandbox${args}\` does not listen:\n${output.stdout}${output.stderr}`)
      }
    }
  }

  #write(command: string) {
    const path = join(this.#options.own, String(++this.#count))
    const files = { script: `${path}.sh`, stdout: `${path}.out`, stderr: `${path}.err` }
    writeFileSync(files.script, `${command}\n`)
    return files
  }

  #read({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) {
    const read = (file: string): string =>
      existsSync(file) ? this.toPagePort(stripVTControlCharacters(readFileSync(file, 'utf8'))) : ''
    return { stdout: read(stdout), stderr: read(stderr) }
  }

  /** Sends a line to the shell, and returns the line that it writes to its fourth stream. */
  async #send(line: string): Promise<string> {
    const { stdin } = this.#bash
    const answers = this.#bash.stdio[3]
    if (!stdin || !answers) throw new Error('The shell has no streams.')
    const limit = AbortSignal.timeout(LIMIT_MS)
    const answer = once(answers, 'data', { signal: limit }).then(
      ([data]) => String(data).trim(),
      () => `no end within ${LIMIT_MS / 1_000} seconds`,
    )
    stdin.write(`${line}\n`)
    return Promise.race([answer, this.#ended.then(() => 'the shell has exited')])
  }
}
