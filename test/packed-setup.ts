import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import type { TestProject } from 'vitest/node'

import build from './global-setup.ts'

declare module 'vitest' {
  interface ProvidedContext {
    tarball: string
    /** A project outside of the repository that has the packed package installed. */
    consumer: string
  }
}

/** The other packages of that project: the peer dependencies and the type checker. */
const installed = [
  'vite',
  'vitest',
  'msw',
  'typescript',
  '@types',
  '@playwright',
  'playwright',
  'playwright-core',
]

/** Builds and packs the package, and installs it into a project outside of the repository, and the checkers into `.ci`. */
export default function setup(project: TestProject): () => void {
  build(project)
  npm(resolve('.ci'), 'install')
  const folder = mkdtempSync(join(tmpdir(), 'workspace-sandbox-packed-'))
  const consumer = join(folder, 'consumer')
  npm(resolve(), 'pack', '--pack-destination', folder)
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), '{"name":"consumer","private":true,"type":"module"}')
  npm(consumer, 'install', '--prefer-offline', '--omit=peer', tarball)
  for (const name of installed) {
    symlinkSync(resolve('node_modules', name), join(consumer, 'node_modules', name), 'dir')
  }
  project.provide('tarball', tarball)
  project.provide('consumer', consumer)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Runs npm in a folder. */
export function npm(cwd: string, ...args: readonly string[]): void {
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', [...args, ...quiet], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
