import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect, it, onTestFinished } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { home, open } from './support.ts'
import { findDetails } from './traffic-support.ts'

const run = promisify(execFile)

/** Checks whether tests need a file of the package. Another process may be writing what V8 has compiled. */
const isNeeded = (path: string): boolean => !/^dist\/(?:docs|types)|\.(?:map|compiled)$/.test(path)

it('copies a request as commands and tests, and its state, each of which runs as it is pasted', async () => {
  const { page, send, sandbox, url } = await open()
  await sandbox.data.customers.patch(2, { name: "O'Neil & Sons" })
  await sandbox.data.customers.delete(3)
  await send(`${home}/customers?limit=3`)
  await send('/members/me', { token: 'sbx_invalid' })
  const folder = await mkdtemp(join('test', 'console', 'pasted-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'vitest.config.ts'), 'export default { test: { testTimeout: 60_000 } }')
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  // Vitest and Playwright compile what is not installed.
  const installed = join(folder, 'node_modules', 'workspace-sandbox')
  await cp('package.json', join(installed, 'package.json'))
  await cp('dist', join(installed, 'dist'), { recursive: true, filter: isNeeded })
  const open1 = async (id: number) => {
    await page.goto(`${url}/_sandbox#/traffic/${id}`)
    await findDetails(page, id).getByRole('button', { name: 'Vitest test' }).waitFor()
  }
  const copy = async (name: string, said: string): Promise<string> => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByText(`Copied ${said}.`).waitFor()
    return String(await page.evaluate('navigator.clipboard.readText()'))
  }
  const runHere = async (program: string, ...parameters: readonly string[]) =>
    (await run(resolve('node_modules/.bin', program), parameters, { cwd: folder })).stdout
  await open1(1)
  const curl = await copy('Copy as curl', 'the request as curl')
  expect(curl).toContain('authorization: Bearer sbx_harbor_1')
  expect((await run('sh', ['-c', curl])).stdout).toContain("O'Neil & Sons")
  const script = await copy('fetch', 'the request as fetch')
  await writeFile(join(folder, 'a.mjs'), script)
  expect(await runHere(process.execPath, 'a.mjs')).toContain('200 {')
  for (const id of [1, 2]) {
    await open1(id)
    await writeFile(join(folder, `${id}.test.ts`), await copy('Vitest test', 'a test for Vitest'))
    await writeFile(join(folder, `${id}.spec.ts`), await copy('Playwright test', 'a test for Playwright'))
  }
  expect(await runHere('vitest', 'run', '--root', '.', '--no-isolate', '--maxWorkers=1', '.test.ts')).toMatch(
    /Tests .*2 passed/,
  )
  const flags = ['--output=results', '--workers=1', '--timeout=60000']
  expect(await runHere('playwright', 'test', '.spec.ts', ...flags)).toContain('2 passed')
  const state = await copy('State as curl', 'a command that arranges this state')
  const other = await startSandbox({ size: 'small', port: 0 })
  onTestFinished(() => other.close())
  await run('sh', ['-c', state.replaceAll(url, other.url)])
  expect(await other.sandbox.data.changes()).toEqual(await sandbox.data.changes())
  expect(await (await fetch(`${other.url}/_sandbox/data/customers/2`)).json()).toMatchObject({
    name: "O'Neil & Sons",
  })
})
