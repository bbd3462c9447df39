import { expect, it } from 'vitest'

import { expectAccessible, expectQuiet, useConsole } from './support.ts'
import { createSender, findDetails, home } from './traffic-support.ts'

const open = useConsole()

it('judges on demand what was delivered, and links each cause to its requests', async () => {
  const console = await open({ at: '#/traffic' })
  const { baseUrl, sandbox, page } = console
  const send = createSender(baseUrl)
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
  expectQuiet(console)
  expect(await page.getByText('pending').count()).toBe(1)
})
