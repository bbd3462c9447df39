import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { chooseSample } from '../reliability/figures.ts'
import { run, runAlone } from './command.ts'

const node = process.execPath

/** A client that reads two pages of customers, and later only looks at the first; it tells how often it was started. */
const client = `
  const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
  const { WORKSPACE_SANDBOX_URL: url, WORKSPACE_SANDBOX_TOKEN: token, STATE, SEEN } = process.env
  const kept = () => { try { return readFileSync(STATE + '/page', 'utf8') } catch { return '-' } }
  appendFileSync(SEEN, kept() + '\\n')
  const read = async (offset) => {
    const response = await fetch(url + '/organizations/harbor/customers?limit=20&offset=' + offset, {
      headers: { authorization: 'Bearer ' + token },
    })
    if (!response.ok) throw new Error('it answered ' + response.status)
    return (await response.json()).items
  }
  const sync = async () => {
    const first = await read(0)
    if (existsSync(STATE + '/rows.ndjson')) return
    writeFileSync(STATE + '/page', '1')
    const all = [...first, ...(await read(20))]
    writeFileSync(STATE + '/rows.ndjson', all.map((row) => JSON.stringify({ collection: 'customers', row }) + '\\n').join(''))
  }
  sync().catch((error) => { console.error(error.message); process.exit(1) })`

/** Sweeps a script of Node, and returns what it has appended to the file SEEN. */
async function sweep(flags: readonly string[], script = client) {
  const folder = temporaryFolder()
  const temporary = temporaryFolder()
  const seen = join(folder, 'seen')
  writeFileSync(seen, '')
  const env = { SEEN: seen, TMPDIR: temporary }
  const outcome = await runAlone(['exec', '--sweep', ...flags, '--', node, '-e', script], { env })
  expect(readdirSync(temporary), 'the folders of clients are removed').toEqual([])
  return { ...outcome, seen: readFileSync(seen, 'utf8').trim().split('\n') }
}

const copy = ['--copy', 'cat $STATE/rows.ndjson']
const second = { run: 'first', operationId: 'listCustomers', query: 'limit=20&offset=20' }

it('kills the command at an event, and starts it again with the same folder', async () => {
  const kill = JSON.stringify([{ ...second, kill: 'before' }])
  const { code, stdout, seen } = await sweep([...copy, '--schedule', kill])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('The client survives 3 schedules'),
  })
  const undisturbed = ['-', '1', '1']
  expect(seen).toEqual([...undisturbed, ...undisturbed, '-', '1', '1', '1'])
})

it('prints the smallest schedule that breaks the command, as a command to try it alone with the same options', async () => {
  const given = '--run-timeout 20 --seed 7 --size 40 --assume pages=envelope --assume team=peers'
  const flags = [...copy, ...given.split(' '), '--allow', 'deleted_unseen']
  const { code, stdout, stderr } = await sweep([...flags, '--quiet', '--admin-token', 'secret-of-mine'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('first run, listCustomers limit=20&offset=0: page-drift (times 1) begins')
  expect(stderr).toContain('Customer 21 is missing')
  const [command = '', schedule = ''] = /workspace-sandbox exec .*--schedule '(.*?)' --.*/.exec(stderr) ?? []
  expect(command).toContain('--seed 7 --size 40 --assume pages=envelope --assume team=peers ')
  expect(command).toContain(' --run-timeout 20 ')
  expect(command).not.toMatch(/secret|quiet/)
  const again = await sweep([...flags, '--schedule', schedule])
  expect(again.code).toBe(1)
  expect(again.stderr).toContain('Customer 21 is missing')
})

it('fails if the command crashes or never ends without need', async () => {
  const crash = await sweep(['--schedules', '1'], 'console.error("no disk"); process.exit(3)')
  expect(crash.code).toBe(1)
  expect(crash.stderr).toContain('In the first run, it failed: it ended with 3: no disk')
  const hang = await sweep(['--run-timeout', '1'], 'setInterval(() => {}, 1000)')
  expect(hang.code).toBe(1)
  expect(hang.stderr).toContain('In the first run: It has not ended after 1 second')
})

it.each([
  [['--copy', 'cat x'], 'Cannot use --copy without --sweep. Add --sweep.'],
  [['--run-timeout', '5'], 'Cannot use --run-timeout without --sweep.'],
  [['--sweep', '--schedule', '{'], 'it must be JSON'],
  [
    ['--sweep', '--schedule', '[{"run":"first","operationId":"listCustomer"}]'],
    'did you mean listCustomers?',
  ],
  [['--sweep', '--schedules', '0'], 'it must be a whole number from 1'],
  [['--sweep', '--allow', 'page_drft'], 'page_drft is not one of page_drift'],
])('rejects %j', async (flags, message) => {
  const { code, stderr } = await run(['exec', ...flags, '--', node, '-e', ''])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})

const hasPython = spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0

describe.runIf(chooseSample(false, hasPython))('the example in Python', () => {
  const folder = resolve('examples/sync/python')

  const sweeping = ['exec', '--sweep', '--quiet']

  /** Sweeps a connector of the example. */
  const sweepExample = (name: string, flags: readonly string[]) =>
    runAlone(
      [...sweeping, '--copy', 'cat $STATE/customers.ndjson', ...flags, '--', 'python3', `${name}.py`],
      {
        cwd: folder,
        env: { PYTHONDONTWRITEBYTECODE: '1' },
      },
    )

  it.each(['naive', 'common'])('%s fails as its text says', async (name) => {
    const { code, stderr } = await sweepExample(name, [])
    expect(code).toBe(1)
    expect(stderr).toBe(readFileSync(join(folder, `${name}.txt`), 'utf8'))
  })

  it('sound survives a sample of schedules', async () => {
    const full = ['--full', 'python3 sound.py --full']
    const { code, stdout } = await sweepExample('sound', [...full, '--schedules', '3'])
    // The text is of ten events.
    const text = readFileSync(join(folder, 'sound.txt'), 'utf8').replace('12', '5').replace('10', '3')
    expect({ code, stdout }).toEqual({ code: 0, stdout: text })
  })
})
