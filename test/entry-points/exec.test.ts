import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { folderWith, temporaryFolder } from '../folders.ts'
import { begin, definesRead, exitCode, run, runAlone, type Surroundings } from './command.ts'

const node = process.execPath

/** Runs a line of shell that writes to the file `seen`, and returns what it has written. */
async function see(line: string, flags: readonly string[], surroundings: Surroundings = {}) {
  const cwd = surroundings.cwd ?? temporaryFolder()
  await run(['exec', ...flags, '--', 'sh', '-c', `(${line}) > seen`], { ...surroundings, cwd })
  return readFileSync(join(cwd, 'seen'), 'utf8')
}

it('passes a working URL, token and organization to the command', async () => {
  const script = `${definesRead}
    const { WORKSPACE_SANDBOX_URL: url, WORKSPACE_SANDBOX_CONTROL_URL: control } = process.env
    const path = '/organizations/' + process.env.WORKSPACE_SANDBOX_ORGANIZATION + '/customers'
    const { body: list } = await read(path, url)
    const { body: health } = await read('/health', control)
    console.log(url, list.totalCount, health.size)`
  const outcome = await runAlone(['exec', '--size', 'small', '--', node, '-e', script])
  const { code, stdout, stderr } = outcome
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1 25 25\n$/)
})

const here = 'localhost,127.0.0.1,::1,[::1]'

it.each([
  [{}, here],
  [{ NO_PROXY: 'corp.example' }, `corp.example,${here}`],
  [{ NO_PROXY: '*' }, '*'],
  [{ no_proxy: 'a.example, localhost' }, `a.example,${here}`],
])('keeps the calls of the command to the sandbox away from a proxy, with %j', async (env, expected) => {
  const seen = await see('echo "$NO_PROXY"; echo "$no_proxy"', ['--size', '3'], { env })
  expect(seen).toBe(`${expected}\n`.repeat(2))
})

it('exits with 128 and the signal that ended the command', async () => {
  const outcome = await run(['exec', '--size', '3', '--', 'sh', '-c', 'kill -KILL $$'])
  expect(outcome).toEqual({ code: 137, stdout: '', stderr: '' })
})

it('passes arguments and options on unchanged, with or without dashes before the command', async () => {
  const cwd = temporaryFolder()
  const given = ['--seed', 'a b', '$HOME', '--', '']
  for (const dashes of [['--'], []]) {
    const line = ['sh', '-c', 'printf "<%s>" "$@" > seen', 'sh', ...given]
    await run(['exec', '--size', '3', ...dashes, ...line], { cwd })
    expect(readFileSync(join(cwd, 'seen'), 'utf8')).toBe('<--seed><a b><$HOME><--><>')
  }
})

it('generates the dataset of its flags, and ignores the port of the config file', async () => {
  const cwd = folderWith({ 'workspace-sandbox.config.json': { port: 1, size: 30, data: 'kept' } })
  const health = await see('curl -s "$WORKSPACE_SANDBOX_CONTROL_URL/health"', ['--seed', '7'], { cwd })
  expect(JSON.parse(health)).toMatchObject({ seed: 7, size: 30 })
  expect(readdirSync(cwd).toSorted()).toEqual(['seen', 'workspace-sandbox.config.json'])
  await run(['exec', '--data', 'here', '--', 'true'], { cwd })
  expect(existsSync(join(cwd, 'here', 'dataset.json'))).toBe(true)
})

/** Runs a line of shell under each value of each setting. */
const tryAll = (line: string, ...flags: readonly string[]) =>
  run(['exec', '--size', 'small', '--matrix', ...flags, '--', 'sh', '-c', line])

/** A line of shell that fails unless a path of the service shows a list. */
const expectList = (path: string) => `
  curl -s -H "Authorization: Bearer $WORKSPACE_SANDBOX_TOKEN" "$WORKSPACE_SANDBOX_URL/organizations/harbor${path}" |
    grep -q '^\\[' || { echo 'no list' >&2; exit 4; }`

it('names with --matrix the settings under whose other values the command ends with another exit code', async () => {
  const report = join(temporaryFolder(), 'report.xml')
  const flags = ['--assume', 'pages=array', '--junit', report]
  const { code, stdout, stderr } = await tryAll(expectList('/products'), ...flags)
  const failure =
    /name="A-02 envelopes=all" time="(?!0\.000)\d+\.\d{3}">\n {6}<failure message="it ended with 4: no list">/
  expect(readFileSync(report, 'utf8')).toMatch(failure)
  const line = 'A-02  Body of lists without pagination  envelopes=all  it ended with 4: no list'
  const [, total] = /^1 of (\d+ runs);/.exec(stderr) ?? []
  expect([code, stdout]).toEqual([1, expect.stringContaining(`The suite fails in 1 of ${total}.\n`)])
  expect(stdout.split('\n')[1]).toBe(`  ${line}`)
  const broken = await tryAll(expectList('/customers'))
  expect(broken).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The suite fails before any assumption is overridden: it ended with 4: no list.\n',
  })
  const idle = 'The suite has sent no request through its session, so no assumption could matter. '
  expect(await tryAll('true')).toMatchObject({ code: 1, stderr: expect.stringContaining(idle) })
  expect((await tryAll('true', '--verdict', 'true')).stderr).toContain('Cannot use --matrix with')
})

