import { existsSync } from 'node:fs'

import { chromium, defineConfig } from '@playwright/test'

const url = 'http://localhost:4617'

/** Finds Chromium: the one in `CHROMIUM`, else Playwright's (undefined), else Debian's. */
function findChromium(): string | undefined {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM']
  if (existsSync(chromium.executablePath())) return undefined
  return ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))
}

const executablePath = findChromium()

export default defineConfig({
  testDir: 'test',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  webServer: { command: 'npm run dev', url, reuseExistingServer: !process.env['CI'] },
  use: {
    baseURL: url,
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
})
