import { createTest, expect } from 'workspace-sandbox/playwright'

const test = createTest()

for (const name of ['Harbour Works', 'Mill & Sons']) {
  test(`the server renders what only this test sees: ${name}`, async ({ page, sandbox }) => {
    await sandbox.data.customers.patch(1, { name })
    for (let count = 1; count <= 5; count += 1) {
      await page.goto('/')
      await expect(page.getByRole('heading')).toHaveText(name)
    }
    await expect(sandbox).toHaveReceived({ operationId: 'getCustomer', count: 5 })
  })
}
