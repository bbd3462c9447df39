import { expect, it } from 'vitest'

import { expectAccessible, home, open, itFits } from './support.ts'

it('judges what was delivered, and marks the request that lost rows', async () => {
  const { page, send, sandbox } = await open({ at: '#/sync' })
  await page.getByText('Nothing to judge yet').waitFor()
  for (const offset of [0, 10]) await send(`${home}/customers?limit=10&offset=${offset}`)
  await page.getByText('What was delivered is not correct', { exact: true }).waitFor()
  const causes = page.getByRole('region', { name: 'Causes' })
  await causes.getByText('5 customers are missing.').waitFor()
  await causes.getByText('unread tail').waitFor()
  await page.getByRole('list').getByText('5 rows lost').waitFor()
  await causes.getByRole('link', { name: 'request 2' }).click()
  await page.waitForURL(/#\/traffic\/2$/)
  expect(sandbox.requests.list()).toHaveLength(2)
})

it('judges a copy in JSON, or in lines such as messages of Singer', async () => {
  const { page, send } = await open({ at: '#/sync' })
  const response = await send(`${home}/customers?limit=250`)
  const { items } = (await response.json()) as { readonly items: readonly { readonly id: number }[] }
  const [, ...rest] = items
  const messages = rest.map((record) => JSON.stringify({ type: 'RECORD', stream: 'customers', record }))
  for (const [name, text, verdict] of [
    ['copy.singer', messages.join('\n'), 'not correct'],
    ['copy.json', JSON.stringify({ customers: rest }, undefined, 2), 'not correct'],
    ['whole.json', JSON.stringify({ customers: items }), 'correct'],
  ] as const) {
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) }
    await page.getByLabel('Copy to judge').setInputFiles(file)
    await page.getByText(`${name} is ${verdict}`, { exact: true }).waitFor()
    await expect.poll(() => page.getByText('is missing: ').count()).toBe(verdict === 'correct' ? 0 : 1)
  }
})

it('says which file it cannot read, or why it cannot judge one, and what to choose instead', async () => {
  const { page, send } = await open({ at: '#/sync', failures: /400/ })
  const choose = (name: string, buffer: Buffer): Promise<void> =>
    page.getByLabel('Copy to judge').setInputFiles({ name, mimeType: 'text/plain', buffer })
  const alert = page.getByRole('alert')
  await choose('notes.txt', Buffer.from('Call them on Monday.'))
  await alert.getByText('must be JSON').waitFor()
  await page.getByRole('button', { name: 'Without notes.txt' }).waitFor()
  await page.getByText('JSON by collection, NDJSON, or the messages').waitFor()
  await choose('photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47]))
  await alert.getByText('must be UTF-8').waitFor()
  // It is not announced again with each request.
  await alert.evaluate((element: { id: string }) => (element.id = 'announced'))
  const judged = page.waitForResponse(/verdict/)
  await send('/members/me')
  await judged
  await page.locator('#announced').getByText('must be UTF-8').waitFor()
  // As for a folder that was dropped.
  await page.evaluate("Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('raw'))")
  await choose('copies', Buffer.from('{}'))
  await alert.getByText('Cannot read copies: it is a folder').waitFor()
  await expectAccessible(page)
})

itFits('#/sync', async ({ page, send }) => {
  for (const offset of [0, 10]) await send(`${home}/customers?limit=10&offset=${offset}`)
  await page.getByText('What was delivered is not correct', { exact: true }).waitFor()
})
