import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { megabytes, tell } from './figures.ts'

/** What the lock file says of an installed package. */
interface Locked {
  readonly dev?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  /** Whether it is a folder of this very repository. */
  readonly link?: boolean
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
)
const installed = Object.entries(lock.packages).filter(
  ([path, { link = false }]) => path.includes('node_modules/') && !link,
)
const production = installed.filter(([, { dev, peer, optional }]) => !dev && !peer && !optional)

/** Units: bytes. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

it('brings few packages, none of which runs anything when it is installed', (context) => {
  const size = production.reduce((sum, [path]) => sum + sizeOf(path), 0)
  tell(context, 'supply chain', '≤ 25 production packages (goal 8)', `${production.length}`)
  tell(context, 'supply chain', '< 40 MB (goal 15)', megabytes(size))
  expect(production.length).toBeGreaterThan(0)
  expect(production.length).toBeLessThanOrEqual(25)
  expect(size).toBeLessThan(40 * 1_048_576)
  expect(production.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})

it('names the exact content of everything that is installed', (context) => {
  const loose = installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
  expect(loose.map(([path]) => path)).toEqual([])
  tell(context, 'supply chain', 'sha512 on all', `${installed.length} of ${installed.length}`)
})