it('explains why a command cannot be run, and exits with 127', async () => {
  const remedy = 'Check its name and your PATH.'
  const file = join(folderWith({ file: '' }), 'file')
  chmodSync(file, 0o644)
  for (const [command, fact] of [
    ['no-such-command', 'there is no such command'],
    [file, 'it is not executable'],
  ] as const) {
    const stderr = `Cannot run ${command}: ${fact}. ${remedy}\n`
    const outcome = await run(['exec', '--size', '3', '--', command])
    expect(outcome).toEqual({ code: 127, stdout: '', stderr })
  }
})

it.each(['--help', '-h'])('prints with %s its own options only', async (flag) => {
  const { code, stdout } = await run(['exec', flag])
  expect(code).toBe(0)
  const help = stdout.replaceAll(/\s+/g, ' ')
  expect(help).toContain('0 picks a free one (default: a free one)')
  expect(help).toContain('(default: nothing is stored)')
  expect(help).not.toMatch(/4500|\.workspace-sandbox\b|--memory/)
})

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('forwards %s to the command', async (signal) => {
  const script = `process.on('${signal}', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')`
  const child = begin(['exec', '--size', '3', '--', node, '-e', script])
  await once(child.stdout, 'data')
  child.kill(signal)
  expect(await exitCode(child)).toBe(5)
})

/** Reads the customers, and keeps them in the form of a copy that its argument names. */
const client = `${definesRead}
  const { items } = (await read('/customers?limit=250')).body
  const [first, ...others] = items
  const schema = { type: 'SCHEMA', stream: 'customers', schema: {} }
  const toRecord = (record, version) => ({ type: 'RECORD', stream: 'customers', record, version })
  const forms = {
    json: [{ customers: items }],
    ndjson: others.map((row) => ({ collection: 'customers', row })),
    singer: [
      'INFO reading', schema, toRecord({ ...first, name: 'Former name' }),
      ...items.map((one) => toRecord({ ...one, _sdc_sequence: 1 })),
      '{"type":"RECORD","stream":"custo', { type: 'STATE', value: {} },
    ],
    airbyte: [
      { type: 'LOG', log: { level: 'INFO', message: 'reading' } },
      ...others.map((data) => ({ type: 'RECORD', record: { stream: 'customers', data, emitted_at: 1 } })),
    ],
    versions: [
      schema, ...Array.from({ length: 65 }, (_, at) => toRecord({ id: 90000 + at, filler: 'x'.repeat(1 << 20) }, 1)),
      ...others.map((one) => toRecord(one, 2)), toRecord(first), { ...schema, type: 'ACTIVATE_VERSION', version: 2 },
    ],
  }
  const file = fs.openSync('copy', 'w')
  for (const one of forms[process.argv[1]] ?? []) fs.writeSync(file, (one.at ? one : JSON.stringify(one)) + '\\n')`

/** Runs the client, and judges what a command prints of its copy. */
const judge = (form: string, verdict: string, ...flags: readonly string[]) =>
  run(['exec', '--size', 'small', '--quiet', '--verdict', verdict, ...flags, '--', node, '-e', client, form])

it.each([
  ['json', 'cat copy'],
  // As editors and PowerShell write UTF-8.
  ['json', String.raw`printf '\357\273\277'; cat copy`],
  ['singer', 'cat copy'],
  // Longer than what is read at once, and with rows of a version that is no longer active.
  ['versions', 'cat copy'],
])('finds with --verdict a copy in %s form correct that is printed by %j', async (form, verdict) => {
  expect(await judge(form, verdict)).toEqual({ code: 0, stdout: '', stderr: '' })
})

it.each([
  ['ndjson', 'cat copy', 'delivered_not_stored: Customer 1 is missing: request 1, GET …/customers'],
  ['airbyte', 'cat copy', 'Customer 1 is missing'],
  ['no', 'echo {}', 'There is nothing to judge'],
  ['no', 'echo nothing', 'printed no copy: its output: must be JSON. Print {'],
  ['no', `echo '{"customers":1}'`, 'printed no copy: its output copy.customers: must be a list'],
  ['no', `echo '{"type":"RECORD","stream":"customers"}'`, 'line 1: must be a RECORD of Singer with stream'],
  // It would never end by itself.
  ['no', 'cat /dev/zero; true', 'must not have 268435456 characters without a row.'],
  ['no', 'exit 3', 'The command of --verdict failed with exit code 3: exit 3\n'],
  ['no', 'kill -9 $$', 'The command of --verdict failed with the signal SIGKILL: kill -9 $$\n'],
])('rejects with --verdict a copy in %s form that is printed by %j', async (form, verdict, fault) => {
  const stderr = expect.stringContaining(fault)
  expect(await judge(form, verdict)).toEqual({ code: 1, stdout: '', stderr })
})

/** Runs a line of shell that sends no request, beside a sandbox that judges. */
const runIdle = (script: string) =>
  run(['exec', '--size', '3', '--verdict', 'echo {}', '--', 'sh', '-c', script])

it('shows a verdict in the JUnit file, allows its reasons, and leaves the command its own code', async () => {
  const report = join(temporaryFolder(), 'report.xml')
  await judge('ndjson', 'cat copy', '--junit', report)
  expect(readFileSync(report, 'utf8')).toContain(
    'name="delivered_not_stored" time="0.000">\n      <failure message="Customer 1',
  )
  expect(await judge('ndjson', 'cat copy', '--allow', 'delivered_not_stored')).toMatchObject({ code: 0 })
  const stderr = expect.stringContaining('There is nothing to judge')
  expect(await runIdle('true')).toMatchObject({ code: 1, stderr })
  expect(await runIdle('exit 4')).toMatchObject({ code: 4, stderr })
})
