import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import {
  expectAccessible,
  expectFits,
  expectQuiet,
  expectSoon,
  settled,
  useConsole,
  windows,
} from './support.ts'

const open = useConsole()

const at = '#/steer/clock'
const start = '2026-01-15 12:00:00'

const clock = (page: Page) => page.getByRole('region', { name: 'The session’s time' })
const months = (page: Page) => page.getByRole('region', { name: 'The tenant by month' }).getByRole('button')
const expectSays = (page: Page, time: string) =>
  page.getByRole('status').getByText(`The clock says ${time}.`, { exact: true }).waitFor()

/** When the service says that a note is created which it is asked to create now. */
async function createdNow(baseUrl: string): Promise<string> {
  const headers = { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json' }
  const body = JSON.stringify({ categoryId: 1, content: 'x' })
  const url = `${baseUrl}/organizations/harbor/customers/1/notes`
  const answer = await fetch(url, { method: 'POST', headers, body })
  return ((await answer.json()) as { readonly createdDate: string }).createdDate
}

it('advances by a click, which the service’s answers show, and goes back to where it starts', async () => {
  const console = await open({ at })
  const { page, baseUrl } = console
  await page.getByRole('button', { name: '1 day' }).click()
  await expectSays(page, '2026-01-16 12:00:00')
  expect(await createdNow(baseUrl)).toBe('2026-01-16T12:00:00.000Z')
  for (const [name, time] of [
    ['1 hour', '2026-01-16 13:00:00'],
    ['1 week', '2026-01-23 13:00:00'],
    ['1 month', '2026-02-23 13:00:00'],
  ] as const) {
    await page.getByRole('button', { name }).click()
    await expectSays(page, time)
    await clock(page).getByText(time).waitFor()
  }
  await page.getByRole('button', { name: 'Back to where it starts' }).click()
  await expectSays(page, start)
  expect(await createdNow(baseUrl)).toBe('2026-01-15T12:00:00.000Z')
  expectQuiet(console)
})

it('advances by any duration, and says of what is none that it is none', async () => {
  const { page, sandbox } = await open({ at })
  const duration = page.getByLabel('Duration (ISO 8601)')
  await duration.fill('1 day')
  await duration.press('Enter')
  await clock(page).getByText('must be an ISO 8601 duration like P1DT2H').waitFor()
  expect(await page.evaluate('document.activeElement.name')).toBe('by')
  await duration.fill('P1Y2M3DT4H5M6S')
  await duration.press('Enter')
  await expectSays(page, '2027-03-18 16:05:06')
  expect(sandbox.clock.now()).toBe('2027-03-18T16:05:06.000Z')
  expect(await clock(page).getByText('must be an ISO').count()).toBe(0)
})

it('is set to an instant, from the keyboard on which it stays', async () => {
  const { page, sandbox } = await open({ at })
  const instant = page.getByLabel('Instant (UTC)')
  await instant.fill('tomorrow')
  await instant.press('Enter')
  await clock(page).getByText('must be a valid calendar date-time').waitFor()
  await instant.fill('2030-02-28T23:59:59.5Z')
  await instant.press('Enter')
  await expectSays(page, '2030-02-28 23:59:59')
  expect(sandbox.clock.now()).toBe('2030-02-28T23:59:59.500Z')
  expect(await page.evaluate('document.activeElement.name')).toBe('now')
})

it('shows the tenant by month, and is set to the beginning of one by a click', async () => {
  const console = await open({ at })
  const { page, sandbox } = console
  await settled(page)
  const present = months(page).and(page.locator('[aria-current=date]'))
  const meetings = sandbox.data.meetings
    .list()
    .then(({ items }) => items.filter(({ startDate }) => startDate.startsWith('2026-01')))
  expect(await present.getAttribute('aria-label')).toMatch(
    new RegExp(`^2026-01: ${(await meetings).length} meetings, \\d+ signals raised, \\d+ renewals$`),
  )
  await page.getByRole('button', { name: /^2026-03: / }).click()
  await expectSays(page, '2026-03-01 00:00:00')
  await expectSoon(page, "document.querySelector('[aria-current=date]').ariaLabel.startsWith('2026-03')")
  expect(sandbox.clock.now()).toBe('2026-03-01T00:00:00.000Z')
  expectQuiet(console)
})

it('goes through the months by arrow keys, from the present one', async () => {
  const { page } = await open({ at })
  await settled(page)
  const focused = () => page.evaluate('document.activeElement.ariaLabel.slice(0, 7)')
  await page.getByLabel('Instant (UTC)').focus()
  do await page.keyboard.press('Tab')
  while (await page.evaluate('document.activeElement.ariaLabel === null'))
  expect(await focused()).toBe('2026-01')
  await page.keyboard.press('ArrowLeft')
  expect(await focused()).toBe('2025-12')
  await page.keyboard.press('Home')
  const first = await focused()
  await page.keyboard.press('ArrowLeft')
  expect(await focused()).toBe(first)
  await page.keyboard.press('Enter')
  await expectSays(page, `${String(first)}-01 00:00:00`)
  expect(await focused()).toBe(first)
})

it('says where now is, when it is beyond all that the tenant has', async () => {
  const { page } = await open({ at })
  await page.getByLabel('Instant (UTC)').fill('2090-01-01T00:00Z')
  await page.keyboard.press('Enter')
  await page.getByText('Now, 2090-01, is after all of this.').waitFor()
  expect(await page.locator('[aria-current=date]').count()).toBe(0)
})

it('shows what others do to the clock', async () => {
  const { page, sandbox } = await open({ at })
  await clock(page).getByText(start).waitFor()
  sandbox.clock.advance('P1D')
  await clock(page).getByText('2026-01-16 12:00:00').waitFor()
  expect(await clock(page).getByText(start).count()).toBe(0)
})

it('has nothing for axe to mend, and nothing beyond the edge', async () => {
  for (const browser of windows) {
    const console = await open({ at, browser })
    const { page } = console
    await settled(page)
    await months(page).first().waitFor()
    for (const summary of await page.getByText('as curl').all()) await summary.click()
    await expectAccessible(page)
    await expectFits(page)
    expectQuiet(console)
  }
})
