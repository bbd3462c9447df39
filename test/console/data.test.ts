import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { waitForRequest, expectShown, expectColumn, readColumn } from './data-support.ts'
import { MARA, home, open, expectAccessible } from './support.ts'

interface Named {
  readonly id: number
  readonly name: string
}

interface List<T = Named> {
  readonly items: readonly T[]
  readonly totalCount: number
}

const table = (page: Page) => page.getByRole('table').first()

it('lists every collection, and opens it', async () => {
  const { page, url } = await open({ at: '#/data' })
  const response = await fetch(`${url}/_sandbox/data`)
  const { items } = (await response.json()) as List
  const links = page.getByRole('navigation', { name: 'Data' }).getByRole('link')
  // The changes are not a collection.
  await expect.poll(() => links.count()).toBe(items.length + 1)
  for (let at = 0; at < items.length; at += 1) {
    await links.nth(at).click()
    await links.nth(at).and(page.locator('[aria-current=true]')).waitFor()
    await expect.poll(() => page.locator('.data-open').count()).toBeGreaterThan(0)
  }
})

it('shows what the selected member gets at a scope, and keeps both in links', async () => {
  const { page, url, get } = await open({ at: '#/data/customers' })
  await page.getByLabel('Scope').selectOption('mine')
  await waitForRequest(page, `GET /v1${home}/customers?scope=mine`)
  for (const id of ['1', '2']) {
    await page.getByLabel('As seen by').selectOption(id)
    const { items } = await get<List>(`${home}/customers?scope=mine`, `sbx_harbor_${id}`)
    const names = items.map(({ name }) => name)
    await expectColumn(table(page), 'name', names)
  }
  await page.getByRole('link', { name: /^Signals/ }).click()
  await waitForRequest(page, `GET /v1${home}/signals?scope=mine`)
  expect(page.url()).toBe(`${url}/_sandbox#/data/signals?member=2&scope=mine`)
})

/** Adds a value of a filter by the menu. */
async function addFilter(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click()
  const menu = page.getByRole('dialog', { name: 'Add filter' })
  await menu.getByLabel('Filter by').selectOption(name)
  await menu.getByLabel('Value').fill(value)
  await menu.getByRole('button', { name: 'Apply' }).click()
}

it('counts in the sidebar what the member sees at the scope, and says why a search finds nothing there', async () => {
  const { page, get } = await open({ at: '#/data/customers?member=2&scope=mine&text=larkspur' })
  const own = await get<List>(`${home}/customers?scope=mine`, 'sbx_harbor_2')
  await expectShown(page.getByRole('link', { name: `Customers ${own.totalCount}`, exact: true }))
  const outside = page.getByRole('region', { name: /outside of this list$/ })
  await outside.getByText(/requires that Theo Brandt \(2\) has a role/).waitFor()
})

