import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { allowFailures, open, itFits, expectAccessible, expectStatus, expectFocus } from './support.ts'

const at = '#/control/faults'
const me = '/members/me'
const customers = '/organizations/harbor/customers'

const list = (page: Page) => page.getByRole('region', { name: /^Faults/ }).getByRole('listitem')
const form = (page: Page) => page.getByRole('form', { name: 'Any other fault' })

/** Clicks a button and waits for a status message. */
async function click(page: Page, name: string | RegExp, said: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await expectStatus(page, said)
}

it('makes the next request fail with a click, before other faults, and shows what became of it', async () => {
  const { page, sandbox, send } = await open({ at })
  sandbox.faults.add({ delayMs: 1 })
  await click(page, /^503 once/, 'Added: 503 once.')
  await list(page).getByText('1 left').waitFor()
  expect([(await send(me)).status, (await send(me)).status]).toEqual([503, 200])
  await page.getByText('1 used up').click()
  await list(page).getByRole('link', { name: 'request 1' }).click()
  await page.waitForURL(/#\/traffic\/1$/)
})

it('has a button for each common fault, for all operations or one', async () => {
  const { page, sandbox } = await open({ at })
  await page.getByLabel('Into').selectOption('listCustomers')
  const names = [
    '503 once',
    '500 once',
    '429 once',
    'Slow: 2 s',
    'Rate limit',
    'No response',
    'Cut off',
    'Hold',
    'Offline',
  ]
  for (const name of names) await click(page, new RegExp(`^${name}`), `Added: ${name}.`)
  const target = { operationId: 'listCustomers' }
  expect(sandbox.faults.list().toReversed()).toMatchObject([
    { ...target, status: 503, times: 1 },
    { ...target, status: 500, times: 1 },
    { ...target, status: 429, retryAfterSeconds: 5, times: 1 },
    { ...target, delayMs: 2_000 },
    { ...target, rateLimit: { requests: 10, windowSeconds: 10 } },
    { ...target, malfunction: 'hang', times: 1 },
    { ...target, malfunction: 'truncate', times: 1 },
    { ...target, gate: true, times: 1 },
    { ...target, reset: true },
  ])
})

it('starts and stops a profile, removes one fault or all, and moves the focus to their heading', async () => {
  const { page, sandbox, send } = await open({ at })
  await click(page, 'Start outage', 'Started outage.')
  expect((await send(me)).status).toBe(503)
  await click(page, 'Stop outage', 'Stopped outage.')
  expect(sandbox.faults.list()).toEqual([])
  for (const status of [500, 502, 503]) sandbox.faults.add({ status })
  await click(page, 'Remove fault-3', 'Removed: 502.')
  await expectFocus(page, 'textContent', 'Faults (2)')
  await click(page, /^Remove all$/, 'Removed all faults.')
  await page.getByText('None: every request reaches the service.').waitFor()
  expect(sandbox.faults.list()).toEqual([])
})

it('releases a held request with one click: from the header, its row, or its page with a status', async () => {
  const { page, sandbox, send } = await open({ at: '#/traffic' })
  sandbox.faults.add({ gate: true })
  for (const [place, name, status] of [
    ['#/start', 'Release the held requests', 200],
    ['#/traffic', 'Release: request 2', 200],
    ['#/traffic/3', 'Release with 503: request 3', 503],
  ] as const) {
    await page.evaluate(`location.hash = '${place}'`)
    const response = send(me)
    await page.getByRole('link', { name: '1 held' }).waitFor()
    await page.getByRole('button', { name, exact: true }).first().click()
    expect((await response).status).toBe(status)
    await page.getByRole('link', { name: '1 held' }).waitFor({ state: 'detached' })
  }
  await expectAccessible(page)
})

it('creates a fault from everything that was entered, or a rate limit from its two fields', async () => {
  const { page, sandbox } = await open({ at })
  await form(page).getByLabel('Operation').selectOption('listCustomers')
  await form(page).getByLabel('Effect').selectOption('Sequence')
  await form(page).getByLabel('Sequence').fill('503 pass, 418')
  await form(page).getByText('Delay, repetition').click()
  await form(page).getByLabel('Repeat').selectOption('yes')
  await form(page).getByLabel('Headers', { exact: true }).fill('X-Request-Id: 7\nX-Note: a: b')
  await form(page).getByLabel('Body').fill('{ "mark": [1, null] }')
  await form(page).getByLabel('After', { exact: true }).fill('1')
  await form(page).getByLabel('Delay (ms)').fill('{ "min": 1, "max": 2 }')
  await form(page).getByRole('button', { name: 'Add fault' }).click()
  await expect
    .poll(() => sandbox.faults.list())
    .toMatchObject([
      {
        operationId: 'listCustomers',
        sequence: [503, 'pass', 418],
        repeat: true,
        headers: { 'x-request-id': '7', 'x-note': 'a: b' },
        body: { mark: [1, null] },
        after: 1,
        delayMs: { min: 1, max: 2 },
      },
    ])
  expect(sandbox.faults.list()[0]).not.toHaveProperty('status')
  await form(page).getByLabel('Effect').selectOption('Rate limit')
  await form(page).getByLabel('Requests').fill('3')
  await form(page).getByLabel('Window seconds').fill('60')
  await form(page).getByRole('button', { name: 'Add fault' }).click()
  await expect
    .poll(() => sandbox.faults.list().at(-1))
    .toMatchObject({ rateLimit: { requests: 3, windowSeconds: 60 } })
})

it('shows validation errors at their fields, and accepts the corrections', async () => {
  allowFailures(/400/)
  const { page, sandbox } = await open({ at })
  await form(page).getByLabel('Status', { exact: true }).fill('999')
  await form(page).getByLabel('Path').fill('/organizations/harbor/custmers')
  await form(page).getByRole('button', { name: 'Add fault' }).click()
  await form(page).getByText('must be a whole number from 200 to 599').waitFor()
  await expectFocus(page, 'name', 'status')
  await form(page).getByLabel('Path').fill(customers)
  await form(page).getByLabel('Status', { exact: true }).fill('502')
  await form(page).getByRole('button', { name: 'Add fault' }).press('Enter')
  await expect.poll(() => sandbox.faults.list()).toMatchObject([{ path: customers, status: 502 }])
})

itFits(at, async ({ page, sandbox }) => {
  sandbox.faults.add({ operationId: 'listCustomers', status: 503, times: 1 })
  sandbox.faults.add({ delayMs: 1, headers: { 'x-html': '<img src=x onerror=alert(1)>' } })
  await list(page).getByText('headers x-html').waitFor()
  await page.locator('main img').waitFor({ state: 'detached' })
  await form(page).getByText('Delay, repetition').click()
})
