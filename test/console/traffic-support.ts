import type { Locator, Page } from 'playwright-core'

import type { RequestOptions } from './support.ts'

/** Creates the options of a request that stores a note. */
export const note = (content: string): RequestOptions => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ categoryId: 1, content }),
})

/** Finds the list of requests. */
export const findList = (page: Page): Locator => page.getByRole('grid', { name: 'Requests' })

/** Finds the rows of requests. Order: the latest first. */
export const findRows = (page: Page): Locator => findList(page).locator('[data-id]')

/** Finds the row of a request. */
export const findRow = (page: Page, id: number): Locator => findList(page).locator(`[data-id="${id}"]`)

/** Reads the ids in the list. */
export async function readIds(page: Page): Promise<number[]> {
  const ids = await findRows(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id')))
  return ids.map(Number)
}

/** Finds the details of a request. */
export const findDetails = (page: Page, id: number): Locator =>
  page.getByRole('region', { name: `Request ${id}`, exact: true })

/** Opens a folded part of a request's details. */
export const unfold = (detail: Locator, name: string): Promise<void> =>
  detail.locator('summary').getByText(name, { exact: true }).click()
