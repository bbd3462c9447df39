import { it } from 'vitest'

import { open, waitUntilSettled, windows, itFits, expectWithin } from './support.ts'

for (const at of ['customers?segment=SMB&city=Bath', 'signals', 'changes', 'customers/1', 'meetings/1']) {
  itFits(`#/data/${at}`, async ({ page, sandbox }) => {
    await sandbox.data.customers.patch(1, { segment: 'Strategic' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waitUntilSettled(page)
  })
}

itFits('#/data/signals/1', async ({ page }) => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog', { name: 'Edit signal 1' }).waitFor()
})

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
      await expectWithin(page)
    }
  }
})
