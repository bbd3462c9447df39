import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { inject } from 'vitest'

import type * as client from '../src/client.ts'
import type * as core from '../src/index.ts'
import type * as msw from '../src/msw.ts'
import type * as node from '../src/node.ts'
import type * as vite from '../src/vite.ts'
import type * as reporter from '../src/vitest-reporter.ts'
import type * as vitest from '../src/vitest.ts'

/** What each door of the package gives. */
interface Doors {
  'workspace-sandbox': typeof core
  'workspace-sandbox/node': typeof node
  'workspace-sandbox/vite': typeof vite
  'workspace-sandbox/vitest': typeof vitest
  'workspace-sandbox/vitest-reporter': typeof reporter
  'workspace-sandbox/msw': typeof msw
  'workspace-sandbox/client': typeof client
}

/** Opens a door of the packed package, found as a project that depends on it finds it. */
export async function packed<Door extends keyof Doors>(door: Door): Promise<Doors[Door]> {
  const { resolve } = createRequire(join(inject('stranger'), 'index.js'))
  return import(/* @vite-ignore */ pathToFileURL(resolve(door)).href)
}
