import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { expect, it } from 'vitest'

import manifest from '../../package.json' with { type: 'json' }
import { startSandbox } from '../../src/node.ts'
import { folderWith, temporaryFolder } from '../folders.ts'
import {
  begin,
  bodyOf,
  exitCode,
  occupyPort,
  run,
  runAlone,
  serve,
  type Surroundings,
  until,
} from './command.ts'

/** Reads the output of a server that is starting, up to a text. */
async function printed(child: ReturnType<typeof begin>, upTo: string): Promise<string> {
  let all = ''
  for await (const part of child.stdout.setEncoding('utf8')) {
    all += String(part)
    if (all.includes(upTo)) break
  }
  return all
}

/** Starts a server on a free port, and reads what it prints for people. */
const readBanner = (flags: readonly string[], surroundings?: Surroundings) =>
  printed(begin(['--port', '0', ...flags], surroundings), 'Ctrl-C')

const livingHint = 'Let it change too with --future living'

it('prints one line of JSON once it listens', async () => {
  const { child, stderr: _, ...line } = await serve(['--memory', '--seed', '7'])
  expect(line).toEqual({
    url: line.url,
    baseUrl: `${line.url}/v1`,
    console: `${line.url}/_sandbox`,
    openapi: `${line.url}/openapi.json`,
    pid: child.pid,
    seed: 7,
    size: 25,
    fixture: 'default',
    now: '2026-01-15T12:00:00.000Z',
    organizations: expect.arrayContaining([]),
  })
  const credentials = await fetch(`${line.url}/_sandbox/credentials`)
  const { organizations } = await bodyOf<{ organizations: unknown[] }>(credentials)
  expect(line).toMatchObject({ organizations })
})

