import type { Locator, Page } from 'playwright-core'

/** Calls the service as a member from outside of the page, as an application would. */
export type Send = (path: string, options?: RequestOptions) => Promise<Response>

/** The options of a request. */
export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The path of the default caller's organization. */
export const home = '/organizations/harbor'

/** Creates a function that sends requests as Mara, or with another token, and reads the whole response. */
export function createSender(baseUrl: string, token = 'sbx_harbor_1'): Send {
  return async (path, options) => {
    const headers = { authorization: `Bearer ${token}`, ...options?.headers }
    const response = await fetch(`${baseUrl}${path}`, { ...options, headers })
    return new Response(await response.arrayBuffer(), response)
  }
}

/** Creates the options of a request that stores a note. */
export const note = (content: string): RequestOptions => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ categoryId: 1, content }),
})

/** Finds the list of requests. */
export const findList = (page: Page): Locator => page.getByRole('grid', { name: 'Requests' })

/** Finds the rows of requests. Order: the latest last. */
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

/** Finds a tab of a request's details. */
export const findTab = (page: Page, name: string): Locator =>
  page.getByRole('tablist', { name: 'Parts of the request' }).getByRole('tab', { name })
