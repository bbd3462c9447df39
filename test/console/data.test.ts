import { expect, it } from 'vitest'

import { findResponse, readColumn, expectResponse, expectShown, MARA, fetchResource } from './data-support.ts'
import { expectAccessible, expectQuiet, useConsole } from './support.ts'

const open = useConsole()

interface Named {
  readonly name: string
}

interface Described {
  readonly get?: {
    readonly operationId: string
    readonly parameters: readonly { readonly name: string; readonly in: string }[]
  }
}

it('links to every list operation, with a control for each of its parameters', async () => {
  const { page, url } = await open({ at: '#/data' })
  const document = await fetch(`${url}/openapi.json`)
  const { paths } = (await document.json()) as { readonly paths: Readonly<Record<string, Described>> }
  const lists = Object.values(paths)
    .flatMap(({ get }) => get ?? [])
    .filter(({ operationId }) => operationId.startsWith('list'))
  const links = page.getByRole('navigation', { name: 'Data' }).getByRole('link')
  await links.first().waitFor()
  // The manager tree and the changes are not operations.
  await expect.poll(() => links.count()).toBe(lists.length + 2)
  const shown: Record<string, readonly string[]> = {}
  for (let at = 0; at < lists.length; at += 1) {
    await links.nth(at).click()
    await links.nth(at).and(page.locator('[aria-current=true]')).waitFor()
    await page.getByText(/^GET \/v1\//).waitFor()
    const names = page.getByRole('group', { name: 'Parameters' }).locator('label:has(+ *), [id$=-name]')
    shown[(await page.getByText(/^list[A-Z]\w+$/).textContent()) ?? ''] = await names.allTextContents()
  }
  expect(sorted(shown)).toEqual(
    sorted(
      Object.fromEntries(
        lists.map(({ operationId, parameters }) => [
          operationId,
          parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
        ]),
      ),
    ),
  )
})

const sorted = (names: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(names).map(([id, list]) => [id, list.toSorted()]))

it('shows what the selected member gets, filtered by the operation’s own parameters, and keeps them in the URL', async () => {
  const console = await open({ at: '#/data/customers' })
  const { page, url } = console
  await page.getByLabel('scope', { exact: true }).selectOption('mine')
  const answer = await findResponse(page, 'GET /v1/organizations/harbor/customers?scope=mine')
  const { items } = await fetchResource<{ items: readonly Named[] }>(
    console,
    '/organizations/harbor/customers?scope=mine',
  )
  const table = answer.getByRole('table', { name: 'Customers visible to Mara Ellis' })
  await expect.poll(() => readColumn(table, 'name')).toEqual(items.map(({ name }) => name))
  await expect
    .poll(() => answer.getByRole('status').textContent())
    .toBe(`1 to ${items.length} of ${items.length}`)
  await expect.poll(() => page.url()).toBe(`${url}/_sandbox#/data/customers?scope=mine`)

  await page.getByLabel('As seen by').selectOption('sbx_quill_501')
  await findResponse(page, 'GET /v1/organizations/quill/customers?scope=mine')
  const others = await fetchResource<{ items: readonly Named[] }>(
    console,
    '/organizations/quill/customers?scope=mine',
    'sbx_quill_501',
  )
  const othersTable = page.getByRole('table', { name: 'Customers visible to Omar Haddad' })
  await expect.poll(() => readColumn(othersTable, 'name')).toEqual(others.items.map(({ name }) => name))
  expectQuiet(console)
})

it('accepts several values of a parameter, existing or new', async () => {
  const console = await open({ at: '#/data/customers' })
  const { page } = console
  const request = page.getByRole('region', { name: 'Request' })
  await request.getByLabel('segment: any').click()
  const group = request.getByRole('group', { name: 'segment' })
  await group.getByLabel(/^Enterprise/).check()
  await group.getByLabel(/^SMB/).check()
  await findResponse(page, 'GET /v1/organizations/harbor/customers?segment=Enterprise&segment=SMB')
  await request.getByLabel('Another segment').fill('None such')
  await request.getByLabel('Another segment').press('Enter')
  const answer = await findResponse(
    page,
    'GET /v1/organizations/harbor/customers?segment=Enterprise&segment=SMB&segment=None+such',
  )
  const readSegments = () => readColumn(answer.getByRole('table'), 'segment')
  await expect.poll(async () => new Set(await readSegments())).toEqual(new Set(['Enterprise', 'SMB']))
  await request.getByRole('button', { name: 'Clear 1 parameter' }).click()
  await expectResponse(page, 'GET /v1/organizations/harbor/customers')
})

it('shows whether each parameter is documented, and explains its assumption on demand', async () => {
  const { page } = await open({ at: '#/data/customers' })
  const request = page.getByRole('region', { name: 'Request' })
  await request.getByText('documented', { exact: true }).first().waitFor()
  await expect.poll(() => request.getByText('documented', { exact: true }).count()).toBe(14)
  await request.getByRole('button', { name: 'A-12: assumption about scope' }).click()
  const assumption = page.getByRole('dialog', { name: 'Assumption A-12' })
  await assumption.getByText('A-12: Who is under a shared manager').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => assumption.isVisible()).toBe(false)
})

