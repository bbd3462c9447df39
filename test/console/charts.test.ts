import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import type { Counts } from '../../src/records/types.ts'
import {
  type Console,
  expectAccessible,
  expectFits,
  expectQuiet,
  readRows,
  waitUntilSettled,
  useConsole,
  windows,
} from './support.ts'

const open = useConsole()

/** Calls the service as the default caller, as an application would. */
const call = (base: string, path = '/members/me'): Promise<Response> =>
  fetch(`${base}${path}`, { headers: { authorization: 'Bearer sbx_harbor_1' } })

const card = (page: Page, name: string) => page.getByRole('region', { name })

/** Sends three requests that succeed, and one each that is rejected, fails and breaks off. */
async function callVariously({ baseUrl, sandbox }: Console): Promise<void> {
  for (let count = 0; count < 3; count += 1) await call(baseUrl)
  await call(baseUrl, '/organizations/harbor/customers/999999')
  sandbox.faults.add({ status: 500, times: 1 })
  await call(baseUrl, '/organizations/harbor/customers')
  sandbox.faults.add({ malfunction: 'reset', times: 1 })
  await call(baseUrl, '/organizations/harbor/customers').catch(() => undefined)
}

it('explains how to send the first request, and shows it when it arrives', async () => {
  const console = await open({ at: '#/charts' })
  const { page, baseUrl } = console
  await waitUntilSettled(page)
  await card(page, 'Requests').getByText('No requests yet.').waitFor()
  await expect
    .poll(() => card(page, 'Requests').getByRole('link', { name: 'Start' }).getAttribute('href'))
    .toBe('#/start')
  await call(baseUrl)
  await page.getByRole('img', { name: 'Requests over time' }).waitFor()
  expectQuiet(console)
})

it('shows requests over time by outcome, in words too, and follows new ones', async () => {
  const console = await open({ at: '#/charts' })
  await callVariously(console)
  const time = card(console.page, 'Requests over time')
  await time.getByText('6 requests in the 10 s up to the latest one.').first().waitFor()
  const links = time.getByRole('list', { name: 'Statuses' }).getByRole('link')
  await expect
    .poll(() => links.allTextContents())
    .toEqual(['3 succeeded', '1 rejected', '1 failed', '1 cut off'])
  await expect
    .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
    .toEqual(['2xx', '4xx', '5xx', 'broken'].map((status) => `#/requests?status=${status}`))
  await call(console.baseUrl)
  await time.getByRole('link', { name: '4 succeeded' }).waitFor()
  const chart = time.getByRole('img', { name: 'Requests over time' })
  await expect
    .poll(() => chart.locator('desc').textContent())
    .toBe('7 requests in the 10 s up to the latest one. 4 succeeded, 1 rejected, 1 failed, 1 cut off.')
})

it('shows requests over time as a table', async () => {
  const console = await open({ at: '#/charts' })
  await callVariously(console)
  const time = card(console.page, 'Requests over time')
  await time.getByRole('link', { name: '1 cut off' }).waitFor()
  await time.getByText('as table').click()
  const table = time.getByRole('table')
  await table.waitFor()
  await expect
    .poll(() => table.getByRole('columnheader').allTextContents())
    .toEqual(['Before the latest', '2xx', '4xx', '5xx', 'broken'])
  const cells = (await table.getByRole('cell').allTextContents()).map(Number)
  const sums = [0, 1, 2, 3].map((at) =>
    cells.filter((_, index) => index % 4 === at).reduce((sum, count) => sum + count, 0),
  )
  expect(sums).toEqual([3, 1, 1, 1])
})

it('keeps the selected time span', async () => {
  const { page, baseUrl } = await open({ at: '#/charts' })
  await call(baseUrl)
  await page.getByLabel('Span').selectOption('5 min')
  await page.getByText('1 request in the 5 min up to the latest one.').first().waitFor()
  await page.reload()
  await page.getByText('1 request in the 5 min up to the latest one.').first().waitFor()
  await expect.poll(() => page.getByLabel('Span').inputValue()).toBe('300')
})

