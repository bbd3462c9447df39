import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Browser, type Page, chromium } from 'playwright-core'

import { type RunningSandbox, startSandbox } from '../../src/node.ts'
import { launch } from '../entry-points/chromium-launch.ts'

/** The folder for all screenshots, which Git ignores. */
const FOLDER = 'screenshots'

/** The pictures of the README and the guide: the file, the view, and a text that shows that it is complete. */
const pictures = [
  ['docs/pictures/console.webp', '#/traffic/2?record=6', 'is not in the response'],
  ['docs/pictures/console-data.webp', '#/data/customers/1', 'Larkspur & Sons'],
  ['docs/pictures/console-sync.webp', '#/sync?member=2', 'is not correct'],
] as const

/** The views, by the name of their screenshot. */
const places: Readonly<Record<string, string>> = {
  start: '#/start',
  traffic: '#/traffic',
  request: '#/traffic/56',
  why: '#/traffic/56?record=1',
  sync: '#/sync?member=2',
  data: '#/data/customers?scope=mine',
  customer: '#/data/customers/1',
  changes: '#/data/changes',
  faults: '#/control/faults',
  scenarios: '#/control/scenarios',
  clock: '#/control/clock',
  sessions: '#/control/sessions',
  assumptions: '#/control/assumptions',
  dataset: '#/control/dataset',
}

/** The views that look different without changes and requests. */
const empty = ['start', 'traffic', 'sync', 'changes', 'faults']

/** The views to show while the sandbox does not respond yet, or no longer. */
const waiting = ['start', 'traffic', 'request', 'sync', 'data', 'assumptions']

/** Units: pixels. */
const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 400, height: 800 } } as const

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

/** Sends requests in bursts, as an application does. */
async function use({ baseUrl, sandbox }: RunningSandbox): Promise<void> {
  // Generates the rows, for which no request in the pictures shall wait.
  for (const name of ['customers', 'signals', 'notes'] as const) await sandbox.data[name].list({ limit: 250 })
  for (let round = 0; round < 5; round += 1) {
    if (round === 3) sandbox.faults.add({ operationId: 'listSignals', status: 503, times: 2 })
    if (round === 4) sandbox.clock.advance('P1D')
    for (const [token, method, path] of traffic) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ categoryId: 1, content: 'Called them about the renewal.' })
      await fetch(`${baseUrl}${path}`, { method, headers, ...(method === 'POST' && { body }) })
    }
  }
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  // A run that stops before the last page.
  for (const offset of [0, 50, 100]) {
    const page = `${baseUrl}${home}/customers?limit=50&offset=${offset}`
    await fetch(page, { headers: { authorization: 'Bearer sbx_harbor_2' } })
  }
  for (let id = 1; id <= 9; id += 1) await fetch(`${baseUrl}${home}/customers/${id}`, { headers })
  sandbox.session({ name: 'checkout tests' })
  await sandbox.data.customers.patch(1, { name: 'Larkspur & Sons' })
}

/** Opens a view and waits until it is complete. */
async function openComplete(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByText('live', { exact: true }).waitFor()
  await page.locator('main[aria-busy=false]').waitFor()
}

/** Takes a screenshot in a format that is half as large as PNG, which Playwright does not offer. */
async function saveWebp(page: Page, path: string): Promise<void> {
  const chrome = await page.context().newCDPSession(page)
  const { data } = await chrome.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  writeFileSync(path, data, 'base64')
}

/** Takes screenshots of views in each size and colour scheme. */
async function take(
  browser: Browser,
  url: string,
  state: string,
  names: readonly string[],
  open: (page: Page, address: string) => Promise<unknown>,
): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme })
      for (const name of names) {
        const page = await context.newPage()
        await open(page, `${url}/_sandbox${places[name]}`)
        const file = `${[name, state, size, colorScheme].filter(Boolean).join('-')}.png`
        await page.screenshot({ path: join(FOLDER, file), fullPage: size === 'narrow' })
        await page.close()
      }
      await context.close()
    }
  }
}

// `npx jiti test/console/screenshots.ts` takes screenshots of every view of the console, wide and narrow, light and dark.
mkdirSync(FOLDER, { recursive: true })
const calls = /\/_sandbox\/(?!assets)/
const [running, unused] = [
  await startSandbox({ size: 'medium', port: 0 }),
  await startSandbox({ size: 'small', port: 0 }),
]
const browser = await chromium.launch(launch)
try {
  await use(running)
  const shown = await browser.newPage({ viewport: sizes.wide, colorScheme: 'light' })
  for (const [file, place, text] of pictures) {
    await openComplete(shown, `${running.url}/_sandbox${place}`)
    await shown.getByText(text).first().waitFor()
    await saveWebp(shown, file)
  }
  await take(browser, running.url, '', Object.keys(places), openComplete)
  await take(browser, unused.url, 'empty', empty, openComplete)
  await take(browser, unused.url, 'loading', waiting, async (page, address) => {
    // Never responds.
    await page.route(calls, () => undefined)
    await page.goto(address)
    await page.getByRole('main').waitFor()
  })
  await take(browser, unused.url, 'stopped', waiting, async (page, address) => {
    await page.route(calls, (route) => route.abort())
    await page.goto(address)
    await page.getByRole('alert').first().waitFor()
  })
  process.stdout.write(`The screenshots are in ${FOLDER}, the pictures of the guide in docs/pictures.\n`)
} finally {
  await browser.close()
  await running.close()
  await unused.close()
}
