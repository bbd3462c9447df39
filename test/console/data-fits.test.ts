import { expect, it } from 'vitest'

import { open, waitUntilSettled, windows, expectFits, expectWithin } from './support.ts'

it('fits a narrow dark and a wide light window, and is accessible, at lists, records and a form', async () => {
  const { page, sandbox, url } = await open({ at: '#/data', window: windows[0] })
  await sandbox.data.customers.patch(1, { segment: 'Strategic' })
  for (const at of ['customers?segment=SMB&city=Bath', 'changes', 'customers/1', 'meetings/1']) {
    await page.goto(`${url}/_sandbox#/data/${at}`)
    await waitUntilSettled(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectFits(page)
  }
  await page.goto(`${url}/_sandbox#/data/signals/1`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog', { name: 'Edit signal 1' }).waitFor()
  await expectFits(page)
})

it('keeps long texts without spaces within the page', async () => {
  const { page, sandbox, url } = await open()
  const long = 'x'.repeat(300)
  const sources = [{ key: long, externalId: long }]
  await sandbox.data.customers.patch(1, { name: long, segment: long, sources })
  for (const at of ['customers', 'customers/1', 'signals', `customers?segment=${long}`, 'changes']) {
    await page.goto(`${url}/_sandbox#/data/${at}`)
    // A long name is cut off.
    await page.getByText(long.slice(0, 120)).first().waitFor({ state: 'attached' })
    for (const { viewport } of windows) {
      await page.setViewportSize(viewport)
      await expectWithin(page)
    }
  }
})

it('gives each column a width that shows something of it, and the rest to the longest', async () => {
  const { page, url } = await open()
  const widthOf = async (name: string): Promise<number> =>
    (await page.getByRole('columnheader', { name, exact: true }).boundingBox())?.width ?? 0
  await page.setViewportSize({ width: 1_000, height: 700 })
  await page.goto(`${url}/_sandbox#/start`)
  await expect.poll(() => widthOf('Role')).toBeGreaterThan(60)
  for (const [width, at, name, least] of [
    [1_000, 'automations', 'name', 400],
    [1_000, 'signals', 'customerId', 90],
    [1_000, 'meetings', 'members', 90],
    [1_250, 'meetings', 'members', 90],
    [400, 'meetings', 'topic', 250],
    [400, 'members', 'lastName', 100],
  ] as const) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(`${url}/_sandbox#/data/${at}`)
    await expect.poll(() => widthOf(name)).toBeGreaterThan(least)
    expect(await widthOf('id')).toBeLessThan(80)
  }
})
