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

const at = '#/control/assumptions'
const headers = { authorization: 'Bearer sbx_harbor_1' }
const products = '/organizations/harbor/products'

const card = (page: Page, id: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: id, exact: true }) })
const shown = (page: Page) => page.getByRole('main').getByRole('heading', { level: 3 })
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()
const fetchJson = async (url: string): Promise<unknown> => (await fetch(url, { headers })).json()

it('overrides an assumption with a click, and restores the defaults with another', async () => {
  const console = await open({ at })
  const { page, baseUrl } = console
  expect(await fetchJson(`${baseUrl}${products}`)).toBeInstanceOf(Array)
  await card(page, 'A-02').getByLabel('each is { items, totalCount }').check()
  await card(page, 'A-02').getByText('overridden').waitFor()
  expect(await fetchJson(`${baseUrl}${products}`)).toMatchObject({ totalCount: 6 })
  await page.getByText('1 overridden').waitFor()
  await page.getByRole('button', { name: 'Restore defaults' }).click()
  await said(page, 'All assumptions use their defaults.')
  await page.getByText('0 overridden').waitFor()
  expect(await fetchJson(`${baseUrl}${products}`)).toBeInstanceOf(Array)
  expectQuiet(console)
})

it('overrides assumptions only in the session of the page, and links to its API reference', async () => {
  const { page, url, baseUrl, sandbox } = await open()
  sandbox.session({ id: 'mine' })
  await page.goto(`${url}/_sandbox?session=mine${at}`)
  await card(page, 'A-05').getByLabel('{ "message", "statusCode" }').check()
  await card(page, 'A-05').getByText('overridden').waitFor()
  const mine = `${url}/_sandbox/sessions/mine/v1`
  expect(await fetchJson(`${mine}/nowhere`)).toMatchObject({ statusCode: 404 })
  expect(await fetchJson(`${baseUrl}/nowhere`)).toMatchObject({ code: 'not_found' })
  const reference = page.getByRole('main').getByRole('link', { name: 'reference' })
  await expect.poll(() => reference.getAttribute('href')).toBe('/docs?session=mine')
})

it('overrides an assumption for a single operation', async () => {
  const { page, baseUrl } = await open({ at })
  await card(page, 'A-02').getByText('per operation').click()
  await card(page, 'A-02').getByLabel('listProducts', { exact: true }).check()
  await card(page, 'A-02').getByText('overridden').waitFor()
  expect(await fetchJson(`${baseUrl}${products}`)).toMatchObject({ totalCount: 6 })
  expect(await fetchJson(`${baseUrl}/organizations/harbor/members`)).toBeInstanceOf(Array)
  await card(page, 'A-02').getByLabel('listProducts', { exact: true }).uncheck()
  await card(page, 'A-02').getByText('overridden').waitFor({ state: 'hidden' })
})

it('accepts custom names, and shows validation errors at the field', async () => {
  const { page, baseUrl } = await open({ at: `${at}?id=A-10` })
  const names = card(page, 'A-10').getByRole('textbox', { name: /Custom names/ })
  await names.fill('a, b, a')
  await names.press('Enter')
  await card(page, 'A-10').getByText('must not repeat a name').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('signalStatuses')
  await names.fill('a, b, c, <d>')
  await names.press('Enter')
  await card(page, 'A-10').getByText('overridden').waitFor()
  const path = `${baseUrl}/organizations/harbor/signals?scope=all&limit=250`
  const { items } = (await fetchJson(path)) as { readonly items: readonly { readonly status: string }[] }
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['a', 'b', 'c', '<d>']))
})

it('filters by text, keeps it in the URL, and marks assumptions that cannot be overridden', async () => {
  const { page } = await open({ at })
  await shown(page).nth(38).waitFor()
  await expect.poll(() => shown(page).count()).toBe(39)
  await page.getByLabel('Filter').fill('rate limits')
  await page.waitForURL(/text=rate\+limits/)
  await expect.poll(() => shown(page).allTextContents()).toEqual(['A-36 Rate limits '])
  await card(page, 'A-36').getByText('cannot be overridden').waitFor()
  await expect.poll(() => card(page, 'A-36').getByRole('radio').count()).toBe(0)
  await page.reload()
  await shown(page).first().waitFor()
  await expect.poll(() => shown(page).count()).toBe(1)
  await page.getByLabel('Filter').fill('nothing like it')
  await page.getByText('No assumptions match.').waitFor()
})

it('shows only assumptions that requests depend on, with those requests, as they arrive', async () => {
  const { page, baseUrl } = await open({ at })
  await page.getByLabel('Show').selectOption('Used')
  await page.getByText('No assumptions match.').waitFor()
  await waitUntilSettled(page)
  await fetchJson(`${baseUrl}${products}`)
  await card(page, 'A-02').getByText('by 1 request to listProducts').waitFor()
  await expect.poll(() => shown(page).count()).toBeLessThan(10)
  await card(page, 'A-02').getByRole('link', { name: '1', exact: true }).click()
  await page.waitForURL(/#\/traffic\/1$/)
})

it('scrolls to the assumption in the URL, and marks it', async () => {
  const { page } = await open({ at: `${at}?id=A-33` })
  const marked = page.locator('[aria-current=true]')
  await marked.waitFor()
  await expect.poll(() => marked.textContent()).toBe('A-33')
  const place = "document.querySelector('[aria-current=true]').closest('li').getBoundingClientRect()"
  await expect.poll(() => page.evaluate(`${place}.top >= 0 && ${place}.bottom <= innerHeight`)).toBe(true)
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^A-33/)
  await page.evaluate("location.hash = '#/control/assumptions?id=A-03'")
  await expectSoon(page, "document.activeElement.textContent.startsWith('A-03')")
})

it('is accessible and fits the window', async () => {
  for (const browser of windows) {
    const console = await open({
      at: `${at}?id=A-07`,
      browser,
    })
    const { page, baseUrl } = console
    await waitUntilSettled(page)
    await fetchJson(`${baseUrl}${products}`)
    await card(page, 'A-05').getByLabel('{ "message", "statusCode" }').check()
    await page.getByText('per operation').click()
    await card(page, 'A-07').getByText('as curl').click()
    await card(page, 'A-02').getByText('by 1 request').waitFor()
    await waitUntilSettled(page)
    await expectAccessible(page)
    await expectFits(page)
    expectQuiet(console)
  }
})
