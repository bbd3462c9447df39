#!/usr/bin/env node
// NOTE: no static imports here. An older Node fails while it links them, before the check below can run.

/** The oldest version of Node that runs the rest of the command. */
const OLDEST = [20, 19] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
  void import('./node/cli/load.ts').then(({ load }) => load('main.cjs')['main']?.())
} else {
  const fact = `Node ${OLDEST.join('.')} or newer, but this is Node ${process.versions.node}`
  console.error(`workspace-sandbox needs ${fact}. Update Node and try again.`)
  process.exitCode = 1
}
