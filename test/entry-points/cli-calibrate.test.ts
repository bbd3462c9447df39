import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { expect, it, onTestFinished, vi } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { serve } from '../sandbox/control-support.ts'
import { run, runAlone } from './command.ts'

const FILE = 'workspace-sandbox.calibration.json'
const titled = [{ id: 1, key: 'handover', title: 'Handover', description: 'For the next owner' }]
const named = [{ id: 1, key: 'handover', name: 'Handover', description: 'For the next owner' }]

/** Creates a folder with files. */
function createFolder(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const read = (folder: string, file = FILE) => JSON.parse(readFileSync(join(folder, file), 'utf8'))

const calibrate = (cwd: string, ...args: readonly string[]) => run(['calibrate', ...args], { cwd })

const readOpenApi = async (cwd: string, ...flags: readonly string[]): Promise<string> =>
  (await run(['openapi', '--memory', '--size', '3', ...flags], { cwd })).stdout

it('writes what an answer shows to a file that every start reads, unless a config file overrides it', async () => {
  const cwd = createFolder({ 'brief.json': titled })
  const { code, stdout } = await calibrate(cwd, '--response', 'listBriefs=brief.json')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^A-21 .* decided .* briefName=title .*weak: seen once/m)
  expect(stdout).toContain(`Wrote ${FILE}.`)
  expect(read(cwd)).toMatchObject({
    assumptions: { pages: 'array', briefName: 'title' },
    shapes: {},
    verdicts: { 'A-21': { verdict: 'decided', value: 'title', answers: 1, records: 1 } },
  })
  const script = `fetch(process.env.WORKSPACE_SANDBOX_URL + '/organizations/harbor/briefs', {
    headers: { authorization: 'Bearer ' + process.env.WORKSPACE_SANDBOX_TOKEN },
  }).then(async (answer) => console.log(Object.keys((await answer.json())[0]).join()))`
  const own = await runAlone(['exec', '--size', '3', '--', process.execPath, '-e', script], { cwd })
  expect(own.stdout).toBe('id,key,title,description\n')
  writeFileSync(join(cwd, 'workspace-sandbox.config.json'), '{"assumptions":{"briefName":"name"}}')
  expect(await readOpenApi(cwd)).toContain('"briefName": "name"')
})

it('finds the calibration beside the config file, and another one by its flag', async () => {
  const cwd = createFolder({ 'brief.json': titled })
  await calibrate(cwd, '--response', 'listBriefs=brief.json', '--out', 'own.json')
  expect(await readOpenApi(cwd)).toContain('"briefName": "name"')
  expect(await readOpenApi(cwd, '--calibration', 'own.json')).toContain('"briefName": "title"')
  writeFileSync(join(cwd, 'workspace-sandbox.config.json'), '{"calibration":"own.json"}')
  expect(await readOpenApi(cwd)).toContain('"briefName": "title"')
})

it.each([
  ['{"assumptions":{"pages":"pile"}}', 'assumptions.pages must be one of envelope, array'],
  ['{"shape":{}}', 'shape is not known. Did you mean shapes?'],
  ['{', 'it is cut off'],
])('refuses to start with the calibration %s', async (text, fact) => {
  const cwd = createFolder({ [FILE]: text })
  const { code, stderr } = await run(['start', '--memory', '--port', '0'], { cwd })
  expect(code).toBe(1)
  expect(stderr).toContain(`Cannot use calibration ${FILE}: ${fact}`)
})

it('prints the same as JSON', async () => {
  const cwd = createFolder({ 'brief.json': titled })
  const { stdout } = await calibrate(cwd, '--response', 'listBriefs=brief.json', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ ...read(cwd), answers: 1 })
})

it('a check ends with 0, 1 or 3: the same, something moved, evidence is lost', async () => {
  const cwd = createFolder({ 'same.json': titled, 'moved.json': named, 'lost.json': [] })
  await calibrate(cwd, '--response', 'listBriefs=same.json')
  const before = readFileSync(join(cwd, FILE), 'utf8')
  const check = async (file: string) => calibrate(cwd, '--response', `listBriefs=${file}`, '--check')
  expect(await check('same.json')).toMatchObject({
    code: 0,
    stdout: `The tenant answers as in ${FILE}: 2 assumptions compared.\n`,
  })
  const moved = await check('moved.json')
  expect(moved.code).toBe(1)
  expect(moved.stdout).toContain('Moved: A-21 briefName: briefName=title → briefName=name.')
  const lost = await check('lost.json')
  expect(lost.code).toBe(3)
  expect(lost.stdout).toContain('Lost: A-21 briefName: briefName=title → not seen.')
  expect(readFileSync(join(cwd, FILE), 'utf8')).toBe(before)
})

it('a check that compares nothing is not green', async () => {
  const cwd = createFolder({ 'brief.json': titled, [FILE]: {} })
  await calibrate(cwd, '--response', 'listBriefs=brief.json', '--out', 'own.json')
  writeFileSync(join(cwd, 'empty.json'), '[]')
  const { code, stdout } = await calibrate(cwd, '--response', 'getMember=empty.json', '--check')
  expect(code).not.toBe(0)
  expect(stdout).toContain('has no evidence to compare with')
  const none = await calibrate(cwd, '--response', 'listBriefs=brief.json', '--check', '--out', 'none.json')
  expect(none).toMatchObject({ code: 2, stdout: '' })
  expect(none.stderr).toContain('there is no such file')
})

const hasTerminal = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0

