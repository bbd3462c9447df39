import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import {
  expectAccessible,
  expectFits,
  expectQuiet,
  expectSoon,
  waitUntilSettled,
  useConsole,
  windows,
} from './support.ts'

const open = useConsole()

const at = '#/control/clock'
const start = '2026-01-15 12:00:00'

const clock = (page: Page) => page.getByRole('region', { name: 'Clock', exact: true })
const months = (page: Page) => page.getByRole('region', { name: 'Tenant by month' }).getByRole('button')
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

it('advances with a click, which responses reflect, and returns to its start', async () => {
  const console = await open({ at })
  const { page, baseUrl } = console
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
  expectQuiet(console)
})

it('advances by any duration, and rejects other input', async () => {
  const { page, sandbox } = await open({ at })
  const duration = page.getByLabel('Advance by')
  await duration.fill('soon')
  await duration.press('Enter')
  await clock(page).getByText('must be an ISO 8601 duration like P1DT2H').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('by')
  await duration.fill('P1Y2M3DT4H5M6S')
  await duration.press('Enter')
  await expectSays(page, '2027-03-18 16:05:06')
  expect(sandbox.clock.now()).toBe('2027-03-18T16:05:06.000Z')
  await expect.poll(() => clock(page).getByText('must be an ISO').count()).toBe(0)
  for (const [text, time] of [
    ['30 days', '2027-04-17 16:05:06'],
    ['1 week 2h', '2027-04-24 18:05:06'],
    ['1.5 hours', '2027-04-24 19:35:06'],
  ] as const) {
    await duration.fill(text)
    await duration.press('Enter')
    await expectSays(page, time)
  }
})

it('is set to an instant by keyboard, and keeps the focus', async () => {
  const { page, sandbox } = await open({ at })
  const instant = page.getByLabel('Set to (UTC)')
  await instant.fill('tomorrow')
  await instant.press('Enter')
  await clock(page).getByText('must be a valid calendar date-time').waitFor()
  await instant.fill('2030-02-28T23:59:59.5Z')
  await instant.press('Enter')
  await expectSays(page, '2030-02-28 23:59:59')
  expect(sandbox.clock.now()).toBe('2030-02-28T23:59:59.500Z')
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('now')
})

it('shows the tenant by month, and is set to the beginning of a month with a click', async () => {
  const console = await open({ at })
  const { page, sandbox } = console
  await waitUntilSettled(page)
  const present = months(page).and(page.locator('[aria-current=date]'))
  const meetings = sandbox.data.meetings
    .list()
    .then(({ items }) => items.filter(({ startDate }) => startDate.startsWith('2026-01')))
  await expect
    .poll(() => present.getAttribute('aria-label'))
    .toMatch(new RegExp(`^2026-01: ${(await meetings).length} meetings, \\d+ signals$`))
  await page.getByRole('button', { name: /^2026-03: / }).click()
  await expectSays(page, '2026-03-01 00:00:00')
  await expectSoon(page, "document.querySelector('[aria-current=date]').ariaLabel.startsWith('2026-03')")
  expect(sandbox.clock.now()).toBe('2026-03-01T00:00:00.000Z')
  expectQuiet(console)
})

it('moves through the months with the arrow keys, from the current one', async () => {
  const { page } = await open({ at })
  await waitUntilSettled(page)
  await months(page).first().waitFor()
  const focused = () => page.evaluate('document.activeElement.ariaLabel.slice(0, 7)')
  await page.getByLabel('Set to (UTC)').focus()
  do await page.keyboard.press('Tab')
  while (await page.evaluate('document.activeElement.ariaLabel === null'))
  await expect.poll(() => focused()).toBe('2026-01')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => focused()).toBe('2025-12')
  await page.keyboard.press('Home')
  const first = await focused()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => focused()).toBe(first)
  await page.keyboard.press('Enter')
  await expectSays(page, `${String(first)}-01 00:00:00`)
  await expect.poll(() => focused()).toBe(first)
})

it('says so if now is after all data of the tenant', async () => {
  const { page } = await open({ at })
  await page.getByLabel('Set to (UTC)').fill('2090-01-01T00:00Z')
  await page.keyboard.press('Enter')
  await page.getByText('The current month, 2090-01, is after this range.').waitFor()
  await expect.poll(() => page.locator('[aria-current=date]').count()).toBe(0)
})

it('shows changes that others make to the clock', async () => {
  const { page, sandbox } = await open({ at })
  await clock(page).getByText(start).waitFor()
  sandbox.clock.advance('P1D')
  await clock(page).getByText('2026-01-16 12:00:00').waitFor()
  await expect.poll(() => clock(page).getByText(start).count()).toBe(0)
})

it('is accessible and fits the window', async () => {
  for (const browser of windows) {
    const console = await open({ at, browser })
    const { page } = console
    await waitUntilSettled(page)
    await months(page).first().waitFor()
    await expectAccessible(page)
    await expectFits(page)
    expectQuiet(console)
  }
})
