import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { expectFits, expectWithin, home, open } from './support.ts'
import { findRow } from './traffic-support.ts'

const run = promisify(execFile)

const card = (page: Page, name: string) => page.getByRole('region', { name })
const readCommand = async (page: Page): Promise<string> =>
  (await card(page, 'Call the service').locator('pre').textContent()) ?? ''

it('shows the base URL and a token at once, copies them, and has few buttons', async () => {
  const { page, url, baseUrl } = await open()
  await page.getByRole('button', { name: 'Copy the base URL' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(baseUrl)
  expect(baseUrl).toBe(`${url}/v1`)
  await page.getByText('Copied the base URL.').waitFor()
  await page.getByRole('button', { name: 'Copy the token', exact: true }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('sbx_harbor_1')
  expect(await card(page, 'Call the service').locator('button').count()).toBe(4)
})

it('has a command that works unchanged, as the selected member, whom every link keeps', async () => {
  const { page } = await open()
  await page.getByRole('combobox', { name: 'As' }).selectOption('Omar Haddad (quill)')
  await expect.poll(() => readCommand(page)).toContain('/organizations/quill/customers')
  expect((await run('sh', ['-c', await readCommand(page)])).stdout).toContain('"totalCount"')
  await page.reload()
  await expect.poll(() => readCommand(page)).toContain('Bearer sbx_quill_501')
  const data = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Data' })
  await expect.poll(() => data.getAttribute('href')).toBe('#/data?member=501')
})

it('makes a real request, and leads to what was recorded of it', async () => {
  const { page, sandbox } = await open({ failures: /418/ })
  sandbox.faults.add({ status: 418, times: 1 })
  for (const [id, status] of [
    [1, '418'],
    [2, '200'],
  ] as const) {
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByRole('status').getByText(status, { exact: true }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Traffic' }).click()
    // Under the pointer, new rows would wait.
    await page.mouse.move(0, 0)
    // The row also has its time of day, whose milliseconds may be these digits.
    await findRow(page, id).getByText(status, { exact: true }).waitFor()
    await page.goBack()
  }
  expect(sandbox.requests.list().map(({ status }) => status)).toEqual([418, 200])
})

it('uses the base URL of its session in the command', async () => {
  const { page, sandbox, url } = await open()
  const session = sandbox.session({ name: 'checkout' })
  await page.goto(`${url}/_sandbox?session=${session.id}`)
  await expect
    .poll(() => readCommand(page))
    .toContain(`${url}/_sandbox/sessions/${session.id}/v1/organizations/harbor/`)
  await run('sh', ['-c', await readCommand(page)])
  expect(session.requests.list()).toHaveLength(1)
})

it('lists members with role and token, and how many records each sees, with links to them', async () => {
  const { page, get } = await open()
  const mara = page.getByRole('row', { name: /Mara Ellis/ })
  const count = async (path: string): Promise<string> =>
    `${(await get<{ readonly totalCount: number }>(`${home}/${path}`)).totalCount}`
  const expected = [
    'Mara Ellis',
    'Customer Success Manager',
    'sbx_harbor_1',
    await count('customers?scope=mine'),
    await count('customers?scope=team'),
    await count('customers'),
    await count('signals?scope=mine'),
    await count('signals?scope=team'),
    await count('signals'),
  ]
  const readCells = async () => (await mara.getByRole('cell').allTextContents()).map((text) => text.trim())
  await expect.poll(readCells).toEqual(expected)
  await page
    .getByRole('row', { name: /Theo Brandt/ })
    .getByRole('link')
    .first()
    .click()
  await expect.poll(() => page.url()).toMatch(/#\/data\/customers\?member=2&scope=mine$/)
})

it('says how many members it does not show, shows them, and fits', async () => {
  const { page, sandbox } = await open({ sandbox: { size: 60 } })
  const count = sandbox.credentials.organizations.flatMap(({ members }) => members).length
  const rows = page.getByRole('row', { name: /sbx_/ })
  await expect.poll(() => rows.count()).toBe(12)
  await page.getByRole('button', { name: `Show ${count - 12} more` }).click()
  await expect.poll(() => rows.count()).toBe(count)
  await expectFits(page)
  await page.setViewportSize({ width: 1100, height: 800 })
  const [cell, copy] = [page.getByRole('cell', { name: 'sbx_harbor_10' }), { name: 'Copy the token of' }]
  const [outer, inner] = [await cell.boundingBox(), await cell.getByRole('button', copy).boundingBox()]
  expect((inner?.x ?? Infinity) + (inner?.width ?? 0)).toBeLessThanOrEqual(
    (outer?.x ?? 0) + (outer?.width ?? 0),
  )
  await page.setViewportSize({ width: 760, height: 900 })
  await expectWithin(page)
})
