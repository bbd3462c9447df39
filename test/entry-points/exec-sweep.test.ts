import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'

import { expect, it } from 'vitest'

import { folderWith, temporaryFolder } from '../folders.ts'
import { begin, definesRead, exitCode, isRunning, run } from './command.ts'

const node = process.execPath

/** A client that reads two pages of customers, and later only looks at the first; it tells how often it was started. */
const client = `${definesRead}
  const { appendFileSync, existsSync, readFileSync, writeFileSync } = fs
  const { STATE, SEEN } = process.env
  const kept = () => { try { return readFileSync(STATE + '/page', 'utf8') } catch { return '-' } }
  appendFileSync(SEEN, kept() + '\\n')
  const readPage = async (offset) => {
    const { status, body } = await read('/customers?limit=20&offset=' + offset)
    if (status !== 200) throw new Error('it answered ' + status)
    return body.items
  }
  const sync = async () => {
    const first = await readPage(0)
    if (existsSync(STATE + '/rows.ndjson') && !process.env.FIXED) return
    writeFileSync(STATE + '/page', '1')
    const all = [...first, ...(await readPage(20))]
    writeFileSync(STATE + '/rows.ndjson', all.map((row) => JSON.stringify({ collection: 'customers', row }) + '\\n').join(''))
  }
  sync().catch((error) => { console.error(error.message); process.exit(1) })`

/** Sweeps a script of Node, and returns what it has appended to the file SEEN. */
async function sweep(flags: readonly string[], script = client) {
  const temporary = temporaryFolder()
  const seen = join(folderWith({ seen: '' }), 'seen')
  const env = { SEEN: seen, TMPDIR: temporary }
  const outcome = await run(['exec', '--sweep', ...flags, '--', node, '-e', script], { env })
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
    stdout: 'The client survives 1 schedule, and 2 runs without any event.\n',
  })
  const undisturbed = ['-', '1', '1']
  expect(seen).toEqual([...undisturbed, ...undisturbed, '-', '1', '1', '1'])
})

it('fails if the command crashes or never ends without need', async () => {
  const crash = await sweep(['--schedules', '1'], 'console.error("no disk"); process.exit(3)')
  expect(crash.code).toBe(1)
  expect(crash.stderr).toContain('In the first run, it failed: it ended with 3: no disk')
  const hang = await sweep(['--run-timeout', '1'], 'setInterval(() => {}, 1000)')
  expect(hang.code).toBe(1)
  expect(hang.stderr).toContain('In the first run: It has not ended after 1 second')
})

it('tries as many schedules as it is told to, and is not content with an empty copy', async () => {
  const { code, stdout } = await sweep(['--schedules', '2'])
  const text = 'The client survives 2 schedules: 2 single events and 0 pairs, and 2 runs without any event.'
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(text) })
  const empty = await sweep(['--copy', 'echo {}'])
  expect({ code: empty.code, stderr: empty.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('its copy is empty'),
  })
})

it('ends what the command has left in the background, and removes a folder into which a process still writes', async () => {
  const leave = `
    const { spawn } = require('node:child_process')
    const write = 'for (let n = 0; n < 3e6; n += 1) fs.writeFileSync(process.env.STATE + "/" + n % 1000, "")'
    const leave = (code, detached) => {
      const child = spawn(process.execPath, ['-e', code], { detached, stdio: ['ignore', 'inherit', 'inherit'] })
      child.unref()
      return child.pid
    }
    if (!fs.existsSync(process.env.STATE + '/page')) {
      fs.appendFileSync(process.env.SEEN, leave('setInterval(() => {}, 1000)', false) + '\\n')
      leave(write, true)
    }`
  const { code, stderr, seen } = await sweep(
    ['--quiet', '--schedules', '1', '--run-timeout', '60'],
    leave + client,
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('Cannot remove') })
  const pids = seen.map(Number).filter((pid) => pid > 1)
  expect(pids.length).toBeGreaterThan(0)
  await expect.poll(() => pids.filter((pid) => isRunning(pid))).toEqual([])
})

