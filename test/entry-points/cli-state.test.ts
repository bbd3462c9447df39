import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { startSandbox, type StartOptions } from '../../src/node.ts'
import { folderWith, temporaryFolder } from '../folders.ts'
import { as, control, customers, overHttp, readControl } from '../support.ts'
import { exitCode, listening, begin, run, runAlone } from './command.ts'

/** Starts a server whose dataset the flags choose. */
const start = (flags: readonly string[], cwd: string) =>
  listening(begin(['start', '--port', '0', '--json', ...flags], { cwd }))

/** Starts a server in this process for the duration of the test. */
async function startHere(options: StartOptions) {
  const running = await startSandbox({ port: 0, ...options })
  onTestFinished(() => running.close())
  return running
}

/** Reads the state of a server, and what Mara sees of it. */
async function read({ url }: { readonly url: string }) {
  const server = overHttp(url)
  const state = await (await control(server, 'GET', '/state')).text()
  return [state, await (await as(server, 'mara').send(customers)).text()]
}

it('a process starts from the state of another one, and gives the same bytes', async () => {
  const a = await startHere({ seed: 7, size: 4, future: 'living' })
  a.sandbox.clock.advance('P30D')
  await a.sandbox.data.customers.patch(1, { name: 'Tern & Co' })
  await a.sandbox.data.customers.delete(2)
  const expected = await read(a)
  const [state = ''] = expected
  const cwd = folderWith({ 'state.json': state })

  const b = await start(['--data', 'kept', '--state', 'state.json'], cwd)
  expect(b).toMatchObject({ seed: 7, size: 4 })
  expect(await read(b)).toEqual(expected)
  b.child.kill('SIGTERM')
  expect(await exitCode(b.child)).toBe(0)
  // The folder keeps what the state has brought.
  expect(await read(await startHere({ data: join(cwd, 'kept') }))).toEqual(expected)

  // A running server takes the state with its dataset, and keeps both when it is killed.
  const c = await start(['--data', 'other', '--size', '3'], cwd)
  await readControl(overHttp(c.url), 'PUT', '/state', JSON.parse(state))
  c.child.kill('SIGKILL')
  await exitCode(c.child)
  const d = await startHere({ data: join(cwd, 'other') })
  expect(d.sandbox.dataset).toMatchObject({ seed: 7, size: 4 })
  expect(await read(d)).toEqual(expected)
})

it.each([
  ['Cannot use state pipe.json', 'start', '--port', '0', '--state', 'pipe.json'],
  ['Cannot use fixture pipe.json', 'start', '--port', '0', '--fixture', 'pipe.json'],
  ['Cannot read config file pipe.json', 'start', '--config', 'pipe.json'],
  ['Cannot write pipe.json', 'exec', '--har', 'pipe.json', '--', 'true'],
])('%s, which would never end if it is a pipe', async (message, ...args) => {
  const cwd = temporaryFolder()
  execFileSync('sh', ['-c', 'mkfifo pipe.json'], { cwd })
  // In a process of its own, since waiting for a pipe would block this one.
  const { code, stderr } = await runAlone(args, { cwd })
  expect(stderr).toMatch(/^[\w .]+: it is (?:a pipe|not a regular file)\. .*\n$/)
  expect(stderr).toContain(message)
  expect(code).toBeGreaterThan(0)
})

it('reads a state from the pipe that a shell makes of a command', async () => {
  const { sandbox } = await startHere({ seed: 7, size: 4 })
  const cwd = folderWith({ 'state.json': await sandbox.saveState() })
  const command = 'sh -c \'curl -s "$WORKSPACE_SANDBOX_CONTROL_URL/health"\''
  const script = `"$0" "$1" exec --state <(cat state.json) -- ${command}`
  const args = ['-c', script, process.execPath, resolve('dist/cli.js')]
  expect(JSON.parse(execFileSync('bash', args, { cwd, encoding: 'utf8' }))).toMatchObject({
    seed: 7,
    size: 4,
  })
})

it('a state that cannot be used is refused by name, before anything is stored', async () => {
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`
  for (const [name, content, message] of [
    ['none.json', undefined, /Cannot use state none\.json: there is no such file\. Check the path\./],
    ['broken.json', '{"format":', /Cannot use state broken\.json: it is cut off/],
    ['list.json', '[]', /state list\.json: it is not a JSON object/],
    ['empty.json', '{}', /state empty\.json: .*format.* is missing/],
    ['large.json', '{"format":1e400}', /large\.json: format must be exact/],
    ['other.json', '{"format":1}', /other\.json: version: is required; .*required\.\n/],
    ['/dev/zero', undefined, /state \/dev\/zero: it is larger than 500 MiB\. Make it smaller\./],
    ['deep.json', deep, /nested more than 200/],
  ] as const) {
    const cwd = folderWith(content === undefined ? {} : { [name]: content })
    const { stderr, ...outcome } = await run(['start', '--port', '0', '--state', name], { cwd })
    expect(outcome, `for ${name}`).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
  }
})
