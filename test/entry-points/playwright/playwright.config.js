import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  fullyParallel: true,
  workers: Number(process.env.WORKERS ?? 1),
  timeout: 100_000,
  expect: { timeout: 60_000 },
  use: { baseURL: 'http://app.test', launchOptions: JSON.parse(process.env.LAUNCH) },
})
