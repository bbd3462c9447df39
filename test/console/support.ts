import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

import { type RunningSandbox, startSandbox, type StartOptions } from '../../src/node.ts'
import { type Opened, useChromium, watched } from '../entry-points/chromium.ts'

/** A console in a browser, over a sandbox of its own. */
export interface Console extends RunningSandbox, Opened {}

export interface ConsoleOptions {
  /** The view to open, as in `#/data/customers`. */
  readonly at?: string
  readonly sandbox?: StartOptions
  readonly browser?: BrowserContextOptions
}

/** The windows in which every view must fit and be accessible. */
export const windows = [
  { viewport: { width: 1600, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 400, height: 900 }, colorScheme: 'dark' },
] as const satisfies readonly BrowserContextOptions[]

/** Starts Chromium for a test file; returns a function that opens a console until the test finishes. */
export function useConsole(): (options?: ConsoleOptions) => Promise<Console> {
  const browser = useChromium()
  return async ({ at = '', sandbox, browser: how } = {}) => {
    const running = await startSandbox({ size: 'small', port: 0, ...sandbox })
    onTestFinished(() => running.close())
    const context = await browser().newContext({ viewport: { width: 1280, height: 800 }, ...how })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const seen = watched(page)
    await page.goto(`${running.url}/_sandbox${at}`)
    await page.getByRole('main').waitFor()
    return { ...running, ...seen }
  }
}

/** Waits until a page has loaded its data and follows the journal. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.getByText('live', { exact: true }).waitFor()
  await page.locator('main[aria-busy=false]').waitFor()
}

interface Cell {
  readonly textContent: string
}

/** Reads the texts of a table's cells, of all rows at the same moment. */
export async function readRows(table: Locator): Promise<readonly (readonly string[])[]> {
  return table
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.map((row) => Array.from(row.children, ({ textContent }: Cell) => textContent)),
    )
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Expects that axe finds no violations on a page in its current state. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe)
  const found: readonly Violation[] = await page.evaluate(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  expect(
    found.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]),
  ).toEqual([])
}

/** Expects an expression to become true on a page; polls from outside, since the page's policy forbids eval. */
export async function expectSoon(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(`Boolean(${expression})`)).toBe(true)
}

/** Expects that a page had no errors and sent requests only to its own server. */
export function expectQuiet({ url, requests, errors }: Console): void {
  expect(requests.filter((address) => !address.startsWith(`${url}/`))).toEqual([])
  expect(errors).toEqual([])
}

/** Expects that no part of a page extends beyond its right edge. */
export async function expectFits(page: Page): Promise<void> {
  const beyond: readonly string[] = await page.evaluate(`
    Array.from(document.body.querySelectorAll('*'))
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect()
        return width > 0 && right > innerWidth + 1 && getComputedStyle(element).position !== 'absolute'
      })
      .map((element) => element.outerHTML.slice(0, 120))`)
  expect(beyond).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}
