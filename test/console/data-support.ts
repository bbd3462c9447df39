import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

import type { Console } from './support.ts'

/** Mara Ellis, the default caller. */
export const MARA = 'sbx_harbor_1'

/** What the service answers an application. */
export async function served<T = unknown>({ baseUrl }: Console, path: string, token = MARA): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })
  return response.json() as Promise<T>
}

/** The answer that is shown, once it is that of a request. */
export async function answerOf(page: Page, request: string): Promise<Locator> {
  const answer = page.getByRole('region', { name: 'Answer' })
  await answer.getByText(request, { exact: true }).waitFor()
  return answer
}

/** The texts of a table's column, by its heading. */
export async function columnOf(table: Locator, heading: string): Promise<readonly string[]> {
  const headings = await table.getByRole('columnheader').allTextContents()
  const rows = await table.getByRole('row').all()
  const cells = await Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allTextContents()))
  return cells.map((texts) => texts[headings.indexOf(heading)] ?? '')
}

/** Expects that something comes to be seen. */
export async function expectShown(what: Locator): Promise<void> {
  await what.first().waitFor()
  expect(await what.first().isVisible()).toBe(true)
}

/** Expects that the answer to a request comes to be shown. */
export async function expectAnswer(page: Page, request: string): Promise<void> {
  await expectShown(page.getByRole('region', { name: 'Answer' }).getByText(request, { exact: true }))
}
