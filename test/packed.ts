import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { inject } from 'vitest'

import type * as client from '../src/client.ts'
import type * as core from '../src/index.ts'
import type * as msw from '../src/msw.ts'
import type * as node from '../src/node.ts'
import type * as playwright from '../src/playwright.ts'
import type * as vite from '../src/vite.ts'
import type * as vitest from '../src/vitest.ts'
import type * as worker from '../src/worker.ts'

/** The entry points of the package and their exports. */
interface EntryPoints {
  'workspace-sandbox': typeof core
  'workspace-sandbox/node': typeof node
  'workspace-sandbox/vite': typeof vite
  'workspace-sandbox/vitest': typeof vitest
  'workspace-sandbox/msw': typeof msw
  'workspace-sandbox/worker': typeof worker
  'workspace-sandbox/playwright': typeof playwright
  'workspace-sandbox/client': typeof client
}

/** Imports an entry point of the packed package, resolved as in a project that depends on it. */
export async function importPacked<Name extends keyof EntryPoints>(name: Name): Promise<EntryPoints[Name]> {
  const { resolve } = createRequire(join(inject('consumer'), 'index.js'))
  return import(/* @vite-ignore */ pathToFileURL(resolve(name)).href)
}
