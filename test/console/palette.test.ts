import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { expectAccessible, open } from './support.ts'

/** Opens all actions, and runs the first that a text finds with this name: two clicks. */
async function runAction(page: Page, text: string, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'All actions' }).click()
  await page.keyboard.type(text)
  await page.getByRole('option', { name, exact: true }).first().click()
}

it('opens by a key, finds an action by its words, and runs it', async () => {
  const { page, sandbox } = await open()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Enter')
  await expect.poll(() => sandbox.faults.list()).toMatchObject([{ status: 503, times: 1 }])
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Action' }).fill('remove all')
  await page.getByRole('option', { name: 'Remove all faults', selected: true }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect.poll(() => sandbox.faults.list()).toEqual([])
  await runAction(page, '45 days', 'Advance the clock by 45 days')
  await page.getByText('+45 days').waitFor()
  await runAction(page, 'listSignals 502', 'Fail the next listSignals with 502')
  await expect.poll(() => sandbox.faults.list()).toMatchObject([{ operationId: 'listSignals', status: 502 }])
})

it('finds an action for every example in its field', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'All actions' }).click()
  const field = page.getByRole('combobox', { name: 'Action' })
  const [examples = ''] = (await field.getAttribute('placeholder'))?.split(', a member') ?? []
  for (const example of examples.split(', ')) {
    await field.fill(example)
    const words = example.split(' ').map((word) => `(?=.*${word})`)
    const found = page.getByRole('option', { name: new RegExp(words.join(''), 'i') })
    await expect.poll(() => found.count(), { message: `for ${example}` }).toBeGreaterThan(0)
  }
})

it('leads to requests by a status, and to records by an id, a name, or a parameter', async () => {
  const { page } = await open()
  for (const [text, name, to] of [
    ['404', 'Show requests with status 404', /#\/traffic\?status=404$/],
    ['4xx', 'Show requests with status 4xx', /#\/traffic\?status=4xx$/],
    ['larkspur', /Larkspur Foods/, /#\/data\/customers\/1$/],
    ['signal 1', /^Open signal .* \(1\)$/, /#\/data\/signals\/1$/],
    ['customers scope mine', 'Filter customers by scope: mine', /#\/data\/customers\?scope=mine$/],
    ['signals status', 'Filter signals by status', /#\/data\/signals/],
  ] as const) {
    await runAction(page, text, name)
    await expect.poll(() => page.url()).toMatch(to)
  }
  await page.getByRole('main').getByLabel('status', { exact: true }).waitFor()
})

it('forks the session and uses the copy in two clicks', async () => {
  const { page } = await open()
  await runAction(page, 'fork', /^Fork this session/)
  await expect.poll(() => page.url()).toMatch(/session=session-1/)
})

it('finds a page of the docs in two clicks', async () => {
  const { page } = await open()
  await runAction(page, 'docs living', 'Open the docs: living tenant')
  await expect.poll(() => page.url()).toMatch(/docs\/living-tenant$/)
})

it('chooses the last of all actions by keyboard, and sees it', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'All actions' }).click()
  await page.keyboard.press('ArrowUp')
  const list = page.getByRole('listbox')
  await expect
    .poll(async () => {
      const selected = await list.getByRole('option', { selected: true }).boundingBox()
      const { y, height } = (await list.boundingBox()) ?? { y: 0, height: 0 }
      return selected !== null && selected.y + selected.height <= y + height + 1
    })
    .toBe(true)
})
