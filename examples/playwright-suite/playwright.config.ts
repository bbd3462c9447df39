import { defineConfig } from '@playwright/test'

const url = 'http://localhost:4617'

export default defineConfig({
  testDir: 'test',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  webServer: { command: 'npm run dev', url, reuseExistingServer: !process.env['CI'] },
  use: {
    baseURL: url,
    launchOptions: {
      // Debian's Chromium; without this line Playwright takes its own.
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
})
