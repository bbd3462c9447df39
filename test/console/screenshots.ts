import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { type Browser, chromium } from 'playwright-core'

import { type RunningSandbox, startSandbox } from '../../src/node.ts'
import { launch } from '../entry-points/chromium-launch.ts'

/** The folder for all screenshots, and the file for the one in the README. */
const FOLDER = 'dist/screenshots'
const README = 'examples/console.png'

/** The views, by the name of their screenshot. */
const places: Readonly<Record<string, string>> = {
  start: '#/start',
  traffic: '#/traffic',
  request: '#/traffic/9',
  data: '#/data/customers?scope=mine',
  customer: '#/data/customers/1',
  changes: '#/data/changes',
  people: '#/people',
  faults: '#/control/faults',
  clock: '#/control/clock',
  sessions: '#/control/sessions',
  assumptions: '#/control/assumptions',
  dataset: '#/control/dataset',
}

/** Units: pixels. */
const sizes = { wide: { width: 1600, height: 1000 }, narrow: { width: 400, height: 800 } } as const

const home = '/organizations/harbor'

/** Typical requests of an application. */
const traffic: readonly (readonly [token: string, method: 'GET' | 'POST', path: string])[] = [
  ['sbx_harbor_1', 'GET', '/members/me'],
  ['sbx_harbor_1', 'GET', `${home}/customers?scope=mine&limit=20`],
  ['sbx_harbor_1', 'GET', `${home}/customers/1`],
  ['sbx_harbor_1', 'GET', `${home}/signals?scope=team&status=open`],
  ['sbx_harbor_3', 'GET', `${home}/customers?segment=Enterprise&segment=SMB`],
  ['sbx_quill_501', 'GET', `${home}/customers`],
  ['sbx_invalid', 'GET', '/members/me'],
  ['sbx_harbor_1', 'GET', `${home}/customers/99999`],
  ['sbx_harbor_2', 'GET', `${home}/customers?scope=team&limit=20&colour=red`],
  ['sbx_harbor_2', 'GET', `${home}/customers?limit=500`],
  ['sbx_harbor_1', 'POST', `${home}/customers/1/notes`],
  ['sbx_harbor_1', 'GET', `${home}/customers/1/notes`],
  ['sbx_harbor_1', 'GET', `${home}/products`],
]

async function use({ baseUrl, sandbox }: RunningSandbox): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    if (round === 3) sandbox.faults.add({ operationId: 'listSignals', status: 503, times: 2 })
    for (const [token, method, path] of traffic) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ categoryId: 1, content: 'Called them about the renewal.' })
      await fetch(`${baseUrl}${path}`, { method, headers, ...(method === 'POST' && { body }) })
    }
  }
  sandbox.session({ name: 'checkout tests' })
  await sandbox.data.customers.patch(1, { name: '<img src=x onerror=alert(1)> & Sons' })
}

async function take(browser: Browser, url: string): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme })
      const page = await context.newPage()
      for (const [name, place] of Object.entries(places)) {
        await page.goto(`${url}/_sandbox${place}`)
        await page.getByText('live', { exact: true }).waitFor()
        await page.locator('main[aria-busy=false]').waitFor()
        const fullPage = size === 'narrow'
        await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`), fullPage })
        if (name === 'request' && size === 'wide' && colorScheme === 'light') {
          await page.screenshot({ path: README })
        }
      }
      await context.close()
    }
  }
}

// `npm run screenshots` takes screenshots of every view of the console, wide and narrow, light and dark.
mkdirSync(FOLDER, { recursive: true })
const running = await startSandbox({ size: 'medium', port: 0 })
const browser = await chromium.launch(launch)
try {
  await use(running)
  await take(browser, running.url)
  process.stdout.write(`${Object.keys(places).length * 4} screenshots in ${FOLDER}, one in ${README}\n`)
} finally {
  await browser.close()
  await running.close()
}
