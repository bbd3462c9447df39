import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { type Asked, detailOf, idsOf, rowOf, sender } from './requests-support.ts'
import {
  expectAccessible,
  expectFits,
  expectQuiet,
  expectSoon,
  settled,
  type Console,
  useConsole,
  windows,
} from './support.ts'

const open = useConsole()
const home = '/organizations/harbor'

/** A console that shows the first request, which is one of Mara's unless told otherwise. */
async function openFirst(
  path: string,
  asked?: Asked,
  token?: string,
): Promise<Console & { detail: Locator }> {
  const console = await open({ at: '#/requests/1' })
  await settled(console.page)
  await sender(console.baseUrl, token)(path, asked)
  const detail = detailOf(console.page, 1)
  await detail.getByRole('heading', { name: 'Send it again' }).waitFor()
  return { ...console, detail }
}

/** A part of what is shown of a request. */
const partOf = (detail: Locator, heading: string): Locator =>
  detail
    .locator('section')
    .filter({ has: detail.page().getByRole('heading', { name: heading, exact: true }) })

const note = (content: string): Asked => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ categoryId: 1, content }),
})

it('shows what was asked and what was answered', async () => {
  const console = await openFirst(`${home}/customers/1/notes?via=phone+call`, note('Called them.'))
  const { detail } = console
  const facts = await detail.locator('dl').first().innerText()
  expect(facts).toContain('createCustomerNote')
  expect(facts).toContain('Mara Ellis (1, harbor)')
  expect(facts).toContain('2026-01-15 12:00:00')
  expect(facts).toMatch(/Duration\s+[\d.]+ ms/)
  const request = partOf(detail, 'Request')
  await request.getByText('1 query parameter', { exact: true }).click()
  await request.getByText('phone call').waitFor()
  await request.getByText(/^\d+ headers$/).click()
  await request.getByText('Bearer ***').waitFor()
  await request.getByText('"Called them."').waitFor()
  const answer = partOf(detail, 'Answer')
  await answer.getByText('"2026-01-15T12:00:00.000Z"').first().waitFor()
  await answer.getByText(/^\d+ headers$/).click()
  await answer.getByText('sandbox-warning', { exact: true }).waitFor()
  expectQuiet(console)
})

describe('a body', () => {
  it('is unfolded where it is small, and folded where it is large', async () => {
    const { detail, page, baseUrl } = await openFirst(`${home}/customers?limit=500`)
    await partOf(detail, 'Answer').getByText('"must be at most 250"').waitFor()
    expect(await partOf(detail, 'Request').getByText('No body.').isVisible()).toBe(true)
    await sender(baseUrl)(`${home}/customers`)
    await rowOf(page, 2).getByRole('link').click()
    const large = partOf(detailOf(page, 2), 'Answer')
    await large.getByText(/^Body, [\d.]+ kB$/).click()
    await large.getByText('id: 1, name: Larkspur Foods').waitFor()
  })

  it('is whole however long it is, sent or answered', async () => {
    const content = 'long '.repeat(20_000)
    const console = await openFirst(`${home}/customers/1/notes`, note(content))
    const { page, baseUrl, sandbox, detail } = console
    await partOf(detail, 'Request')
      .getByText(/^Body, 100\.0 kB$/)
      .click()
    await partOf(detail, 'Request').getByText(`"${content}"`).waitFor()
    const items = Array.from({ length: 900 }, (_, index) => ({ id: index, text: 'x'.repeat(100) }))
    sandbox.faults.add({ operationId: 'listCustomers', status: 200, body: { items } })
    await sender(baseUrl)(`${home}/customers`)
    await rowOf(page, 2).getByRole('link').click()
    const answer = partOf(detailOf(page, 2), 'Answer')
    await answer.getByText(/^Body, 1\d\d\.\d kB$/).click()
    await answer.getByText('[ ] 900 items').waitFor()
    expectQuiet(console)
  })

  it('is said not to be whole where the whole of it is not to be had', async () => {
    const console = await open({ at: '#/requests' })
    const { page, baseUrl } = console
    await settled(page)
    await page.route('**/_sandbox/requests.har*', (route) =>
      route.fulfill({ json: { log: { entries: [] } } }),
    )
    await sender(baseUrl)(`${home}/customers/1/notes`, note('long '.repeat(20_000)))
    await rowOf(page, 1).getByRole('link').click()
    const request = partOf(detailOf(page, 1), 'Request')
    await request.getByText(/^Body, 100\.0 kB, of which the first 65\.5 kB are shown$/).click()
    await request.getByText('long long').waitFor()
    expectQuiet(console)
  })

  it('is text where it is no JSON', async () => {
    const { detail } = await openFirst(`${home}/customers/1/notes`, { ...note(''), body: '<note>' })
    const request = partOf(detail, 'Request')
    await request.getByText('Body, 6 bytes, not JSON').waitFor()
    expect(await request.locator('pre').textContent()).toBe('<note>')
  })
})

