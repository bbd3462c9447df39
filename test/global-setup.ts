import { execFileSync } from 'node:child_process'

import type { TestProject } from 'vitest/node'

/** The parts that the tests of the project `node` run; the documentation and the types take half of a build. */
const parts = ['library', 'datasets', 'cli', 'console']

/** Rebuilds if a source has changed, since tests of the command and the package run the built files. */
export default function setup(project: TestProject): void {
  const build = (): void => {
    const names = project.name === 'node' ? parts : [...parts, 'types', 'docs']
    execFileSync(process.execPath, ['.ci/build-if-stale.mjs', ...names], { stdio: 'inherit' })
  }
  build()
  project.onTestsRerun(build)
}
