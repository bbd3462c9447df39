import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { type Console, home, open, waitUntilSettled, expectSoon } from './support.ts'
import { findRows, findRow, readIds, findDetails } from './traffic-support.ts'

const paths = [
  '/members/me',
  `${home}/customers?limit=2`,
  `${home}/products`,
  '/nowhere',
  `${home}/customers/1`,
]

/** Sends mixed requests in the process of the sandbox, so that the page receives them in large batches. */
async function sendMixed({ sandbox }: Console, count: number): Promise<void> {
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  for (let index = 0; index < count; index += 1) {
    const url = `http://sandbox/v1${paths[index % paths.length]}`
    await sandbox.fetch(new Request(url, { headers }))
  }
}

/** Opens a console with more requests than are in sight, and the pointer away from the list. */
async function openMany(count: number): Promise<Console> {
  const console = await open({ at: '#/traffic' })
  await sendMixed(console, count)
  await findRow(console.page, count).waitFor()
  return console
}

/** Measures the vertical position of a row in the window. */
const measureTop = (page: Page, id: number): Promise<number> =>
  page.evaluate(`document.querySelector('[data-id="${id}"]').getBoundingClientRect().top`)

it('stays live over 2,000 mixed requests, once the journal is full, and moves to its ends by End and Home', async () => {
  const console = await openMany(1_000)
  const { page, url, requests } = console
  await sendMixed(console, 2_000)
  await findRow(page, 3_000).waitFor()
  await waitUntilSettled(page)
  await page.getByText('the last 1,000 requests', { exact: true }).waitFor()
  // Only the rows in sight are in the page, so that its size does not depend on the journal's.
  expect(await findRows(page).count()).toBeLessThan(60)
  expect(await page.locator('*').count()).toBeLessThan(2_000)
  // It connects again if it has missed events.
  const streams = requests.filter((address) => address === `${url}/_sandbox/requests/stream`)
  expect(streams.length).toBeLessThanOrEqual(4)
  const focused = () => page.evaluate('document.activeElement.closest("tr")?.dataset.id')
  await page.getByRole('grid').focus()
  await page.keyboard.press('End')
  await expect.poll(focused).toBe('2001')
  await page.keyboard.press('Home')
  await expect.poll(focused).toBe('3000')
  await findRow(page, 3_000).getByRole('link').click()
  await findDetails(page, 3_000).locator('.tree').waitFor()
})

it('keeps the rows in place while somebody looks at them, counts new ones, and shows those on demand', async () => {
  const console = await openMany(300)
  const { page } = console
  await findRow(page, 295).hover()
  const before = await measureTop(page, 295)
  await sendMixed(console, 50)
  await page.getByRole('button', { name: '50 new' }).waitFor()
  expect(await measureTop(page, 295)).toBe(before)
  expect(await readIds(page)).not.toContain(350)
  await page.mouse.move(5, 5)
  await page.getByRole('button', { name: '50 new' }).waitFor({ state: 'detached' })
  await expect.poll(async () => (await readIds(page))[0]).toBe(350)
  await page.evaluate("document.querySelector('[role=grid]').scrollTop = 5_000")
  const inSight = `[...document.querySelectorAll('[data-id]')].find((row) => {
    const { top } = row.getBoundingClientRect()
    return top > 400 && top < 700
  })`
  await expectSoon(page, inSight)
  const id = Number(await page.evaluate(`${inSight}.dataset.id`))
  const top = await measureTop(page, id)
  await sendMixed(console, 30)
  await page.getByRole('button', { name: '30 new' }).waitFor()
  expect(await measureTop(page, id)).toBe(top)
  await page.getByRole('button', { name: '30 new' }).click()
  await expect.poll(async () => (await readIds(page))[0]).toBe(380)
  await findRow(page, 377).getByRole('link').click()
  await findDetails(page, 377).waitFor()
  await page.mouse.move(5, 5)
  const opened = await measureTop(page, 377)
  await sendMixed(console, 10)
  await page.getByRole('button', { name: '10 new' }).waitFor()
  expect(await measureTop(page, 377)).toBe(opened)
})
