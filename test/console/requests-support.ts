import type { Locator, Page } from 'playwright-core'

/** What asks the service as a member, as an application would: from elsewhere than the page. */
export type Send = (path: string, asked?: Asked) => Promise<Response>

/** What is asked besides a path. */
export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Asks at a base URL as Mara, or with another token; the answer is read to its end. */
export function sender(baseUrl: string, token = 'sbx_harbor_1'): Send {
  return async (path, asked) => {
    const headers = { authorization: `Bearer ${token}`, ...asked?.headers }
    const response = await fetch(`${baseUrl}${path}`, { ...asked, headers })
    return new Response(await response.arrayBuffer(), response)
  }
}

/** The list. */
export const listOf = (page: Page): Locator => page.getByRole('grid', { name: 'Requests' })

/** Its rows, the columns' names left out. Order: newest first. */
export const rowsOf = (page: Page): Locator => listOf(page).locator('tbody').getByRole('row')

/** The ids in the list. */
export async function idsOf(page: Page): Promise<number[]> {
  const texts = await rowsOf(page).locator('td:first-child').allTextContents()
  return texts.map(Number)
}

/** The request beside the list. */
export const detailOf = (page: Page, id: number): Locator =>
  page.getByRole('region', { name: `Request ${id}` })

/** The row of a request. */
export const rowOf = (page: Page, id: number): Locator => listOf(page).locator(`[data-id="${id}"]`)
