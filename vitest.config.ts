import { resolve } from 'node:path'

import { defineConfig } from 'vitest/config'

import { isFullScale } from './test/reliability/figures.ts'

/** Tests that install the packed package and need Chromium: `npm run test:package`. */
const packed = [
  'browser',
  'container',
  'docs',
  'embeddings',
  'examples',
  'exec-sweep-python',
  'git-dependency',
  'msw-3',
  'package',
  'pages',
  'playwright',
  'recipes',
  'runtimes',
  'worker',
]
  .map((name) => `test/entry-points/${name}.test.ts`)
  // They run the tools of others, and look at what is packed.
  .concat('test/guards/openapi-tools.test.ts', 'test/guards/start.test.ts')

/** Tests of load, memory, waits and real time, which take minutes: only `npm run torture` runs them. */
const torture = [
  'bodies',
  'edited-files',
  'end',
  'heap',
  'journal',
  'linear-input',
  'load',
  'mixed-load',
  'namespaces',
  'reset',
  'sessions',
  'sockets',
  'timeouts',
  'waits',
].map((name) => `test/reliability/${name}.test.ts`)
const leftOut = isFullScale ? [] : [...torture, 'test/data/growth.test.ts']

/** Tests that mock modules, which other tests in their process would get too. */
const mocking = ['guards/writes', 'reliability/disk', 'reliability/timeouts'].map(
  (name) => `test/${name}.test.ts`,
)

/** Tests of the console, which need Chromium: `npm run test:browser`. */
const inBrowser = 'test/console/**/*.test.ts'

const common = {
  // Processes, because a test may change its working directory, which a thread cannot.
  pool: 'forks' as const,
  // A busy machine takes many times as long as a quiet one.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  // Importing the library into each file anew would take longer than the tests.
  isolate: false,
  // The built command and server run as they are.
  server: { deps: { external: [/\/dist\/(?:cli\/|node\.js)/] } },
}

export default defineConfig({
  test: {
    // Every machine that runs the tests has at least two cores, and many tests wait for a process or a timer.
    maxWorkers: 3,
    // The projects share what is transformed, and the next run has it, too.
    experimental: { fsModuleCache: true },
    // It shows the figures that tests note.
    ...(isFullScale && { fileParallelism: false, reporters: ['verbose'] }),
    projects: [
      {
        test: {
          ...common,
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [...packed, ...mocking, inBrowser, ...leftOut],
          globalSetup: 'test/global-setup.ts',
        },
      },
      { test: { ...common, name: 'mocking', include: mocking, exclude: leftOut, isolate: true } },
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
          // The built server, which each process imports in a tenth of the time.
          alias: [{ find: /^.*\/src\/node\.ts$/, replacement: resolve('dist/node.js') }],
          globalSetup: 'test/global-setup.ts',
        },
      },
    ],
  },
})