it('shows response times: the median, and the delay of a few', async () => {
  const { page, baseUrl, sandbox } = await open({ at: '#/charts' })
  sandbox.faults.add({ delayMs: 200, times: 1 })
  for (let count = 0; count < 19; count += 1) await call(baseUrl)
  const latency = card(page, 'Response times')
  const values = latency.getByRole('definition')
  await latency.getByRole('img').locator('desc', { hasText: '19 responses' }).waitFor({ state: 'attached' })
  const [median = '', p95 = '', p99 = ''] = await values.allTextContents()
  expect(parseFloat(median)).toBeLessThan(parseFloat(p95))
  expect(parseFloat(p95)).toBeGreaterThanOrEqual(190)
  expect(p99).toBe(p95)
  await latency.getByText('as table').click()
  await latency.getByRole('table').waitFor()
  const counts = await latency.getByRole('cell').allTextContents()
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(19)
  expect(counts.at(-1)).toBe('1')
})

it('shows requests by operation with their errors, and links to them', async () => {
  const console = await open({ at: '#/charts' })
  await callVariously(console)
  await call(console.baseUrl, '/nothing')
  const table = console.page.getByRole('table', { name: 'Requests by operation' })
  await table.getByRole('row', { name: 'no operation' }).waitFor()
  const [, ...rows] = await readRows(table)
  expect(rows.map((row) => row.slice(0, 3))).toEqual([
    ['getCurrentMember', '3', '0'],
    ['listCustomers', '2', '2 (100 %)'],
    ['getCustomer', '1', '1 (100 %)'],
    ['no operation', '1', '1 (100 %)'],
  ])
  await table.getByRole('link', { name: 'listCustomers' }).click()
  await console.page.waitForURL(/#\/requests\?operationId=listCustomers$/)
})

it('shows the records of an organization, as counted by the control plane', async () => {
  const { page, url } = await open({ at: '#/charts' })
  for (const [caption, path] of [
    ['Customers by segment', 'customers/counts?by=segment'],
    ['Signals by status', 'signals/counts?by=status'],
    ['Signals by category', 'signals/counts?by=category'],
  ] as const) {
    const table = page.getByRole('table', { name: caption })
    await table.waitFor()
    const response = await fetch(`${url}/_sandbox/data/${path}&organizationId=harbor`)
    const { items } = (await response.json()) as Counts
    const labels = await table.getByRole('rowheader').allTextContents()
    const counts = await table.getByRole('cell').allTextContents()
    expect(labels).toEqual(items.slice(0, 8).map(({ label }) => label))
    expect(counts.filter((_, at) => at % 2 === 1)).toEqual(items.slice(0, 8).map(({ count }) => `${count}`))
  }
})

it('shows every country on demand', async () => {
  const { page } = await open({ at: '#/charts', sandbox: { size: 'medium' } })
  const table = page.getByRole('table', { name: 'Customers by country' })
  await page.getByRole('button', { name: 'Show all 17' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(1 + 17)
})

it('links to the records as a member of the selected organization sees them', async () => {
  const { page } = await open({ at: '#/charts' })
  await page.getByLabel('Organization').selectOption('quill')
  await page.waitForURL(/organization=quill/)
  await page.getByRole('table', { name: 'Signals by status' }).getByRole('link', { name: 'open' }).click()
  await page.waitForURL(/#\/data\/signals\?status=open$/)
  await page.getByRole('link', { name: 'Start', exact: true }).click()
  await expect.poll(() => page.getByRole('radio', { name: 'Omar Haddad' }).isChecked()).toBe(true)
})

it('shows hostile values as text', async () => {
  const console = await open({ at: '#/charts' })
  const { page, sandbox } = console
  const segment = '<img src=x onerror=alert(1)>'
  await sandbox.data.customers.patch(1, { segment })
  await page.reload()
  const link = page.getByRole('table', { name: 'Customers by segment' }).getByRole('link', { name: segment })
  await link.click()
  const query = new URLSearchParams({ segment }).toString()
  await page.waitForURL(({ hash }) => hash === `#/data/customers?${query}`)
  expectQuiet(console)
})

it.for(windows)(
  'is accessible with all tables open, $viewport.width px wide, $colorScheme',
  async (browser) => {
    const console = await open({
      at: '#/charts',
      browser,
    })
    const { page } = console
    await callVariously(console)
    await page.getByRole('link', { name: '1 cut off' }).waitFor()
    await waitUntilSettled(page)
    for (const table of await page.getByText('as table').all()) await table.click()
    await expectAccessible(page)
    await expectFits(page)
    expectQuiet(console)
  },
)
