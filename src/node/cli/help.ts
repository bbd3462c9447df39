import type { Command } from 'commander'

import { indentColumns } from '../../core/words.ts'

const examples: Readonly<Record<string, readonly (readonly [line: string, comment: string])[]>> = {
  'workspace-sandbox': [
    ['workspace-sandbox', 'start on port 4500, with data in .workspace-sandbox'],
    ['workspace-sandbox exec -- npm test', 'run tests with a sandbox of their own'],
  ],
  start: [
    ['workspace-sandbox start --size small --memory', 'a small dataset, stored nowhere'],
    ['workspace-sandbox start --port 0 --json', 'any free port, printed as JSON for scripts'],
  ],
  exec: [
    ['workspace-sandbox exec -- npm test', 'tests with a sandbox of their own'],
    ["workspace-sandbox exec --verdict 'cat copy.json' -- python3 sync.py", 'is the copy of a sync right?'],
    [
      "workspace-sandbox exec --sweep --copy 'cat $STATE/copy.json' -- ./sync.sh",
      'a sync under every schedule of events',
    ],
  ],
  reset: [
    ['workspace-sandbox reset', 'the server that uses .workspace-sandbox, or the folder itself'],
    ['workspace-sandbox reset --url http://127.0.0.1:4501', 'any running server'],
  ],
  reseed: [
    ['workspace-sandbox reseed --seed 7', 'another seed; size, fixture and time stay'],
    ['workspace-sandbox reseed --fixture edge-cases --size small', 'another fixture and size'],
  ],
  export: [
    ['workspace-sandbox export > tenant.json', 'the stored dataset'],
    ['workspace-sandbox export --memory --seed 7 > tenant.json', 'any other dataset'],
  ],
  openapi: [
    ['workspace-sandbox openapi > openapi.json', 'with examples from the stored data'],
    ['workspace-sandbox openapi --memory --assume errorFormat=error', 'with another assumption'],
  ],
  calibrate: [
    ['workspace-sandbox calibrate --har traffic.har', 'from a recording of a browser'],
    [
      'workspace-sandbox calibrate --har traffic.har --check',
      'whether the tenant answers as your config says',
    ],
  ],
  init: [
    ['workspace-sandbox init', 'the usual options, with a comment'],
    ['workspace-sandbox init --vitest', 'test/sandbox.test.ts'],
  ],
}

const exitCodes = [
  ['0', 'success; also for a server that a signal stopped'],
  ['1', 'failure: a busy port, a damaged folder, a sync or config that is wrong, …'],
  ['2', 'wrong usage: an unknown or invalid command, flag, variable or config key'],
  ['127', "exec cannot run its command; otherwise, it exits with the command's code"],
  ['130', 'a second Ctrl-C interrupted the server while it was stopping'],
]

const addSection = (command: Command, title: string, lines: readonly string[]): Command =>
  command.addHelpText('after', ['', title, ...lines].join('\n'))

/** Adds examples to the help of each command, and the exit codes to that of the program. */
export function addHelpTexts(program: Command): void {
  for (const command of [program, ...program.commands]) {
    const lines = examples[command.name()] ?? []
    // A comment beside its line would not fit into 80 columns.
    addSection(
      command,
      'Examples:',
      lines.flatMap(([line, comment]) => [`  # ${comment}`, `  ${line}`]),
    )
  }
  addSection(program, 'Exit codes:', indentColumns(exitCodes))
}
