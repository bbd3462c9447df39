import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import {
  type RequestOptions,
  type Console,
  home,
  createSender,
  open,
  itFits,
  expectFits,
  expectAccessible,
  expectSoon,
} from './support.ts'
import { note, findRows, findRow, readIds, findDetails, findTab } from './traffic-support.ts'

interface Opened extends Console {
  readonly detail: Locator
}

/** Opens a console and shows its first request, which is sent as Mara by default. */
async function openFirst(path: string, options?: RequestOptions, token?: string): Promise<Opened> {
  const console = await open({ at: '#/traffic/1' })
  await createSender(console.baseUrl, token)(path, options)
  const detail = findDetails(console.page, 1)
  await detail.getByRole('tab', { name: 'Response' }).waitFor()
  return { ...console, detail }
}

it('shows the response, the request and their headers in tabs that the URL keeps', async () => {
  const { detail, page } = await openFirst(`${home}/customers/1/notes?via=phone+call`, note('Called them.'))
  const facts = detail.locator('dl').first()
  await expect.poll(() => facts.innerText()).toMatch(/Duration\s+[\d.]+ m?s/)
  for (const fact of ['createCustomerNote', 'Mara Ellis (1, harbor)', '2026-01-15 12:00:00', 'Real time'])
    expect(await facts.innerText()).toContain(fact)
  await detail.getByText('"2026-01-15T12:00:00.000Z"').first().waitFor()
  await detail.getByText(/^\d+ headers$/).click()
  await detail.getByText('sandbox-warning', { exact: true }).waitFor()
  await findTab(page, 'Request').click()
  await page.waitForURL(/tab=request/)
  await detail.getByText('phone call').waitFor()
  await detail.getByText('"Called them."').waitFor()
  await detail.getByText(/^\d+ headers$/).click()
  await detail.getByText('Bearer ***').waitFor()
})

describe('a body', () => {
  it('is shown in full and formatted, however long it is, or marked as truncated if the rest is not available', async () => {
    const { page, sandbox, send } = await openFirst('/members/me')
    const items = Array.from({ length: 7_200 }, (_, id) => ({ id, text: 'x'.repeat(120) }))
    sandbox.faults.add({ operationId: 'listCustomers', status: 200, body: { items } })
    await send(`${home}/customers`)
    await findRow(page, 2).getByRole('link').click()
    const detail = findDetails(page, 2)
    await detail.getByText('Body, 1.0 MB').waitFor()
    await detail.getByText('[ ] 7,200 items').click()
    await detail.getByRole('button', { name: 'Show more of 7200' }).waitFor()
    await detail.getByRole('button', { name: 'As text' }).click()
    await expect.poll(() => detail.locator('pre').textContent()).toBe(JSON.stringify({ items }, undefined, 2))
    await page.route('**/_sandbox/requests.har*', (route) =>
      route.fulfill({ json: { log: { entries: [] } } }),
    )
    await send(`${home}/customers/1/notes`, note('long '.repeat(20_000)))
    await findRow(page, 3).getByRole('link').click()
    await findTab(page, 'Request').click()
    const head = findDetails(page, 3).getByText(/^Body/)
    await expect.poll(() => head.textContent()).toBe('Body, 100.0 kB, of which the first 65.5 kB are shown')
  })

  it('is inert text if it is hostile, as are paths and queries', async () => {
    const script = '<img src=x onerror=alert(1)><script>alert(1)</script>'
    const path = `${home}/customers/1/notes?name=${encodeURIComponent(`">${script}`)}`
    const { page, detail, send } = await openFirst(path, { ...note(''), body: script })
    page.on('dialog', () => expect.fail('A dialog was opened.'))
    await findTab(page, 'Request').click()
    await detail.getByText('not JSON').waitFor()
    await expect.poll(() => detail.locator('pre').textContent()).toBe(script)
    await send('/members/%3Cimg%20src=x%20onerror=alert(1)%3E')
    await findRow(page, 2).getByRole('link').click()
    for (const name of ['Response', 'Why']) await findTab(page, name).click()
    expect(await page.locator('main :is(img, script)').count()).toBe(0)
  })
})

