import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { stopGroup } from '../entry-points/command.ts'
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

/** The time in which a block must end. */
const LIMIT_MS = 60_000

/** Matches a server in the foreground, with the variables before it. */
const SERVER =
  /^((?:\w+=\S+ +)*)npx workspace-sandbox(?! .*(?:--help|--version|-h\b))(| start| -.*| start .*)$/

const trimCommand = (command: string): string => command.trim().replace(/ *&$/, '')

export const isServer = (command: string): boolean => SERVER.test(trimCommand(command))

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

/** Starts a server in the background instead of the one before it, whose output goes first, and waits until it listens. */
const serve = `serve() {
  if [ -e "$OWN/pid" ]; then
    kill "$(cat "$OWN/pid")" || true
    while kill -0 "$(cat "$OWN/pid")" 2>/dev/null; do sleep 0.02; done
  fi
  : >"$OWN/server"
  workspace-sandbox "$@" </dev/null >"$OWN/server" 2>&1 &
  echo $! >"$OWN/pid"
  until grep -q http:// "$OWN/server"; do
    kill -0 $! || { cat "$OWN/server"; return 1; }
    sleep 0.02
  done
  cat "$OWN/server"
}`

/** Runs the blocks of a page, each with a Bash of its own. */
export class Shell {
  readonly #options: ShellOptions
  /** Each is a group of its own, which its server outlives. */
  readonly #groups: ChildProcess[] = []

  constructor(options: ShellOptions) {
    this.#options = options
    mkdirSync(options.own, { recursive: true })
  }

  /** Runs a block. Errors: a command that fails, or a block that takes too long. */
  async run(script: string): Promise<Output> {
    const { folder, own, port, bin } = this.#options
    const commands = splitCommands(this.toOwnPort(script)).map((command) =>
      isServer(command) ? trimCommand(command).replace(SERVER, '$1serve$2') : command,
    )
    const before = commands.slice(0, -1)
    const steps = [serve, 'exec >"$OWN/all" 2>&1', ...before, 'exec >"$OWN/last" 2>"$OWN/errors"']
    for (const name of ['all', 'last', 'errors']) writeFileSync(join(own, name), '')
    const bash = spawn('bash', ['-e', '-c', [...steps, ...commands.slice(-1)].join('\n')], {
      cwd: folder,
      env: createEnvironment({
        PATH: `${bin}:${process.env['PATH']}:${resolve(import.meta.dirname, '../../node_modules/.bin')}`,
        OWN: own,
        WORKSPACE_SANDBOX_PORT: `${port}`,
        CI: 'true',
        NO_COLOR: '1',
      }),
      stdio: 'ignore',
      detached: true,
      timeout: LIMIT_MS,
    })
    this.#groups.push(bash)
    const [code] = await once(bash, 'exit')
    const [all, last, errors] = [this.#read('all'), this.#read('last'), this.#read('errors')]
    if (code === 0) return { all: all + last + errors, last }
    const reason = code ?? `no end within ${LIMIT_MS / 1_000} seconds`
    throw new Error(`\`${script}\` has failed: ${reason}\n${all}${last}${errors}`)
  }

  /** Whether a block has started a server. */
  get hasServer(): boolean {
    return existsSync(join(this.#options.own, 'pid'))
  }

  toOwnPort = (text: string): string => text.replaceAll(/\b4500\b/g, String(this.#options.port))

  close(): void {
    for (const bash of this.#groups) stopGroup(bash)
  }

  #read(name: string): string {
    const text = stripVTControlCharacters(readFileSync(join(this.#options.own, name), 'utf8'))
    return text.replaceAll(new RegExp(String.raw`\b${this.#options.port}\b`, 'g'), String(PORT))
  }
}