it('leaves neither a process nor a folder when a signal ends it', async () => {
  const [folder, temporary] = [temporaryFolder(), temporaryFolder()]
  const seen = join(folder, 'seen')
  const script = 'fs.writeFileSync(process.env.SEEN, String(process.pid)); setInterval(() => {}, 1000)'
  const env = { SEEN: seen, TMPDIR: temporary }
  const child = begin(['exec', '--sweep', '--size', '3', '--', node, '-e', script], { env })
  await expect.poll(() => existsSync(seen) && readFileSync(seen, 'utf8') !== '').toBe(true)
  child.kill('SIGTERM')
  expect(await exitCode(child)).toBe(143)
  expect(readdirSync(temporary)).toEqual([])
  await expect.poll(() => isRunning(Number(readFileSync(seen, 'utf8')))).toBe(false)
})

/** Sweeps a script until its standard error has a text, and then sends Ctrl-C. */
async function interruptAt(text: string, flags: readonly string[], script: string) {
  const env = { SEEN: join(temporaryFolder(), 'seen') }
  const child = begin(['exec', '--sweep', ...flags, '--', node, '-e', script], { env })
  let stderr = ''
  child.stderr.on('data', (part: Buffer) => {
    if (!stderr.includes(text) && (stderr += part).includes(text)) child.kill('SIGINT')
    else stderr += part
  })
  return { code: await exitCode(child), stderr }
}

it('says when it is interrupted how many schedules the client has survived, and no more once one has failed', async () => {
  const soFar = await interruptAt('1 of 999 schedules', ['--schedules', '999', '--budget', '50s'], client)
  expect(soFar.code).toBe(130)
  expect(soFar.stderr, 'no more time than the budget has').toMatch(
    /^1 of 999 schedules; about (?:[1-4]?\d|50) seconds? left\.\n/,
  )
  expect(soFar.stderr).toMatch(/\nInterrupted: the client has survived \d+ schedules? so far\.\n$/)
  const failed = await interruptAt('The client fails', ['--size', '30', ...copy], client)
  expect(failed.stderr).toContain(
    'Try this schedule alone, also in CI:\n\n  npx workspace-sandbox exec --sweep ',
  )
  expect(failed.stderr).not.toContain('Interrupted')
})

it('does not say that it is interrupted if the command cannot be run', async () => {
  const child = begin(['exec', '--sweep', '--', 'no-such-command'])
  const [code, stderr] = await Promise.all([exitCode(child), readAll(child.stderr)])
  expect([code, stderr]).toEqual([127, expect.stringMatching(/^Cannot run no-such-command: .*\n$/)])
})

it('says which folder it cannot use for what clients keep', async () => {
  const TMPDIR = join(temporaryFolder(), 'none')
  const child = begin(['exec', '--sweep', '--', 'true'], { env: { TMPDIR } })
  const [code, stderr] = await Promise.all([exitCode(child), readAll(child.stderr)])
  const advice = 'Set TMPDIR to a folder that can be written.'
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `Cannot write ${TMPDIR}/workspace-sandbox-*: its folder does not exist. ${advice}\n`,
  })
})

