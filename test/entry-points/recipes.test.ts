import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, inject, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'

import { isRunning } from './command.ts'
import { copyExample, findCommand, runCommand } from './recipe.ts'

const Described = z.object({ description: z.string() })

/** The parts of `action.yml` that its test uses. */
const Action = z.object({
  name: z.string(),
  description: z.string(),
  inputs: z.record(z.string(), Described.extend({ default: z.string() })),
  outputs: z.record(z.string(), Described.extend({ value: z.string() })),
  runs: z.object({
    using: z.literal('composite'),
    steps: z.array(
      z.object({
        if: z.literal("inputs.package != ''").optional(),
        shell: z.literal('bash'),
        env: z.record(z.string(), z.string()),
        run: z.string(),
      }),
    ),
  }),
})

/** The parts of `gitlab-ci.yml` that its test uses. */
const Pipeline = z.object({
  '.workspace-sandbox': z.object({
    variables: z.record(z.string(), z.string()),
    before_script: z.array(z.string()),
  }),
  test: z.object({ extends: z.literal('.workspace-sandbox'), script: z.array(z.string()) }),
})

/** Reads the lines `name=value` of a file. */
function readValues(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return Object.fromEntries(lines.map((line) => /^([\w-]+)=(.*)$/.exec(line)?.slice(1) ?? []))
}

/** Runs the steps of the GitHub action like its runner, with values for its inputs. Errors: those of a step. */
async function runAction(inputs: Readonly<Record<string, string>>) {
  const cwd = copyExample('ci')
  const action = Action.parse(parse(readFileSync(join(cwd, 'action.yml'), 'utf8')))
  const fill = (text: string): string =>
    text.replace(/^\$\{\{ inputs\.([\w-]+) \}\}$/, (_, name: string) => {
      const value = inputs[name] ?? action.inputs[name]?.default
      if (value === undefined) throw new Error(`There is no input ${name}.`)
      return value
    })
  const files = { GITHUB_ENV: join(cwd, 'variables'), GITHUB_OUTPUT: join(cwd, 'outputs') }
  const script = join(cwd, 'step.sh')
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', script]
  let printed = ''
  for (const { if: condition, env, run } of action.runs.steps) {
    if (condition !== undefined && !inputs['package']) continue
    writeFileSync(script, run)
    const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]))
    const runner = { RUNNER_TEMP: join(cwd, 'temp'), npm_config_prefer_offline: 'true', ...files }
    printed += await runCommand('bash', shell, { cwd, env: { ...runner, ...own } })
  }
  return { printed, action, ...files }
}

it('the GitHub action starts the sandbox of a package, and exports what the next steps need', async () => {
  const inputs = { package: inject('tarball'), options: '--size small --seed 7', 'admin-token': 'secret' }
  const { printed, action, GITHUB_ENV, GITHUB_OUTPUT } = await runAction(inputs)
  expect(printed).toContain('::add-mask::secret\n')
  const outputs = readValues(GITHUB_OUTPUT)
  const promised = Object.entries(action.outputs)
  expect(promised.map(([name]) => name).toSorted()).toEqual(Object.keys(outputs).toSorted())
  for (const [name, { value }] of promised) expect(value).toBe(`\${{ steps.start.outputs.${name} }}`)
  const { url = '', pid } = outputs
  expect(readValues(GITHUB_ENV)).toEqual({
    WORKSPACE_SANDBOX_URL: `${url}/v1`,
    WORKSPACE_SANDBOX_TOKEN: 'sbx_harbor_1',
    WORKSPACE_SANDBOX_ORGANIZATION: 'harbor',
    WORKSPACE_SANDBOX_ADMIN_TOKEN: 'secret',
  })
  const health = await fetch(`${url}/health`, { headers: { authorization: 'Bearer secret' } })
  expect(await health.json()).toMatchObject({ seed: 7, size: 25 })
  expect(isRunning(Number(pid))).toBe(true)
})

it('the GitHub action fails with the message of a sandbox that does not start', async () => {
  const failed = runAction({ options: '--sise small' })
  await expect(failed).rejects.toThrow(/ended with 1:\n.*unknown option '--sise'. Did you mean --size\?/)
})

it('the GitLab job starts the sandbox of the project, and its script gets the variables', async () => {
  const cwd = copyExample('ci')
  const pipeline = Pipeline.parse(parse(readFileSync(join(cwd, 'gitlab-ci.yml'), 'utf8')))
  const { before_script: before, variables } = pipeline['.workspace-sandbox']
  const [install, ...start] = before
  expect(install).toMatch(/^npm ci /)
  const test =
    'curl -sf -H "Authorization: Bearer $WORKSPACE_SANDBOX_TOKEN" "$WORKSPACE_SANDBOX_URL/members/me"'
  writeFileSync(join(cwd, 'job.sh'), [...start, test, ''].join('\n'))
  const printed = await runCommand('bash', ['-eo', 'pipefail', 'job.sh'], { cwd, env: variables })
  expect(printed).toMatch(/"firstName":"Mara"/)
})

it('the pytest fixture gives each test a session of its own', async (context) => {
  const python = findCommand(context, ['python3', '/usr/bin/python3'], ['-m', 'pytest', '--version'])
  const cwd = copyExample('python')
  const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider']
  const printed = await runCommand(python, pytest, { cwd })
  expect(printed).toMatch(/2 passed/)
})

/** The folder of Debian's Java libraries. */
const libraries = '/usr/share/java'

const classPath = [
  'apiguardian-api',
  'junit-jupiter-api',
  'junit-jupiter-engine',
  'junit-platform-commons',
  'junit-platform-console',
  'junit-platform-engine',
  'junit-platform-launcher',
  'junit-platform-reporting',
  'opentest4j',
  'picocli',
].map((name) => `${libraries}/${name}.jar`)

it('the JUnit extension gives each test a session of its own', async (context) => {
  findCommand(context, ['javac'], ['--version'])
  findCommand(context, ['test'], ['-e', `${libraries}/junit-platform-console.jar`])
  const cwd = copyExample('java')
  // A short program is over before its optimization pays.
  const env = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' }
  const compile = ['-cp', classPath.join(':'), '-d', 'classes', 'WorkspaceSandbox.java', 'MembersTest.java']
  await runCommand('javac', compile, { cwd, env })
  const launcher = 'org.junit.platform.console.ConsoleLauncher'
  const run = ['-cp', [...classPath, 'classes'].join(':'), launcher, '--scan-class-path', 'classes']
  const printed = await runCommand('java', run, { cwd, env })
  expect(printed).toMatch(/2 tests successful/)
})