it('says what a reviewer would say, and leads to the requests that it is about', async () => {
  const { page, baseUrl, detail } = await openFirst(`${home}/products`)
  for (let count = 0; count < 2; count += 1) await sender(baseUrl)(`${home}/products`)
  await rowOf(page, 3).getByRole('link').click()
  const warnings = partOf(detailOf(page, 3), 'Warnings')
  await warnings.getByText('was asked for 3 times in a row').waitFor()
  await warnings.getByRole('link', { name: 'request 1' }).click()
  await detail.waitFor()
  expect(await partOf(detail, 'Warnings').count()).toBe(0)
})

it('says which fault answered, what it was, and whether it is still there', async () => {
  const console = await open({ at: '#/requests/1' })
  const { page, sandbox, baseUrl } = console
  const { id } = sandbox.faults.add({ operationId: 'listProducts', status: 503, times: 3 })
  await sender(baseUrl)(`${home}/products`)
  const fault = partOf(detailOf(page, 1), 'Fault')
  await fault.getByText('It has done so once, and does it 2 times more.').waitFor()
  await fault.getByText('"listProducts"').waitFor()
  expect(await fault.getByRole('link').getAttribute('href')).toBe('#/steer/faults')
  sandbox.faults.remove(id)
  await page.reload()
  await fault.getByText('It has been removed since.').waitFor()
  expectQuiet(console)
})

it('says on which assumptions an answer rests, or that it rests on documented rules only', async () => {
  const { page, baseUrl, detail } = await openFirst(`${home}/customers/99999`)
  const basis = partOf(detail, 'Rests on')
  const link = basis.getByRole('link', { name: 'A-08' })
  expect(await link.getAttribute('href')).toBe('#/steer/assumptions?id=A-08')
  await basis.getByText('A record that does not exist').waitFor()
  expect(await basis.getByRole('link', { name: 'reference' }).getAttribute('href')).toBe('/docs')
  await sender(baseUrl)('/members/me')
  await rowOf(page, 2).getByRole('link').click()
  await partOf(detailOf(page, 2), 'Rests on').getByText('documented rules only').waitFor()
})

describe('sent again', () => {
  it('is a curl command with the token of who asked, without what curl adds by itself', async () => {
    const { detail, baseUrl } = await openFirst(
      `${home}/customers/1/notes`,
      note("It's done."),
      'sbx_harbor_2',
    )
    expect(await partOf(detail, 'Send it again').locator('pre').textContent()).toBe(
      [
        `curl '${baseUrl}${home}/customers/1/notes'`,
        `-H 'authorization: Bearer sbx_harbor_2'`,
        `-H 'content-type: application/json'`,
        `-H 'accept: */*'`,
        String.raw`--data-raw '{"categoryId":1,"content":"It'\''s done."}'`,
      ].join(' \\\n  '),
    )
  })

  it('is a call of fetch that does the same', async () => {
    const { detail, sandbox } = await openFirst(`${home}/customers/1/notes`, note('"Quoted" ${text}'))
    await detail.getByRole('tab', { name: 'as fetch' }).click()
    const program = await partOf(detail, 'Send it again').locator('pre').textContent()
    // oxlint-disable-next-line typescript/no-implied-eval -- what a person would paste into a console
    await new Function(`return (async () => { ${program} })()`)()
    const [first, second] = sandbox.requests.list()
    expect(second).toMatchObject({ method: 'POST', status: 200, caller: first?.caller })
    expect(second?.request.body).toBe(first?.request.body)
  })

  it('asks for a token where nobody is known to have the one that was used', async () => {
    const { detail } = await openFirst('/members/me', undefined, 'sbx_unknown')
    const again = partOf(detail, 'Send it again')
    await again.getByText('put one in the place of').waitFor()
    expect(await again.locator('pre').textContent()).toContain('authorization: Bearer ***')
  })
})

