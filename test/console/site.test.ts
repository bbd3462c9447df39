import { expect, it } from 'vitest'

import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { openPage } from '../entry-points/chromium.ts'
import { expectAccessible, expectFits, open, windows } from './support.ts'

it('says in plain words what to run while the docs are not built, also in the dark', async () => {
  const sandbox = await openSandbox({ size: 3 }, { builtFile: async () => undefined })
  const headers = { accept: 'text/html' }
  const response = await sandbox.fetch(new Request('http://sandbox/_sandbox/docs/', { headers }))
  expect(response.status).toBe(503)
  const page = await openPage(windows[0])
  // It reloads by itself, which axe does not like.
  await page.setContent((await response.text()).replace(/<meta http-equiv=.*?>/, ''))
  await page.getByRole('heading', { name: 'The documentation is not built yet' }).waitFor()
  await page.getByText('npm run build:docs', { exact: true }).waitFor()
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(22, 27, 33)')
  await expectAccessible(page)
})

it('shows all columns of a table of the documentation in a wide window', async () => {
  const { page, url } = await open({ window: windows[1] })
  for (const [name, column] of [
    ['reference/', 'Response'],
    ['configuration', 'Meaning'],
  ] as const) {
    await page.goto(`${url}/_sandbox/docs/${name}`)
    const table = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: column }) })
    const hidden = await table.first().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect({ name, hidden }).toEqual({ name, hidden: 0 })
  }
})

it('has one row of 44 pixels, and the brand, the docs and every chip on a phone, too', async () => {
  const { page, sandbox, url } = await open({ window: { viewport: { width: 400, height: 800 } } })
  sandbox.clock.advance('P30D')
  sandbox.faults.add({ status: 500 })
  sandbox.scenarios.add({ name: 'deleted' })
  await sandbox.data.customers.patch(1, { name: 'Tern & Co' })
  await fetch(`${url}/_sandbox/assumptions`, { method: 'PATCH', body: '{"errorFormat":"error"}' })
  const chips = page.getByRole('list', { name: 'Different from the start' }).getByRole('listitem')
  await expect.poll(() => chips.count()).toBe(5)
  const boxes = await Promise.all((await chips.all()).map((chip) => chip.boundingBox()))
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
  expect(Math.max(...boxes.map((box) => (box ? box.x + box.width : Infinity)))).toBeLessThan(400)
  for (const name of ['workspace-sandbox', 'Docs']) {
    const box = await page.getByRole('banner').getByRole('link', { name }).boundingBox()
    expect(box?.width).toBeGreaterThan(10)
    expect((box?.x ?? 400) + (box?.width ?? 400)).toBeLessThanOrEqual(400)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(async () => (await page.getByRole('banner').boundingBox())?.height).toBe(44)
  await expectFits(page)
})
