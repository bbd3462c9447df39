import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { type RequestOptions, findDetails, readIds, findRow, createSender } from './requests-support.ts'
import {
  expectAccessible,
  expectFits,
  expectQuiet,
  expectSoon,
  waitUntilSettled,
  type Console,
  useConsole,
  windows,
} from './support.ts'

const open = useConsole()
const home = '/organizations/harbor'

/** Opens a console and shows its first request, which is sent as Mara by default. */
async function openFirst(
  path: string,
  options?: RequestOptions,
  token?: string,
): Promise<Console & { detail: Locator }> {
  const console = await open({ at: '#/traffic/1' })
  await waitUntilSettled(console.page)
  await createSender(console.baseUrl, token)(path, options)
  const detail = findDetails(console.page, 1)
  await detail.getByRole('heading', { name: 'Send again' }).waitFor()
  return { ...console, detail }
}

/** Finds a section of a request's details. */
const findSection = (detail: Locator, heading: string): Locator =>
  detail
    .locator('section')
    .filter({ has: detail.page().getByRole('heading', { name: heading, exact: true }) })

const note = (content: string): RequestOptions => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ categoryId: 1, content }),
})

it('shows the request and the response', async () => {
  const console = await openFirst(`${home}/customers/1/notes?via=phone+call`, note('Called them.'))
  const { detail } = console
  const facts = detail.locator('dl').first()
  await expect.poll(() => facts.innerText()).toMatch(/Duration\s+[\d.]+ m?s/)
  expect(await facts.innerText()).toContain('createCustomerNote')
  expect(await facts.innerText()).toContain('Mara Ellis (1, harbor)')
  expect(await facts.innerText()).toContain('2026-01-15 12:00:00')
  const request = findSection(detail, 'Request')
  await request.getByText('1 query parameter', { exact: true }).click()
  await request.getByText('phone call').waitFor()
  await request.getByText(/^\d+ headers$/).click()
  await request.getByText('Bearer ***').waitFor()
  await request.getByText('"Called them."').waitFor()
  const answer = findSection(detail, 'Response')
  await answer.getByText('"2026-01-15T12:00:00.000Z"').first().waitFor()
  await answer.getByText(/^\d+ headers$/).click()
  await answer.getByText('sandbox-warning', { exact: true }).waitFor()
  expectQuiet(console)
})

describe('a body', () => {
  it('is expanded if it is small, and collapsed if it is large', async () => {
    const { detail, page, baseUrl } = await openFirst(`${home}/customers?limit=500`)
    await findSection(detail, 'Response').getByText('"must be at most 250"').waitFor()
    await expect.poll(() => findSection(detail, 'Request').getByText('No body.').isVisible()).toBe(true)
    await createSender(baseUrl)(`${home}/customers`)
    await findRow(page, 2).getByRole('link').click()
    const large = findSection(findDetails(page, 2), 'Response')
    await large.getByText(/^Body, [\d.]+ kB$/).click()
    await large.getByText('id: 1, name: Larkspur Foods').waitFor()
  })

  it('is shown in full, however long it is', async () => {
    const content = 'long '.repeat(20_000)
    const console = await openFirst(`${home}/customers/1/notes`, note(content))
    const { page, baseUrl, sandbox, detail } = console
    await findSection(detail, 'Request')
      .getByText(/^Body, 100\.0 kB$/)
      .click()
    await findSection(detail, 'Request').getByText(`"${content}"`).waitFor()
    const items = Array.from({ length: 900 }, (_, index) => ({ id: index, text: 'x'.repeat(100) }))
    sandbox.faults.add({ operationId: 'listCustomers', status: 200, body: { items } })
    await createSender(baseUrl)(`${home}/customers`)
    await findRow(page, 2).getByRole('link').click()
    const answer = findSection(findDetails(page, 2), 'Response')
    await answer.getByText(/^Body, 1\d\d\.\d kB$/).click()
    await answer.getByText('[ ] 900 items').waitFor()
    expectQuiet(console)
  })

  it('is marked as truncated if the rest is not available', async () => {
    const console = await open({ at: '#/traffic' })
    const { page, baseUrl } = console
    await waitUntilSettled(page)
    await page.route('**/_sandbox/requests.har*', (route) =>
      route.fulfill({ json: { log: { entries: [] } } }),
    )
    await createSender(baseUrl)(`${home}/customers/1/notes`, note('long '.repeat(20_000)))
    await findRow(page, 1).getByRole('link').click()
    const request = findSection(findDetails(page, 1), 'Request')
    await request.getByText(/^Body, 100\.0 kB, of which the first 65\.5 kB are shown$/).click()
    await request.getByText('long long').waitFor()
    expectQuiet(console)
  })

  it('is text if it is not JSON', async () => {
    const { detail } = await openFirst(`${home}/customers/1/notes`, { ...note(''), body: '<note>' })
    const request = findSection(detail, 'Request')
    await request.getByText('Body, 6 bytes, not JSON').waitFor()
    await expect.poll(() => request.locator('pre').textContent()).toBe('<note>')
  })
})

