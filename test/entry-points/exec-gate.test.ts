import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { endpoints } from '../../src/service/index.ts'
import { temporaryFolder } from '../folders.ts'
import { run } from './command.ts'

/** Reads paths of the first organization, one after the other, and then reads the health of the sandbox. */
const client = `
  for path do
    curl -s -H "Authorization: Bearer $WORKSPACE_SANDBOX_TOKEN" "$WORKSPACE_SANDBOX_URL/organizations/harbor$path"
  done >/dev/null
  [ -z "$WORKSPACE_SANDBOX_CONTROL_URL" ] || curl -s "$WORKSPACE_SANDBOX_CONTROL_URL/health" >/dev/null`

/** Runs the client beside a small sandbox. */
const execute = (flags: readonly string[], ...paths: readonly string[]) =>
  run(['exec', '--size', 'small', ...flags, '--', 'sh', '-c', client, 'sh', ...paths])

const typo = '/customers?segmnt=SMB'
const typoWarning =
  'Warning unknown_parameter: unknown query parameters ignored: segmnt (did you mean segment?) (request'

it('prints the warnings of the journal, also when quiet, at most ten and their number, and fails on them if it is told to', async () => {
  expect(await execute([], '/customers?limit=250')).toEqual({ code: 0, stdout: '', stderr: '' })
  for (const flags of [[], ['--quiet']]) {
    expect(await execute(flags, typo)).toEqual({ code: 0, stdout: '', stderr: `${typoWarning} 1)\n` })
  }
  const many = Array.from({ length: 12 }, (_, at) => `/customers?segmnt=SMB&minEmployees=${at}`)
  const { stderr } = await execute([], ...many)
  const lines = stderr.trimEnd().split('\n')
  expect([lines.length, lines.at(-1)]).toEqual([11, 'and 2 more warnings.'])
  const failed = await execute(['--fail-on-warnings'], typo)
  expect(failed).toEqual({ code: 1, stdout: '', stderr: `${typoWarning} 1)\nThe journal has 1 warning.\n` })
  expect(await execute(['--fail-on-warnings'], '/customers?limit=250')).toMatchObject({ code: 0, stderr: '' })
})

it('does not pass a run that had no request to warn about', async () => {
  const idle = await run(['exec', '--size', '3', '--fail-on-warnings', '--', 'true'])
  const stderr = 'The journal has no request, so it could not warn.\n'
  expect(idle).toEqual({ code: 1, stdout: '', stderr })
})

it('prints warnings and their failure also after --verdict, --matrix and --sweep, and in the JUnit file', async () => {
  const folder = temporaryFolder()
  const nothing = `echo '{"customers":[]}'`
  for (const [mode, code] of [
    [['--verdict', nothing], 1],
    [['--matrix', '--assume', 'unknownParameters=ignored'], 1],
    [['--sweep', '--schedules', '1'], 1],
  ] as const) {
    const report = join(folder, 'report.xml')
    const flags = [...mode, '--quiet', '--fail-on-warnings', '--junit', report]
    const outcome = await execute(flags, typo)
    expect(outcome).toMatchObject({ code, stderr: expect.stringContaining(`${typoWarning} 1`) })
    const xml = readFileSync(report, 'utf8')
    expect(xml).toMatch(/<system-err>unknown_parameter: [^<]*<\/system-err>\n {2}<\/testsuite>/)
    expect(xml).toMatch(
      /name="the journal has no warnings".*>\n {6}<failure message="The journal has \d warnings?\.">/,
    )
    expect(xml).toMatch(/testcase .* time="(?!0\.000)\d+\.\d{3}"/)
  }
})

const formatFault = (path: string): string =>
  JSON.stringify({ status: 429, path, headers: { 'x-request-id': 'r-1' }, times: 1 })

it('arranges faults and scenarios as the control API would, and logs the requests to the service alone', async () => {
  const flags = ['customers', 'signals'].flatMap((list) => [
    '--fault',
    formatFault(`/organizations/harbor/${list}`),
  ])
  const { code, stderr } = await execute(['--log', ...flags], '/customers', '/signals', '/customers')
  const logged = /^[-\d]+T[\d:.]+Z (.*) \d+\.\dms (.*)$/gm
  const shown = Array.from(stderr.matchAll(logged), (line) => line.slice(1))
  expect({ code, shown }).toEqual({
    code: 0,
    shown: [
      ['GET /v1/organizations/harbor/customers 429', 'harbor/1 default #1'],
      ['GET /v1/organizations/harbor/signals 429', 'harbor/1 default #2'],
      ['GET /v1/organizations/harbor/customers 200', 'harbor/1 default #3'],
    ],
  })
  const expired = await execute(
    ['--log', '--scenario', '{"name":"token-revoked"}'],
    '/customers',
    '/customers',
  )
  expect(expired.stderr.match(/customers (\d+)/g)).toEqual(['customers 200', 'customers 401'])
})

it('runs no command if its requests cannot be written', async () => {
  const folder = temporaryFolder()
  const touch = ['--', 'touch', join(folder, 'ran')]
  const { code, stderr } = await run(['exec', '--size', '3', '--har', join(folder, 'none', 'file'), ...touch])
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('its folder does not exist') })
  expect(readdirSync(folder)).toEqual([])
})

it('prints the operations and statuses that the run has tried, and keeps its requests', async () => {
  const har = join(temporaryFolder(), 'run.har')
  const { stderr } = await execute(['--coverage', '--har', har], '/customers?limit=250', '/signals?limit=x')
  expect(stderr).toContain(`The run has tried 2 of ${endpoints.length} operations.
  listSignals: 1 request, 400 (1); not tried: 200, 401, 403, 429
  listCustomers: 1 request, 200 (1); not tried: 400, 401, 403, 429
  Not tried: getCurrentMember, `)
  const { log } = JSON.parse(readFileSync(har, 'utf8'))
  expect(log.entries).toMatchObject([{ _operationId: 'listCustomers' }, { _operationId: 'listSignals' }])
  const swept = await execute(
    ['--sweep', '--quiet', '--schedules', '1', '--coverage', '--har', har],
    '/customers?limit=250',
  )
  expect(swept.stderr).toContain(`The run has tried 1 of ${endpoints.length} operations.`)
  expect(JSON.parse(readFileSync(har, 'utf8')).log.entries).toHaveLength(3)
})
