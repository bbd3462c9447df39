import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'

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
import { note, findRows, findRow, findDetails, unfold } from './traffic-support.ts'

interface Opened extends Console {
  readonly detail: Locator
}

/** Opens a console and shows its first request, which is sent as Mara. */
async function openFirst(path: string, options?: RequestOptions): Promise<Opened> {
  const console = await open({ at: '#/traffic/1' })
  await createSender(console.baseUrl)(path, options)
  const detail = findDetails(console.page, 1)
  await detail.getByRole('region', { name: 'Response' }).locator('.tree').waitFor()
  return { ...console, detail }
}

it('shows the key facts, the response, and on demand the headers and the request', async () => {
  const { detail } = await openFirst(`${home}/customers/1/notes?via=phone+call`, note('Called them.'))
  const facts = detail.locator('dl').first()
  await expect.poll(() => facts.innerText()).toMatch(/Duration\s+[\d.]+ m?s/)
  for (const fact of ['createCustomerNote', 'Mara Ellis (1, harbor)', '2026-01-15 12:00:00', 'Real time'])
    expect(await facts.innerText()).toContain(fact)
  expect(await detail.getByRole('link', { name: 'createCustomerNote' }).getAttribute('href')).toMatch(
    /^\/_sandbox\/docs\/reference\/\w+#createcustomernote$/,
  )
  await detail.getByText('"createdDate": "2026-01-15T12:00:00.000Z"').waitFor()
  await detail.getByText(/^\d+ headers$/).click()
  await detail.getByText('sandbox-warning', { exact: true }).waitFor()
  await unfold(detail, 'Request')
  await detail.getByText('"content": "Called them."', { exact: true }).nth(1).waitFor()
  await detail
    .getByText(/^\d+ headers$/)
    .nth(1)
    .click()
  await detail.getByText('Bearer ***').waitFor()
})

it('shows a long body as a whole, and hostile ones as inert text, as paths and queries', async () => {
  const script = '<img src=x onerror=alert(1)><script>alert(1)</script>'
  const path = `${home}/customers/1/notes?name=${encodeURIComponent(`">${script}`)}`
  const { page, detail, send } = await openFirst(path, { ...note(''), body: script })
  page.on('dialog', () => expect.fail('A dialog was opened.'))
  await unfold(detail, 'Request')
  await expect.poll(() => detail.locator('pre').last().textContent()).toBe(script)
  await send('/members/%3Cimg%20src=x%20onerror=alert(1)%3E')
  await page.getByRole('button', { name: '1 new' }).click()
  await findRow(page, 2).getByRole('link').click()
  await findDetails(page, 2).getByRole('heading', { name: 'Response' }).waitFor()
  expect(await page.locator('main :is(img, script)').count()).toBe(0)
  await send(`${home}/customers/1/notes`, note('long '.repeat(20_000)))
  await page.getByRole('button', { name: '1 new' }).click()
  await findRow(page, 3).getByRole('link').click()
  await unfold(findDetails(page, 3), 'Request')
  await findDetails(page, 3).getByText('100.0 kB').waitFor()
  const body = findDetails(page, 3).locator('.tree').last()
  await expect.poll(async () => (await body.textContent())?.length).toBeGreaterThan(100_000)
})

it('says first why the response is as it is, and why a record is not in it, with the conditions folded', async () => {
  const { detail } = await openFirst(`${home}/customers?scope=mine&status=active`)
  await detail.getByRole('textbox').fill('2')
  const verdict = detail.getByText(/^Customer 2 is not in the response: scope=mine requires that/)
  await verdict.waitFor()
  const scope = detail.getByRole('listitem').filter({ hasText: 'scope=mine' })
  expect(await scope.isVisible()).toBe(false)
  await detail.getByText('Conditions (').click()
  await expect.poll(() => scope.textContent()).toMatch(/^does not hold .*6 records up to here/)
})

