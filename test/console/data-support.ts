import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Expects a page to show a request to the service, and its response. */
export async function expectRequest(page: Page, request: string): Promise<void> {
  await page.getByRole('main').getByText(request, { exact: true }).waitFor()
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
  // All rows at the same moment.
  const [headings = [], ...rows] = await table
    .getByRole('row')
    .evaluateAll((all) =>
      all.map((row) => Array.from(row.children, ({ textContent }: { textContent: string }) => textContent)),
    )
  return rows.map((texts) => texts[headings.indexOf(heading)] ?? '')
}
