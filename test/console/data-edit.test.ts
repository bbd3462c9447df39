import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { findResponse, expectShown, fetchResource } from './data-support.ts'
import { expectAccessible, expectQuiet, useConsole } from './support.ts'

const open = useConsole()

interface Named {
  readonly name: string
}

const HOSTILE = '<img src=x onerror=alert(1)>'

async function edit(page: Page): Promise<ReturnType<Page['getByRole']>> {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  return page.getByRole('dialog', { name: /^Edit / })
}

it('edits a customer, which the service then returns, and undoes the edit', async () => {
  const console = await open({ at: '#/data/customers/2' })
  const { page } = console
  const before = await fetchResource<Named>(console, '/organizations/harbor/customers/2')
  const dialog = await edit(page)
  await dialog.getByLabel('name', { exact: true }).fill('Tidewater & Sons')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Tidewater & Sons', level: 1 }).waitFor()
  expect(await fetchResource(console, '/organizations/harbor/customers/2')).toMatchObject({
    name: 'Tidewater & Sons',
  })
  await page.getByText('replaced in this session').waitFor()
  // The focus returns to the button that opened the dialog.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Edit')

  await page.getByRole('button', { name: 'Undo: customer 2 was replaced' }).click()
  await page.getByRole('heading', { name: before.name, level: 1 }).waitFor()
  expect(await fetchResource(console, '/organizations/harbor/customers/2')).toEqual(before)
  expectQuiet(console)
})

it('shows a changed record in the list at once', async () => {
  const { page, sandbox } = await open({ at: '#/data/customers' })
  await page.getByRole('cell', { name: 'Tidewater Clinics' }).waitFor()
  await sandbox.data.customers.patch(2, { name: 'Tidewater & Sons' })
  await page.evaluate('dispatchEvent(new Event("focus"))')
  await expectShown(page.getByRole('cell', { name: 'Tidewater & Sons' }))
})

it('shows markup in records as text', async () => {
  const console = await open()
  const { page, url } = console
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const put = async (path: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    await fetch(`${url}/_sandbox/data/${path}`, { method: 'PATCH', headers, body: JSON.stringify(body) })
  }
  await put('customers/2', { name: HOSTILE, segment: HOSTILE, city: HOSTILE })
  await put('members/1', { firstName: HOSTILE })
  await put('signals/9', { summary: HOSTILE })
  for (const at of ['customers', 'customers/2', 'signals', 'signals/9', 'tree', 'members', 'changes']) {
    await page.goto(`${url}/_sandbox#/data/${at}`)
    await page.locator('main[aria-busy=false]').waitFor()
    if (at !== 'changes') await page.getByText(HOSTILE).first().waitFor({ state: 'attached' })
    await expect.poll(() => page.locator('main img').count(), { message: `on ${at}` }).toBe(0)
  }
  await page.goto(`${url}/_sandbox#/data/customers?as=json&segment=${encodeURIComponent(HOSTILE)}`)
  const response = page.getByRole('region', { name: 'Response' })
  await response.getByText('14 fields').click()
  await response.getByText(`"${HOSTILE}"`).first().waitFor()
  await page.goto(`${url}/_sandbox#/data/customers/2`)
  const dialog = await edit(page)
  await expect.poll(() => dialog.getByLabel('name', { exact: true }).inputValue()).toBe(HOSTILE)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText(`This deletes ${HOSTILE}`).waitFor()
  expect(dialogs).toEqual([])
  expectQuiet(console)
})

it('shows a validation error at its field', async () => {
  const { page } = await open({ at: '#/data/signals/1' })
  const dialog = await edit(page)
  await dialog.getByLabel('severity', { exact: true }).fill('many')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^must be a/).waitFor()
  await expect
    .poll(() => dialog.getByLabel('severity', { exact: true }).getAttribute('aria-invalid'))
    .toBe('true')
  await expectAccessible(page)
})

