import { expect, it } from 'vitest'

import { home, open, expectAccessible } from './support.ts'
import { findDetails } from './traffic-support.ts'

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
