import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import {
  createSender,
  open,
  waitUntilSettled,
  expectAccessible,
  expectFits,
  expectStatus,
  expectFocus,
  windows,
} from './support.ts'

const at = '#/control/sessions'

const rows = (page: Page) => page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')
const form = (page: Page) => page.getByRole('form', { name: 'Open a session' })
const fetchStatus = async (url: string): Promise<number> => (await createSender(url)('/members/me')).status

it('shows errors at their fields, opens a session as entered, and switches to it', async () => {
  const { page, url } = await open({ at, failures: /400/ })
  const enter = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(fields)) {
      await form(page).getByLabel(name, { exact: true }).fill(text)
    }
    await form(page).getByRole('button', { name: 'Open' }).click()
  }
  await enter({ Id: 'no spaces', 'Time (UTC)': 'tomorrow' })
  await form(page).getByText('must be 1 to 64 letters').waitFor()
  await form(page).getByText('must be a valid calendar date-time').waitFor()
  await expectFocus(page, 'name', 'id')
  await enter({ Id: 's-7', 'Time (UTC)': '2030-01-01T00:00Z', Name: 'checkout' })
  await page.waitForURL(`${url}/_sandbox?session=s-7${at}`)
  await rows(page).getByText('checkout').waitFor()
  await expect.poll(() => rows(page).nth(1).textContent()).toMatch(/current.*2030-01-01 00:00/)
  const base = await rows(page).nth(1).getByRole('code').textContent()
  expect(await fetchStatus(base ?? '')).toBe(200)
})

it('forks a session with its whole state, and switches to the copy', async () => {
  const { page, sandbox } = await open({ at })
  const origin = sandbox.session({ id: 'first', name: 'the first', now: '2027-01-01T00:00Z' })
  origin.faults.add({ status: 503 })
  await page.reload()
  await page.getByRole('button', { name: 'Fork the first' }).click()
  await expectStatus(page, 'Switched to session-1, a copy of the first.')
  await page.waitForURL(/session=session-1/)
  const copy = rows(page).filter({ hasText: 'fork of the first' })
  await expect.poll(() => copy.textContent()).toContain('2027-01-01 00:00')
  await page.getByRole('region', { name: 'Save fork of the first' }).waitFor()
  // The header has room for the name with the id, which tells copies apart.
  const menu = page.getByRole('combobox', { name: 'Session' })
  await expect.poll(async () => (await menu.boundingBox())?.width).toBeGreaterThan(200)
  expect(await fetchStatus((await copy.getByRole('code').textContent()) ?? '')).toBe(503)
})

it('saves a session as a file, and restores it', async () => {
  const { page, sandbox } = await open({ at, failures: /400/ })
  sandbox.faults.add({ status: 503 })
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save session' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('default.json')
  await sandbox.reset()
  const field = page.getByLabel('Restore from a file')
  const restore = page.getByRole('dialog').getByRole('button', { name: 'Restore' })
  const path = join(temporaryFolder(), 'before-the-demo.json')
  await file.saveAs(path)
  await field.setInputFiles(path)
  await page.getByRole('heading', { name: 'Restore default from before-the-demo.json?' }).waitFor()
  await restore.click()
  await expectStatus(page, 'Restored default from before-the-demo.json.')
  expect(sandbox.faults.list()).toMatchObject([{ status: 503 }])
  await field.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no state') })
  await page.getByRole('alert').getByText('a.txt is not JSON. Choose a file from “Save session”.').waitFor()
  // The last message would cover the error in a narrow window.
  await expect.poll(() => page.getByText('Restored default').count()).toBe(0)
  // The same file can be chosen again.
  await field.setInputFiles(path)
  await restore.click()
  await restore.waitFor({ state: 'detached' })
  await field.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
  await restore.click()
  const text = (await page.getByRole('alert').textContent()) ?? ''
  expect(text.split('is not a saved state')).toHaveLength(2)
  await expect.poll(() => page.getByText('Restored default').count()).toBe(0)
})

it('confirms a deletion, and switches from a deleted session to the default one', async () => {
  const { page, sandbox, url } = await open()
  sandbox.session({ id: 'mine', name: 'mine' })
  await page.goto(`${url}/_sandbox?session=mine${at}`)
  const remove = page.getByRole('button', { name: 'Delete mine' })
  await remove.click()
  const dialog = page.getByRole('dialog', { name: 'Delete mine?' })
  await dialog.waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expectFocus(page, 'ariaLabel', 'Delete mine')
  await remove.click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expectStatus(page, 'Deleted mine.')
  await page.waitForURL(`${url}/_sandbox${at}`)
  await rows(page).getByText('current').waitFor()
  await expect.poll(() => rows(page).count()).toBe(1)
  await waitUntilSettled(page)
})

it('shows the most recently used sessions first, says how many others there are, and fits with a long hostile name', async () => {
  const { page, sandbox } = await open({ at, window: windows[0] })
  for (let count = 1; count < 60; count += 1) sandbox.session({ name: `number ${count}` })
  const name = `<img src=x onerror=alert(1)> ${'a name that goes on '.repeat(8)}`.trim()
  sandbox.session({ id: 'x'.repeat(64), name })
  await page.reload()
  await rows(page).getByText(name, { exact: true }).waitFor()
  await expect.poll(() => rows(page).count()).toBe(1 + 50)
  await expectFits(page)
  await page.getByRole('button', { name: 'Show 10 more' }).waitFor()
})
