import { existsSync } from 'node:fs'

import { chromium, defineConfig } from '@playwright/test'

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
  // Vite takes the next free port, and its output names it. The group of the pattern becomes an environment variable.
  webServer: {
    command: 'npm run dev',
    env: { NO_COLOR: '1' },
    wait: { stdout: /Local: +(?<APP_URL>http:\/\/\S+)/ },
  },
  use: {
    baseURL: process.env['APP_URL'],
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
})
