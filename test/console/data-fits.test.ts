import { expect, it } from 'vitest'

import { expectAccessible, expectFits, expectQuiet, waitUntilSettled, useConsole } from './support.ts'

const open = useConsole()

const looks = [
  { width: 1600, colorScheme: 'light' },
  { width: 400, colorScheme: 'dark' },
] as const

it.for(['briefContents', 'tree', 'changes', 'customers/12', 'meetings/1'])(
  'is accessible and fits the window on %s',
  async (at) => {
    const console = await open({ at: `#/data/${at}` })
    const { page } = console
    await waitUntilSettled(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
      await expectFits(page)
    }
    expectQuiet(console)
  },
)

it('keeps long texts without spaces within the page', async () => {
  const { page, sandbox, url } = await open()
  const long = 'x'.repeat(300)
  await sandbox.data.customers.patch(1, {
    name: long,
    segment: long,
    sources: [{ key: long, externalId: long }],
  })
  for (const at of ['customers', 'customers/1', 'signals', 'meetings?customerId=1']) {
    await page.goto(`${url}/_sandbox#/data/${at}`)
    await page.getByText(long).first().waitFor({ state: 'attached' })
    for (const { width } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await expectFits(page)
    }
  }
  await expect.poll(() => page.getByRole('main').isVisible()).toBe(true)
})

it('has accessible dialogs that fit the window', async () => {
  const { page } = await open({ at: '#/data/signals/1' })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit signal 1' })
  for (const tab of ['Fields', 'Replace (PUT)']) {
    await dialog.getByRole('tab', { name: tab }).click()
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
      await expectFits(page)
    }
  }
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})
