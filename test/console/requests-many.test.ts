import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { detailOf, idsOf, listOf, rowOf, rowsOf, sender } from './requests-support.ts'
import { expectQuiet, expectSoon, settled, type Console, useConsole } from './support.ts'

const open = useConsole()

/** A console over a full journal: the page knows 1,000 requests. */
async function openFull(): Promise<Console> {
  const console = await open()
  const { page, sandbox, url } = console
  for (let count = 0; count < 1_000; count += 1) {
    await sandbox.fetch(new Request('http://sandbox/v1/members/me'))
  }
  await page.goto(`${url}/_sandbox#/requests`)
  await page.reload()
  await settled(page)
  await rowOf(page, 1_000).waitFor()
  return console
}

/** Sends as many requests as that, one after the other: the page hears of them in several batches. */
async function pour({ baseUrl }: Console, count: number): Promise<void> {
  const send = sender(baseUrl)
  for (let index = 0; index < count; index += 1) await send('/members/me')
}

/** Where a row is on the screen. */
const topOf = async (page: Page, id: number) => (await rowOf(page, id).boundingBox())?.y

/** What became of the rows. */
interface Watched {
  readonly added: number
  readonly removed: number
  /** Changes of rows that were there, and stayed. */
  readonly changed: number
}

/** Watches the rows until the function that it gives is called. */
async function watch(page: Page): Promise<() => Promise<Watched>> {
  await page.evaluate(`
    window.watched = { added: 0, removed: 0, changed: 0 }
    window.watcher = new MutationObserver((records) => {
      for (const { target, addedNodes, removedNodes } of records) {
        const element = target.nodeType === 1 ? target : target.parentElement
        if (element.closest('tbody tr')) watched.changed += 1
        watched.added += addedNodes.length
        watched.removed += removedNodes.length
      }
    })
    const all = { subtree: true, childList: true, attributes: true, characterData: true }
    watcher.observe(document.querySelector('[role=grid]'), all)`)
  return async () => {
    await page.evaluate('watcher.disconnect()')
    return page.evaluate('watched')
  }
}

it('renders few of a thousand rows, and of those that come each once', async () => {
  const console = await openFull()
  const { page } = console
  const watched = await watch(page)
  for (let last = 1_010; last <= 1_050; last += 10) {
    await pour(console, 10)
    await rowOf(page, last).waitFor()
  }
  expect(await watched()).toEqual({ added: 50, removed: 50, changed: 0 })
  const ids = await idsOf(page)
  expect(ids.length).toBeLessThan(80)
  expect(ids).toEqual(ids.map((_, index) => 1_050 - index))
  expect(await page.getByText('1,000', { exact: true }).isVisible()).toBe(true)
  expectQuiet(console)
})

it('stays where it was scrolled to while others come, counts them, and leads to them', async () => {
  const console = await openFull()
  const { page } = console
  await listOf(page).hover()
  await page.mouse.wheel(0, 10_000)
  await rowOf(page, 700).waitFor()
  const before = await topOf(page, 700)
  const watched = await watch(page)
  await pour(console, 50)
  await page.getByRole('button', { name: '50 new' }).waitFor()
  expect(await watched()).toMatchObject({ added: 0, removed: 0, changed: 0 })
  expect(await topOf(page, 700)).toBe(before)
  await page.getByRole('button', { name: '50 new' }).click()
  await rowOf(page, 1_050).waitFor()
  expect(await page.getByRole('button', { name: 'new' }).count()).toBe(0)
})

it('leaves the row that has the focus where it is while others come', async () => {
  const console = await openFull()
  const { page } = console
  await rowOf(page, 997).getByRole('link').click()
  await detailOf(page, 997).waitFor()
  const before = await topOf(page, 997)
  await pour(console, 50)
  await page.getByRole('button', { name: '50 new' }).waitFor()
  expect(await topOf(page, 997)).toBe(before)
  expect(
    await rowsOf(page)
      .filter({ has: page.locator(':focus') })
      .getAttribute('data-id'),
  ).toBe('997')
  await page.keyboard.press('ArrowUp')
  await detailOf(page, 998).waitFor()
})

it('shows every row by scrolling, and keeps the focus of one that is out of view', async () => {
  const console = await openFull()
  const { page } = console
  await listOf(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.evaluate("document.querySelector('[role=grid]').scrollTop = 1e9")
  await rowOf(page, 1).waitFor()
  const ids = await idsOf(page)
  expect(ids.slice(-20)).toEqual(Array.from({ length: 20 }, (_, index) => 20 - index))
  await page.keyboard.press('ArrowDown')
  await expectSoon(page, "document.activeElement.closest('tr')?.dataset.id === '999'")
})

it('goes on following once the journal is full, over one connection', async () => {
  const console = await openFull()
  const { page, sandbox, url, requests } = console
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  const paths = [
    '/members/me',
    '/organizations/harbor/customers?limit=2',
    '/organizations/harbor/products',
    '/nowhere',
  ]
  // A list that is read in part is warned of again and again, at its first request: that is gone by now.
  for (let count = 0; count < 2_000; count += 1) {
    const path = paths[count % paths.length] ?? ''
    await sandbox.fetch(new Request(`http://sandbox/v1${path}`, { headers }))
    if (count % 100 === 0) await rowOf(page, 1_001 + count).waitFor()
  }
  await rowOf(page, 3_000).waitFor()
  await settled(page)
  const streams = requests.filter((address) => address === `${url}/_sandbox/requests/stream`)
  // One each for the page as it was opened, led to the requests, and reloaded.
  expect(streams.length).toBeLessThanOrEqual(4)
  await rowOf(page, 3_000).getByRole('link').click()
  await detailOf(page, 3_000).getByRole('heading', { name: 'Send it again' }).waitFor()
})
