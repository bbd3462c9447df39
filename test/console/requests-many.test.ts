import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { findDetails, readIds, findList, findRow, findRows, createSender } from './requests-support.ts'
import { expectQuiet, expectSoon, waitUntilSettled, type Console, useConsole } from './support.ts'

const open = useConsole()

/** Opens a console with a full journal of 1,000 requests. */
async function openFull(): Promise<Console> {
  const console = await open()
  const { page, sandbox, url } = console
  for (let count = 0; count < 1_000; count += 1) {
    await sandbox.fetch(new Request('http://sandbox/v1/members/me'))
  }
  await page.goto(`${url}/_sandbox#/traffic`)
  await page.reload()
  await waitUntilSettled(page)
  await findRow(page, 1_000).waitFor()
  return console
}

/** Sends requests one after the other, so that the page receives them in several batches. */
async function sendMany({ baseUrl }: Console, count: number): Promise<void> {
  const send = createSender(baseUrl)
  for (let index = 0; index < count; index += 1) await send('/members/me')
}

/** Measures the vertical position of a row within the list. */
const measureTop = (page: Page, id: number): Promise<number> =>
  page.evaluate(`
    document.querySelector('[data-id="${id}"]').getBoundingClientRect().top -
    document.querySelector('[role=grid]').getBoundingClientRect().top`)

/** The changes of rows. */
interface Watched {
  readonly added: number
  readonly removed: number
  /** Changes within rows that were there before, and stayed. */
  readonly changed: number
}

/** Watches the rows until the returned function is called. */
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

it('renders few of a thousand rows, and each new one once', async () => {
  const console = await openFull()
  const { page } = console
  const watched = await watch(page)
  for (let last = 1_010; last <= 1_050; last += 10) {
    await sendMany(console, 10)
    await findRow(page, last).waitFor()
  }
  expect(await watched()).toEqual({ added: 50, removed: 50, changed: 0 })
  const ids = await readIds(page)
  expect(ids.length).toBeLessThan(80)
  expect(ids).toEqual(ids.map((_, index) => 1_050 - index))
  await expect.poll(() => page.getByText('1,000', { exact: true }).isVisible()).toBe(true)
  expectQuiet(console)
})

it('keeps its scroll position while requests arrive, counts them, and scrolls to them on demand', async () => {
  const console = await openFull()
  const { page } = console
  await page.evaluate("document.querySelector('[role=grid]').scrollTop = 10_000")
  await findRow(page, 700).waitFor()
  const before = await measureTop(page, 700)
  const watched = await watch(page)
  await sendMany(console, 50)
  await page.getByRole('button', { name: '50 new' }).waitFor()
  expect(await watched()).toMatchObject({ added: 0, removed: 0, changed: 0 })
  expect(await measureTop(page, 700)).toBe(before)
  await page.getByRole('button', { name: '50 new' }).click()
  await findRow(page, 1_050).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'new' }).count()).toBe(0)
})

it('keeps the focused row in its place while requests arrive', async () => {
  const console = await openFull()
  const { page } = console
  await findRow(page, 997).getByRole('link').click()
  await findDetails(page, 997).waitFor()
  const before = await measureTop(page, 997)
  await sendMany(console, 50)
  await page.getByRole('button', { name: '50 new' }).waitFor()
  expect(await measureTop(page, 997)).toBe(before)
  await expect
    .poll(() =>
      findRows(page)
        .filter({ has: page.locator(':focus') })
        .getAttribute('data-id'),
    )
    .toBe('997')
  await page.keyboard.press('ArrowUp')
  await findDetails(page, 998).waitFor()
})

it('shows every row by scrolling, and keeps the focus on a row that is out of view', async () => {
  const console = await openFull()
  const { page } = console
  await findList(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.evaluate("document.querySelector('[role=grid]').scrollTop = 1e9")
  await findRow(page, 1).waitFor()
  const ids = await readIds(page)
  expect(ids.slice(-20)).toEqual(Array.from({ length: 20 }, (_, index) => 20 - index))
  await page.keyboard.press('ArrowDown')
  await expectSoon(page, "document.activeElement.closest('tr')?.dataset.id === '999'")
})

it('continues to follow once the journal is full, over one connection', async () => {
  const console = await openFull()
  const { page, sandbox, url, requests } = console
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  const paths = [
    '/members/me',
    '/organizations/harbor/customers?limit=2',
    '/organizations/harbor/products',
    '/nowhere',
  ]
  // A partly read list causes warnings at its first request, which has left the journal by now.
  for (let count = 0; count < 2_000; count += 1) {
    const path = paths[count % paths.length] ?? ''
    await sandbox.fetch(new Request(`http://sandbox/v1${path}`, { headers }))
    if (count % 100 === 0) await findRow(page, 1_001 + count).waitFor()
  }
  await findRow(page, 3_000).waitFor()
  await waitUntilSettled(page)
  const streams = requests.filter((address) => address === `${url}/_sandbox/requests/stream`)
  // One each for opening the page, going to the requests, and reloading it.
  expect(streams.length).toBeLessThanOrEqual(4)
  await findRow(page, 3_000).getByRole('link').click()
  await findDetails(page, 3_000).getByRole('heading', { name: 'Send again' }).waitFor()
})