it('adds and removes filters, which the URL keeps, and shows an error of the service as it is', async () => {
  const { page } = await open({ at: '#/data/customers' })
  await addFilter(page, 'segment', 'Enterprise')
  await addFilter(page, 'segment', 'SMB')
  await waitForRequest(page, `GET /v1${home}/customers?segment=Enterprise&segment=SMB`)
  const readSegments = async () => new Set(await readColumn(table(page), 'segment'))
  await expect.poll(readSegments).toEqual(new Set(['Enterprise', 'SMB']))
  await page.getByRole('button', { name: 'Remove segment: Enterprise' }).click()
  await waitForRequest(page, `GET /v1${home}/customers?segment=SMB`)
  await page.getByRole('button', { name: 'Remove segment: SMB' }).click()
  await waitForRequest(page, `GET /v1${home}/customers`)
  await addFilter(page, 'memberId', '2')
  await expectShown(page.getByText('memberId: 2 Theo Brandt'))
  expect(page.url()).toMatch(/#\/data\/customers\?memberId=2$/)
  await addFilter(page, 'limit', '999')
  await waitForRequest(page, `GET /v1${home}/customers?limit=999&memberId=2`)
  await page.getByText('400', { exact: true }).first().waitFor()
  await page.getByText('"must be at most 250"').waitFor()
  await expectAccessible(page)
})

it('offers every parameter of an operation as a filter, with its known values and provenance', async () => {
  const { page, url } = await open({ at: '#/data/customers' })
  const { paths } = await (await fetch(`${url}/openapi.json`)).json()
  const { parameters } = paths['/organizations/{organizationId}/customers'].get
  const names: readonly string[] = parameters.flatMap((one: { readonly name: string; readonly in: string }) =>
    one.in === 'query' && one.name !== 'scope' ? one.name : [],
  )
  await page.getByRole('button', { name: 'Add filter' }).click()
  const menu = page.getByRole('dialog', { name: 'Add filter' })
  const offered = await menu.getByLabel('Filter by').locator('option').allTextContents()
  expect(offered.toSorted()).toEqual(names.toSorted())
  await menu.getByLabel('Filter by').selectOption('segment')
  await expect.poll(() => menu.locator('datalist option[value=Enterprise]').count()).toBe(1)
  await expectAccessible(page)
  await menu.getByLabel('Filter by').selectOption('updatedSince')
  await menu.getByRole('link', { name: 'A-33: assumption about updatedSince' }).click()
  await expectShown(page.getByRole('heading', { name: /^A-33 / }))
})

it('sorts by a column, upwards, downwards and not', async () => {
  const { page, get } = await open({ at: '#/data/customers?scope=mine' })
  const { items } = await get<List>(`${home}/customers?scope=mine`)
  const names = items.map(({ name }) => name)
  const sort = page.getByRole('columnheader', { name: 'name' }).getByRole('button')
  await sort.click()
  await expectColumn(table(page), 'name', names.toSorted())
  await table(page).locator('[aria-sort=ascending]', { hasText: 'name' }).waitFor()
  await sort.click()
  await expectColumn(table(page), 'name', names.toSorted().toReversed())
  await sort.click()
  await expectColumn(table(page), 'name', names)
})

it('shows 100 rows at a time, 20 in a window of 1280×800, and searches all by the key /', async () => {
  const { page, get } = await open({ at: '#/data/customers', sandbox: { size: 'medium' } })
  const row = table(page).locator('tbody tr').nth(19)
  await row.waitFor()
  const { y = 800, height = 0 } = (await row.boundingBox()) ?? {}
  expect(y + height).toBeLessThan(800)
  expect(height).toBeLessThan(32)
  const range = page.getByRole('main').getByRole('status')
  await expect.poll(() => range.textContent()).toBe('1 to 100 of 300')
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(() => range.textContent()).toBe('201 to 300 of 300')
  await expect.poll(() => page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
  const { items } = await get<List>(`${home}/customers?offset=250&limit=50`)
  const last = items.at(-1)?.name ?? ''
  await page.keyboard.press('/')
  await page.keyboard.type(last.toLowerCase())
  await expectColumn(table(page), 'name', [last])
  await page.keyboard.press('Escape')
  expect(new URLSearchParams(page.url().split('?')[1]).get('text')).toBe(null)
})

it('loads further pages of a response without a total count', async () => {
  const { page } = await open({
    at: '#/data/signals',
    sandbox: { size: 'medium', assumptions: { pages: 'array' } },
  })
  await expectShown(page.getByText('1 to 100 of 850', { exact: true }))
})

it('opens a record by a click anywhere in its row, and by the keyboard', async () => {
  const { page } = await open({ at: '#/data/customers?segment=Enterprise' })
  // The link of the row covers its cells.
  await page.getByRole('cell', { name: 'Enterprise' }).first().click({ force: true })
  await page.waitForURL(/#\/data\/customers\/\d+\?segment=Enterprise$/)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Escape leads back to the same list.
  await page.keyboard.press('Escape')
  await page.waitForURL(/#\/data\/customers\?segment=Enterprise$/)
  const links = page.locator('.data-open')
  await links.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  const id = await links.nth(1).textContent()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain(`#/data/customers/${id}?segment=Enterprise`)
})

it('shows and links the names of referenced records, also beyond the first page', async () => {
  const { page, sandbox, url } = await open({ sandbox: { size: 'medium' } })
  await sandbox.data.signals.patch(1, { customerId: 300 })
  const { name } = await sandbox.data.customers.get(300)
  await page.goto(`${url}/_sandbox#/data/signals`)
  await table(page).getByRole('link', { name }).first().click()
  await expect.poll(() => page.url()).toMatch(/#\/data\/customers\/300$/)
})

it('shows stored records if the service has no such list, until its path is complete', async () => {
  const { page } = await open({ at: '#/data/triggerLogs' })
  await expectShown(page.getByText(/listAutomationTriggerLogs needs automationId and triggerId/))
  await addFilter(page, 'automationId', '2')
  await addFilter(page, 'triggerId', '21')
  await waitForRequest(page, `GET /v1${home}/automations/2/triggers/21/logs`)
})

it('shows the response as JSON, and copies the request as an application would send it', async () => {
  const { page, baseUrl } = await open({
    at: '#/data/products',
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  })
  await page.getByRole('button', { name: 'JSON' }).click()
  await page.getByText('6 items').waitFor()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied the request as curl.').waitFor()
  await expect
    .poll(() => page.evaluate('navigator.clipboard.readText()'))
    .toBe(`curl '${baseUrl}${home}/products' \\\n  -H 'Authorization: Bearer ${MARA}'`)
})

it('sends requests in the session of the page, and shows changes by others at once', async () => {
  const { page, sandbox, url } = await open()
  const session = sandbox.session()
  await session.data.customers.patch(1, { name: 'Larkspur of the session' })
  await page.goto(`${url}/_sandbox?session=${session.id}#/data/customers`)
  await page.getByRole('cell', { name: 'Larkspur of the session', exact: true }).waitFor()
  await session.data.customers.patch(2, { name: 'Tidewater & Sons' })
  await expectShown(page.getByRole('cell', { name: 'Tidewater & Sons', exact: true }))
})
