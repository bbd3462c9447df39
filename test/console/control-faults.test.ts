import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import {
  expectAccessible,
  expectFits,
  expectQuiet,
  waitUntilSettled,
  useConsole,
  windows,
} from './support.ts'

const open = useConsole()
const run = promisify(execFile)

const headers = { authorization: 'Bearer sbx_harbor_1' }
const me = '/members/me'
const customers = '/organizations/harbor/customers'

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const inForce = (page: Page) => region(page, /^Active faults/).getByRole('listitem')

/** Clicks a button and waits for a status message. */
async function click(page: Page, name: string, said: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByRole('status').getByText(said).waitFor()
}

it('makes the next call fail with one click, and the one after it succeed', async () => {
  const console = await open({ at: '#/control' })
  const { page, baseUrl } = console
  await click(page, 'Next call fails with 503', 'Added: Next call fails with 503.')
  await inForce(page).getByText('1 left').waitFor()
  expect((await fetch(`${baseUrl}${me}`, { headers })).status).toBe(503)
  expect((await fetch(`${baseUrl}${me}`, { headers })).status).toBe(200)
  await inForce(page).getByText('used up').waitFor()
  await inForce(page).getByText('matched 1, injected 1').waitFor()
  await inForce(page).getByRole('link', { name: 'request 1' }).click()
  await page.waitForURL(/#\/traffic\/1$/)
  expectQuiet(console)
})

/** Checks the outcome of a call. */
type Check = (answer: Promise<Response>, abort: () => Promise<void>) => Promise<unknown>

const expectPending: Check = async (answer, abort) => {
  await Promise.all([expect(answer).rejects.toThrow('aborted'), abort()])
}

/** The outcome of the next call for each button. */
const outcomes: Readonly<Record<string, Check>> = {
  'Next call fails with 429': async (answer) => {
    const { status, headers: answered } = await answer
    expect([status, answered.get('retry-after')]).toEqual([429, '5'])
  },
  'Next call fails with 500': async (answer) => expect((await answer).status).toBe(500),
  'Next call gets no response': expectPending,
  'Next call is cut off': (answer) => expect(answer).rejects.toThrow('fetch failed'),
  'Next call takes 3 s longer': expectPending,
}

it('has a button for each way in which a call can fail', async () => {
  const { page, baseUrl, sandbox } = await open({ at: '#/control/faults' })
  for (const [name, expectOutcome] of Object.entries(outcomes)) {
    await click(page, name, `Added: ${name}.`)
    const over = new AbortController()
    // Not before the request has met its fault.
    const abort = async (): Promise<void> => {
      await expect.poll(() => sandbox.faults.list().at(-1)?.injected).toBe(1)
      over.abort()
    }
    await expectOutcome(fetch(`${baseUrl}${me}`, { headers, signal: over.signal }), abort)
    expect((await fetch(`${baseUrl}${me}`, { headers })).status, `after ${name}`).toBe(200)
  }
  expect(sandbox.faults.list().at(-1)).toMatchObject({ delayMs: 3_000 })
})

it('targets one operation, for the selected number of calls', async () => {
  const { page, baseUrl } = await open({ at: '#/control/faults' })
  const form = region(page, 'Quick faults')
  await form.getByLabel('Operation').selectOption('listCustomers')
  await form.getByLabel('Calls').selectOption('Next 2 calls')
  await click(page, 'Next 2 calls fail with 503', 'Added: Next 2 calls fail with 503 to listCustomers.')
  const statuses: number[] = []
  for (const path of [me, customers, customers, customers]) {
    statuses.push((await fetch(`${baseUrl}${path}`, { headers })).status)
  }
  expect(statuses).toEqual([200, 503, 503, 200])
})

it('starts a profile with a click, and stops it with another', async () => {
  const { page, baseUrl } = await open({ at: '#/control/faults' })
  await click(page, 'Start outage', 'Started outage.')
  expect((await fetch(`${baseUrl}${me}`, { headers })).status).toBe(503)
  await inForce(page).getByText('profile outage').waitFor()
  await click(page, 'Stop outage', 'Stopped outage.')
  expect((await fetch(`${baseUrl}${me}`, { headers })).status).toBe(200)
  await page.getByRole('button', { name: 'Start outage' }).waitFor()
})

it('removes one fault or all, and moves the focus to their heading', async () => {
  const { page, sandbox } = await open({ at: '#/control/faults' })
  sandbox.faults.addAll([{ status: 500 }, { status: 502 }, { status: 503 }])
  await page.reload()
  await click(page, 'Remove fault-2', 'Removed fault-2.')
  expect(sandbox.faults.list().map(({ id }) => id)).toEqual(['fault-1', 'fault-3'])
  await expect
    .poll(() => page.evaluate('document.activeElement.outerHTML'))
    .toMatch(/^<h2.*>Active faults \(2\)<\/h2>$/)
  await click(page, 'Remove all', 'Removed all faults.')
  await page.getByText('No faults: every request reaches the service.').waitFor()
  expect(sandbox.faults.list()).toEqual([])
})

it('creates a fault from everything that was entered', async () => {
  const { page, baseUrl } = await open({ at: '#/control/faults' })
  const form = page.getByRole('form', { name: 'Custom fault' })
  await form.getByLabel('Operation').selectOption('listCustomers')
  await form.getByLabel('Outcome').selectOption('Sequence')
  await form.getByRole('textbox', { name: 'Steps' }).fill('503 pass, 418')
  await form.getByRole('textbox', { name: 'Headers' }).fill('X-Request-Id: 7\nX-Note: a: b')
  await form.getByRole('textbox', { name: 'Body' }).fill('{ "mark": [1, null] }')
  await form.getByRole('textbox', { name: 'Skip first' }).fill('1')
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

it('stores the write of a faulted request if selected', async () => {
  const { page, sandbox } = await open({ at: '#/control/faults' })
  const form = page.getByRole('form', { name: 'Custom fault' })
  const stored = form.getByRole('checkbox', { name: 'Process the request first' })
  await stored.check()
  await form.getByRole('button', { name: 'Add fault' }).click()
  await inForce(page).getByText('request is processed first').waitFor()
  expect(sandbox.faults.list()).toMatchObject([{ status: 503, stored: true }])
  await form.getByLabel('Outcome').selectOption('Rate limit')
  await expect.poll(() => stored.count()).toBe(0)
})

it('offers only fields that can be combined', async () => {
  const { page } = await open({ at: '#/control/faults' })
  const form = page.getByRole('form', { name: 'Custom fault' })
  const names = ['Retry-After (s)', 'Delay (ms)', 'Headers', 'Body', 'Probability']
  const offered = async (): Promise<string[]> => {
    const counts = await Promise.all(
      names.map((name) => form.getByRole('textbox', { name, exact: true }).count()),
    )
    return names.filter((_, at) => counts[at] === 1)
  }
  await expect.poll(() => offered()).toEqual(names)
  await form.getByRole('textbox', { name: 'Status' }).fill('204')
  await expect.poll(() => offered()).not.toContain('Body')
  await form.getByLabel('Outcome').selectOption('Malfunction')
  await expect.poll(() => offered()).toEqual(['Delay (ms)', 'Probability'])
  await form
    .getByRole('combobox', { name: 'Malfunction' })
    .selectOption('no response until the client times out')
  await expect.poll(() => offered()).toEqual(['Probability'])
  await form.getByLabel('Outcome').selectOption('Profile')
  await expect.poll(() => offered()).toEqual([])
  await form.getByLabel('Operation').selectOption('createCustomerNote')
  await expect
    .poll(() => form.getByLabel('Method').locator('option').allTextContents())
    .toEqual(['any method', 'POST'])
})

it('shows validation errors at their fields, and accepts the corrections', async () => {
  const { page, sandbox } = await open({ at: '#/control/faults' })
  const form = page.getByRole('form', { name: 'Custom fault' })
  await form.getByRole('textbox', { name: 'Status' }).fill('999')
  await form.getByRole('combobox', { name: 'Path' }).fill('/organizations/harbor/custmers')
  await form.getByRole('textbox', { name: 'Headers' }).fill('Content-Length: 7')
  await form.getByRole('button', { name: 'Add fault' }).click()
  await form.getByText('must be a whole number from 200 to 599').waitFor()
  await form.getByText('is reserved: the server frames the message').waitFor()
  await expect
    .poll(() => form.getByRole('textbox', { name: 'Status' }).getAttribute('aria-invalid'))
    .toBe('true')
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('path')
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await expectAccessible(page)
  await form.getByRole('combobox', { name: 'Path' }).fill('/organizations/harbor/customers')
  await form.getByRole('textbox', { name: 'Status' }).fill('502')
  await form.getByRole('textbox', { name: 'Headers' }).fill('')
  await page.keyboard.press('Tab')
  await form.getByRole('button', { name: 'Add fault' }).press('Enter')
  await page.getByRole('status').getByText('Added fault-1.').waitFor()
  expect(sandbox.faults.list()).toMatchObject([{ status: 502, path: '/organizations/harbor/customers' }])
  await expect.poll(() => form.locator('[aria-invalid]').count()).toBe(0)
})

it('shows every click as a curl command', async () => {
  const { page, baseUrl } = await open({ at: '#/control/faults' })
  const form = region(page, 'Quick faults')
  await form.getByText('as curl').click()
  await run('sh', ['-c', (await form.locator('pre').first().textContent()) ?? ''])
  expect((await fetch(`${baseUrl}${me}`, { headers })).status).toBe(503)
})

it('shows hostile values of faults as text', async () => {
  const console = await open({ at: '#/control/faults' })
  const { page, sandbox } = console
  const path = '/organizations/<img src=x onerror=alert(1)>/customers'
  sandbox.faults.add({ path, status: 500, body: '<script>alert(1)</script>' })
  await page.reload()
  await inForce(page).getByText(path).waitFor()
  expectQuiet(console)
})

it('is accessible and fits the window', async () => {
  for (const browser of windows) {
    const console = await open({
      at: '#/control/faults',
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
    await waitUntilSettled(page)
    await expectAccessible(page)
    await expectFits(page)
    expectQuiet(console)
  }
})