it.runIf(hasTerminal).each([
  ['no', 'n\n'],
  ['Ctrl-D', '\u0004'],
])('sends nothing when %s is the answer on a terminal', (_, input) => {
  const command = `"${process.execPath}" dist/cli.js calibrate --base-url http://127.0.0.1:1/v1`
  const env = { ...process.env, WORKSPACE_SANDBOX_CALIBRATE_TOKEN: 'token' }
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    input,
    env,
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/at most \d+ GET requests to the tenant.*Send them\? \[y\/N\]/)
  expect(stdout).toMatch(/Nothing was sent\.\s*$/)
  expect(status).toBe(1)
})

it.each([
  [[], 'calibrate needs answers', 2],
  [['--response', 'listBrief=x.json'], 'listBrief is not an operation. Did you mean listBriefs?', 2],
  [['--response', 'listBriefs'], 'write OPERATION=FILE', 2],
  [['--har', 'none.har'], 'Cannot read none.har: there is no such file.', 1],
  [['--har', 'other.har'], 'none of its 1 entries is an answer of an operation', 1],
  [['--har', 'damaged.har'], 'Cannot use damaged.har: it is not valid JSON.', 1],
  [['--base-url', 'http://api.example.com/v1'], 'It must start with https://', 2],
  [
    ['--base-url', 'https://api.example.com/v1'],
    'WORKSPACE_SANDBOX_CALIBRATE_TOKEN, or on standard input',
    2,
  ],
])('calibrate %j says what is wrong', async (args, message, code) => {
  const entry = { request: { method: 'GET', url: 'https://a.example/' }, response: { status: 200 } }
  const cwd = createFolder({ 'other.har': { log: { entries: [entry] } }, 'damaged.har': 'Marker' })
  const outcome = await calibrate(cwd, ...args)
  expect(outcome.stderr).toContain(message)
  expect(outcome.stderr).not.toContain('Marker')
  expect(outcome).toMatchObject({ code, stdout: '' })
  expect(existsSync(join(cwd, FILE))).toBe(false)
})

it('rejects a recording of 200 MB without reading it', async () => {
  const cwd = createFolder({ 'large.har': '' })
  truncateSync(join(cwd, 'large.har'), 200 * 1_000_000)
  const { code, stderr } = await calibrate(cwd, '--har', 'large.har')
  expect(code).toBe(1)
  expect(stderr).toContain('Cannot use large.har: it has 191 MiB, more than 64. Filter the recording')
})

it('leaves no half file if it cannot write', async () => {
  const cwd = createFolder({ 'brief.json': titled })
  const { code, stderr } = await calibrate(
    cwd,
    '--response',
    'listBriefs=brief.json',
    '--out',
    'no/such/file.json',
  )
  expect(code).toBe(1)
  expect(stderr).toContain('Cannot write no/such/file.json: its folder does not exist.')
  expect(readdirSync(cwd)).toEqual(['brief.json'])
})

it('a dry run prints every request, and sends none', async () => {
  const { code, stdout } = await calibrate(
    temporaryFolder(),
    '--base-url',
    'https://api.example.com/v1',
    '--dry-run',
  )
  const lines = stdout.trimEnd().split('\n')
  expect(code).toBe(0)
  expect(lines.at(-1)).toMatch(/^At most \d+ requests, two a second\./)
  expect(lines.slice(0, -1).every((line) => line.startsWith('GET /'))).toBe(true)
})

it('asks a tenant two requests a second, with the token from the environment', async () => {
  const { setTimeout: wait } = globalThis
  const waits = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => waits.mockRestore())
  waits.mockImplementation((work, ms) => wait(work, ms === 500 ? 0 : ms))
  const assumptions = { errorFormat: 'message', timestamps: 'seconds' } as const
  const { baseUrl, sandbox } = await serve({ size: 'small', assumptions })
  const cwd = temporaryFolder()
  const env = { WORKSPACE_SANDBOX_CALIBRATE_TOKEN: 'sbx_harbor_2' }
  const { code, stderr } = await run(['calibrate', '--base-url', baseUrl, '--yes'], { cwd, env })
  expect(code).toBe(0)
  expect(read(cwd).assumptions).toEqual(assumptions)
  expect(stderr).not.toContain('sbx_harbor_2')
  const requests = sandbox.requests.list()
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  expect(requests.length).toBeLessThanOrEqual(120)
  expect(waits.mock.calls.filter(([, ms]) => ms === 500).length).toBeGreaterThanOrEqual(requests.length - 1)
})

it('needs consent to send requests, unless a script gives it', async () => {
  const env = { WORKSPACE_SANDBOX_CALIBRATE_TOKEN: 'secret' }
  const args = ['calibrate', '--base-url', 'https://api.example.com/v1']
  const { code, stderr } = await run(args, { env })
  expect(code).toBe(2)
  expect(stderr).toMatch(/sends at most \d+ GET requests .* Add --yes to agree\./)
})

it('a check that cannot ask the tenant has lost its evidence', async () => {
  const server = createServer((_, response) => response.writeHead(503).end('Marker'))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const cwd = createFolder({ [FILE]: {} })
  const env = { WORKSPACE_SANDBOX_CALIBRATE_TOKEN: 'secret' }
  const args = ['calibrate', '--base-url', `http://127.0.0.1:${port}/v1`, '--yes', '--check']
  const { code, stderr } = await run(args, { cwd, env })
  expect(code).toBe(3)
  expect(stderr).toContain('GET /members/me answers with status 503. Try again later.')
  expect(stderr).not.toMatch(/Marker|secret/)
})

it('starts although the token of a calibration is in the environment', async () => {
  const env = { WORKSPACE_SANDBOX_CALIBRATE_TOKEN: 'secret' }
  expect(await run(['openapi', '--memory', '--size', '3'], { env })).toMatchObject({ code: 0, stderr: '' })
})
