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

const at = '#/steer/assumptions'
const headers = { authorization: 'Bearer sbx_harbor_1' }
const products = '/organizations/harbor/products'

const card = (page: Page, id: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: id, exact: true }) })
const shown = (page: Page) => page.getByRole('main').getByRole('heading', { level: 3 })
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()
const answered = async (url: string): Promise<unknown> => (await fetch(url, { headers })).json()

it('decides by a click what the service answers, and goes back to the defaults by another', async () => {
  const console = await open({ at })
  const { page, baseUrl } = console
  expect(await answered(`${baseUrl}${products}`)).toBeInstanceOf(Array)
  await card(page, 'A-02').getByLabel('each is { items, totalCount }').check()
  await card(page, 'A-02').getByText('decided otherwise').waitFor()
  expect(await answered(`${baseUrl}${products}`)).toMatchObject({ totalCount: 6 })
  await page.getByText('1 decided otherwise').waitFor()
  await page.getByRole('button', { name: 'Back to defaults' }).click()
  await said(page, 'Everything is decided as by default.')
  await page.getByText('0 decided otherwise').waitFor()
  expect(await answered(`${baseUrl}${products}`)).toBeInstanceOf(Array)
  expectQuiet(console)
})

it('decides in the session of the page only, whose reference it leads to', async () => {
  const { page, url, baseUrl, sandbox } = await open()
  sandbox.session({ id: 'mine' })
  await page.goto(`${url}/_sandbox?session=mine${at}`)
  await card(page, 'A-05').getByLabel('{ "message", "statusCode" }').check()
  await card(page, 'A-05').getByText('decided otherwise').waitFor()
  const mine = `${url}/_sandbox/sessions/mine/v1`
  expect(await answered(`${mine}/nowhere`)).toMatchObject({ statusCode: 404 })
  expect(await answered(`${baseUrl}/nowhere`)).toMatchObject({ code: 'not_found' })
  const reference = page.getByRole('main').getByRole('link', { name: 'reference' })
  expect(await reference.getAttribute('href')).toBe('/docs?session=mine')
})

it('decides of each operation by itself', async () => {
  const { page, baseUrl } = await open({ at })
  await card(page, 'A-02').getByText('each by itself').click()
  await card(page, 'A-02').getByLabel('listProducts', { exact: true }).check()
  await card(page, 'A-02').getByText('decided otherwise').waitFor()
  expect(await answered(`${baseUrl}${products}`)).toMatchObject({ totalCount: 6 })
  expect(await answered(`${baseUrl}/organizations/harbor/members`)).toBeInstanceOf(Array)
  await card(page, 'A-02').getByLabel('listProducts', { exact: true }).uncheck()
  await card(page, 'A-02').getByText('decided otherwise').waitFor({ state: 'hidden' })
})

it('takes names of one’s own, and says at the field what is wrong with them', async () => {
  const { page, baseUrl } = await open({ at: `${at}?id=A-10` })
  const names = card(page, 'A-10').getByRole('textbox', { name: /Other names/ })
  await names.fill('a, b, a')
  await names.press('Enter')
  await card(page, 'A-10').getByText('must have each name once').waitFor()
  expect(await page.evaluate('document.activeElement.name')).toBe('signalStatuses')
  await names.fill('a, b, c, <d>')
  await names.press('Enter')
  await card(page, 'A-10').getByText('decided otherwise').waitFor()
  const path = `${baseUrl}/organizations/harbor/signals?scope=all&limit=250`
  const { items } = (await answered(path)) as { readonly items: readonly { readonly status: string }[] }
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['a', 'b', 'c', '<d>']))
})

it('finds by text, keeps that in the address, and shows what cannot be decided as such', async () => {
  const { page } = await open({ at })
  await shown(page).nth(38).waitFor()
  expect(await shown(page).count()).toBe(39)
  await page.getByLabel('Filter').fill('rate limits')
  await page.waitForURL(/text=rate\+limits/)
  expect(await shown(page).allTextContents()).toEqual(['A-36 Rate limits '])
  await card(page, 'A-36').getByText('cannot be decided otherwise').waitFor()
  expect(await card(page, 'A-36').getByRole('radio').count()).toBe(0)
  await page.reload()
  await shown(page).first().waitFor()
  expect(await shown(page).count()).toBe(1)
  await page.getByLabel('Filter').fill('nothing like it')
  await page.getByText('None is like this.').waitFor()
})

it('shows only those on which requests rest, and which requests, as they arrive', async () => {
  const { page, baseUrl } = await open({ at })
  await page.getByLabel('Show').selectOption('only those used')
  await page.getByText('None is like this.').waitFor()
  await settled(page)
  await answered(`${baseUrl}${products}`)
  await card(page, 'A-02').getByText('by 1 request to listProducts').waitFor()
  expect(await shown(page).count()).toBeLessThan(10)
  await card(page, 'A-02').getByRole('link', { name: '1', exact: true }).click()
  await page.waitForURL(/#\/requests\/1$/)
})

it('scrolls to the one that the address names, and marks it', async () => {
  const { page } = await open({ at: `${at}?id=A-33` })
  const marked = page.locator('[aria-current=true]')
  await marked.waitFor()
  expect(await marked.textContent()).toBe('A-33')
  const place = "document.querySelector('[aria-current=true]').closest('li').getBoundingClientRect()"
  expect(await page.evaluate(`${place}.top >= 0 && ${place}.bottom <= innerHeight`)).toBe(true)
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^A-33/)
  await page.evaluate("location.hash = '#/steer/assumptions?id=A-03'")
  await expectSoon(page, "document.activeElement.textContent.startsWith('A-03')")
})

it('has nothing for axe to mend, and nothing beyond the edge', async () => {
  for (const browser of windows) {
    const console = await open({
      at: `${at}?id=A-07`,
      browser,
    })
    const { page, baseUrl } = console
    await settled(page)
    await answered(`${baseUrl}${products}`)
    await card(page, 'A-05').getByLabel('{ "message", "statusCode" }').check()
    await page.getByText('each by itself').click()
    await card(page, 'A-07').getByText('as curl').click()
    await card(page, 'A-02').getByText('by 1 request').waitFor()
    await settled(page)
    await expectAccessible(page)
    await expectFits(page)
    expectQuiet(console)
  }
})
