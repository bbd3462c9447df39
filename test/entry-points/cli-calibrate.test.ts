import { expect, it } from 'vitest'

import { folderWith } from '../folders.ts'
import { run } from './command.ts'

const CONFIG = 'workspace-sandbox.config.json'
const logs = { items: [{ id: 1, createdDate: '2026-01-15T12:00:00Z' }], totalCount: 1 }

/** Runs the command in a folder with files. */
const calibrate = (files: Readonly<Record<string, unknown>>, ...args: readonly string[]) =>
  run(['calibrate', ...args], { cwd: folderWith(files) })

const fromLogs = ['--response', 'listAutomationTriggerLogs=logs.json'] as const

it('prints verdicts, and ends with the assumptions for the config, which the answers correct', async () => {
  const assumptions = { timestamps: 'offset', createStatus: 201 }
  const { code, stdout } = await calibrate({ 'logs.json': logs, [CONFIG]: { assumptions } }, ...fromLogs)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ {2}timestamps +decided +seconds +1 answer$/m)
  expect(stdout).toMatch(/^Undecided, because nothing was seen of them: pages, .*createStatus\.$/m)
  const [, end = ''] = stdout.split('\n"assumptions": ')
  expect(JSON.parse(end)).toEqual({ createStatus: 201, timestamps: 'seconds' })
})

const request = { method: 'GET', url: 'https://api.example.com/v1/organizations/acme/products' }
const toHar = (...responses: readonly object[]) => ({
  log: { entries: responses.map((response) => ({ request, response })) },
})

it.each([undefined, '', '<html>', '\u001f\ufffd'])(
  'learns nothing from the recorded body %j',
  async (text) => {
    const bare = [200, 403].map((status) => ({ status, content: { text } }))
    const read = { status: 200, content: { text: '[]' } }
    const { stdout } = await calibrate({ 'a.har': toHar(...bare, read) }, '--har', 'a.har')
    expect(stdout).toMatch(
      /^3 answers compared with 15 settings\.\n {2}envelopes +confirmed +none +1 answer\n/,
    )
    expect(stdout).not.toContain('otherwise')
    const alone = await calibrate({ 'a.har': toHar(...bare) }, '--har', 'a.har')
    const message =
      'Cannot use a.har: none of its answers has a body in JSON. Save the recording with content.\n'
    expect(alone).toEqual({ code: 1, stdout: '', stderr: message })
  },
)

it('reads recordings and single answers together, and prints JSON', async () => {
  const har = toHar({ status: 200, content: { text: '[{"id":1,"title":"Sails"}]' } })
  const files = { 'traffic.har': har, 'logs.json': logs }
  const { stdout } = await calibrate(files, '--har', 'traffic.har', ...fromLogs, '--json')
  expect(JSON.parse(stdout)).toEqual({
    assumptions: { timestamps: 'seconds' },
    verdicts: expect.objectContaining({
      envelopes: { verdict: 'confirmed', value: 'none', answers: 1 },
      timestamps: { verdict: 'decided', value: 'seconds', answers: 1 },
      team: { verdict: 'undecided', answers: 0 },
    }),
    unmodelled: [{ operationId: 'listProducts', field: 'title', type: 'string' }],
  })
})

it.each([
  ['agree', { timestamps: 'seconds' }, logs, 0, 'The answers agree with the config in 1 setting.'],
  ['contradict it', {}, logs, 1, 'The answers contradict the config in timestamps.'],
  ['show nothing', {}, { items: [], totalCount: 0 }, 1, 'The answers show nothing of any setting.'],
])('says by the exit code of --check whether answers %s', async (_, assumptions, answer, exitCode, text) => {
  const files = { 'logs.json': answer, [CONFIG]: { assumptions } }
  const { code, stderr } = await calibrate(files, ...fromLogs, '--check')
  expect([code, stderr]).toEqual([exitCode, expect.stringContaining(text)])
})

it.each([
  [2, [], 'calibrate needs answers: a recording with --har FILE'],
  [2, ['--response', 'brief.json'], 'Cannot use --response brief.json: write OPERATION=FILE.'],
  [2, ['--response', 'listBrief=a.json'], 'listBrief is not an operation. Did you mean listBriefs?'],
  [1, ['--har', 'none.har'], 'Cannot use none.har: there is no such file.'],
  [1, ['--har', 'logs.json'], 'Cannot use logs.json: it is not a HAR file, which has a list log.entries.'],
  [1, ['--har', 'empty.har'], 'Cannot use empty.har: none of its 0 entries is an answer of an operation'],
  [1, ['--response', 'listBriefs=cut.json'], 'Cannot use cut.json: it is cut off.'],
  [
    1,
    ['--response', 'getCustomer=list.json'],
    'Cannot use list.json: it is neither a JSON object nor a list.',
  ],
])('rejects with exit code %i: %j', async (exitCode, args, message) => {
  const files = {
    'logs.json': logs,
    'empty.har': { log: { entries: [] } },
    'cut.json': '{"items',
    'list.json': [],
  }
  const { code, stdout, stderr } = await calibrate(files, ...args)
  expect([code, stdout, stderr]).toEqual([exitCode, '', expect.stringContaining(message)])
})
