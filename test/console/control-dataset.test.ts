import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import {
  holdRequests,
  open,
  waitUntilSettled,
  itFits,
  expectFits,
  expectAccessible,
  expectStatus,
  expectFocus,
} from './support.ts'

const at = '#/control/dataset'
const reset = (page: Page) => page.getByRole('region', { name: 'Reset the session' })
const reseed = (page: Page) => page.getByRole('region', { name: 'Reseed' })

/** Clicks the button and confirms. */
async function reseedNow(page: Page): Promise<void> {
  await reseed(page).getByRole('button', { name: 'Reseed…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reseed for everyone' }).click()
}

it('says what a reset drops, and asks for confirmation', async () => {
  const { page, sandbox, send } = await open({ at })
  await sandbox.data.customers.patch(1, { name: 'Renamed' })
  sandbox.faults.add({ status: 503, times: 2 })
  sandbox.clock.advance('P1D')
  await send('/members/me')
  await page.reload()
  const dropped = 'discards its changes, clock, faults, scenarios, requests and assumptions'
  await reset(page).getByText(dropped).waitFor()
  await reset(page).getByRole('button', { name: 'Reset…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reset the default session?' })
  await dialog.getByText(dropped).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(sandbox.faults.list()).toHaveLength(1)
  await reset(page).getByRole('button', { name: 'Reset…' }).click()
  await dialog.getByRole('button', { name: 'Reset the default session' }).click()
  await expectStatus(page, 'The session was reset.')
  expect([sandbox.faults.list(), await sandbox.data.changes(), sandbox.requests.list()]).toEqual([[], [], []])
})

it('generates another dataset after confirmation, and shows what is wrong with an option, its progress and its options', async () => {
  const { page, sandbox, url, send } = await open()
  sandbox.session({ id: 'mine' })
  await page.goto(`${url}/_sandbox?session=mine${at}`)
  const seed = reseed(page).getByLabel('Seed', { exact: true })
  await seed.fill('-1')
  await reseed(page).getByRole('button', { name: 'Reseed…' }).click()
  await reseed(page).getByText('must be a whole number from 0 to').waitFor()
  await expectFocus(page, 'name', 'seed')
  expect(sandbox.dataset.seed).toBe(42)
  await seed.fill('7')
  await reseed(page).getByLabel('Size').fill('40')
  await reseed(page).getByRole('combobox', { name: 'Fixture' }).fill('edge-cases')
  await reseed(page).getByLabel('Time (UTC)').fill('2027-03-01T00:00Z')
  const release = await holdRequests(page, '**/_sandbox/reseed')
  await reseedNow(page)
  await reseed(page).getByRole('progressbar', { name: 'Creating the dataset' }).waitFor()
  await expect.poll(() => reseed(page).getByRole('button', { name: 'Reseed…' }).isDisabled()).toBe(true)
  await release()
  await expectStatus(page, 'Created a new dataset: seed 7, size 40, fixture edge-cases.')
  await page.waitForURL(`${url}/_sandbox${at}`)
  await expect.poll(() => reseed(page).getByRole('progressbar').count()).toBe(0)
  const dataset = page.getByRole('region', { name: 'Dataset', exact: true })
  await dataset.getByText('40 customers').waitFor()
  await dataset.locator('dt:has-text("seed") + dd').getByText('7', { exact: true }).waitFor()
  await dataset.locator('dt:has-text("future") + dd').getByText('still').waitFor()
  const listed = await send('/organizations/harbor/customers?scope=all')
  expect(await listed.json()).toMatchObject({ totalCount: 40 })
  expect(sandbox.clock.now()).toBe('2027-03-01T00:00:00.000Z')
  await waitUntilSettled(page)
})

itFits(at, async ({ page }) => {
  await reseedNow(page)
  await expectStatus(page, 'Created a new dataset')
  await expectFits(page)
  await reseed(page).getByRole('button', { name: 'Reseed…' }).click()
  await page.getByRole('dialog').waitFor()
})
