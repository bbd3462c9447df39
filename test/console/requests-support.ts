import type { Locator, Page } from 'playwright-core'

/** Calls the service as a member from outside of the page, as an application would. */
export type Send = (path: string, options?: RequestOptions) => Promise<Response>

/** The options of a request. */
export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Creates a function that sends requests as Mara, or with another token, and reads the whole response. */
export function createSender(baseUrl: string, token = 'sbx_harbor_1'): Send {
  return async (path, options) => {
    const headers = { authorization: `Bearer ${token}`, ...options?.headers }
    const response = await fetch(`${baseUrl}${path}`, { ...options, headers })
    return new Response(await response.arrayBuffer(), response)
  }
}

/** Finds the list of requests. */
export const findList = (page: Page): Locator => page.getByRole('grid', { name: 'Requests' })

/** Finds the rows of the list without its header. Order: newest first. */
export const findRows = (page: Page): Locator => findList(page).locator('tbody').getByRole('row')

/** Reads the ids in the list. */
export async function readIds(page: Page): Promise<number[]> {
  const texts = await findRows(page).locator('td:first-child').allTextContents()
  return texts.map(Number)
}

/** Finds the details of a request. */
export const findDetails = (page: Page, id: number): Locator =>
  page.getByRole('region', { name: `Request ${id}` })

/** Finds the row of a request. */
export const findRow = (page: Page, id: number): Locator => findList(page).locator(`[data-id="${id}"]`)
