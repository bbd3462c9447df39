import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

import { readRows } from './support.ts'

/** Waits until a request to the service and its response are shown. */
export async function waitForRequest(page: Page, request: string): Promise<void> {
  await page.getByRole('main').getByText(request, { exact: true }).waitFor()
}

/** Expects an element to become visible. */
export async function expectShown(element: Locator): Promise<void> {
  await expect.poll(() => element.first().isVisible()).toBe(true)
}

/** Expects the cells of a column, by its heading. */
export async function expectColumn(
  table: Locator,
  heading: string,
  texts: readonly (string | number)[],
): Promise<void> {
  await expect.poll(() => readColumn(table, heading)).toEqual(texts.map(String))
}

/** Reads the cells of a column, by its heading. */
export async function readColumn(table: Locator, heading: string): Promise<readonly string[]> {
  const [headings = [], ...rows] = await readRows(table)
  return rows.map((texts) => texts[headings.indexOf(heading)] ?? '')
}

/** An element to click, an option to choose, or anything else. */
export type Step = Locator | readonly [select: Locator, option: string] | (() => Promise<unknown>)

/** Takes steps, and counts the clicks; choosing an option takes two. */
export async function countClicks(...steps: readonly Step[]): Promise<number> {
  let clicks = 0
  for (const step of steps) {
    if (typeof step === 'function') {
      await step()
    } else if ('click' in step) {
      await step.click()
      clicks += 1
    } else {
      await step[0].selectOption({ label: step[1] })
      clicks += 2
    }
  }
  return clicks
}