it('replaces a record, or merges a patch into it, as JSON', async () => {
  const console = await open({ at: '#/data/customers/2' })
  const { page } = console
  let dialog = await edit(page)
  await dialog.getByRole('tab', { name: 'Merge patch (PATCH)' }).click()
  const json = dialog.getByLabel('JSON')
  await json.fill('{ "sources": ')
  await dialog.getByText('Not valid JSON yet').waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await json.fill('{ "memberRoles": [{ "key": "csm", "members": [999] }] }')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').getByText('memberRoles[0].members[0]', { exact: true }).waitFor()
  await json.fill('{ "sources": [{ "key": "crm", "externalId": "T-2" }] }')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('table', { name: 'sources' }).getByText('T-2').waitFor()

  dialog = await edit(page)
  await dialog.getByRole('tab', { name: 'Replace (PUT)' }).click()
  const whole = JSON.parse(await dialog.getByLabel('JSON').inputValue())
  await dialog.getByLabel('JSON').fill(JSON.stringify({ ...whole, city: 'Bath' }))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Bath', { exact: true }).waitFor()
  expect(await fetchResource(console, '/organizations/harbor/customers/2')).toMatchObject({
    city: 'Bath',
    sources: [{ key: 'crm', externalId: 'T-2' }],
  })
})

it('creates a record from some of its fields', async () => {
  const console = await open({ at: '#/data/customers' })
  const { page } = console
  await page.getByRole('button', { name: 'New customer' }).click()
  const dialog = page.getByRole('dialog', { name: 'New customer' })
  await dialog.getByLabel('name', { exact: true }).fill('Tern & Co')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Tern & Co', level: 1 }).waitFor()
  const id = /customers\/(\d+)$/.exec(page.url())?.[1]
  expect(await fetchResource(console, `/organizations/harbor/customers/${id}`)).toMatchObject({
    name: 'Tern & Co',
  })
  await page.getByRole('button', { name: `Undo: customer ${id} was created` }).click()
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
  expect(await fetchResource(console, `/organizations/harbor/customers/${id}`)).toMatchObject({ status: 404 })
})

it('adds a note to a customer as the selected member', async () => {
  const console = await open({ at: '#/data/customers/2' })
  const { page } = console
  await page.getByRole('button', { name: 'Add note' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a note to customer 2' })
  await dialog.getByLabel('category').selectOption('Feedback')
  await dialog.getByLabel('content').fill('Wrote to them.')
  await dialog.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('region', { name: 'Notes' }).getByText('Wrote to them.').waitFor()
  const { items } = await fetchResource<{ items: readonly object[] }>(
    console,
    '/organizations/harbor/customers/2/notes',
  )
  expect(items.at(-1)).toMatchObject({
    content: 'Wrote to them.',
    createdById: 1,
    category: { name: 'Feedback' },
  })
})

it('confirms a deletion, lists what is deleted along with it, and restores all of it', async () => {
  const console = await open({ at: '#/data/customers/1' })
  const { page } = console
  const before = await fetchResource(console, '/organizations/harbor/signals?limit=250')
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete customer 1?' })
  await dialog
    .getByRole('listitem')
    .filter({ hasText: /^\d+ signals$/ })
    .waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await fetchResource(console, '/organizations/harbor/customers/1')).toMatchObject({ id: 1 })

  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText(/^Deleted 1 customer, \d+ signals/).waitFor()
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
  const answer = await findResponse(page, 'GET /v1/organizations/harbor/customers')
  await answer.getByText('1 to 24 of 24').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN')

  await page.getByRole('link', { name: /^Changes/ }).click()
  await page.getByRole('button', { name: 'Undo: customer 1 was deleted' }).click()
  await page.getByText('No changes yet.').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Changes')
  expect(await fetchResource(console, '/organizations/harbor/signals?limit=250')).toEqual(before)
})

it('lists the changes of the session, and undoes all of them at once', async () => {
  const console = await open()
  const { page, sandbox, url } = console
  await sandbox.data.customers.patch(2, { city: 'Bath' })
  await sandbox.data.customers.patch(3, { city: 'Bath' })
  await sandbox.data.notes.put({ customerId: 2, content: 'New' })
  await page.goto(`${url}/_sandbox#/data/changes`)
  await page.getByRole('link', { name: 'customer 2' }).waitFor()
  const changes = page.getByRole('region', { name: 'Changes' }).getByRole('listitem')
  await expect.poll(() => changes.count()).toBe(3)
  await page.getByRole('button', { name: 'Undo: customer 3 was replaced' }).click()
  await page.getByText('Undone: 1 customer.').waitFor()
  expect(await sandbox.data.changes()).toMatchObject([{ id: 2 }, { collection: 'notes' }])
  await page.getByRole('button', { name: 'Undo all' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo all changes?' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Undo all' }).click()
  await page.getByText('No changes yet.').waitFor()
  expect(await sandbox.data.changes()).toEqual([])
  expectQuiet(console)
})
