import { expect } from '@playwright/test'

import { test } from './session.ts'

for (const name of ['one', 'another']) {
  test(`adds a note that only this test sees: ${name}`, async ({ page }) => {
    await page.goto('/')
    const notes = page.getByRole('listitem')
    await expect(notes.first()).toBeVisible()
    const before = await notes.count()
    await page.getByLabel('Note').fill('Called them')
    await page.getByRole('button').click()
    await expect(notes).toHaveCount(before + 1)
    await expect(page.getByText('Called them')).toHaveCount(1)
  })
}

test('shows an error if the note cannot be saved', async ({ page, session }) => {
  await session.control('faults', { operationId: 'createCustomerNote', status: 503 })
  await page.goto('/')
  await page.getByLabel('Note').fill('Lost')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toContainText('503')
  await expect(page.getByText('Lost')).toHaveCount(0)
})
