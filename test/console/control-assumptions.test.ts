import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { assumptions } from '../../src/contract/assumptions.ts'
import { open, expectStatus, expectFocus, itFits } from './support.ts'

const at = '#/control/assumptions'

const rows = (page: Page) => page.getByRole('region', { name: 'Assumptions' }).getByRole('listitem')
const detail = (page: Page, id: string) => rows(page).filter({ hasText: id })
const alternative = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

it('uses an alternative with a click, four from the start', async () => {
  const { page, get } = await open({ failures: /404/ })
  for (const name of ['Control', 'Assumptions']) await page.getByRole('link', { name, exact: true }).click()
  await page.getByText('Error body and status codes').click()
  const other = alternative(page, '{ "message", "statusCode" }')
  // Each alternative is one line.
  expect((await other.boundingBox())?.height).toBeLessThan(40)
  await other.getByRole('button', { name: 'Use' }).click()
  await other.getByText('in use').waitFor()
  expect(await get('/nowhere')).toMatchObject({ statusCode: 404 })
  await page.getByRole('button', { name: 'Restore 1 assumption' }).click()
  await expectStatus(page, 'Restore 1 assumption: done.')
  expect(await get('/nowhere')).toMatchObject({ code: 'not_found' })
})

it('accepts other names, and shows errors at the field', async () => {
  const { page, get } = await open({ at: `${at}?text=A-10`, failures: /400/ })
  await rows(page).getByText('A-10').click()
  const names = detail(page, 'A-10').getByRole('textbox', { name: 'Another value' })
  await names.fill('a, b, c, a')
  await names.press('Enter')
  await detail(page, 'A-10').getByText('must not repeat a name').waitFor()
  await expectFocus(page, 'name', 'signalStatuses')
  await names.fill('a, b, c, <d>')
  await names.press('Enter')
  await detail(page, 'A-10').getByText('overridden').waitFor()
  const path = '/organizations/harbor/signals?scope=all&limit=250'
  const { items } = await get<{ readonly items: readonly { readonly status: string }[] }>(path)
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['a', 'b', 'c', '<d>']))
})

it('is searched by text, which the URL keeps, also for those that are overridden', async () => {
  const { page, url } = await open({ at })
  await expect.poll(() => rows(page).count()).toBe(Object.keys(assumptions).length)
  await page.keyboard.press('/')
  await page.keyboard.type('rate limits')
  await page.waitForURL(/text=rate\+limits/)
  await expect.poll(() => rows(page).count()).toBe(1)
  await rows(page).getByText('Rate limits').click()
  await detail(page, 'A-36').getByText('cannot be overridden').waitFor()
  await page.reload()
  await rows(page).first().waitFor()
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByText('No assumptions match.').waitFor()
  await fetch(`${url}/_sandbox/assumptions`, { method: 'PATCH', body: '{"errorFormat":"error"}' })
  await page.getByRole('link', { name: '1 assumption' }).click()
  await detail(page, 'A-05').getByText('overridden').waitFor()
  await expect.poll(() => rows(page).count()).toBe(1)
})

itFits(`${at}?text=A-10`, ({ page }) => rows(page).getByText('A-10').click())
