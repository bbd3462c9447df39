import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { open } from './support.ts'

/** Opens all actions, and runs the one that a text finds: two clicks. */
async function runAction(page: Page, text: string, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'All actions' }).click()
  await page.keyboard.type(text)
  await page.getByRole('option', { name }).click()
}

it('forks the session and uses the copy in two clicks', async () => {
  const { page } = await open()
  await runAction(page, 'fork', /^Fork this session/)
  await page.waitForURL(/session=session-1/)
})

it('finds a page of the docs in two clicks', async () => {
  const { page } = await open()
  await runAction(page, 'docs living', 'Open the docs: living tenant')
  await page.waitForURL(/docs\/living-tenant$/)
})

it('creates three signals of a customer, and returns to all of them, in eight clicks', async () => {
  const { page, sandbox, get } = await open()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await link('Data').click()
  await link('2 Tidewater Clinics, customer').click()
  await link('Signals with this customerId').click()
  await button('New signal').click()
  await button('Create and add another').click()
  await page
    .getByRole('dialog')
    .getByText(/^Created signal \d+\./)
    .waitFor()
  await button('Create and add another').click()
  await page
    .getByRole('status')
    .getByText(/^Created signal \d+2\.$/)
    .waitFor()
  await button('Create').click()
  await link('← Signals').click()
  await button('customerId: 2 ×').waitFor()
  const changes = await sandbox.data.changes()
  const created = changes.map(({ id }) => get(`/organizations/harbor/signals/${id}`))
  const one = { customerId: 2 }
  expect(await Promise.all(created)).toMatchObject([one, one, one])
})

it('chooses the last of all actions by keyboard, and sees it', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'All actions' }).click()
  await page.keyboard.press('ArrowUp')
  const list = page.getByRole('listbox')
  await expect
    .poll(async () => {
      const selected = await list.getByRole('option', { selected: true }).boundingBox()
      const { y, height } = (await list.boundingBox()) ?? { y: 0, height: 0 }
      return selected !== null && selected.y + selected.height <= y + height + 1
    })
    .toBe(true)
})