it('shows warnings, and links to the requests that they are about', async () => {
  const { page, baseUrl, detail } = await openFirst(`${home}/products`)
  for (let count = 0; count < 2; count += 1) await createSender(baseUrl)(`${home}/products`)
  await findRow(page, 3).getByRole('link').click()
  const warnings = findSection(findDetails(page, 3), 'Warnings')
  await warnings.getByText('was requested 3 times in a row').waitFor()
  await warnings.getByRole('link', { name: 'request 1' }).click()
  await detail.waitFor()
  await expect.poll(() => findSection(detail, 'Warnings').count()).toBe(0)
})

it('shows the fault that affected a response, and whether it is still active', async () => {
  const console = await open({ at: '#/traffic/1' })
  const { page, sandbox, baseUrl } = console
  const { id } = sandbox.faults.add({ operationId: 'listProducts', status: 503, times: 3 })
  await createSender(baseUrl)(`${home}/products`)
  const fault = findSection(findDetails(page, 1), 'Fault')
  await fault.getByText('Applied once, 2 more to come.').waitFor()
  await fault.getByText('"listProducts"').waitFor()
  await expect.poll(() => fault.getByRole('link').getAttribute('href')).toBe('#/control/faults')
  sandbox.faults.remove(id)
  await page.reload()
  await fault.getByText('It has been removed since.').waitFor()
  expectQuiet(console)
})

it('lists the assumptions that a response depends on, or says that there are none', async () => {
  const { page, baseUrl, detail } = await openFirst(`${home}/customers/99999`)
  const basis = findSection(detail, 'Depends on')
  const link = basis.getByRole('link', { name: 'A-08' })
  await expect.poll(() => link.getAttribute('href')).toBe('#/control/assumptions?id=A-08')
  await basis.getByText('A record that does not exist').waitFor()
  await expect.poll(() => basis.getByRole('link', { name: 'reference' }).getAttribute('href')).toBe('/docs')
  await createSender(baseUrl)('/members/me')
  await findRow(page, 2).getByRole('link').click()
  await findSection(findDetails(page, 2), 'Depends on').getByText('documented rules only').waitFor()
})

describe('sending again', () => {
  it('offers a curl command with the token of the caller, without headers that curl adds', async () => {
    const { detail, baseUrl } = await openFirst(
      `${home}/customers/1/notes`,
      note("It's done."),
      'sbx_harbor_2',
    )
    await expect
      .poll(() => findSection(detail, 'Send again').locator('pre').textContent())
      .toBe(
        [
          `curl '${baseUrl}${home}/customers/1/notes'`,
          `-H 'authorization: Bearer sbx_harbor_2'`,
          `-H 'content-type: application/json'`,
          `-H 'accept: */*'`,
          String.raw`--data-raw '{"categoryId":1,"content":"It'\''s done."}'`,
        ].join(' \\\n  '),
      )
  })

  it('offers a fetch call that does the same', async () => {
    const { detail, sandbox } = await openFirst(`${home}/customers/1/notes`, note('"Quoted" ${text}'))
    await detail.getByRole('tab', { name: 'fetch' }).click()
    const shown = findSection(detail, 'Send again').locator('pre', { hasText: 'await fetch(' })
    const program = await shown.textContent()
    // oxlint-disable-next-line typescript/no-implied-eval -- code that a person would paste into a console
    await new Function(`return (async () => { ${program} })()`)()
    const [first, second] = sandbox.requests.list()
    expect(second).toMatchObject({ method: 'POST', status: 200, caller: first?.caller })
    expect(second?.request.body).toBe(first?.request.body)
  })

  it('asks for a token if the one that was used is unknown', async () => {
    const { detail } = await openFirst('/members/me', undefined, 'sbx_unknown')
    const again = findSection(detail, 'Send again')
    await again.getByText('with your token.').waitFor()
    await expect.poll(() => again.locator('pre').textContent()).toContain('authorization: Bearer ***')
  })
})

