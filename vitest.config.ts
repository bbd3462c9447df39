import { defineConfig } from 'vitest/config'

import { FiguresTable } from './test/reliability/figures-table.ts'
import { isFullScale } from './test/reliability/figures.ts'

/** Tests that install the packed package and need Chromium: `npm run test:package`. */
const packed = [
  'browser',
  'docs',
  'embeddings',
  'examples',
  'git-dependency',
  'guide',
  'hover',
  'package',
  'pages',
  'playwright',
  'runtimes',
  'workerd',
].map((name) => `test/entry-points/${name}.test.ts`)

/** Tests that use the library in their own process, and mock no modules. */
const inProcess = 'test/{data,sandbox,spec}/**/*.test.ts'

/** Tests of the console, which need Chromium: `npm run test:browser`. */
const inBrowser = 'test/console/**/*.test.ts'

const common = {
  // Processes, because a test may change its working directory, which a thread cannot.
  pool: 'forks',
  // A busy machine takes many times as long as a quiet one.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
} as const

export default defineConfig({
  test: {
    // Every machine that runs the tests has at least two cores, and many tests wait for a process or a timer.
    maxWorkers: 3,
    ...(isFullScale && { fileParallelism: false, reporters: ['default', new FiguresTable()] }),
    projects: [
      {
        test: {
          ...common,
          name: 'library',
          include: [inProcess],
          globalSetup: 'test/global-setup.ts',
          // Importing the library into each file would take longer than the tests.
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [...packed, inProcess, inBrowser],
          globalSetup: 'test/global-setup.ts',
        },
      },
      {
        test: {
          ...common,
          name: 'package',
          include: packed,
          globalSetup: 'test/packed-setup.ts',
          // The examples install their dependencies from the registry.
          testTimeout: 300_000,
        },
      },
      {
        test: {
          ...common,
          name: 'browser',
          include: [inBrowser],
          globalSetup: 'test/global-setup.ts',
        },
      },
    ],
  },
})
