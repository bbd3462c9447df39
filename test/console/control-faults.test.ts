import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { open, itFits, expectStatus, expectFocus, expectSoon } from './support.ts'

const at = '#/control/faults'
const me = '/members/me'
const customers = '/organizations/harbor/customers'

const list = (page: Page) => page.getByRole('region', { name: /^Faults/ }).getByRole('listitem')
const form = (page: Page) => page.getByRole('form', { name: 'Add a fault' })
const add = (page: Page) => form(page).getByRole('button', { name: 'Add fault' })

it('adds a fault after the others, as the API does, and shows what became of it', async () => {
  const { page, sandbox, send } = await open({ at })
  sandbox.faults.add({ status: 500, times: 1 })
  await add(page).click()
  await expectStatus(page, 'Added: The next request is answered with 503.')
  await list(page).getByText('The next request is answered with 503.').waitFor()
  for (const status of [500, 503, 200]) expect((await send(me)).status).toBe(status)
  // The count is that of the chip in the header.
  await page.getByRole('region', { name: 'Faults (0)' }).getByText('2 used up').click()
  await list(page).getByRole('link', { name: 'request 2' }).click()
  await page.waitForURL(/#\/traffic\/2$/)
})

it('has one form for each effect, which is useful at once, for all operations or one', async () => {
  const { page, sandbox } = await open({ at })
  for (const [effect, fault] of [
    ['Status', { status: 503, times: 1 }],
    ['Delay', { delayMs: 2_000 }],
    ['Rate limit', { rateLimit: { requests: 10, windowSeconds: 10 } }],
    ['Broken response', { malfunction: 'truncate', times: 1 }],
    ['Connection reset', { reset: true }],
    ['Hold', { gate: true, times: 1 }],
    ['Sequence', { sequence: [503, 503, 'pass'] }],
    ['Profile', { profile: 'flaky' }],
  ] as const) {
    await page.getByRole('button', { name: effect, exact: true }).click()
    await form(page).getByLabel('Operation').selectOption('listCustomers')
    await add(page).click()
    await expect
      .poll(() => sandbox.faults.list().at(-1))
      .toMatchObject({ ...fault, operationId: 'listCustomers' })
  }
})

it('gives every field of a fault the same width', async () => {
  const { page } = await open({ at })
  const measure = async (name: string) =>
    (await form(page).getByLabel(name, { exact: true }).boundingBox())?.width
  await expect.poll(() => measure('Operation')).toBe(await measure('Status'))
})

it('says in a sentence what each fault does', async () => {
  const { page, sandbox } = await open({ at })
  sandbox.faults.addAll([
    { status: 503, after: 2, times: 1 },
    { operationId: 'listSignals', delayMs: { min: 100, max: 900 } },
    { operationId: 'getMember', rateLimit: { requests: 10, windowSeconds: 60 } },
    { operationId: 'createCustomerNote', malfunction: 'truncate', stored: true, times: 3 },
    { operationId: 'listProducts', sequence: [503, 'pass'], repeat: true, probability: 0.5 },
  ])
  const readTexts = async () => (await list(page).allTextContents()).map((text) => text.replace('Remove', ''))
  await expect
    .poll(readTexts)
    .toEqual([
      'The next request is answered with 503, once 2 others have passed.',
      'All requests of listSignals are delayed by 100 to 900 ms.',
      'All requests of getMember are limited to 10 in 60 seconds.',
      'The next 3 requests of createCustomerNote are answered, but broken (truncate), after the service has handled them.',
      'All requests of listProducts are answered in turn by 503, pass, again and again, with probability 0.5.',
    ])
})

it('removes one fault or all, and moves the focus to their heading', async () => {
  const { page, sandbox } = await open({ at })
  for (const status of [500, 502, 503]) sandbox.faults.add({ status })
  await page.getByRole('button', { name: 'Remove fault-3' }).click()
  await expectStatus(page, 'Removed fault-3.')
  await expectFocus(page, 'textContent', 'Faults (2)')
  await page.getByRole('button', { name: 'Remove all', exact: true }).click()
  await page.getByText('No faults are active.').waitFor()
  expect(sandbox.faults.list()).toEqual([])
})

it('releases held requests with a click', async () => {
  const { page, sandbox, send } = await open({ at: '#/traffic' })
  sandbox.faults.add({ gate: true })
  const response = send(me)
  await page.getByRole('link', { name: '1 held' }).waitFor()
  await page.getByRole('button', { name: 'Release 1 held request' }).click()
  expect((await response).status).toBe(200)
  await page.getByRole('link', { name: '1 held' }).waitFor({ state: 'detached' })
  const second = send(me)
  await page.evaluate(`location.hash = '#/traffic/2'`)
  await page.getByRole('button', { name: 'Release', exact: true }).click()
  expect((await second).status).toBe(200)
})

it('creates a fault from everything that was entered', async () => {
  const { page, sandbox } = await open({ at })
  await page.getByRole('button', { name: 'Sequence' }).click()
  await form(page).getByLabel('Operation').selectOption('listCustomers')
  await form(page).getByLabel('Sequence').fill('503 pass, 418')
  await form(page).getByText('Path, probability').click()
  await expectSoon(page, `document.querySelector('[name=probability]').placeholder === '0.2'`)
  await form(page).getByLabel('Repeat').selectOption('yes')
  await form(page).getByLabel('Headers', { exact: true }).fill('{ "X-Request-Id": "7" }')
  await form(page).getByLabel('Body').fill('{ "mark": [1, null] }')
  await form(page).getByLabel('After', { exact: true }).fill('1')
  await form(page).getByLabel('Delay (ms)').fill('{ "min": 1, "max": 2 }')
  await add(page).click()
  await expect
    .poll(() => sandbox.faults.list())
    .toMatchObject([
      {
        operationId: 'listCustomers',
        sequence: [503, 'pass', 418],
        repeat: true,
        headers: { 'x-request-id': '7' },
        body: { mark: [1, null] },
        after: 1,
        delayMs: { min: 1, max: 2 },
      },
    ])
  expect(sandbox.faults.list()[0]).not.toHaveProperty('status')
})

it('shows validation errors at their fields, and accepts the corrections', async () => {
  const { page, sandbox } = await open({ at, failures: /400/ })
  await form(page).getByText('Path, probability').click()
  await form(page).getByLabel('Status', { exact: true }).fill('999')
  await form(page).getByLabel('Path').fill('/organizations/harbor/custmers')
  await add(page).click()
  await form(page).getByText('must be a whole number from 200 to 599').waitFor()
  await expectFocus(page, 'name', 'status')
  await form(page).getByLabel('Path').fill(customers)
  await form(page).getByLabel('Status', { exact: true }).fill('502')
  await add(page).press('Enter')
  await expect.poll(() => sandbox.faults.list()).toMatchObject([{ path: customers, status: 502 }])
})

itFits(at, async ({ page, sandbox }) => {
  sandbox.faults.add({ operationId: 'listCustomers', status: 503, times: 1 })
  sandbox.faults.add({ delayMs: 1, headers: { 'x-html': '<img src=x onerror=alert(1)>' } })
  await list(page).getByText('x-html').waitFor()
  await page.locator('main img').waitFor({ state: 'detached' })
  await form(page).getByText('Path, probability').click()
})