describe('asking why', () => {
  it('says of a record which conditions hold, and how many records each leaves', async () => {
    const console = await openFirst(`${home}/customers?scope=mine&status=active`)
    const { detail, page } = console
    const why = partOf(detail, 'Ask why')
    await why.getByLabel('Id of a record').fill('2')
    await page.keyboard.press('Enter')
    await why.getByText('not included', { exact: true }).waitFor()
    const scope = why.getByRole('listitem').filter({ hasText: /^scope/ })
    expect(await scope.textContent()).toMatch(/does not hold.*asked "mine".*8 meet it8 left/)
    expect(await why.getByRole('listitem').first().textContent()).toContain('token holds')
    await expectAccessible(page)
    expectQuiet(console)
  })

  it('says why an answer is a refusal', async () => {
    const console = await openFirst('/organizations/quill/customers/1')
    const { detail } = console
    await detail.getByRole('button', { name: 'Why this answer?' }).click()
    await partOf(detail, 'Ask why').getByText("not the caller's, which is harbor.").first().waitFor()
    expectQuiet(console)
  })

  it('asks as somebody else where nobody is known to have asked', async () => {
    const console = await openFirst(`${home}/customers`, undefined, 'sbx_unknown')
    const { detail } = console
    const why = partOf(detail, 'Ask why')
    await why.getByRole('combobox').selectOption({ label: 'Theo Brandt · Customer Success Manager' })
    await why.getByRole('button', { name: /^Why/ }).click()
    await why.getByText('The token is that of Theo Brandt (2)').waitFor()
    expectQuiet(console)
  })
})

it('goes to the newer and the older one of those that are listed', async () => {
  const { page, baseUrl } = await openFirst('/members/me')
  for (const id of [7, 8, 9]) await sender(baseUrl)(`${home}/customers/${id}`)
  await page.goto(page.url().replace(/#.*/, '#/requests/3?operationId=getCustomer'))
  await detailOf(page, 3).getByRole('button', { name: 'Older' }).click()
  const oldest = detailOf(page, 2)
  await oldest.waitFor()
  expect(await oldest.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true)
  expect(await idsOf(page)).toEqual([4, 3, 2])
  await oldest.getByRole('button', { name: 'Close' }).click()
  await oldest.waitFor({ state: 'detached' })
  expect(page.url()).toMatch(/#\/requests\?operationId=getCustomer$/)
  expect(await page.evaluate('document.activeElement.closest("tr")?.dataset.id')).toBe('2')
})

it('shows one that waits, and its answer as soon as there is one', async () => {
  const { page, sandbox, baseUrl } = await open({ at: '#/requests/1' })
  await settled(page)
  sandbox.faults.add({ malfunction: 'hang', operationId: 'listProducts' })
  const over = new AbortController()
  const asked = fetch(`${baseUrl}${home}/products`, { signal: over.signal }).catch(() => undefined)
  const detail = detailOf(page, 1)
  await detail.getByText('There is no answer yet.').waitFor()
  await detail.getByText('not known yet').waitFor()
  over.abort()
  await asked
  await detail.getByText('There was no answer').waitFor()
  expect(await detail.getByText('not known yet').count()).toBe(0)
})

it('says so where the journal has it no more', async () => {
  const console = await open({ at: '#/requests/77' })
  await detailOf(console.page, 77).getByText('has no request 77, or no more').waitFor()
  expectQuiet(console)
})

it('takes the place of the list where there is little room, and the focus', async () => {
  const { page, detail } = await openFirst('/members/me')
  await page.setViewportSize({ width: 400, height: 800 })
  await detail.getByRole('button', { name: 'Close' }).click()
  await rowOf(page, 1).getByRole('link').click()
  await detail.waitFor()
  expect(await rowOf(page, 1).isVisible()).toBe(false)
  await expectSoon(page, "document.activeElement.tagName === 'H2'")
  await page.keyboard.press('Escape')
  await expectSoon(page, "document.activeElement.closest('tr')?.dataset.id === '1'")
})

it.for(windows)('is accessible, and fits into $viewport.width pixels, $colorScheme', async (browser) => {
  const console = await open({
    at: '#/requests/1',
    browser,
  })
  const { page, baseUrl, sandbox } = console
  sandbox.faults.add({ operationId: 'listCustomers', status: 503, after: 2 })
  for (let count = 0; count < 3; count += 1)
    await sender(baseUrl)(`${home}/customers?${'unknown'.repeat(20)}=1`)
  const detail = detailOf(page, 1)
  await detail.getByRole('heading', { name: 'Send it again' }).waitFor()
  for (const summary of await detail.locator('summary', { hasText: /header|query/ }).all())
    await summary.click()
  await expectAccessible(page)
  await expectFits(page)
  await detail.getByRole('button', { name: 'Newer' }).click()
  await detailOf(page, 2).getByRole('button', { name: 'Newer' }).click()
  await partOf(detailOf(page, 3), 'Fault').getByText('listCustomers').waitFor()
  await expectAccessible(page)
  await expectFits(page)
  expectQuiet(console)
})