describe('why', () => {
  it('shows warnings, and links to the requests that they are about', async () => {
    const { page, send } = await openFirst(`${home}/products`)
    for (let count = 0; count < 2; count += 1) await send(`${home}/products`)
    await findRow(page, 3).getByRole('link').click()
    const warnings = findDetails(page, 3).getByRole('region', { name: 'Warnings' })
    await warnings.getByText('was requested 3 times in a row').waitFor()
    await warnings.getByRole('link', { name: 'request 1' }).click()
    await findDetails(page, 1).waitFor()
    await expect.poll(() => warnings.count()).toBe(0)
  })

  it('shows the fault that acted, and whether it still does', async () => {
    const { page, sandbox, send } = await open({ at: '#/traffic/1' })
    const { id } = sandbox.faults.add({ operationId: 'listProducts', status: 503, times: 3 })
    await send(`${home}/products`)
    const fault = findDetails(page, 1).getByRole('region', { name: 'Fault' })
    await fault.getByText('Applied once, 2 more to come.').waitFor()
    await expect.poll(() => fault.getByRole('link').getAttribute('href')).toBe('#/control/faults')
    await page.getByRole('link', { name: '1 fault' }).waitFor()
    sandbox.faults.remove(id)
    await fault.getByText('It has been removed since.').waitFor()
  })

  it('says in a sentence why a record is not in the response, with the conditions below', async () => {
    const { detail, page } = await openFirst(`${home}/customers?scope=mine&status=active`)
    await findTab(page, 'Why').click()
    await detail.getByRole('textbox').fill('2')
    await detail.getByText(/^Customer 2 is not in the response: scope=mine requires that/).waitFor()
    await detail.getByText('Conditions (').click()
    const scope = detail.getByRole('listitem').filter({ hasText: 'scope=mine' })
    await expect.poll(() => scope.textContent()).toMatch(/^does not hold .*6 records up to here/)
  })

  it('says what was recorded and what has changed since, rather than what would be answered now', async () => {
    const { detail, page, sandbox } = await openFirst(`${home}/customers?limit=3`)
    await sandbox.data.customers.delete(2)
    await findTab(page, 'Why').click()
    await detail.getByRole('textbox').fill('2')
    await detail
      .getByText(/^Customer 2 is in the response, .* Since then: Customer 2 was deleted\. Now: /)
      .waitFor()
    await detail.getByText('Conditions now').click()
    await detail.getByRole('listitem').getByText('There is no customer 2.').waitFor()
    await expectAccessible(page)
  })

  it('explains at once why a request was rejected, and what another member would get', async () => {
    const { detail, page } = await openFirst('/organizations/quill/customers')
    await findTab(page, 'Why').click()
    await detail.getByText("not the caller's, which is harbor.").first().waitFor()
    await findTab(page, 'As another member').click()
    await detail
      .getByRole('combobox', { name: 'Member' })
      .selectOption('Omar Haddad · Customer Success Manager')
    const headings = detail.getByRole('tabpanel').getByRole('heading')
    await expect
      .poll(() => headings.allTextContents())
      .toEqual(['3 records would be added', '0 records would be missing'])
  })
})

it('makes the next call of the same operation fail with one click', async () => {
  const { page, detail, send } = await openFirst(`${home}/customers?limit=1`)
  await detail.getByRole('button', { name: 'Fail the next listCustomers' }).click()
  await page.getByText('The next listCustomers fails with 503.').waitFor()
  const statuses = [`${home}/products`, `${home}/customers?limit=1`, `${home}/customers?limit=1`]
  for (const [index, status] of [200, 503, 200].entries())
    expect((await send(statuses[index] ?? '')).status).toBe(status)
  await findRow(page, 4).getByTitle('Repeats the failed request 3').waitFor()
})

it('moves to the later and the earlier request of the filtered list, and reports one that is gone', async () => {
  const { page, send } = await openFirst('/members/me')
  for (const id of [7, 8, 9]) await send(`${home}/customers/${id}`)
  await page.goto(page.url().replace(/#.*/, '#/traffic/3?text=getCustomer'))
  await findDetails(page, 3).getByRole('button', { name: 'Earlier' }).click()
  const first = findDetails(page, 2)
  await expect.poll(() => first.getByRole('button', { name: 'Earlier' }).isDisabled()).toBe(true)
  expect(await readIds(page)).toEqual([2, 3, 4])
  await first.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.url()).toMatch(/#\/traffic\?text=getCustomer$/)
  await expectSoon(page, "document.activeElement.closest('tr')?.dataset.id === '2'")
  await page.goto(page.url().replace(/#.*/, '#/traffic/77'))
  await findDetails(page, 77).getByText('Request 77 is not in this session’s journal').waitFor()
})

it('shows a pending request, and how it ends as soon as it does', async () => {
  const { page, sandbox, baseUrl } = await open({ at: '#/traffic/1' })
  sandbox.faults.add({ malfunction: 'hang', operationId: 'listProducts' })
  const over = new AbortController()
  const pending = fetch(`${baseUrl}${home}/products`, { signal: over.signal }).catch(() => undefined)
  const detail = findDetails(page, 1)
  await detail.getByText('No response yet.').waitFor()
  await detail.getByText('in progress').waitFor()
  over.abort()
  await pending
  await detail.getByText('No response:').waitFor()
  await expect.poll(() => detail.getByText('in progress').count()).toBe(0)
})

it('replaces the list in a narrow window, and takes the focus', async () => {
  const { page, detail } = await openFirst('/members/me')
  await page.setViewportSize({ width: 400, height: 800 })
  await detail.getByRole('button', { name: 'Close' }).click()
  await findRow(page, 1).getByRole('link').click()
  await detail.waitFor()
  await expect.poll(() => findRows(page).first().isVisible()).toBe(false)
  await expectSoon(page, "document.activeElement.tagName === 'H2'")
  await page.keyboard.press('Escape')
  await expectSoon(page, "document.activeElement.closest('tr')?.dataset.id === '1'")
})

itFits('#/traffic/3', async ({ page, sandbox, send }) => {
  sandbox.faults.add({ operationId: 'listCustomers', status: 503, after: 2 })
  for (let count = 0; count < 3; count += 1) await send(`${home}/customers?${'unknown'.repeat(20)}=1`)
  for (const name of ['Response', 'Request', 'Why', 'As another member']) {
    await findTab(page, name).click()
    await expectFits(page)
  }
})
