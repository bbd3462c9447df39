import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

import { type Console, readRows } from './support.ts'

/** Mara Ellis, the default caller. */
export const MARA = 'sbx_harbor_1'

/** Fetches a resource from the service, as an application would. */
export async function fetchResource<T = unknown>(
  { baseUrl }: Console,
  path: string,
  token = MARA,
): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })
  return response.json() as Promise<T>
}

/** Waits until the response to a request is shown, and finds it. */
export async function findResponse(page: Page, request: string): Promise<Locator> {
  const response = page.getByRole('region', { name: 'Response' })
  await response.getByText(request, { exact: true }).waitFor()
  return response
}

/** Reads a column of a table by its heading. */
export async function readColumn(table: Locator, heading: string): Promise<readonly string[]> {
  const [headings = [], ...rows] = await readRows(table)
  return rows.map((texts) => texts[headings.indexOf(heading)] ?? '')
}

/** Expects an element to become visible. */
export async function expectShown(element: Locator): Promise<void> {
  await expect.poll(() => element.first().isVisible()).toBe(true)
}

/** Expects the response to a request to be shown. */
export async function expectResponse(page: Page, request: string): Promise<void> {
  await expectShown(page.getByRole('region', { name: 'Response' }).getByText(request, { exact: true }))
}