it('prints URLs, organizations and members in at most 100 columns, without colors, and a curl line that works', async () => {
  const output = await readBanner(['--memory'])
  const [port] = /(?<=127\.0\.0\.1:)\d+/.exec(output) ?? []
  expect(output).toContain(`workspace-sandbox ${manifest.version}`)
  expect(output).toContain(`Base URL  http://127.0.0.1:${port}/v1`)
  expect(output).toContain(`Console   http://127.0.0.1:${port}/_sandbox`)
  expect(output).toContain(`OpenAPI   http://127.0.0.1:${port}/openapi.json`)
  const totals = ['customers', 'signals', 'meetings', 'notes', 'members', 'automations'].map(async (name) => {
    const query = 'organizationId=harbor&limit=1'
    const response = await fetch(`http://127.0.0.1:${port}/_sandbox/data/${name}?${query}`)
    return (await bodyOf<{ totalCount: number }>(response)).totalCount.toLocaleString('en')
  })
  expect(output.replaceAll(/ +/g, ' ')).toContain(` harbor ${(await Promise.all(totals)).join(' ')}\n`)
  for (const token of ['sbx_harbor_1', 'sbx_harbor_7', 'sbx_quill_501']) expect(output).toContain(token)
  expect(output).toContain('Data in memory: seed 42, size 300, fixture default')
  expect(output).toMatch(/all changes with curl -X POST http:\/\/127\.0\.0\.1:\d+\/_sandbox\/reset\n/)
  expect(output.split('\n').filter((line) => line.length > 100)).toEqual([])
  expect(output).not.toContain('\u001b')
  expect(output).not.toContain(livingHint)
  const [line = ''] = /curl .*/.exec(output) ?? []
  const answer = execFileSync('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] })
  expect(JSON.parse(answer.toString())).toMatchObject({ id: 1 })
})

it('prints a curl line that opens a session, where each request has to name one', async () => {
  const flags = ['--memory', '--size', '3', '--require-session', '--admin-token', 'secret']
  const [line = ''] = /curl .*/.exec(await readBanner(flags)) ?? []
  const env = { ...process.env, WORKSPACE_SANDBOX_ADMIN_TOKEN: 'secret' }
  const answer = execFileSync('sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  expect(JSON.parse(answer.toString())).toMatchObject({ id: 'one' })
})

/** Runs the line that drops all changes, and expects that it does. */
function expectToDropChanges(output: string, cwd: string): void {
  expect(output).not.toContain('secret')
  const [, line = ''] = /Drop all changes with (.*)/.exec(output) ?? []
  const command = line
    .replace(/^npx workspace-sandbox/, `node ${resolve('dist/cli.js')}`)
    .replace(/^npm run (\w+) -- /, `node ${resolve('dist/cli.js')} $1 `)
  const env = { ...process.env, WORKSPACE_SANDBOX_ADMIN_TOKEN: 'secret' }
  expect(execFileSync('sh', ['-c', command], { cwd, env, stdio: 'pipe' }).toString()).toMatch(/^(?:Reset |$)/)
}

it.each([
  [['--memory', '--admin-token', 'secret'], {}],
  [['--data', 'data', '--admin-token', 'secret', '--public-url', 'https://sandbox.example'], {}],
  [['--data', 'two words', '--host', '127.0.0.1'], { npm_lifecycle_event: 'start' }],
  [[], {}],
])('prints a line that drops all changes: %j %j', async (flags, variables) => {
  const cwd = temporaryFolder()
  expectToDropChanges(await readBanner(['--size', '3', ...flags], { cwd, env: variables }), cwd)
})

it('says where the clock is, if it was moved, and quotes its folder', async () => {
  const cwd = temporaryFolder()
  const data = "ann's data"
  const earlier = await startSandbox({ port: 0, size: 3, data: join(cwd, data) })
  earlier.sandbox.clock.advance('P1W')
  await earlier.close()
  const banner = await readBanner(['--data', data], { cwd })
  expect(banner).toContain('The clock is at 2026-01-22T12:00:00.000Z.\n')
  expectToDropChanges(banner, cwd)
})

it('lets nobody wait for records that are generated when they are read: it counts the others', async () => {
  const output = await readBanner(['--memory', '--seed', '7', '--size', '310'])
  expect(output).toMatch(/Organization +id +customers +members +automations\n/)
  expect(output).toMatch(/harbor +310 +24 +18\n/)
})

it('prints the address under which others reach it, and where it listens', async () => {
  const flags = ['--memory', '--public-url', 'https://sandbox.example']
  const { url, child: _, stderr: __, ...line } = await serve(flags)
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(line).toMatchObject({
    baseUrl: 'https://sandbox.example/v1',
    console: 'https://sandbox.example/_sandbox',
    openapi: 'https://sandbox.example/openapi.json',
  })
  const banner = await readBanner(['--size', '3', ...flags])
  expect(banner).toContain('Console   https://sandbox.example/_sandbox\n')
  expect(banner).toContain('https://sandbox.example/v1/members/me\n')
  expect(banner).toMatch(/Address {3}http:\/\/127\.0\.0\.1:\d+\n/)
})

it('says that no token works where there are no members', async () => {
  const organizations = [{ id: 'harbor', name: 'Harbor' }]
  const cwd = folderWith({ 'empty.json': { name: 'empty', complete: true, organizations } })
  const banner = await readBanner(['--memory', '--fixture', 'empty.json'], { cwd })
  expect(banner).toContain('There are no members, so no token works. Add some to the fixture.\n')
  expect(banner).not.toContain('undefined')
})

it('stores its data in .workspace-sandbox by default, and prints nothing with --quiet', async () => {
  const cwd = temporaryFolder()
  const child = begin(['--port', '0', '--size', '3', '--quiet'], { cwd })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const data = join(cwd, '.workspace-sandbox')
  await until(() => existsSync(join(data, 'dataset.json')))
  child.kill('SIGTERM')
  expect(await exitCode(child)).toBe(0)
  expect(await output).toEqual(['', ''])
  expect(readdirSync(cwd)).toEqual(['.workspace-sandbox'])
  expect(readdirSync(data).toSorted()).toEqual(['.gitignore', 'changes.jsonl', 'dataset.json'])
})

it('makes Git ignore a data folder that it creates, and leaves other folders alone', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'mine'))
  for (const data of ['new/data', 'mine']) {
    const { close } = await startSandbox({ size: 'small', port: 0, data: join(cwd, data) })
    await close()
  }
  await run(['reset', '--data', 'new/data'], { cwd })
  await run(['reseed', '--data', 'new/data', '--seed', '7'], { cwd })
  expect(readFileSync(join(cwd, 'new/data/.gitignore'), 'utf8')).toBe('*\n')
  expect(readdirSync(join(cwd, 'new'))).toEqual(['data'])
  expect(readdirSync(join(cwd, 'mine'))).not.toContain('.gitignore')
  execFileSync('git', ['init', '--quiet'], { cwd })
  const status = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], { cwd })
  expect(status.toString()).not.toContain('new/')
})

// Another test that has the port may release it meanwhile.
it('takes the next port if the default one is in use, and says so', { retry: 3 }, async () => {
  await occupyPort(4500)
  const child = begin(['--memory', '--json', '--size', 'small'])
  const stderr = text(child.stderr)
  const { url } = JSON.parse(await printed(child, '\n'))
  child.kill('SIGTERM')
  expect(await stderr).toBe(`Port 4500 is in use, so the server listens on ${new URL(url).port}.\n`)
})

