import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import type { TestProject } from 'vitest/node'

/** The inputs of the build. */
const sources = [
  'src',
  'seed',
  'fixtures',
  'package.json',
  'vite.config.ts',
  'tsconfig.json',
  'tsconfig.build.json',
]
/** One output of each build step. */
const results = [
  'dist/index.js',
  'dist/cli.js',
  'dist/docs/index.html',
  'dist/console/index.html',
  'dist/types/src/index.d.ts',
]

/** Rebuilds if a source has changed, since tests of the command and the package run the built files. */
export default function setup(project: TestProject): void {
  buildIfStale()
  project.onTestsRerun(buildIfStale)
}

function buildIfStale(): void {
  if (Math.max(...sources.map(findLatestChange)) < Math.min(...results.map(findLatestChange))) return
  execFileSync('npm', ['run', '--silent', 'build'], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  })
}

/** Finds the time of the latest change at or under a path; 0 if nothing is there. */
function findLatestChange(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => findLatestChange(join(path, name))))
}
