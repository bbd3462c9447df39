import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { expectAccessible, expectFits, expectQuiet, settled, useConsole, windows } from './support.ts'

const open = useConsole()
const run = promisify(execFile)

const headers = { authorization: 'Bearer sbx_harbor_1' }
const me = '/members/me'
const customers = '/organizations/harbor/customers'

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const inForce = (page: Page) => region(page, /^In force/).getByRole('listitem')

/** Clicks a button and waits for what is said then. */
async function click(page: Page, name: string, said: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByRole('status').getByText(said).waitFor()
}

it('makes the next call fail by one click, and lets the one after it succeed', async () => {
  const console = await open({ at: '#/steer' })
  const { page, baseUrl } = console
  await click(page, 'Next call fails with 503', 'Set: Next call fails with 503.')
  await inForce(page).getByText('1 left').waitFor()
  expect((await fetch(`${baseUrl}${me}`, { headers })).status).toBe(503)
  expect((await fetch(`${baseUrl}${me}`, { headers })).status).toBe(200)
  await inForce(page).getByText('spent').waitFor()
  await inForce(page).getByText('matched 1, injected 1').waitFor()
  await inForce(page).getByRole('link', { name: 'request 1' }).click()
  await page.waitForURL(/#\/requests\/1$/)
  expectQuiet(console)
})

/** What the next call is after a click. */
const outcomes: Readonly<Record<string, (answer: () => Promise<Response>) => Promise<unknown>>> = {
  'Next call fails with 429': async (answer) => {
    const { status, headers: answered } = await answer()
    expect([status, answered.get('retry-after')]).toEqual([429, '5'])
  },
  'Next call fails with 500': async (answer) => expect((await answer()).status).toBe(500),
  'Next call gets no answer': (answer) => expect(answer()).rejects.toThrow('aborted'),
  'Next call is cut off': (answer) => expect(answer()).rejects.toThrow('fetch failed'),
  'Next call takes 3 s longer': (answer) => expect(answer()).rejects.toThrow('aborted'),
}

it('has a click for each way in which a call goes wrong', async () => {
  const { page, baseUrl, sandbox } = await open({ at: '#/steer/faults' })
  for (const [name, expectOutcome] of Object.entries(outcomes)) {
    await click(page, name, `Set: ${name}.`)
    await expectOutcome(() => fetch(`${baseUrl}${me}`, { headers, signal: AbortSignal.timeout(400) }))
    expect((await fetch(`${baseUrl}${me}`, { headers })).status, `after ${name}`).toBe(200)
  }
  expect(sandbox.faults.list().at(-1)).toMatchObject({ delayMs: 3_000 })
})

it('aims at one operation, as often as chosen', async () => {
  const { page, baseUrl } = await open({ at: '#/steer/faults' })
  const form = region(page, 'Make it go wrong')
  await form.getByLabel('To which operation').selectOption('listCustomers')
  await form.getByLabel('Which calls').selectOption('Next 2 calls')
  await click(page, 'Next 2 calls fail with 503', 'Set: Next 2 calls fail with 503 to listCustomers.')
  const statuses: number[] = []
  for (const path of [me, customers, customers, customers]) {
    statuses.push((await fetch(`${baseUrl}${path}`, { headers })).status)
  }
  expect(statuses).toEqual([200, 503, 503, 200])
})

it('starts a profile by a click, and stops it by another', async () => {
  const { page, baseUrl } = await open({ at: '#/steer/faults' })
  await click(page, 'Start outage', 'Started outage.')
  expect((await fetch(`${baseUrl}${me}`, { headers })).status).toBe(503)
  await inForce(page).getByText('profile outage').waitFor()
  await click(page, 'Stop outage', 'Stopped outage.')
  expect((await fetch(`${baseUrl}${me}`, { headers })).status).toBe(200)
  await page.getByRole('button', { name: 'Start outage' }).waitFor()
})

it('takes faults away, one or all, and goes on from their heading', async () => {
  const { page, sandbox } = await open({ at: '#/steer/faults' })
  sandbox.faults.addAll([{ status: 500 }, { status: 502 }, { status: 503 }])
  await page.reload()
  await click(page, 'Remove fault-2', 'Removed fault-2.')
  expect(sandbox.faults.list().map(({ id }) => id)).toEqual(['fault-1', 'fault-3'])
  expect(await page.evaluate('document.activeElement.outerHTML')).toMatch(/^<h2.*>In force \(2\)<\/h2>$/)
  await click(page, 'Remove all', 'Removed all faults.')
  await page.getByText('Nothing: every request reaches the service.').waitFor()
  expect(sandbox.faults.list()).toEqual([])
})

it('makes a fault of all that one enters', async () => {
  const { page, baseUrl } = await open({ at: '#/steer/faults' })
  const form = page.getByRole('form', { name: 'A fault of your own' })
  await form.getByLabel('Operation').selectOption('listCustomers')
  await form.getByLabel('Outcome').selectOption('one thing after the other')
  await form.getByRole('textbox', { name: 'Steps' }).fill('503 pass, 418')
  await form.getByRole('textbox', { name: 'Headers' }).fill('X-Request-Id: 7\nX-Note: a: b')
  await form.getByRole('textbox', { name: 'Body' }).fill('{ "mark": [1, null] }')
  await form.getByRole('textbox', { name: 'After so many requests' }).fill('1')
  await form.getByRole('button', { name: 'Add fault' }).click()
  await page.getByRole('status').getByText('Added fault-1.').waitFor()
  const answers: unknown[] = []
  for (let count = 0; count < 4; count += 1) {
    const answer = await fetch(`${baseUrl}${customers}?limit=1`, { headers })
    const body = (await answer.json()) as { readonly mark?: unknown }
    answers.push([answer.status, answer.headers.get('x-request-id'), answer.headers.get('x-note'), body.mark])
  }
  const faulted = ['7', 'a: b', [1, null]]
  const well = [200, null, null, undefined]
  expect(answers).toEqual([well, [503, ...faulted], well, [418, ...faulted]])
})

it('keeps what a request writes, where one says so', async () => {
  const { page, sandbox } = await open({ at: '#/steer/faults' })
  const form = page.getByRole('form', { name: 'A fault of your own' })
  const stored = form.getByRole('checkbox', { name: 'carry the request out first' })
  await stored.check()
  await form.getByRole('button', { name: 'Add fault' }).click()
  await inForce(page).getByText('the request is carried out first').waitFor()
  expect(sandbox.faults.list()).toMatchObject([{ status: 503, stored: true }])
  await form.getByLabel('Outcome').selectOption('a rate limit')
  expect(await stored.count()).toBe(0)
})

it('offers only what can stand together', async () => {
  const { page } = await open({ at: '#/steer/faults' })
  const form = page.getByRole('form', { name: 'A fault of your own' })
  const names = ['Retry-After (s)', 'Delay (ms)', 'Headers', 'Body', 'Probability']
  const offered = async (): Promise<string[]> => {
    const counts = await Promise.all(
      names.map((name) => form.getByRole('textbox', { name, exact: true }).count()),
    )
    return names.filter((_, at) => counts[at] === 1)
  }
  expect(await offered()).toEqual(names)
  await form.getByRole('textbox', { name: 'Status' }).fill('204')
  expect(await offered()).not.toContain('Body')
  await form.getByLabel('Outcome').selectOption('a malfunction')
  expect(await offered()).toEqual(['Delay (ms)', 'Probability'])
  await form
    .getByRole('combobox', { name: 'Malfunction' })
    .selectOption('no answer until the client gives up')
  expect(await offered()).toEqual(['Probability'])
  await form.getByLabel('Outcome').selectOption('a profile')
  expect(await offered()).toEqual([])
  await form.getByLabel('Operation').selectOption('createCustomerNote')
  expect(await form.getByLabel('Method').locator('option').allTextContents()).toEqual(['any method', 'POST'])
})

it('says what is wrong at the field that is wrong, and takes its correction', async () => {
  const { page, sandbox } = await open({ at: '#/steer/faults' })
  const form = page.getByRole('form', { name: 'A fault of your own' })
  await form.getByRole('textbox', { name: 'Status' }).fill('999')
  await form.getByRole('combobox', { name: 'Path' }).fill('/organizations/harbor/custmers')
  await form.getByRole('textbox', { name: 'Headers' }).fill('Content-Length: 7')
  await form.getByRole('button', { name: 'Add fault' }).click()
  await form.getByText('must be a whole number from 200 to 599').waitFor()
  await form.getByText('Content-Length frames the message').waitFor()
  expect(await form.getByRole('textbox', { name: 'Status' }).getAttribute('aria-invalid')).toBe('true')
  expect(await page.evaluate('document.activeElement.name')).toBe('path')
  expect(await page.getByRole('alert').count()).toBe(0)
  await expectAccessible(page)
  await form.getByRole('combobox', { name: 'Path' }).fill('/organizations/harbor/customers')
  await form.getByRole('textbox', { name: 'Status' }).fill('502')
  await form.getByRole('textbox', { name: 'Headers' }).fill('')
  await page.keyboard.press('Tab')
  await form.getByRole('button', { name: 'Add fault' }).press('Enter')
  await page.getByRole('status').getByText('Added fault-1.').waitFor()
  expect(sandbox.faults.list()).toMatchObject([{ status: 502, path: '/organizations/harbor/customers' }])
  expect(await form.locator('[aria-invalid]').count()).toBe(0)
})

it('shows every click as a call that a shell can make', async () => {
  const { page, baseUrl } = await open({ at: '#/steer/faults' })
  const form = region(page, 'Make it go wrong')
  await form.getByText('as curl').click()
  const [text = ''] = await form.locator('pre').allTextContents()
  await run('sh', ['-c', text])
  expect((await fetch(`${baseUrl}${me}`, { headers })).status).toBe(503)
})

it('shows what faults hold as text', async () => {
  const console = await open({ at: '#/steer/faults' })
  const { page, sandbox } = console
  const path = '/organizations/<img src=x onerror=alert(1)>/customers'
  sandbox.faults.add({ path, status: 500, body: '<script>alert(1)</script>' })
  await page.reload()
  await inForce(page).getByText(path).waitFor()
  expectQuiet(console)
})

it('has nothing for axe to mend, and nothing beyond the edge', async () => {
  for (const browser of windows) {
    const console = await open({
      at: '#/steer/faults',
      browser,
    })
    const { page, sandbox } = console
    const path = '/organizations/{organizationId}/customers/{customerId}/briefs/{briefId}/contents'
    sandbox.faults.addAll([
      { path, sequence: [503, 'pass', 'truncate'], repeat: true, headers: { 'x-a': '1' }, after: 3 },
      { profile: 'flaky' },
      { status: 503, times: 1 },
    ])
    await page.reload()
    await inForce(page).getByText('profile flaky').waitFor()
    for (const summary of await page.getByText('as curl').all()) await summary.click()
    await settled(page)
    await expectAccessible(page)
    await expectFits(page)
    expectQuiet(console)
  }
})
