import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { open, expectAccessible, expectFocus, expectStatus } from './support.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'
const TIDEWATER = '/organizations/harbor/customers/2'

async function edit(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  return page.getByRole('dialog', { name: /^Edit / })
}

it('edits a segment in four clicks, and undoes it in one', async () => {
  const { page, get } = await open()
  const before = await get(TIDEWATER)
  const dialog = page.getByRole('dialog', { name: 'Edit customer 2' })
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await page.getByRole('link', { name: '2 Tidewater Clinics, customer' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('Segment').fill('Strategic')
  await dialog.getByRole('button', { name: 'Save' }).click()
  // Once it is saved, the focus returns to the button that opened the dialog.
  await expectFocus(page, 'textContent', 'Edit')
  expect(await get(TIDEWATER)).toMatchObject({ segment: 'Strategic' })

  await page.getByRole('button', { name: 'Undo: customer 2 was changed' }).click()
  await expectStatus(page, 'Undone: 1 customer.')
  expect(await get(TIDEWATER)).toEqual(before)
})

it('edits lists and objects as JSON, and focuses a field with an error', async () => {
  const { page, get } = await open({ at: '#/data/customers/2', failures: /400/ })
  const dialog = await edit(page)
  const roles = dialog.getByLabel('Member roles')
  await roles.fill('[{ "key": "csm", "members": [999] }]')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^\[0\]\.members\[0\] /).waitFor()
  await expect.poll(() => roles.getAttribute('aria-invalid')).toBe('true')
  await expectFocus(page, 'name', 'memberRoles')
  await expectAccessible(page)
  await roles.fill('[{ "key": "csm", "members": [2] }]')
  await dialog.getByLabel('Sources').fill('[{ "key": "crm", "externalId": "T-2" }]')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('table', { name: 'sources' }).getByText('T-2').waitFor()
  expect(await get(TIDEWATER)).toMatchObject({
    memberRoles: [{ key: 'csm', members: [{ id: 2 }] }],
    sources: [{ key: 'crm', externalId: 'T-2' }],
  })
})

it('shows markup in records as text', async () => {
  const { page, url, sandbox } = await open()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await sandbox.data.customers.patch(2, { name: HOSTILE, segment: HOSTILE, city: HOSTILE })
  await sandbox.data.members.patch(1, { firstName: HOSTILE })
  await sandbox.data.signals.patch(9, { summary: HOSTILE })
  for (const at of ['customers', 'customers/2', 'signals', 'signals/9', 'members', 'changes']) {
    await page.goto(`${url}/_sandbox#/data/${at}`)
    await page.locator('main[aria-busy=false]').waitFor()
    await page.getByText(HOSTILE).first().waitFor({ state: 'attached' })
    await expect.poll(() => page.locator('main img').count(), { message: `on ${at}` }).toBe(0)
  }
  await page.goto(`${url}/_sandbox#/data/customers?segment=${encodeURIComponent(HOSTILE)}`)
  await page.getByText(`segment: ${HOSTILE}`).waitFor()
  await page.goto(`${url}/_sandbox#/data/customers/2`)
  const dialog = await edit(page)
  await expect.poll(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe(HOSTILE)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByText(`This deletes ${HOSTILE}`).waitFor()
  expect(dialogs).toEqual([])
})

it('creates a record from some of its fields, and says in words what is wrong with one', async () => {
  const { page, get } = await open({ at: '#/data/customers', failures: /400/ })
  await page.getByRole('button', { name: 'New customer' }).click()
  const dialog = page.getByRole('dialog', { name: 'New customer' })
  await dialog.getByLabel('Name', { exact: true }).fill('Tern & Co')
  const example = () => dialog.getByLabel('Products').getAttribute('placeholder')
  await expect.poll(example).toMatch(/^for example \[\{"key":/)
  await dialog.getByLabel('Id', { exact: true }).fill('seven')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByText('must be a number').first().waitFor()
  await dialog.getByLabel('Id', { exact: true }).fill('7007')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { name: 'Tern & Co', level: 1 }).waitFor()
  const id = '7007'
  expect(page.url()).toMatch(/customers\/7007$/)
  const address = `/organizations/harbor/customers/${id}`
  expect(await get(address)).toMatchObject({ name: 'Tern & Co' })
  await page.getByRole('button', { name: `Undo: customer ${id} was created` }).click()
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
  expect(await get(address)).toMatchObject({ status: 404 })
})

it('creates three signals of a customer in a dialog in the middle, and returns to all of them, in eight clicks', async () => {
  const { page, sandbox, get } = await open()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await link('Data').click()
  await link('2 Tidewater Clinics, customer').click()
  await link('Signals with this customerId').click()
  await button('New signal').click()
  const { x = 0, width = 0 } = (await page.getByRole('dialog').boundingBox()) ?? {}
  expect(Math.abs(x - (1280 - x - width))).toBeLessThan(20)
  await button('Create and add another').click()
  await expectStatus(page, /^Created signal \d+\. Empty fields/)
  await button('Create and add another').click()
  await expectStatus(page, /^Created signal \d+2\.$/)
  await button('Create').click()
  await link('← Signals').click()
  await button('customerId: 2 ×').waitFor()
  const changes = await sandbox.data.changes()
  const created = changes.map(({ id }) => get(`/organizations/harbor/signals/${id}`))
  const one = { customerId: 2 }
  expect(await Promise.all(created)).toMatchObject([one, one, one])
})

it('undoes at once what a scenario has deleted', async () => {
  const { page, sandbox, send, get } = await open()
  const before = await get('/organizations/harbor/signals?limit=250')
  sandbox.scenarios.add({ name: 'deleted', customerId: 3 })
  await send('/organizations/harbor/customers?limit=25')
  await page.getByRole('link', { name: /change/ }).click()
  await page.getByText(/^With it: /).waitFor()
  await page.getByRole('button', { name: 'Undo: customer 3 was deleted' }).click()
  await page.getByText('No changes yet.').waitFor()
  expect(await get('/organizations/harbor/signals?limit=250')).toEqual(before)
})

it('adds a note to a customer as the selected member', async () => {
  const { page, get } = await open({ at: '#/data/customers/2?member=2' })
  await page.getByRole('link', { name: 'Notes with this customerId' }).click()
  await page.getByRole('button', { name: 'New note' }).click()
  const dialog = page.getByRole('dialog', { name: 'New note' })
  await dialog.getByLabel('Content').fill('Wrote to them.')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expectStatus(page, /^Created note \d+\.$/)
  const notes = await get<{ items: readonly object[] }>(`${TIDEWATER}/notes`)
  expect(notes.items.at(-1)).toMatchObject({ content: 'Wrote to them.', createdById: 2, customerId: 2 })
})

it('confirms a deletion, and restores all that was deleted with it', async () => {
  const { page, get } = await open({ at: '#/data/customers/1', failures: /409/ })
  const before = await get('/organizations/harbor/signals?limit=250')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete customer 1?' })
  await dialog.getByText(/with all that belongs to it/).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await get('/organizations/harbor/customers/1')).toMatchObject({ id: 1 })

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete customer 1' }).click()
  await page.getByText(/^Deleted 1 customer, \d+ signals/).waitFor()
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
  await page.getByRole('link', { name: '2 Tidewater Clinics, customer' }).waitFor()
  await expect.poll(() => page.locator('.opens-row').count()).toBe(24)
  await expectFocus(page, 'tagName', 'MAIN')

  await page
    .getByRole('navigation', { name: 'Data' })
    .getByRole('link', { name: /^Changes/ })
    .click()
  await page.getByRole('button', { name: 'Undo: customer 1 was deleted' }).click()
  await page.getByText('No changes yet.').waitFor()
  await expectFocus(page, 'textContent', 'Changes')
  expect(await get('/organizations/harbor/signals?limit=250')).toEqual(before)
})

it('lists the changes of the session with their differences, and undoes one or all', async () => {
  const { page, sandbox } = await open({ at: '#/data/changes' })
  await page.getByText('No changes yet.').waitFor()
  await sandbox.data.customers.patch(2, { city: 'Bath' })
  await sandbox.data.customers.patch(3, { city: 'Bath' })
  await sandbox.data.notes.put({ customerId: 2, content: 'New' })
  const changes = page.getByRole('main').locator('ol > li')
  await expect.poll(() => changes.count()).toBe(3)
  const row = changes.filter({ hasText: 'customer 2' })
  await row.locator('del', { hasText: '"Bristol"' }).waitFor()
  await row.locator('ins', { hasText: '"Bath"' }).waitFor()
  await changes.first().getByText('note').waitFor()
  await changes.first().getByText('by hand').waitFor()
  await page.getByLabel('By', { exact: true }).selectOption('requests')
  await expect.poll(() => changes.count()).toBe(0)
  await page.getByLabel('By', { exact: true }).selectOption('anybody')
  await page.getByRole('button', { name: 'Undo: customer 3 was changed' }).click()
  await page.getByText('Undone: 1 customer.').waitFor()
  expect(await sandbox.data.changes()).toMatchObject([{ id: 2 }, { collection: 'notes' }])
  await page.getByRole('main').getByRole('button', { name: 'Undo 2 changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo 2 changes?' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Undo 2 changes' }).click()
  await page.getByText('No changes yet.').waitFor()
  expect(await sandbox.data.changes()).toEqual([])
})
