import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // As many as there are cores at the least.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
          // Processes, because a test may set its time zone, as a thread cannot.
          pool: 'forks',
          // Tests of the command start Node several times.
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
    ],
  },
})
