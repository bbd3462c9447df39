import { expect, it } from 'vitest'

import { allowFailures, expectAccessible, home, open } from './support.ts'
import { findDetails, findRow } from './traffic-support.ts'

it('judges on demand what was delivered, and links each cause to its requests', async () => {
  const { sandbox, page, send } = await open({ at: '#/traffic' })
  const { totalCount } = await (await send(`${home}/customers?limit=1`)).json()
  sandbox.requests.clear()
  await sandbox.reset()
  sandbox.scenarios.add({ name: 'page-drift', times: 1 })
  for (let offset = 0; offset < totalCount; offset += 10) {
    await send(`${home}/customers?limit=10&offset=${offset}`)
  }
  await page.getByRole('button', { name: 'Judge the sync' }).click()
  await page.getByText('What was delivered is not correct: 1 cause.').waitFor()
  await page.getByText('page_drift', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: '1', exact: true }).click()
  await findDetails(page, 1).waitFor()
  await findDetails(page, 1).getByText('rows_lost_in_walk').first().waitFor()
  expect(await page.getByText('pending').count()).toBe(1)
})

it('shows a foreign organization and the acts of scenarios in the row', async () => {
  allowFailures(/403/)
  const { page, send, sandbox } = await open({ at: '#/traffic' })
  await send('/organizations/quill/customers')
  await findRow(page, 1).getByText('quill', { exact: true }).waitFor()
  sandbox.scenarios.add({ name: 'silent-change', customerId: 5 })
  for (let count = 0; count < 2; count += 1) await send(`${home}/customers`)
  const acts = page.getByTitle(/^Scenario silent-change /)
  await expect.poll(() => acts.count()).toBeGreaterThan(0)
  await expect.poll(() => findRow(page, 1).textContent()).toContain("not the caller's")
})
