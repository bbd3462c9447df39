import { expect, it } from 'vitest'

import type { ExportedDataset } from '../../src/index.ts'
import { Config } from '../../src/node/server/options.ts'
import { folderWith, temporaryFolder } from '../folders.ts'
import { as, home, overHttp } from '../support.ts'
import { run, serve } from './command.ts'

/** Exports the dataset that the settings choose. */
async function exported(args: readonly string[], surroundings: Parameters<typeof run>[1]) {
  const { stdout, stderr } = await run(['export', '--size', '3', ...args], surroundings)
  expect(stderr).toBe('')
  const { madeWith, customers }: Pick<ExportedDataset, 'madeWith' | 'customers'> = JSON.parse(stdout)
  return { ...madeWith, customers }
}

const name = 'workspace-sandbox.config'

it('reads settings from the environment', async () => {
  const env = {
    WORKSPACE_SANDBOX_SEED: '5',
    WORKSPACE_SANDBOX_SIZE: '10',
    WORKSPACE_SANDBOX_FIXTURE: 'empty',
    WORKSPACE_SANDBOX_NOW: '2026-02-01T00:00Z',
    WORKSPACE_SANDBOX_MEMORY: 'true',
    WORKSPACE_SANDBOX_ADMIN_TOKEN: 'secret',
    WORKSPACE_SANDBOX_ALLOW_ORIGIN: 'http://a.test, http://b.test',
  }
  const { child, ...server } = await serve(['--size', '12'], { env })
  expect(server).toMatchObject({ seed: 5, size: 12, fixture: 'empty', now: '2026-02-01T00:00:00.000Z' })
  const headers = { authorization: 'Bearer secret', origin: 'http://b.test' }
  expect((await fetch(`${server.url}/_sandbox/health`, { headers })).status).toBe(200)
  child.kill()
})

it.each([
  ['ts', 'const seed: number = 5\nexport default { seed, memory: true } satisfies object'],
  ['js', 'export default { seed: 5, memory: true }'],
  ['mjs', 'export default { seed: 5, memory: true }'],
  ['mts', 'const seed: number = 5\nexport default { seed, memory: true } satisfies object'],
  ['cts', 'const seed: number = 5\nexport default { seed, memory: true } satisfies object'],
  ['cjs', 'module.exports = { seed: 5, memory: true }'],
  ['cjs', 'this.seed = 5'],
  ['cjs', 'exports.__esModule = true\nexports.default = { seed: 5 }'],
  ['ts', 'export = { seed: 5 }'],
  ['cjs', '// No options yet.\nmodule.exports = {}', 42],
  ['json', '{"seed":5,"memory":true}'],
])('finds and reads %s: %j', async (extension, content, seed = 5) => {
  const cwd = folderWith({ [`${name}.${extension}`]: content, 'package.json': '{"type":"module"}' })
  expect(await exported(['--memory'], { cwd })).toMatchObject({ seed })
})

it('shows records as the functions of a config file in TypeScript do, which JSON cannot have', async () => {
  const present = 'present: { product: ({ name, ...rest }) => ({ ...rest, title: name }) }'
  const cwd = folderWith({ [`${name}.ts`]: `export default { ${present} }` })
  const { child, url } = await serve(['--memory', '--size', '3'], { cwd })
  const products = await as(overHttp(url), 'mara').get<object[]>(`${home}/products`)
  expect(products[0]).toEqual({ id: 1, key: 'dashboards', title: 'Dashboards' })
  child.kill()
  const other = folderWith({ [`${name}.json`]: '{"present":{"product":"title"}}' })
  const stderr = expect.stringContaining(`present.product in ${name}.json`)
  expect(await run(['start'], { cwd: other })).toEqual({ code: 2, stdout: '', stderr })
})

it('reads the config file that --config names', async () => {
  const cwd = folderWith({ 'other.json': '{"seed":5,"memory":true}', [`${name}.json`]: '{"seed":6}' })
  expect(await exported(['--config', 'other.json'], { cwd })).toMatchObject({ seed: 5 })
  const env = { WORKSPACE_SANDBOX_CONFIG: 'other.json' }
  expect(await exported([], { cwd, env })).toMatchObject({ seed: 5 })
})

it('flags override the environment, which overrides the config file', async () => {
  const file = { seed: 1, now: '2026-01-01T00:00Z', fixture: 'empty', memory: true }
  const cwd = folderWith({ [`${name}.json`]: file })
  const env = { WORKSPACE_SANDBOX_SEED: '2', WORKSPACE_SANDBOX_NOW: '2026-02-02T00:00Z' }
  const settings = { seed: 3, now: '2026-02-02T00:00:00.000Z', customers: [] }
  expect(await exported(['--seed', '3'], { cwd, env })).toMatchObject(settings)
  const { stderr } = await run(['start', '--seed', 'x'], { cwd, env })
  expect(stderr).toBe('Cannot use --seed x: it must be a whole number from 0 to 9007199254740991.\n')
})