it('rejects a port that is in use', async () => {
  const port = await occupyPort()
  const what = 'the port is in use. Choose another with --port, or 0 for any free one.'
  expect(await runAlone(['--memory', '--size', 'small', '--port', String(port)])).toEqual({
    code: 1,
    stdout: '',
    stderr: `Cannot listen on 127.0.0.1:${port}: ${what}\n`,
  })
})

it('prints its version', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

it.each(['help', '--help', '-h'])('prints its commands and the exit codes with %s', async (word) => {
  const { code, stdout } = await run([word])
  expect(code).toBe(0)
  for (const name of ['start', 'exec', 'reset', 'reseed', 'export', 'openapi', 'init', 'help']) {
    expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  }
  const helps = await Promise.all(['exec', 'reset', 'calibrate'].map((name) => run([name, '--help'])))
  const texts = [stdout, ...helps.map((help) => help.stdout)].join('')
  expect(texts.split('\n').filter(({ length }) => length > 80)).toEqual([])
  for (const help of helps) expect(help.stdout).toMatch(/^General:\n(?:  .+\n)+\nExamples:$/m)
  const [, codes = ''] = stdout.split('\nExit codes:\n')
  expect(codes.match(/^  \d+(?= )/gm)).toEqual(['  0', '  1', '  2', '  127', '  130'])
})

it.each([[['help', 'strat']], [['strat', '--help']]])(
  'rejects the help of an unknown command, %j',
  async (args) => {
    const { code, stderr } = await run(args)
    expect(code).toBe(2)
    expect(stderr).toContain('Unknown command strat. Did you mean start?\n')
  },
)

it.each([[['help', 'start']], [['start', '-h']]])('prints the flags of a command with %j', async (args) => {
  const { code, stdout } = await run(args)
  expect(code).toBe(0)
  const flags =
    'port host admin-token allow-host allow-origin seed size fixture now data memory config json quiet'
  for (const flag of flags.split(' ')) expect(stdout).toContain(`  --${flag} `)
})

const commands = 'Known are start, exec, reset, reseed, export, openapi, calibrate, init.'

it.each([
  [['--prot', '1'], "Cannot understand the command line: unknown option '--prot'. Did you mean --port?"],
  [['exec'], 'exec needs a command to run, like workspace-sandbox exec -- npm test.'],
  [['strat'], 'Unknown command strat. Did you mean start?'],
  [['--port'], "Cannot understand the command line: option '--port <number>' argument missing."],
  [['--port', 'abc'], 'Cannot use --port abc: it must be a whole number from 0 to 65535.'],
  [['--port', '0', 'frobnicate'], `Unknown command frobnicate. ${commands}`],
  [['--memory=yes'], 'Cannot understand the command line: --memory takes no value.'],
  [['--seed', '-1'], 'Cannot use --seed -1: it must be a whole number from 0 to 9007199254740991.'],
  [
    ['--session-ttl', '0'],
    'Cannot use --session-ttl 0: it must be a number of minutes above 0, at most 525600.',
  ],
  [['--config', '.'], 'Cannot read config file .: it is a folder. Name a file with --config.'],
  [['--config', 'a.json'], 'Cannot read config file a.json: there is no such file. Check --config.'],
  ...[
    ['violationStatuz=422', 'violationStatuz is not an assumption. Did you mean violationStatus?'],
    ['violationStatus', 'violationStatus has no value. Write violationStatus=422.'],
    ['violationStatus=423', 'violationStatus must be one of 400, 422.'],
    ['signalStatuses=a,b,c,a', 'signalStatuses must not repeat a name (got "a" twice).'],
  ].map(([given = '', fact]): [string[], string] => [
    ['--assume', given],
    `Cannot use --assume ${given}: ${fact}`,
  ]),
  [
    ['--allow-origin', 'http://a.test', '--allow-origin', 'http://a.test/page'],
    'Cannot use --allow-origin http://a.test/page: it must be an origin like http://localhost:5173.',
  ],
  [
    ['--allow-host', 'http://a.test'],
    'Cannot use --allow-host http://a.test: it must be a host name like sandbox.test, without scheme, port or path.',
  ],
  [
    ['--host', 'http://a.test'],
    'Cannot use --host http://a.test: it must be a host name like sandbox.test, without scheme, port or path.',
  ],
  [
    ['--now', 'today'],
    'Cannot use --now today: it must be a UTC date-time like 2026-01-15T12:00:00Z, or system.',
  ],
  [
    ['--memory', '--data', 'x'],
    'Cannot use both --memory and --data x: the one stores nothing, the other names a folder. Remove one of them.',
  ],
  [
    ['--memory', '--size', '3', '--clock-rate', '60'],
    'Cannot use --clock-rate, because the clock is frozen. Set --now to system, or remove --clock-rate.',
  ],
])('rejects %j', async (args, message) => {
  expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: `${message}\n` })
})
