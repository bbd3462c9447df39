import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { expectRequest, expectColumn, readColumn } from './data-support.ts'
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
    await expect.poll(() => page.locator('.opens-row').count()).toBeGreaterThan(0)
  }
})

it('shows what the selected member gets at a scope, and keeps both in links', async () => {
  const { page, url, get } = await open({ at: '#/data/customers' })
  await page.getByLabel('Scope').selectOption('mine')
  await expectRequest(page, `GET /v1${home}/customers?scope=mine`)
  for (const id of ['1', '2']) {
    await page.getByLabel('As seen by').selectOption(id)
    const { items } = await get<List>(`${home}/customers?scope=mine`, `sbx_harbor_${id}`)
    const names = items.map(({ name }) => name)
    await expectColumn(table(page), 'name', names)
  }
  await page.getByRole('link', { name: /^Signals/ }).click()
  await expectRequest(page, `GET /v1${home}/signals?scope=mine`)
  expect(page.url()).toBe(`${url}/_sandbox#/data/signals?member=2&scope=mine`)
})

const field = (page: Page, name: string) => page.getByRole('main').getByLabel(name, { exact: true })

const openFilters = (page: Page): Promise<void> => page.getByText('Filters', { exact: true }).click()

it('says of what a search finds why the member does not see it', async () => {
  const { page } = await open({ at: '#/data/customers?member=2&scope=mine&text=larkspur' })
  await page.getByText('as stored, whoever sees them').waitFor()
  await expectColumn(table(page), 'name', ['Larkspur Foods'])
  const reasons = page.getByRole('region', { name: 'In the response?' })
  await reasons.getByText(/requires that Theo Brandt \(2\) has a role/).waitFor()
})

it('says what one member sees in a list and another does not', async () => {
  const { page } = await open({ at: '#/data/customers?member=1' })
  await page.getByText('Compare members').click()
  await page.getByText('With the scope mine or team, they may not.').waitFor()
  await page.getByLabel('Scope').selectOption('mine')
  await page
    .getByRole('combobox', { name: 'Member', exact: true })
    .selectOption('Jonas Weber · Revenue Operations Analyst')
  const compared = page.getByRole('region', { name: 'As another member' })
  await expect
    .poll(() => compared.getByRole('heading').allTextContents())
    .toEqual([expect.stringMatching(/^[1-9]\d* records for only Mara Ellis$/)])
  await compared.getByText('both 0').waitFor()
  await compared
    .getByText(/requires that Jonas Weber/)
    .first()
    .waitFor()
})

it('filters by each parameter of the operation, which the URL keeps, and shows an error of the service as it is', async () => {
  const { page, url } = await open({ at: '#/data/customers' })
  await openFilters(page)
  const { paths } = await (await fetch(`${url}/openapi.json`)).json()
  const { parameters } = paths['/organizations/{organizationId}/customers'].get
  for (const { name, in: place } of parameters) {
    if (place === 'query' && !/^(scope|limit|offset)$/.test(name)) await field(page, name).waitFor()
  }
  expect(await field(page, 'limit').count()).toBe(0)
  await expect.poll(() => page.locator('datalist option', { hasText: 'Enterprise' }).count()).toBe(1)
  await field(page, 'segment').pressSequentially('Enterprise, SMB')
  await expectRequest(page, `GET /v1${home}/customers?segment=Enterprise&segment=SMB`)
  const readSegments = async () => new Set(await readColumn(table(page), 'segment'))
  await expect.poll(readSegments).toEqual(new Set(['Enterprise', 'SMB']))
  await page.reload()
  await page.getByRole('button', { name: 'segment: Enterprise, SMB' }).click()
  await expectRequest(page, `GET /v1${home}/customers`)
  await openFilters(page)
  await field(page, 'updatedSince').fill('yesterday')
  await expectRequest(page, `GET /v1${home}/customers?updatedSince=yesterday`)
  await page.getByText('400', { exact: true }).first().waitFor()
  await page.getByText('"message": "must be a valid calendar date-time').waitFor()
  await expectAccessible(page)
})

it('shows 100 rows at a time, 20 in a window of 1280×800, and searches all by the key /', async () => {
  const { page, get } = await open({ at: '#/data/customers', sandbox: { size: 120 } })
  const row = table(page).locator('tbody tr').nth(19)
  await row.waitFor()
  const { y = 800, height = 0 } = (await row.boundingBox()) ?? {}
  expect(y + height).toBeLessThan(800)
  expect(height).toBeLessThan(32)
  const range = page.getByRole('main').getByRole('status')
  await expect.poll(() => range.textContent()).toBe('1 to 100 of 120')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(() => range.textContent()).toBe('101 to 120 of 120')
  await expect.poll(() => page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
  const { items } = await get<List>(`${home}/customers?offset=100&limit=20`)
  const last = items.at(-1)?.name ?? ''
  await page.keyboard.press('/')
  await page.keyboard.type(last.toLowerCase())
  await expectColumn(table(page), 'name', [last])
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url()).not.toContain('text=')
})

it('generates the records of more than 1,000 customers only when somebody wants them', async () => {
  const { page, requests } = await open({ at: '#/data/signals', sandbox: { size: 1_001, fixture: 'empty' } })
  const read = page.getByRole('button', { name: 'Read all signals' })
  await read.waitFor()
  expect(requests.filter((address) => /preview|visibility|data\/signals/.test(address))).toEqual([])
  await read.click()
  await expectRequest(page, `GET /v1${home}/signals`)
})

it('opens a record by a click anywhere in its row, and by the keyboard', async () => {
  const { page } = await open({ at: '#/data/customers?segment=Enterprise' })
  // The link of the row covers its cells.
  await page.getByRole('cell', { name: 'Enterprise' }).first().click({ force: true })
  await page.waitForURL(/#\/data\/customers\/\d+\?segment=Enterprise$/)
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor({ state: 'detached' })
  // Escape leads back to the same list.
  await page.keyboard.press('Escape')
  await page.waitForURL(/#\/data\/customers\?segment=Enterprise$/)
  const links = page.locator('.opens-row')
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
  await page.getByText(/listAutomationTriggerLogs needs automationId and triggerId/).waitFor()
  await openFilters(page)
  await field(page, 'automationId').fill('2')
  await field(page, 'triggerId').fill('21')
  await expectRequest(page, `GET /v1${home}/automations/2/triggers/21/logs`)
})

it('says how many of the stored records, which its links count, the service lists', async () => {
  const { page, sandbox, get } = await open({ at: '#/data/briefs' })
  const { totalCount } = await sandbox.data.briefs.list({ organizationId: 'harbor' })
  const { items } = await get<List>(`${home}/briefs`)
  await page.getByText(`The service lists ${items.length} of ${totalCount} stored briefs.`).waitFor()
  await page.getByRole('link', { name: /^Customers/ }).click()
  await expectColumn(
    table(page),
    'id',
    Array.from({ length: 25 }, (_, index) => index + 1),
  )
  await expect.poll(() => page.getByText('The service lists').count()).toBe(0)
})

it('shows the response as JSON, and copies the request as an application would send it', async () => {
  const { page, baseUrl } = await open({ at: '#/data/products' })
  await page.locator('summary', { hasText: 'JSON' }).click()
  await page.locator('.tree').getByText('"key": "dashboards"').waitFor()
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
  await expect.poll(() => page.getByRole('cell', { name: 'Tidewater & Sons', exact: true }).count()).toBe(1)
})
