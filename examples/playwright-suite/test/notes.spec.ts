import { createTest, expect } from 'workspace-sandbox/playwright'

/** Each test has a session of its own, which the page calls at `/v1`. */
const test = createTest({ size: 'small' })

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

test('shows an error if the note cannot be saved', async ({ page, sandbox }) => {
  await sandbox.faults.add({ operationId: 'createCustomerNote', status: 503 })
  await page.goto('/')
  await page.getByLabel('Note').fill('Lost')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toContainText('503')
  await expect(page.getByText('Lost')).toHaveCount(0)
  await expect(sandbox).toHaveReceived({ operationId: 'createCustomerNote', count: 1 })
})

test('shows a note that a colleague has written', async ({ page, sandbox }) => {
  await sandbox.data.notes.create([{ customerId: 1, createdById: 2, content: 'Renewal is at risk' }])
  await page.goto('/')
  await expect(page.getByText('Renewal is at risk')).toBeVisible()
})
