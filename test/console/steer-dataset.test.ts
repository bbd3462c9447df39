import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { expectAccessible, expectFits, expectQuiet, settled, useConsole, windows } from './support.ts'

const open = useConsole()

const at = '#/steer/dataset'
const headers = { authorization: 'Bearer sbx_harbor_1' }

const reset = (page: Page) => page.getByRole('region', { name: 'Reset the session' })
const reseed = (page: Page) => page.getByRole('region', { name: 'Another dataset' })
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

/** Presses the button, and answers what it asks. */
async function reseedNow(page: Page): Promise<void> {
  await reseed(page).getByRole('button', { name: 'Reseed…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reseed', exact: true }).click()
}

it('tells what a reset drops, and asks before it drops it', async () => {
  const console = await open({ at })
  const { page, sandbox, baseUrl } = console
  await sandbox.data.customers.patch(1, { name: 'Renamed' })
  sandbox.faults.add({ status: 503, times: 1 })
  sandbox.clock.advance('P1D')
  await fetch(`${baseUrl}/members/me`, { headers })
  await page.reload()
  await reset(page).getByText('1 recorded request').waitFor()
  await reset(page).getByText('1 changed record').waitFor()
  await reset(page).getByText('1 fault').waitFor()
  await reset(page).getByText('2026-01-16 12:00:00').waitFor()
  await reset(page).getByRole('button', { name: 'Reset…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reset the default session?' })
  await dialog.getByText('1 changed record').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(sandbox.faults.list()).toHaveLength(1)
  await reset(page).getByRole('button', { name: 'Reset…' }).click()
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  await said(page, 'The session is as at its first moment.')
  await reset(page).getByText('0 recorded requests').waitFor()
  await reset(page).getByText('2026-01-15 12:00:00').waitFor()
  expect([sandbox.faults.list(), await sandbox.data.changes(), sandbox.requests.list()]).toEqual([[], [], []])
  expectQuiet(console)
})

it('makes another dataset, after it has asked, and tells what it has', async () => {
  const console = await open()
  const { page, sandbox, url, baseUrl } = console
  sandbox.session({ id: 'mine' })
  await page.goto(`${url}/_sandbox?session=mine${at}`)
  await reseed(page).getByLabel('Seed').fill('7')
  await reseed(page).getByRole('combobox', { name: 'Size' }).selectOption('another number')
  await reseed(page).getByRole('textbox', { name: 'Customers' }).fill('40')
  await reseed(page).getByRole('combobox', { name: 'Fixture' }).selectOption('edge-cases')
  await reseed(page).getByLabel('Now (UTC)').fill('2027-03-01T00:00Z')
  await reseedNow(page)
  await said(page, 'There is another dataset: seed 7, size 40, fixture edge-cases.')
  await page.waitForURL(`${url}/_sandbox${at}`)
  await reseed(page).getByText('customers 44').waitFor()
  await reseed(page).getByText('Here: seed 7, size 40').waitFor()
  const listed = await fetch(`${baseUrl}/organizations/harbor/customers?scope=all`, { headers })
  expect(await listed.json()).toMatchObject({ totalCount: 40 })
  expect(sandbox.clock.now()).toBe('2027-03-01T00:00:00.000Z')
  await settled(page)
  await expectAccessible(page)
  expectQuiet(console)
})

it('takes a fixture from a file, and says what is wrong with one', async () => {
  const { page, baseUrl } = await open({ at })
  await reseed(page).getByRole('combobox', { name: 'Fixture' }).selectOption('a file of yours')
  expect(await reseed(page).getByRole('button', { name: 'Reseed…' }).isDisabled()).toBe(true)
  const choose = (name: string, text: string) =>
    reseed(page)
      .getByLabel('File', { exact: true })
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  await choose('list.json', '[]')
  await reseed(page).getByText('list.json is no JSON object.').waitFor()
  await choose('wrong.json', '{ "customers": [{ "id": "nine" }] }')
  await reseedNow(page)
  await reseed(page).getByRole('alert').getByRole('code').getByText('customers[0].id').waitFor()
  const name = '<img src=x onerror=alert(1)>'
  await choose('mine.json', JSON.stringify({ extends: 'empty', customers: [{ id: 900, name }] }))
  await reseedNow(page)
  await said(page, 'There is another dataset')
  const found = await fetch(`${baseUrl}/organizations/harbor/customers/900`, { headers })
  expect(await found.json()).toMatchObject({ name })
})

it('does not take a file beyond 16 MiB', async () => {
  const { page } = await open({ at })
  await reseed(page).getByRole('combobox', { name: 'Fixture' }).selectOption('a file of yours')
  const file = join(temporaryFolder(), 'big.json')
  writeFileSync(file, ' '.repeat(16 * 1_048_576 + 1))
  await reseed(page).getByLabel('File', { exact: true }).setInputFiles(file)
  await reseed(page).getByText('big.json has more than 16 MiB.').waitFor()
  expect(await reseed(page).getByRole('button', { name: 'Reseed…' }).isDisabled()).toBe(true)
})

it('says what is wrong at the field that is wrong', async () => {
  const { page, sandbox } = await open({ at })
  await reseed(page).getByLabel('Seed').fill('-1')
  await reseedNow(page)
  await reseed(page).getByText('must be a whole number from 0 to').waitFor()
  expect(await page.evaluate('document.activeElement.name')).toBe('seed')
  expect(sandbox.dataset.seed).toBe(42)
})

it('shows that it is at work, and for how long, while it takes its time', async () => {
  const { page } = await open({ at })
  const waiting: (() => void)[] = []
  await page.route('**/_sandbox/reseed', async (route) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    await route.continue()
  })
  await reseedNow(page)
  await reseed(page).getByRole('progressbar', { name: 'Making the dataset' }).waitFor()
  await reseed(page).getByText('Making the dataset: 1 s').waitFor()
  expect(await reseed(page).getByRole('button', { name: 'Reseed…' }).isDisabled()).toBe(true)
  for (const go of waiting) go()
  await reseed(page).getByRole('heading', { name: 'Made just now' }).waitFor()
  expect(await reseed(page).getByRole('progressbar').count()).toBe(0)
})

it('has nothing for axe to mend, and nothing beyond the edge', async () => {
  for (const browser of windows) {
    const console = await open({ at, browser })
    const { page } = console
    await reseedNow(page)
    await reseed(page).getByRole('heading', { name: 'Made just now' }).waitFor()
    for (const summary of await page.getByText('as curl').all()) await summary.click()
    await settled(page)
    await expectAccessible(page)
    await expectFits(page)
    await reseed(page).getByRole('button', { name: 'Reseed…' }).click()
    await expectAccessible(page)
    await expectFits(page)
    expectQuiet(console)
  }
})
