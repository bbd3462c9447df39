import { existsSync } from 'node:fs'

import { chromium, defineConfig } from '@playwright/test'
import type { SandboxTestOptions, SandboxWorkerOptions } from 'workspace-sandbox/playwright'

/** Finds Chromium: the one in `CHROMIUM`, else Playwright's (undefined), else Debian's. */
function findChromium(): string | undefined {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM']
  if (existsSync(chromium.executablePath())) return undefined
  return ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))
}

const executablePath = findChromium()
const port = Number(process.env['PORT'] ?? 3000)
const url = `http://localhost:${port}`

export default defineConfig<SandboxTestOptions, SandboxWorkerOptions>({
  testDir: 'test',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  webServer: {
    command: 'npm start',
    url: `${url}/v1/members/me`,
    reuseExistingServer: true,
    timeout: 180_000,
  },
  use: {
    baseURL: url,
    // The sandbox is part of the app.
    sandboxUrl: url,
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
})