it('says what was recorded and what has changed since, rather than what would be answered now', async () => {
  const { detail, page, sandbox, url } = await openFirst(`${home}/customers?limit=3`)
  await sandbox.data.customers.delete(2)
  await fetch(`${url}/_sandbox/assumptions`, { method: 'PATCH', body: '{"createStatus":201}' })
  await detail.getByRole('textbox').fill('2')
  await detail.getByText(/^Customer 2 is in the response, at position 1 of 25, counted from 0\./).waitFor()
  const since = detail.getByRole('list', { name: 'Since' })
  await since.getByText('Customer 2 was deleted.').getByRole('link', { name: 'See the changes' }).waitFor()
  const assumptions = since.getByText('Assumptions have changed: createStatus.').getByRole('link')
  expect(await assumptions.getAttribute('href')).toBe('#/control/assumptions?text=overridden')
  await detail.getByText('Conditions now').click()
  await detail.getByRole('listitem').getByText('There is no customer 2.').waitFor()
  await expectAccessible(page)
})

it('explains at once why a request was rejected, and what another member would get', async () => {
  const { detail } = await openFirst('/organizations/quill/customers')
  await detail.getByText("not the caller's, which is harbor.").first().waitFor()
  await unfold(detail, 'As another member')
  await detail
    .getByRole('combobox', { name: 'Member' })
    .selectOption('Omar Haddad · Customer Success Manager')
  const headings = detail.getByRole('region', { name: 'As another member' }).getByRole('heading')
  await expect.poll(() => headings.allTextContents()).toEqual(['3 records for only Omar Haddad'])
})

it('shows warnings with the requests that they are about, and the fault that acted', async () => {
  const { page, sandbox, send } = await openFirst(`${home}/products`)
  sandbox.faults.add({ operationId: 'listCustomers', status: 503 })
  for (const path of ['products', 'products', 'customers']) await send(`${home}/${path}`)
  await page.getByRole('button', { name: '3 new' }).click()
  await findRow(page, 4).getByRole('link').click()
  const fault = findDetails(page, 4).getByRole('link', { name: 'See the faults' })
  await expect.poll(() => fault.getAttribute('href')).toBe('#/control/faults')
  await findRow(page, 3).getByRole('link').click()
  await findDetails(page, 3).getByText('was requested 3 times in a row').first().waitFor()
  await findDetails(page, 3).getByRole('link', { name: 'request 1' }).click()
  await findDetails(page, 1).waitFor()
})

it('makes the next call of the same operation fail with one click', async () => {
  const { page, detail, send } = await openFirst(`${home}/customers?limit=1`)
  await detail.getByRole('button', { name: 'Fail the next listCustomers' }).click()
  await page.getByText('The next listCustomers fails with 503.').waitFor()
  const paths = [`${home}/products`, `${home}/customers?limit=1`, `${home}/customers?limit=1`]
  for (const [index, status] of [200, 503, 200].entries())
    expect((await send(paths[index] ?? '')).status).toBe(status)
})

it('shows a pending request, and how it ends as soon as it does; reports one that is gone', async () => {
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
  await page.evaluate(`location.hash = '#/traffic/77'`)
  await findDetails(page, 77).getByText('Request 77 is not in this session’s journal').waitFor()
})

it('replaces the list in a narrow window, and takes the focus', async () => {
  const { page, detail } = await openFirst('/members/me')
  await page.setViewportSize({ width: 400, height: 800 })
  await detail.getByRole('button', { name: 'Close' }).click()
  await findRow(page, 1).getByRole('link').click()
  await detail.waitFor()
  await expect.poll(() => findRows(page).first().isVisible()).toBe(false)
  await expectSoon(page, "document.activeElement.tagName === 'H1'")
  await page.keyboard.press('Escape')
  await expectSoon(page, "document.activeElement.closest('tr')?.dataset.id === '1'")
})

itFits('#/traffic/3', async ({ page, sandbox, send }) => {
  sandbox.faults.add({ operationId: 'listCustomers', status: 503, after: 2 })
  for (let count = 0; count < 3; count += 1) await send(`${home}/customers?${'unknown'.repeat(20)}=1`)
  for (const name of ['Request', 'As another member']) await unfold(findDetails(page, 3), name)
  await expectFits(page)
})
