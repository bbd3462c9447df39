import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { allowFailures, open, expectFits, expectFocus, windows } from './support.ts'

const at = '#/control/clock'
const start = '2026-01-15 12:00:00'
const living = { future: 'living' } as const

const clock = (page: Page) => page.getByRole('region', { name: 'Clock', exact: true })
const marks = (page: Page) =>
  page.getByRole('region', { name: 'Timeline' }).getByRole('list').getByRole('button')
const changed = (page: Page) => page.getByRole('region', { name: 'What has changed' })
const expectSays = (page: Page, time: string) =>
  page.getByRole('status').getByText(`The clock shows ${time}.`, { exact: true }).waitFor()

/** Creates a note and returns its creation date. */
async function createNote(baseUrl: string): Promise<string> {
  const headers = { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json' }
  const body = JSON.stringify({ categoryId: 1, content: 'x' })
  const url = `${baseUrl}/organizations/harbor/customers/1/notes`
  const response = await fetch(url, { method: 'POST', headers, body })
  return ((await response.json()) as { readonly createdDate: string }).createdDate
}

it('advances with a click, which responses reflect, returns to its start, and follows others', async () => {
  const { page, baseUrl, sandbox } = await open({ at })
  await page.getByRole('button', { name: '+1 day' }).click()
  await expectSays(page, '2026-01-16 12:00:00')
  expect(await createNote(baseUrl)).toBe('2026-01-16T12:00:00.000Z')
  for (const [name, time] of [
    ['+1 hour', '2026-01-16 13:00:00'],
    ['+1 week', '2026-01-23 13:00:00'],
    ['+30 days', '2026-02-22 13:00:00'],
  ] as const) {
    await page.getByRole('button', { name }).click()
    await expectSays(page, time)
    await clock(page).getByText(time).waitFor()
  }
  await clock(page).getByRole('button', { name: 'Reset the clock' }).click()
  await expectSays(page, start)
  expect(await createNote(baseUrl)).toBe('2026-01-15T12:00:00.000Z')
  sandbox.clock.advance('P1D')
  await clock(page).getByText('2026-01-16 12:00:00').waitFor()
  await expect.poll(() => clock(page).getByText(start).count()).toBe(0)
})

it('advances by any duration, or to an instant, by keyboard, and rejects other input', async () => {
  allowFailures(/400/)
  const { page, sandbox } = await open({ at })
  const duration = page.getByLabel('By a duration, or to an instant')
  await duration.fill('soon')
  await duration.press('Enter')
  await clock(page).getByText('must be a valid calendar date-time').waitFor()
  await expectFocus(page, 'name', 'now')
  await duration.fill('P1Y2M3DT4H5M6S')
  await duration.press('Enter')
  await expectSays(page, '2027-03-18 16:05:06')
  expect(sandbox.clock.now()).toBe('2027-03-18T16:05:06.000Z')
  await expect.poll(() => clock(page).getByText('must be a valid').count()).toBe(0)
  for (const [text, time] of [
    ['30 days', '2027-04-17 16:05:06'],
    ['1 week 2h', '2027-04-24 18:05:06'],
    ['1.5 hours', '2027-04-24 19:35:06'],
  ] as const) {
    await duration.fill(text)
    await duration.press('Enter')
    await expectSays(page, time)
  }
  await duration.fill('2030-02-28T23:59:59.5Z')
  await duration.press('Enter')
  await expectSays(page, '2030-02-28 23:59:59')
  expect(sandbox.clock.now()).toBe('2030-02-28T23:59:59.500Z')
  await expectFocus(page, 'name', 'now')
})

it('shows the days with their events at each zoom, and is set to a day with a click or by keyboard', async () => {
  const { page, sandbox } = await open({ at, sandbox: living })
  const present = marks(page).and(page.locator('[aria-current=date]'))
  const { items } = await sandbox.clock.events()
  const { counts = {} } = items.find(({ day }) => day === '2026-01-20') ?? {}
  await expect.poll(() => present.getAttribute('aria-label')).toMatch(/^2026-01-15: /)
  const day = page.getByRole('button', { name: '2026-01-20: ' })
  await page.getByText('The higher a mark').waitFor()
  for (const count of Object.values(counts)) expect(await day.getAttribute('title')).toContain(`${count} `)
  await day.click()
  await expectSays(page, '2026-01-20 00:00:00')
  await expect.poll(() => present.getAttribute('aria-label')).toMatch(/^2026-01-20: /)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expectSays(page, '2026-01-21 00:00:00')
  // The first day begins with the dataset.
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expectSays(page, start)
  const show = page.getByLabel('Show', { exact: true })
  await show.selectOption('a week')
  await expect.poll(() => marks(page).count()).toBe(7)
  await show.selectOption('a year')
  await expect.poll(() => marks(page).count()).toBe(53)
  // The range follows the clock.
  sandbox.clock.set('2026-12-31T00:00Z')
  await expect.poll(() => present.getAttribute('aria-label')).toMatch(/^2026-12/)
})

it('plays day by day until it is paused, and shows what has changed since', async () => {
  const { page, sandbox } = await open({ at, sandbox: living })
  await page.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => sandbox.clock.now() > '2026-01-18').toBe(true)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('status').getByText('Paused at').waitFor()
  await page.getByLabel('Since', { exact: true }).waitFor()
  const items = await sandbox.data.changes({ by: 'clock' })
  const first = items.find(({ collection }) => collection === 'customers')
  const item = changed(page)
    .getByRole('listitem')
    .filter({ hasText: `customer ${first?.id} ` })
  await item.getByText('by the clock').first().waitFor()
  await expect.poll(() => item.first().locator('del, ins').count()).toBeGreaterThan(1)
  await item
    .getByRole('link', { name: `customer ${first?.id}`, exact: true })
    .first()
    .click()
  const history = page.getByRole('region', { name: 'History' })
  await history
    .locator('ins', { hasText: /^updatedDate/ })
    .first()
    .waitFor()
})