describe('asking why', () => {
  it('shows which conditions a record meets, and how many records each condition leaves', async () => {
    const console = await openFirst(`${home}/customers?scope=mine&status=active`)
    const { detail, page } = console
    const why = findSection(detail, 'Explain')
    await why.getByLabel('Record id').fill('2')
    await page.keyboard.press('Enter')
    await why.getByText('not included', { exact: true }).waitFor()
    const scope = why.getByRole('listitem').filter({ hasText: /^scope/ })
    await expect.poll(() => scope.textContent()).toMatch(/does not hold.*requested "mine".*6 match6 left/)
    await expect.poll(() => why.getByRole('listitem').first().textContent()).toContain('token holds')
    await expectAccessible(page)
    expectQuiet(console)
  })

  it('explains why a request was rejected', async () => {
    const console = await openFirst('/organizations/quill/customers/1')
    const { detail } = console
    await detail.getByRole('button', { name: 'Why this response?' }).click()
    await findSection(detail, 'Explain').getByText("not the caller's, which is harbor.").first().waitFor()
    expectQuiet(console)
  })

  it('asks as another member if the caller is unknown', async () => {
    const console = await openFirst(`${home}/customers`, undefined, 'sbx_unknown')
    const { detail } = console
    const why = findSection(detail, 'Explain')
    await why.getByRole('combobox').selectOption({ label: 'Theo Brandt · Customer Success Manager' })
    await why.getByRole('button', { name: /^Why/ }).click()
    await why.getByText('The token belongs to Theo Brandt (2)').waitFor()
    expectQuiet(console)
  })
})

it('moves to the newer and the older request in the filtered list', async () => {
  const { page, baseUrl } = await openFirst('/members/me')
  for (const id of [7, 8, 9]) await createSender(baseUrl)(`${home}/customers/${id}`)
  await page.goto(page.url().replace(/#.*/, '#/traffic/3?operationId=getCustomer'))
  await findDetails(page, 3).getByRole('button', { name: 'Older' }).click()
  const oldest = findDetails(page, 2)
  await oldest.waitFor()
  await expect.poll(() => oldest.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true)
  await expect.poll(() => readIds(page)).toEqual([4, 3, 2])
  await oldest.getByRole('button', { name: 'Close' }).click()
  await oldest.waitFor({ state: 'detached' })
  await expect.poll(() => page.url()).toMatch(/#\/traffic\?operationId=getCustomer$/)
  await expect.poll(() => page.evaluate('document.activeElement.closest("tr")?.dataset.id')).toBe('2')
})

it('shows a pending request, and how it ends as soon as it does', async () => {
  const { page, sandbox, baseUrl } = await open({ at: '#/traffic/1' })
  await waitUntilSettled(page)
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

it('reports a request that the journal no longer has', async () => {
  const console = await open({ at: '#/traffic/77' })
  await findDetails(console.page, 77).getByText('Request 77 is not in this session’s journal').waitFor()
  expectQuiet(console)
})

it('replaces the list in a narrow window, and takes the focus', async () => {
  const { page, detail } = await openFirst('/members/me')
  await page.setViewportSize({ width: 400, height: 800 })
  await detail.getByRole('button', { name: 'Close' }).click()
  await findRow(page, 1).getByRole('link').click()
  await detail.waitFor()
  await expect.poll(() => findRow(page, 1).isVisible()).toBe(false)
  await expectSoon(page, "document.activeElement.tagName === 'H2'")
  await page.keyboard.press('Escape')
  await expectSoon(page, "document.activeElement.closest('tr')?.dataset.id === '1'")
})

it.for(windows)('is accessible, and fits into $viewport.width pixels, $colorScheme', async (browser) => {
  const console = await open({
    at: '#/traffic/1',
    browser,
  })
  const { page, baseUrl, sandbox } = console
  sandbox.faults.add({ operationId: 'listCustomers', status: 503, after: 2 })
  for (let count = 0; count < 3; count += 1)
    await createSender(baseUrl)(`${home}/customers?${'unknown'.repeat(20)}=1`)
  const detail = findDetails(page, 1)
  await detail.getByRole('heading', { name: 'Send again' }).waitFor()
  for (const summary of await detail.locator('summary', { hasText: /header|query/ }).all())
    await summary.click()
  await expectAccessible(page)
  await expectFits(page)
  await detail.getByRole('button', { name: 'Newer' }).click()
  await findDetails(page, 2).getByRole('button', { name: 'Newer' }).click()
  await findSection(findDetails(page, 3), 'Fault').getByText('listCustomers').waitFor()
  await expectAccessible(page)
  await expectFits(page)
  expectQuiet(console)
})
