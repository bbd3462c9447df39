import { existsSync } from 'node:fs'

import { chromium, defineConfig } from '@playwright/test'

const url = 'http://localhost:4617'

/** The Chromium that CHROMIUM names, or the one that Playwright has installed, or Debian's. */
function chromiumPath(): string | undefined {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM']
  if (existsSync(chromium.executablePath())) return undefined
  return ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))
}

const executablePath = chromiumPath()

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
