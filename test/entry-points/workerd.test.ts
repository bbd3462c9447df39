import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { build } from 'vite'
import { expect, inject, it, onTestFinished } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { importPacked } from '../packed.ts'
import { asked, everything } from './embedding-requests.ts'

/** The last version for Node 20; too large to be a dependency. */
const MINIFLARE = 'miniflare@4.20260426.0'

/** The part of Miniflare that is used; it runs workerd. */
interface Miniflare {
  dispatchFetch(url: string, init: object): Promise<Response>
  dispose(): Promise<void>
}

/** Runs a worker, a single JavaScript module, during the test. */
function started(script: string): Miniflare {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--silent']
  execFileSync('npm', ['install', ...quiet, MINIFLARE], { cwd: folder, stdio: 'inherit' })
  const require = createRequire(join(folder, 'index.js'))
  const { Miniflare: Runner }: { Miniflare: new (options: object) => Miniflare } = require('miniflare')
  const runner = new Runner({ modules: true, script, compatibilityDate: '2026-01-01' })
  onTestFinished(() => runner.dispose())
  return runner
}

/** Bundles a worker that uses the packed package. */
async function bundled(script: string): Promise<string> {
  const root = mkdtempSync(join(inject('consumer'), 'worker-'))
  writeFileSync(join(root, 'worker.js'), script)
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { target: 'webworker', noExternal: true },
    build: { ssr: 'worker.js', rolldownOptions: { output: { codeSplitting: false } } },
  })
  return readFileSync(join(root, 'dist', 'worker.js'), 'utf8')
}

const worker = `
  import { createSandbox } from 'workspace-sandbox'

  let opened
  export default {
    async fetch(request) {
      opened ??= createSandbox({ size: 'small' }).then((sandbox) => sandbox.session())
      return (await opened).fetch(request)
    },
  }`

it('answers in workerd the bytes that it answers anywhere', async () => {
  const runner = started(await bundled(worker))
  const { createSandbox } = await importPacked('workspace-sandbox')
  const here = (await createSandbox({ size: 'small' })).session()
  const expected = await everything(asked, 'http://sandbox/v1', here.fetch)
  const found = await everything(asked, 'http://sandbox/v1', async (request) => {
    const { method, headers } = request
    const body = request.body && (await request.text())
    return runner.dispatchFetch(request.url, { method, headers: Object.fromEntries(headers), body })
  })
  for (const [index, { method = 'GET', path }] of asked.entries()) {
    expect.soft(found[index], `${method} ${path}`).toEqual(expected[index])
  }
})