it('--memory overrides a folder in the config file, and --data overrides memory', async () => {
  const data = temporaryFolder()
  const cwd = folderWith({ [`${name}.json`]: { data } })
  await run(['reseed', '--seed', '7', '--size', '3'], { cwd })
  expect(await exported([], { cwd })).toMatchObject({ seed: 7 })
  expect(await exported(['--memory'], { cwd })).toMatchObject({ seed: 42 })
  const env = { WORKSPACE_SANDBOX_MEMORY: '1' }
  expect(await exported([], { cwd, env })).toMatchObject({ seed: 42 })
  expect(await exported(['--data', data], { cwd, env })).toMatchObject({ seed: 7 })
})

it('ignores empty variables, and those that exec sets itself', async () => {
  const env = {
    WORKSPACE_SANDBOX_SEED: '',
    WORKSPACE_SANDBOX_URL: 'http://127.0.0.1:4500',
    WORKSPACE_SANDBOX_TOKEN: 'sbx_harbor_1',
    WORKSPACE_SANDBOX_ORGANIZATION: 'harbor',
  }
  expect(await exported(['--memory'], { env })).toMatchObject({ seed: 42 })
})

it('prints no admin token that it rejects', async () => {
  const env = { WORKSPACE_SANDBOX_ADMIN_TOKEN: 'secret\n' }
  for (const [place, ...args] of [
    ['WORKSPACE_SANDBOX_ADMIN_TOKEN'],
    ['--admin-token', '--admin-token', 'secret '],
  ] as const) {
    const stderr = expect.stringMatching(new RegExp(`^Cannot use ${place}: it must be`))
    expect(await run(['start', ...args], { env })).toEqual({ code: 2, stdout: '', stderr })
  }
})

it('ignores variables that another system sets, with a line on standard error', async () => {
  const link = 'tcp://10.96.0.12:4500'
  const links = {
    WORKSPACE_SANDBOX_PORT: link,
    WORKSPACE_SANDBOX_PORT_4500_TCP: link,
    WORKSPACE_SANDBOX_PORT_4500_TCP_PROTO: 'tcp',
    WORKSPACE_SANDBOX_SERVICE_HOST: '10.96.0.12',
    WORKSPACE_SANDBOX_SERVICE_PORT_HTTP: '4500',
  }
  const cwd = folderWith({ [`${name}.json`]: '{"seed":5}' })
  const env = { ...links, WORKSPACE_SANDBOX_SEDE: '7', WORKSPACE_SANDBOX_TEAM: 'success' }
  const { code, stdout, stderr } = await run(['openapi', '--memory', '--size', '3'], { cwd, env })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ servers: [{ url: 'http://127.0.0.1:4500/v1' }] })
  expect(stderr.trimEnd().split('\n')).toEqual([
    'Ignored WORKSPACE_SANDBOX_SEDE: it is not a setting. Did you mean WORKSPACE_SANDBOX_SEED?',
    expect.stringMatching(/^Ignored WORKSPACE_SANDBOX_TEAM: it is not a setting\./),
    `Ignored ${Object.keys(links).join(', ')}: Kubernetes sets such variables for a service of this name.`,
  ])
})

it.each([
  ['WORKSPACE_SANDBOX_PORT', 'x', 'WORKSPACE_SANDBOX_PORT=x: it must be a whole number from 0 to 65535.'],
  ['WORKSPACE_SANDBOX_MEMORY', 'maybe', 'WORKSPACE_SANDBOX_MEMORY=maybe: it must be true or false.'],
  [
    'WORKSPACE_SANDBOX_ALLOW_HOST',
    'a,,b',
    'item 2 of WORKSPACE_SANDBOX_ALLOW_HOST=a,,b: it must not be empty.',
  ],
  [
    'WORKSPACE_SANDBOX_ASSUME',
    'errorFormt=error',
    'item 1 of WORKSPACE_SANDBOX_ASSUME=errorFormt=error: errorFormt is not an assumption. Did you mean errorFormat?',
  ],
])('rejects the variable %s=%s', async (variable, value, message) => {
  const outcome = await run(['start'], { env: { [variable]: value } })
  expect(outcome).toEqual({ code: 2, stdout: '', stderr: `Cannot use ${message}\n` })
})

const unknown = 'there is no such option.'
const known = `Known are ${Object.keys(Config.shape).join(', ')}.`

