import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { allowFailures, expectFits, open, waitUntilSettled } from './support.ts'

/** Reads the links between the pages of the site. */
const readLinks = (page: Page) =>
  page.getByRole('banner').getByRole('navigation', { name: 'Site' }).getByRole('link').allTextContents()

it('names the site’s pages alike on all of them, which keep the session and the admin token', async () => {
  allowFailures(/401/)
  const { page, sandbox, url } = await open({ sandbox: { adminToken: 'secret' } })
  sandbox.session({ id: 'mine' })
  await page.goto(`${url}/_sandbox?session=mine`)
  await page.getByLabel('Token').fill('secret')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await waitUntilSettled(page)
  const site = page.getByRole('navigation', { name: 'Site' })
  for (const [name, path] of [
    ['Docs', '/docs/getting-started'],
    ['API reference', '/docs'],
    ['Console', '/_sandbox'],
  ] as const) {
    await site.getByRole('link', { name }).click()
    await page.waitForURL(`${url}${path}?session=mine`)
    expect(await readLinks(page)).toEqual(
      name === 'Console' ? ['Docs'] : ['Console', 'Docs', 'API reference'],
    )
    if (name === 'API reference') await page.getByLabel('Call as').and(page.locator(':enabled')).waitFor()
  }
  await waitUntilSettled(page)
})

it('shows a tooltip at a touch, and that of a button at a long one', async () => {
  const { page } = await open({ at: '#/people', browser: { hasTouch: true } })
  await page.getByTitle('Select a member to see').tap()
  await expect.poll(() => page.getByRole('status').getByText('Select a member to see').count()).toBe(1)
  await page.evaluate(`document.querySelector('[title="Ctrl K"]').dispatchEvent(
    new PointerEvent('contextmenu', { bubbles: true, pointerType: 'touch' }))`)
  await expect.poll(() => page.getByRole('status').getByText('Ctrl K').count()).toBe(1)
})

it('has one row of 44 pixels, or two on a phone, with every chip', async () => {
  const { page, sandbox, url } = await open({ browser: { viewport: { width: 400, height: 800 } } })
  sandbox.clock.advance('P30D')
  sandbox.faults.add({ status: 500 })
  sandbox.scenarios.add({ name: 'deleted' })
  await sandbox.data.customers.patch(1, { name: 'Tern & Co' })
  await fetch(`${url}/_sandbox/assumptions`, { method: 'PATCH', body: '{"errorFormat":"error"}' })
  const chips = page.getByRole('list', { name: 'Different from the start' }).getByRole('listitem')
  await expect.poll(() => chips.count()).toBe(5)
  const boxes = await Promise.all((await chips.all()).map((chip) => chip.boundingBox()))
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
  const live = await page.getByText('live', { exact: true }).boundingBox()
  expect(Math.max(...boxes.map((box) => (box ? box.x + box.width : Infinity)))).toBeLessThan(live?.x ?? 0)
  expect((await page.getByRole('banner').boundingBox())?.height).toBe(76)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(async () => (await page.getByRole('banner').boundingBox())?.height).toBe(44)
  await expectFits(page)
})
