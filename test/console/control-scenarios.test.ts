import { expect, it } from 'vitest'

import { open, expectStatus, itFits } from './support.ts'

const at = '#/control/scenarios'

it('adds a scenario with a click, shows that it has acted, and removes it', async () => {
  const { page, sandbox, send } = await open({ at })
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('page-drift')
  await page.getByRole('button', { name: 'Add scenario' }).click()
  await expectStatus(page, 'Added page-drift.')
  await send('/organizations/harbor/customers?limit=3')
  const active = page.getByRole('region', { name: 'Scenarios (1)' })
  await active.getByText('It has acted on 1 of 1 request').waitFor()
  expect(await active.getByRole('link', { name: 'request 1' }).getAttribute('href')).toBe('#/traffic/1')
  await active.getByRole('button', { name: 'Remove scenario-1' }).click()
  await page.getByText('No scenarios are active.').waitFor()
  expect(sandbox.scenarios.list()).toEqual([])
})

it('adds a scenario with other options, with an error at its field', async () => {
  const { page, sandbox } = await open({ at, failures: /400/ })
  const form = page.getByRole('form', { name: 'Add a scenario' })
  await form.getByLabel('Scenario').selectOption('deleted')
  await form.getByLabel('Customer id').fill('999999')
  await form.getByRole('button', { name: 'Add scenario' }).click()
  await form.getByText('must be the id of a customer').waitFor()
  await form.getByLabel('Customer id').fill('3')
  await form.getByRole('button', { name: 'Add scenario' }).click()
  await expect.poll(() => sandbox.scenarios.list()).toMatchObject([{ name: 'deleted', customerId: 3 }])
})

itFits(at, async ({ page }) => {
  await page.getByRole('button', { name: 'Add scenario' }).click()
  await page.getByText('It has acted on 0 of 0 requests').waitFor()
})