it.each([
  ['json', '{"prot":1}', `Cannot use prot in FILE: ${unknown} Did you mean port?`],
  ['json', '{"allow-host":[]}', `Cannot use allow-host in FILE: ${unknown} Did you mean allowHost?`],
  // Only the flags have these names.
  ['json', '{"assume":"team=branch"}', `Cannot use assume in FILE: ${unknown} ${known}`],
  ['json', '{"config":"a"}', `Cannot use config in FILE: ${unknown} ${known}`],
  ['json', '{"allowHost":["a",""]}', 'Cannot use allowHost[1] in FILE: it must not be empty.'],
  ['json', '{"allowHost":"a"}', 'Cannot use allowHost in FILE: it must be a list of host names.'],
  [
    'json',
    '{"assumptions":{"errorFormt":"error"}}',
    'Cannot use assumptions.errorFormt in FILE: it is not known. Did you mean errorFormat?',
  ],
  ['json', '{"assumptions":[]}', 'Cannot use assumptions in FILE: it must be an object.'],
  ['json', '{"assumptions":null}', 'Cannot use assumptions in FILE: it must be an object.'],
  [
    'json',
    '{"size":0}',
    'Cannot use size in FILE: it must be small, medium, large or a number from 3 to 100000.',
  ],
  [
    'json',
    '{"memory":true,"data":"x"}',
    'Cannot use both memory in FILE and data in FILE: the one stores nothing, the other names a folder. Remove one of them.',
  ],
  [
    'json',
    '[]',
    'Cannot use config file FILE: it is not a JSON object. Write options into it, like { "port": 4500 }.',
  ],
  ['json', '{"port":', 'Cannot load config file FILE: it is cut off. Correct the file.'],
  [
    'json',
    '{\n  "port": x\n}',
    'Cannot load config file FILE: it is not valid JSON (line 2, column 11). Correct the file.',
  ],
  ...[
    ['mjs', '\nthrow new Error("not today")', 'not today'],
    ['mjs', 'export default {\n  port 4500,\n}', 'Unexpected token, expected ","'],
    ['ts', 'const port: number = 1\nexport default { port: prot }', 'prot is not defined'],
    ['ts', 'export default {\n  port 4500,\n}', 'Unexpected token, expected ","'],
  ].map(([ending, content, fact]) => [
    ending,
    content,
    `Cannot load config file FILE: line 2: ${fact}. Correct the file.`,
  ]),
  ...['ts', 'mts', 'js', 'cjs'].map((ending) => [
    ending,
    '// To export later.\nconst config = { size: 3 }\n',
    'Cannot use config file FILE: it has no default export. Export the options, like export default { port: 4500 }.',
  ]),
  ...['yaml', 'jsonc'].map((ending) => [
    ending,
    'seed: 5',
    'Cannot use config file FILE: its ending is not known. Known are .ts, .mts, .cts, .js, .mjs, .cjs, .json.',
  ]),
])('rejects a config file .%s with %j', async (ending, content, message = '') => {
  const file = `${name}.${ending}`
  const cwd = folderWith({ [file]: content })
  const stderr = `${message.replaceAll('FILE', file)}\n`
  for (const args of [['start'], ['export', '--config', file]]) {
    expect(await run(args, { cwd })).toEqual({ code: 2, stdout: '', stderr })
  }
})

it('overrides assumptions by flags, environment and config file, in this order', async () => {
  const cwd = folderWith({
    [`${name}.json`]: '{"assumptions":{"violationStatus":422,"otherOrganization":404}}',
  })
  const named = 'signalStatuses=a,b,c,d; envelopes=all'
  const env = { WORKSPACE_SANDBOX_ASSUME: `${named}; otherOrganization=403` }
  const flags = ['--memory', '--assume', 'createStatus=201', '--assume', 'pages=array']
  const { child, url } = await serve(flags, { cwd, env })
  const mara = as(overHttp(url), 'mara')
  const readStatus = async (path: string) => (await mara.send(path)).status
  expect(await readStatus(`${home}/signals?status=b`)).toBe(200)
  expect(await readStatus(`${home}/signals?status=open`)).toBe(422)
  expect(await readStatus('/organizations/quill/members')).toBe(403)
  expect(await mara.get(`${home}/briefs`)).toBeInstanceOf(Array)
  expect(await mara.get(`${home}/members`)).toHaveProperty('items')
  child.kill()
})

it('does not choose between several config files', async () => {
  const cwd = folderWith({ [`${name}.ts`]: '', [`${name}.json`]: '{}' })
  const fact = `${name}.ts and ${name}.json both exist`
  const stderr = `Cannot choose a config file: ${fact}. Remove one, or name one with --config.\n`
  expect(await run(['start'], { cwd })).toEqual({ code: 2, stdout: '', stderr })
})
