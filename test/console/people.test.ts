import { expect, it } from 'vitest'

import { home, open, expectFits } from './support.ts'

interface Counted {
  readonly totalCount: number
}

it('lists members with role and token, and how many records each sees, with links to them', async () => {
  const { page, sandbox, get } = await open({ at: '#/start' })
  const mara = page.getByRole('row', { name: /Mara Ellis/ })
  await mara.getByText('…').first().waitFor({ state: 'detached' })
  const total = async (path: string): Promise<string> => {
    return `${(await get<Counted>(`${home}/${path}`)).totalCount}`
  }
  const cells = await mara.getByRole('cell').allTextContents()
  expect(cells.map((text) => text.trim())).toEqual([
    'Customer Success Manager',
    'harbor',
    'sbx_harbor_1',
    await total('customers?scope=mine'),
    await total('customers?scope=team'),
    await total('customers'),
    await total('signals?scope=mine'),
    await total('signals?scope=team'),
    await total('signals'),
  ])
  for (const token of sandbox.credentials.invalidTokens) {
    await page.getByRole('button', { name: `Copy the token ${token}` }).waitFor()
  }
  await page.getByRole('radio', { name: 'Theo Brandt' }).check()
  await expectFits(page)
  await page
    .getByRole('row', { name: /Theo Brandt/ })
    .getByRole('link')
    .first()
    .click()
  await expect.poll(() => page.url()).toMatch(/#\/data\/customers\?member=2&scope=mine$/)
})

it('says how many members it does not show, and shows them', async () => {
  const { page, sandbox } = await open({ at: '#/start', sandbox: { size: 'medium' } })
  const count = sandbox.credentials.organizations.flatMap(({ members }) => members).length
  await expect.poll(() => page.getByRole('radio').count()).toBe(12)
  await page.getByRole('button', { name: `Show ${count - 12} more` }).click()
  await expect.poll(() => page.getByRole('radio').count()).toBe(count)
})

it('says in the data what one member sees in a list and another does not', async () => {
  const { page } = await open({ at: '#/data/customers?member=1&scope=mine' })
  await page.getByRole('button', { name: 'Compare members' }).click()
  await page
    .getByRole('combobox', { name: 'Member' })
    .selectOption('Jonas Weber · Revenue Operations Analyst')
  const compared = page.getByRole('region', { name: 'As another member' })
  await expect
    .poll(() => compared.getByRole('heading').allTextContents())
    .toEqual(['0 records would be added', expect.stringMatching(/^[1-9]\d* records would be missing$/)])
})