it('prints the smallest schedule that breaks the command, as one to try alone, and a receipt that repeats it', async () => {
  const folder = temporaryFolder()
  const [receipt, report] = [join(folder, 'receipt.json'), join(folder, 'report.xml')]
  const given = '--run-timeout 60 --seed 7 --size 40 --assume pages=envelope --assume team=peers'
  const flags = [...copy, ...given.split(' '), '--allow', 'deleted_unseen']
  const failed = await sweep([...flags, '--admin-token', 'secret-of-mine', '--json', '--junit', report])
  expect(failed.code).toBe(1)
  const { stderr } = failed
  expect(stderr).toMatch(/^1 of 200 schedules; about \d+ (?:second|minute)s? left\.\n/)
  expect(stderr).toContain('first run, listCustomers limit=20&offset=0: page-drift (times 1) begins')
  expect(stderr).toContain('Customer 21 is missing')
  expect(stderr, 'what is allowed').not.toContain('deleted_unseen:')
  const lines = stderr.trimEnd().split('\n')
  expect(lines.filter((line) => !/^ {3}|^  (?:const|appendF|sync)/.test(line)).length).toBeLessThan(15)
  const [command = ''] = /workspace-sandbox exec .*--schedule '.*?' --.*/.exec(stderr) ?? []
  expect(command).toContain('--seed 7 --size 40 --assume pages=envelope --assume team=peers ')
  expect(command).toContain(' --run-timeout 60 ')
  expect(command).not.toMatch(/secret|--json|junit/)

  const event = { run: 'first', operationId: 'listCustomers', scenario: { name: 'page-drift' } }
  expect(JSON.parse(failed.stdout)).toMatchObject({
    version: expect.any(String),
    seed: 7,
    size: 40,
    passed: false,
    schedule: [event],
    order: [{ run: 'first', request: 1, event }],
  })
  const xml = readFileSync(report, 'utf8')
  expect(xml).toMatch(/<testsuites [^>]*tests="3" failures="1" errors="0" time="[\d.]+">/)
  expect(xml).toContain('tests="3" failures="1" errors="0" skipped="0"')
  expect(xml).toContain('name="first run, listCustomers limit=20&amp;offset=0: page-drift (times 1) begins"')
  expect(xml.match(/name="without any event.*?"/g)).toEqual([
    'name="without any event"',
    'name="without any event, once more"',
  ])
  expect(xml).toContain('It never converges: after 2 quiet runs, its copy is not correct')

  writeFileSync(receipt, failed.stdout)
  const replay = (env: Readonly<Record<string, string>>) =>
    run(['exec', '--sweep', '--replay', receipt], { env: { SEEN: join(folder, 'seen'), ...env } })
  const replayed = await replay({})
  expect(replayed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('It failed before, and fails again.'),
  })
  expect(replayed.stderr, 'the dataset of the receipt').toContain(
    `workspace-sandbox exec --sweep --replay ${receipt} --schedule '[{`,
  )
  expect(await replay({ FIXED: '1' })).toMatchObject({
    code: 0,
    stdout:
      'The client survives 1 schedule, and 2 runs without any event.\nIt failed before, and passes now.\n',
  })
})

it.each([
  [['--sweep', '--replay', 'x', '--seed', '7'], 'Cannot use --seed with --replay: the receipt says it.'],
  [['--sweep', '--replay', 'none.json'], 'Cannot use --replay none.json: there is no such file.'],
  [['--sweep', '--budget', 'soon'], 'it must be a time such as 60s'],
  [['--jsn'], "unknown option '--jsn'"],
  [['--junit', 'x'], 'Cannot use --junit without --sweep or --verdict or --matrix.'],
  [['--sweep', '--verdict', 'cat x'], 'Cannot use --verdict with --sweep'],
  [['--copy', 'cat x'], 'Cannot use --copy without --sweep. Add --sweep.'],
  [['--run-timeout', '5'], 'Cannot use --run-timeout without --sweep.'],
  [['--sweep', '--schedule', '{'], 'it must be JSON'],
  [
    ['--sweep', '--schedule', '[{"run":"first","operationId":"listCustomer"}]'],
    'Did you mean listCustomers?',
  ],
  [['--sweep', '--schedules', '0'], 'Cannot use --schedules 0: it must be a whole number from 1'],
  [['--sweep', '--copy', ''], 'Cannot use --copy: it must not be empty.'],
  [['--sweep', '--full', ' '], 'Cannot use --full: it must not be empty.'],
  [['--verdict', ''], 'Cannot use --verdict: it must not be empty.'],
  [['--', ''], 'exec needs a command to run'],
  [['--sweep', '--allow', 'page_drft'], 'page_drft is not one of page_drift'],
  [['--fault', '{"status":4}'], 'Cannot use --fault status: must be a whole number from 200 to 599'],
  [['--fault', '[{}]'], 'Cannot use --fault[0]: must have an effect'],
  [['--scenario', '3'], 'Cannot use --scenario: must be an object'],
  [['--fault', 'x'], 'Cannot use --fault: it must be JSON.'],
  [['--scenario', '{"name":"page-drft"}'], 'did you mean page-drift?'],
  [['--har', ''], 'Cannot use --har: it must not be empty.'],
])('rejects %j', async (flags, message) => {
  const { code, stderr } = await run(['exec', ...flags, '--', 'true'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})
