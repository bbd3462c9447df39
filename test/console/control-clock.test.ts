import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { createSender, holdRequests, home, open, expectFits, expectFocus, itFits } from './support.ts'
import { note } from './traffic-support.ts'

const at = '#/control/clock'
const start = '2026-01-15 12:00:00'
const living = { future: 'living' } as const

const clock = (page: Page) => page.getByRole('region', { name: 'Clock', exact: true })
const changes = (page: Page) => page.getByRole('main').locator('ol > li')
const expectSays = (page: Page, time: string) =>
  page.getByRole('status').getByText(`The clock shows ${time}.`, { exact: true }).waitFor()

/** Creates a note and returns its creation date. */
async function createNote(baseUrl: string): Promise<string> {
  const response = await createSender(baseUrl)(`${home}/customers/1/notes`, note('x'))
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
  const { page, sandbox } = await open({ at, failures: /400/ })
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

it('steps to the next event of a living tenant, and says what has changed since, or what a step back takes away', async () => {
  const { page, sandbox } = await open({ at, sandbox: living })
  const { next = '' } = await sandbox.clock.events()
  const time = next.slice(0, 19).replace('T', ' ')
  // The next move may come before the page knows more than the response to this one.
  const release = await holdRequests(page, '**/_sandbox/overview')
  await page.getByRole('button', { name: 'Next event' }).click()
  await expectSays(page, time)
  expect(sandbox.clock.now()).toBe(next)
  await page.getByRole('button', { name: '+1 week' }).click()
  await release()
  await page.getByRole('link', { name: `What has changed since ${time}` }).click()
  await changes(page).first().getByText('by the clock').waitFor()
  await expectFits(page)
  await page.goBack()
  await clock(page).getByRole('button', { name: 'Reset the clock' }).click()
  await expectSays(page, start)
  await page.getByRole('link', { name: /^What has changed since/ }).click()
  await page.getByText('The clock went back').waitFor()
  await changes(page).first().waitFor()
})

it('counts what has changed since a move only once that is known', async () => {
  const { page } = await open({ at, sandbox: living })
  const release = await holdRequests(page, '**/data/changes*')
  await page.getByRole('button', { name: '+1 week' }).click()
  await clock(page).getByRole('button', { name: 'Reset the clock' }).waitFor()
  await expect.poll(() => clock(page).getByText('changed with time').count()).toBe(0)
  await release()
  await clock(page)
    .getByText(/[1-9]\d* records changed with time/)
    .waitFor()
})

it('lists since the last move only what has changed after it', async () => {
  const { page, sandbox } = await open({ at })
  await sandbox.data.customers.patch(1, { city: 'Bergen' })
  await page.getByRole('button', { name: '+1 day' }).click()
  await clock(page).getByRole('button', { name: 'Reset the clock' }).waitFor()
  await sandbox.data.customers.patch(2, { city: 'Bergen' })
  await page.getByRole('link', { name: /^What has changed since/ }).click()
  await changes(page).getByRole('link', { name: 'customer 2', exact: true }).waitFor()
  expect(await changes(page).count()).toBe(1)
  await page.getByRole('button', { name: /^since / }).click()
  await changes(page).getByRole('link', { name: 'customer 1', exact: true }).waitFor()
})

it('offers a living copy of a session that stands still', async () => {
  const { page } = await open({ at })
  await page.getByText('The data of this session stands still').waitFor()
  await page.getByRole('button', { name: '+1 week' }).click()
  await page.getByText('this dataset does not move with the clock').waitFor()
  await page.getByRole('button', { name: 'Open a living copy' }).click()
  await page.waitForURL(/session=/)
  await page.getByRole('button', { name: 'Next event' }).waitFor()
  await expect.poll(() => page.getByText('stands still').count()).toBe(0)
})

itFits(at, ({ page }) => page.getByRole('button', { name: '+1 week' }).click())
