import { execFileSync } from 'node:child_process'

import type { TestProject } from 'vitest/node'

/** Rebuilds if a source has changed, since tests of the command and the package run the built files. */
export default function setup(project: TestProject): void {
  buildIfStale()
  project.onTestsRerun(buildIfStale)
}

function buildIfStale(): void {
  execFileSync(process.execPath, ['.ci/build-if-stale.mjs'], { stdio: 'inherit' })
}
