import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'

import { type RunningSandbox, startSandbox, type StartOptions } from '../../src/node.ts'
import { launchChromium, type Opened, watched } from '../entry-points/chromium.ts'

/** Sends a request to the service as Mara Ellis, from outside of the page, and reads the whole response. */
export type Send = (path: string, options?: RequestOptions) => Promise<Response>

export interface RequestOptions {
  readonly token?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A console in a browser, over a sandbox of its own. */
export interface Console extends RunningSandbox, Opened {
  readonly send: Send
  /** Fetches a resource as JSON. */
  readonly get: <T = unknown>(path: string, token?: string) => Promise<T>
}

export interface ConsoleOptions {
  /** The view to open, as in `#/data/customers`. */
  readonly at?: string
  readonly sandbox?: StartOptions
  readonly window?: Window
  /** The failed requests that the browser may report. */
  readonly failures?: RegExp
}

type Window = Pick<BrowserContextOptions, 'viewport' | 'colorScheme'>

/** The default caller's token and the path of their organization. */
export const MARA = 'sbx_harbor_1'
export const home = '/organizations/harbor'

/** Creates a function that sends requests to a base URL. */
export function createSender(baseUrl: string, caller = MARA): Send {
  return async (path, { token = caller, headers, ...init } = {}) => {
    const all = { authorization: `Bearer ${token}`, ...headers }
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers: all })
    return new Response(await response.arrayBuffer(), response)
  }
}

/** A port on which a server may start again: nobody else gets it meanwhile, since systems give away only higher ones. */
export const OWN_PORT = 7_000 + (process.pid % 3_000)

/** Matches what Chromium says of a request to a server that is stopping, or has stopped. */
export const STOPPED = /ERR_(?:CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/

/**
 * Opens a console, which is closed after the test, and waits until it has loaded its data. Expects that it has no errors
 * and sends requests only to its own server.
 */
export async function open(options: ConsoleOptions = {}): Promise<Console> {
  const { at = '', sandbox, window, failures } = options
  const running = await startSandbox({ size: 'small', port: 0, ...sandbox })
  onTestFinished(() => running.close())
  const page = await openPage(window)
  const seen = watched(page)
  onTestFinished(() => {
    expect(seen.requests.filter((address) => !address.startsWith(`${running.url}/`))).toEqual([])
    expect(seen.errors.filter((error) => failures?.test(error) !== true)).toEqual([])
  })
  await page.goto(`${running.url}/_sandbox${at}`)
  // An earlier sandbox may have had the same port.
  await page.evaluate('localStorage.clear()')
  if (sandbox?.adminToken === undefined) await waitUntilSettled(page)
  const send = createSender(running.baseUrl)
  const get = async <T>(path: string, token?: string): Promise<T> =>
    (await send(path, token === undefined ? {} : { token })).json()
  return { ...running, ...seen, send, get }
}

let context: Promise<BrowserContext> | undefined

/** Creates a context with a page that keeps the renderer of all its pages running. */
async function createContext(): Promise<BrowserContext> {
  const chromium = await launchChromium()
  const created = await chromium.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  created.setDefaultTimeout(60_000)
  await created.newPage()
  return created
}

/** Opens a page, which is closed after the test. Its context is that of all tests, since another renderer would start. */
async function openPage({ viewport, colorScheme }: Window = {}): Promise<Page> {
  const page = await (await (context ??= createContext())).newPage()
  onTestFinished(() => page.close())
  if (viewport) await page.setViewportSize(viewport)
  if (colorScheme) await page.emulateMedia({ colorScheme })
  return page
}

/** Waits until a page has loaded its data and follows the journal. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.getByText('live', { exact: true }).waitFor()
  await page.locator('main[aria-busy=false]').waitFor()
}

/** Holds a page's requests to matching addresses until the function that it returns is called. */
export async function holdRequests(page: Page, addresses: string): Promise<() => Promise<void>> {
  await page.route(addresses, () => undefined)
  return () => page.unroute(addresses)
}

/** The windows in which every view must fit and be accessible. */
export const windows = [
  { viewport: { width: 400, height: 900 }, colorScheme: 'dark' },
  { viewport: { width: 1600, height: 900 }, colorScheme: 'light' },
] as const satisfies readonly Window[]

/** Tests that a view is accessible and fits, once it was operated in the narrow window. */
export function itFits(
  at: string,
  operate: (console: Console) => unknown = () => undefined,
  options: ConsoleOptions = {},
): void {
  it(`fits a narrow dark and a wide light window, and is accessible, at ${at}`, async () => {
    const console = await open({ at, window: windows[0], ...options })
    await operate(console)
    await expectFits(console.page)
  })
}

/** Expects that a page is accessible, and that nothing extends beyond its right edge, in each window. */
export async function expectFits(page: Page): Promise<void> {
  await page.locator('main[aria-busy=false]').waitFor()
  for (const { viewport, colorScheme } of windows) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
    await expectWithin(page)
  }
}

/** Expects that no part of a page extends beyond its right edge. */
export async function expectWithin(page: Page): Promise<void> {
  const beyond: readonly string[] = await page.evaluate(`
    Array.from(document.body.querySelectorAll('*'))
      // The end of what a cell contains is cut off, and the links of a list scroll.
      .filter((element) => !element.parentElement?.closest('td, th, .chips, nav'))
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect()
        return width > 0 && right > innerWidth + 1 && getComputedStyle(element).position !== 'absolute'
      })
      .map((element) => element.outerHTML.slice(0, 120))`)
  expect(beyond).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Expects that axe finds no violations on a page in its current state. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe)
  // A transition passes through colours that nobody reads.
  await page.evaluate(`document.getAnimations().forEach((one) => {
    if (one.effect.getComputedTiming().endTime !== Infinity) one.finish()
  })`)
  const found: readonly Violation[] = await page.evaluate(
    `axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)`,
  )
  expect(
    found.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]),
  ).toEqual([])
}

/** Expects an expression to become true on a page; polls from outside, since the page's policy forbids eval. */
export async function expectSoon(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(`Boolean(${expression})`)).toBe(true)
}

/** Expects a text in a status message. */
export const expectStatus = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').getByText(text).waitFor()

/** Expects the focus on an element with a value of a property, as in `document.activeElement.name`. */
export async function expectFocus(page: Page, property: string, value: string): Promise<void> {
  await expect.poll(() => page.evaluate(`document.activeElement.${property}`)).toBe(value)
}
