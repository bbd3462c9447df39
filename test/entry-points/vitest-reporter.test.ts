import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'

import { expect, it } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { run } from './command.ts'

const entryPoint = (name: string) => JSON.stringify(resolve(`src/${name}.ts`))

/** One file runs in processes, the other in threads. */
const config = (options = '') => `
  import { assumptionReporter } from ${entryPoint('vitest-reporter')}
  const project = (pool, include) => ({ test: { name: pool, pool, include: [include], testTimeout: 60_000 } })
  const projects = [project('forks', 'a.test.ts'), project('threads', 'b.test.ts')]
  export default { test: { projects, maxWorkers: 2, reporters: ['dot', assumptionReporter(${options})] } }`

const suite = (name: string) => `
  import { createTest } from ${entryPoint('vitest')}
  const test = createTest({ size: 3 })
  const harbor = { organizationId: 'harbor' }
  test('${name} reads the caller', async ({ client }) => void (await client.getCurrentMember()))
  test('${name} reads products, and fails', async ({ client }) => {
    await client.listProducts(harbor)
    await client.listProducts(harbor)
    throw new Error('failed')
  })
  test('${name} gets a fault', async ({ client, sandbox }) => {
    sandbox.faults.add({ status: 503 })
    await client.listProducts(harbor).catch(() => undefined)
  })
  test('${name} makes no request', ({ sandbox }) => void sandbox)`

/** Runs Vitest in a folder with files, and returns its output and the files that it leaves. */
async function ran(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const vitest = resolve('node_modules', 'vitest', 'vitest.mjs')
  const { VITEST: _, ...env } = process.env
  const child = spawn(process.execPath, [vitest, 'run', '--root', folder], {
    env: { ...env, CI: 'true' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  // Vitest itself has a cache there.
  const left = readdirSync(folder).filter((name) => name !== 'node_modules')
  return { folder, printed: stripVTControlCharacters(printed), left: left.toSorted() }
}

it('merges the assumptions of the tests of all workers, processes and threads, and leaves no file behind', async () => {
  const files = { 'a.test.ts': suite('a'), 'b.test.ts': suite('b'), 'vitest.config.ts': config() }
  const { printed, left } = await ran(files)
  expect(printed).toMatch(/Tests +2 failed \| 6 passed/)
  const [sentence, ...lines] = printed.slice(printed.indexOf('workspace-sandbox:')).trimEnd().split('\n')
  expect(sentence).toMatch(
    /^workspace-sandbox: 6 tests, 2 by documented rules only \([ab] reads the caller, [ab] reads the caller\), 2 answered by faults\.$/,
  )
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['assumed', 'subject', 'tests', 'operations', 'try'],
    ['A-02', 'Body of lists without pagination', '2', 'listProducts', 'envelopes=all'],
    ['A-03', 'Order of lists other than logs', '2', 'listProducts', 'order=newest'],
    ['A-25', 'Product', '2', 'listProducts', 'productName=title'],
  ])
  expect(left).toEqual(Object.keys(files))
})

it('writes the report to a file, which `report merge` reads', async () => {
  const written = `{ file: new URL('report.json', import.meta.url).pathname }`
  const files = { 'a.test.ts': suite('a'), 'vitest.config.ts': config(written) }
  const { folder, left } = await ran(files)
  expect(left).toEqual(['a.test.ts', 'report.json', 'vitest.config.ts'])
  const { code, stdout, stderr } = await run(['report', 'merge', 'report.json'], { cwd: folder })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({
    unit: 'test',
    report: {
      requests: 3,
      documented: { count: 1, operations: ['a reads the caller'] },
      faulted: 1,
      assumptions: [{ id: 'A-02', count: 1 }, { id: 'A-03' }, { id: 'A-25', operations: ['listProducts'] }],
    },
  })
})
