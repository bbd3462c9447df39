import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { formatMegabytes, recordFigure } from './figures.ts'

/** An installed package in the lock file. */
interface Locked {
  readonly dev?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

/** Lists the packages that are installed into a folder of the repository. */
function listInstalled(folder: string): (readonly [path: string, Locked])[] {
  const text = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(text)
  return Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'))
}

const production = listInstalled('.').filter(([, { dev, peer, optional }]) => !dev && !peer && !optional)

/** Sums the sizes of the files in a folder. Units: bytes. */
function measureFolder(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

it('installs few packages, none of them with an install script', (context) => {
  const size = production.reduce((sum, [path]) => sum + measureFolder(path), 0)
  recordFigure(context, 'supply chain', '≤ 25 production packages (goal 8)', `${production.length}`)
  recordFigure(context, 'supply chain', '< 40 MB (goal 15)', formatMegabytes(size))
  expect(production.length).toBeGreaterThan(0)
  expect(production.length).toBeLessThanOrEqual(25)
  expect(size).toBeLessThan(40 * 1_048_576)
  expect(production.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})

it('pins the content of every installed package', (context) => {
  const installed = ['.', 'docs', '.ci'].flatMap((folder) => listInstalled(folder))
  const loose = installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
  expect(loose.map(([path]) => path)).toEqual([])
  recordFigure(context, 'supply chain', 'sha512 on all', `${installed.length} of ${installed.length}`)
})