it('shows an error in full, and at the parameters that it names', async () => {
  const { page } = await open({ at: '#/data/customers' })
  await page.getByLabel('limit', { exact: true }).fill('999')
  await page.getByLabel('limit', { exact: true }).press('Enter')
  const answer = await findResponse(page, 'GET /v1/organizations/harbor/customers?limit=999')
  await answer.getByText('400', { exact: true }).first().waitFor()
  await answer.getByText('Invalid request', { exact: true }).waitFor()
  const request = page.getByRole('region', { name: 'Request' })
  await request.getByText('must be at most 250').waitFor()
  await expect.poll(() => page.getByLabel('limit', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
})

it('keeps input that is being typed when data changes meanwhile', async () => {
  const { page, sandbox } = await open({ at: '#/data/customers' })
  await page.getByLabel('sourceKey', { exact: true }).pressSequentially('sales')
  await sandbox.data.customers.patch(1, { name: 'Changed meanwhile' })
  await page.evaluate('dispatchEvent(new Event("focus"))')
  await page.getByRole('cell', { name: 'Changed meanwhile' }).waitFor()
  await expect.poll(() => page.getByLabel('sourceKey', { exact: true }).inputValue()).toBe('sales')
})

it('offers the values of a path parameter that fit the parameters before it', async () => {
  const { page } = await open({ at: '#/data/triggerLogs' })
  await findResponse(page, 'GET /v1/organizations/harbor/automations/1/triggers/11/logs')
  await page.getByLabel('automationId').selectOption({ label: '2 · Renewal countdown' })
  const answer = await findResponse(page, 'GET /v1/organizations/harbor/automations/2/triggers/21/logs')
  await expect.poll(() => readColumn(answer.getByRole('table'), 'status')).toContain('info')
})

it('pages through a list', async () => {
  const { page } = await open({ at: '#/data/signals?limit=10' })
  const answer = await findResponse(page, 'GET /v1/organizations/harbor/signals?limit=10')
  await expect.poll(() => answer.getByRole('status').textContent()).toBe('1 to 10 of 85')
  await answer.getByRole('button', { name: 'Next page' }).click()
  await findResponse(page, 'GET /v1/organizations/harbor/signals?offset=10&limit=10')
  await expect.poll(() => answer.getByRole('status').textContent()).toBe('11 to 20 of 85')
  await answer.getByRole('button', { name: 'Previous page' }).click()
  await findResponse(page, 'GET /v1/organizations/harbor/signals?limit=10')
  await expect.poll(() => answer.getByRole('button', { name: 'Previous page' }).isDisabled()).toBe(true)
})

it('pages through a response without a total count', async () => {
  const { page } = await open({
    at: '#/data/briefs?limit=3',
    sandbox: { assumptions: { pages: 'array' } },
  })
  const answer = await findResponse(page, 'GET /v1/organizations/harbor/briefs?limit=3')
  await expect.poll(() => answer.getByRole('status').textContent()).toBe('1 to 3')
  await answer.getByRole('button', { name: 'Next page' }).click()
  await findResponse(page, 'GET /v1/organizations/harbor/briefs?offset=3&limit=3')
  await expect.poll(() => answer.getByRole('status').textContent()).toBe('4 to 4')
  await expect.poll(() => answer.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
})

it('shows and links the names of referenced records', async () => {
  const { page } = await open({ at: '#/data/signals?limit=3' })
  const answer = await findResponse(page, 'GET /v1/organizations/harbor/signals?limit=3')
  await answer.getByRole('link', { name: 'Larkspur Foods' }).first().click()
  await page.getByRole('heading', { name: 'Larkspur Foods', level: 1 }).waitFor()
  await expect.poll(() => page.url()).toMatch(/#\/data\/customers\/1$/)
})

it('shows the response as JSON, and copies the request as an application would send it', async () => {
  const { page, baseUrl } = await open({
    at: '#/data/products',
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  })
  const answer = await findResponse(page, 'GET /v1/organizations/harbor/products')
  await answer.getByLabel('JSON').check()
  await answer.getByText('6 items').waitFor()
  await answer.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied the request as curl.').waitFor()
  await expect
    .poll(() => page.evaluate('navigator.clipboard.readText()'))
    .toBe(`curl '${baseUrl}/organizations/harbor/products' \\\n  -H 'Authorization: Bearer ${MARA}'`)
})

it('sends requests in the session of the page', async () => {
  const { page, sandbox, url } = await open()
  const session = sandbox.session()
  await session.data.customers.patch(1, { name: 'Larkspur of the session' })
  await page.goto(`${url}/_sandbox?session=${session.id}#/data/customers`)
  await expectShown(page.getByRole('cell', { name: 'Larkspur of the session' }))
})
