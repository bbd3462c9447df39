import { expect, it } from 'vitest'

import { expectFits, open } from './support.ts'

it('links to the docs', async () => {
  const { page, url } = await open()
  const link = page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Docs' })
  expect(await link.getAttribute('href')).toBe('/_sandbox/docs/')
  expect((await fetch(`${url}/_sandbox/docs/`)).status).not.toBe(403)
})

it('shows a tooltip at a touch, and that of a button at a long one', async () => {
  const { page } = await open({ at: '#/control/clock', browser: { hasTouch: true } })
  await page.getByTitle('2026-01-15T12:00:00.000Z').first().tap()
  await expect.poll(() => page.getByRole('status').getByText('2026-01-15T12:00:00.000Z').count()).toBe(1)
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
