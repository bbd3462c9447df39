import { expect, it } from 'vitest'

import {
  expectAccessible,
  expectFits,
  expectQuiet,
  useConsole,
  waitUntilSettled,
  windows,
} from './support.ts'

const open = useConsole()

it.for(['customers?segment=SMB&city=Bath', 'signals', 'changes', 'customers/1', 'meetings/1'])(
  'is accessible and fits the window on %s',
  async (at) => {
    const console = await open({ at: `#/data/${at}` })
    const { page, sandbox } = console
    await sandbox.data.customers.patch(1, { segment: 'Strategic' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waitUntilSettled(page)
    for (const { viewport } of windows) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
        await expectFits(page)
      }
    }
    expectQuiet(console)
  },
)

it('keeps long texts without spaces within the page', async () => {
  const { page, sandbox, url } = await open()
  const long = 'x'.repeat(300)
  const sources = [{ key: long, externalId: long }]
  await sandbox.data.customers.patch(1, { name: long, segment: long, sources })
  for (const at of ['customers', 'customers/1', 'signals', `customers?segment=${long}`, 'changes']) {
    await page.goto(`${url}/_sandbox#/data/${at}`)
    await page.getByText(long).first().waitFor({ state: 'attached' })
    for (const { viewport } of windows) {
      await page.setViewportSize(viewport)
      await expectFits(page)
    }
  }
  await expect.poll(() => page.getByRole('main').isVisible()).toBe(true)
})

it('has an accessible form that fits the window', async () => {
  const { page } = await open({ at: '#/data/signals/1' })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog', { name: 'Edit signal 1' }).waitFor()
  for (const { viewport, colorScheme } of windows) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
    await expectFits(page)
  }
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})
