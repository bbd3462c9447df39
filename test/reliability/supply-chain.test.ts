import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { expectBelow, formatMegabytes } from './figures.ts'

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

it('installs few packages, none of them with an install script', async (context) => {
  const size = production.reduce((sum, [path]) => sum + measureFolder(path), 0)
  expect(production.length).toBeGreaterThan(0)
  await expectBelow(context, 'packages', production.length, 26, String)
  await expectBelow(context, 'size', size, 40 * 1_048_576, formatMegabytes)
  expect(production.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})

it('pins the content of every installed package', () => {
  const installed = ['.', 'docs', '.ci'].flatMap((folder) => listInstalled(folder))
  const loose = installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
  expect(loose.map(([path]) => path)).toEqual([])
})
