import { expect, it } from 'vitest'

import { home, open, expectFits } from './support.ts'

interface Counted {
  readonly totalCount: number
}

it('lists everyone below their manager, with token, role, and links to the records that they see', async () => {
  const { page, sandbox, get } = await open({ at: '#/people' })
  const mara = page.getByRole('row', { name: /Mara Ellis/ })
  await mara.waitFor()
  await mara.getByText('…').first().waitFor({ state: 'detached' })
  const total = async (path: string): Promise<string> => {
    return `${(await get<Counted>(`${home}/${path}`)).totalCount}`
  }
  const cells = await mara.getByRole('cell').allTextContents()
  expect(cells.map((text) => text.trim())).toEqual([
    'Customer Success Manager',
    'sbx_harbor_1',
    await total('customers?scope=mine'),
    await total('customers?scope=team'),
    await total('customers'),
    await total('signals?scope=mine'),
    await total('signals?scope=team'),
    await total('signals'),
  ])
  const names = await page
    .getByRole('radio')
    .evaluateAll((radios) => radios.map((radio) => radio.parentElement?.textContent))
  expect(names.slice(0, 3).map((name) => name?.trim())).toEqual(['Helen Ward', 'Nadia Osman', 'Mara Ellis'])
  for (const token of sandbox.credentials.invalidTokens) {
    await page.getByRole('button', { name: `Copy the token ${token}` }).waitFor()
  }
  await page.getByRole('radio', { name: 'Theo Brandt' }).check()
  await expectFits(page)
  await page
    .getByRole('row', { name: /Theo Brandt/ })
    .getByRole('link')
    .nth(1)
    .click()
  await expect.poll(() => page.url()).toMatch(/#\/data\/customers\?member=2&scope=mine$/)
})

it('finds a member by any words, and copies a token', async () => {
  const { page } = await open({
    at: '#/people',
    sandbox: { size: 'medium' },
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  })
  await page.getByRole('radio').first().waitFor()
  expect(await page.getByRole('radio').count()).toBe(37)
  await page.keyboard.press('/')
  await page.keyboard.type('osman lead')
  await expect.poll(() => page.getByRole('radio').count()).toBe(1)
  await page.getByRole('button', { name: 'Copy the token of Nadia Osman' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('sbx_harbor_4')
  await page.getByLabel('Find a member').fill('nobody')
  await page.getByText('No members match.').waitFor()
})