it('steps to the next event, and says what a step back takes away', async () => {
  const { page, sandbox } = await open({ at, sandbox: living })
  const { next = '' } = await sandbox.clock.events()
  await page.getByRole('button', { name: 'Next event' }).click()
  await expectSays(page, next.slice(0, 19).replace('T', ' '))
  await changed(page).getByRole('listitem').first().waitFor()
  expect(sandbox.clock.now()).toBe(next)
  await clock(page).getByRole('button', { name: 'Reset the clock' }).click()
  await changed(page).getByText('The clock went back').waitFor()
  await changed(page).getByRole('listitem').first().waitFor()
})

it('offers a living copy of a session that stands still', async () => {
  const { page, sandbox } = await open({ at })
  await sandbox.data.customers.patch(1, { city: 'Bergen' })
  await page.getByText('The data of this session stands still').waitFor()
  await changed(page).getByRole('link', { name: 'customer 1', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Open a living copy' }).click()
  await page.waitForURL(/session=/)
  await page.getByRole('button', { name: '+30 days' }).click()
  await changed(page).getByText('by the clock').first().waitFor()
  await expect.poll(() => page.getByText('stands still').count()).toBe(0)
})

it('lists since the last move only what has changed after it, and labels each bar where it stands', async () => {
  const { page, sandbox } = await open({ at })
  await sandbox.data.customers.patch(1, { city: 'Bergen' })
  await changed(page).getByRole('link', { name: 'customer 1', exact: true }).waitFor()
  await page.getByRole('button', { name: '+1 day' }).click()
  await sandbox.data.customers.patch(2, { city: 'Bergen' })
  await changed(page).getByRole('link', { name: 'customer 2', exact: true }).waitFor()
  expect(await changed(page).getByRole('link', { name: 'customer 1', exact: true }).count()).toBe(0)
  const day = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first()
  const [bar, label] = [day.getByRole('button'), day.getByText('01-15')]
  expect((await label.boundingBox())?.x).toBe((await bar.boundingBox())?.x)
})

it('fits with its history of records a narrow dark and a wide light window, and is accessible', async () => {
  const { page } = await open({ at, sandbox: living, browser: windows[0] })
  await page.getByRole('button', { name: '+1 week' }).click()
  const customer = changed(page).getByRole('link', { name: /^customer / })
  await customer.first().waitFor()
  await expectFits(page)
  await customer.first().click()
  await page.getByRole('region', { name: 'History' }).waitFor()
  await expectFits(page)
})
