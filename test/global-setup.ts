import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import type { TestProject } from 'vitest/node'

/** What is built, and one file of each step of the build. */
const sources = [
  'src',
  'seed',
  'fixtures',
  'package.json',
  'vite.config.ts',
  'tsconfig.json',
  'tsconfig.build.json',
]
const results = [
  'dist/index.js',
  'dist/cli.js',
  'dist/docs/index.html',
  'dist/console/index.html',
  'dist/types/src/index.d.ts',
]

/** Tests of the command and of the package run what is built, so it is built anew when a source is newer. */
export default function setup(project: TestProject): void {
  buildIfStale()
  project.onTestsRerun(buildIfStale)
}

function buildIfStale(): void {
  if (Math.max(...sources.map(newest)) < Math.min(...results.map(newest))) return
  execFileSync('npm', ['run', '--silent', 'build'], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  })
}

/** The time of the latest change at or under a path, 0 where there is nothing. */
function newest(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
