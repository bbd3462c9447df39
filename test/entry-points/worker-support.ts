import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { build } from 'vite'
import { onTestFinished } from 'vitest'

import { createFiles, createProject } from './recipe.ts'

/** The last version for Node 20; too large to be a dependency. */
const MINIFLARE = 'miniflare@4.20260426.0'

/** The part of Miniflare that is used; it runs workerd. */
export interface Miniflare {
  dispatchFetch(url: string, init: object): Promise<Response>
  dispose(): Promise<void>
}

type Constructor = new (options: object) => Miniflare

let installed: Constructor | undefined

/** Installs Miniflare once for all tests of a process. */
function install(): Constructor {
  if (installed) return installed
  const folder = createProject(MINIFLARE)
  const required: { Miniflare: Constructor } = createRequire(join(folder, 'index.js'))('miniflare')
  installed = required.Miniflare
  return installed
}

/** Declares that a worker consists of one module; Miniflare would parse it at each start to find others. */
export const toModules = (contents: string): object[] => [{ type: 'ESModule', path: 'worker.js', contents }]

/** Runs workers until the test ends, or until they are disposed of. */
export function run(options: object): Miniflare {
  const runner = new (install())(options)
  let disposed: Promise<void> | undefined
  const dispose = (): Promise<void> => (disposed ??= runner.dispose())
  onTestFinished(dispose)
  return { dispatchFetch: (url, init) => runner.dispatchFetch(url, init), dispose }
}

/** Bundles a worker that uses the packed package. */
export async function bundle(script: string): Promise<string> {
  const root = createFiles({ 'worker.js': script })
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { target: 'webworker', noExternal: true },
    build: { ssr: 'worker.js', rolldownOptions: { output: { codeSplitting: false } } },
  })
  return readFileSync(join(root, 'dist', 'worker.js'), 'utf8')
}
