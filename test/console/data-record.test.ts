import { expect, it } from 'vitest'

import { findResponse, readColumn, expectResponse, expectShown, fetchResource } from './data-support.ts'
import { expectQuiet, useConsole } from './support.ts'

const open = useConsole()

it('shows a customer as the member gets it, with fields, roles and products', async () => {
  const console = await open({ at: '#/data/customers/12' })
  const answer = await findResponse(console.page, 'GET /v1/organizations/harbor/customers/12')
  const customer = await fetchResource<{ city: string; products: readonly { key: string }[] }>(
    console,
    '/organizations/harbor/customers/12',
  )
  await answer.getByText(customer.city, { exact: true }).waitFor()
  const roles = answer.getByRole('table', { name: 'memberRoles' })
  await expect.poll(() => readColumn(roles, 'key')).toContain('csm')
  await expect
    .poll(() => roles.getByRole('link', { name: 'Theo Brandt' }).getAttribute('href'))
    .toBe('#/data/members/2')
  const products = answer.getByRole('table', { name: 'products' })
  await expect.poll(() => readColumn(products, 'key')).toEqual(customer.products.map(({ key }) => key))
  expectQuiet(console)
})

it('shows and links the signals, meetings, notes and briefs of a customer', async () => {
  const console = await open({ at: '#/data/customers/1' })
  const { page } = console
  const { items } = await fetchResource<{ items: readonly { id: number; customerId: number }[] }>(
    console,
    '/organizations/harbor/signals?limit=250',
  )
  const own = items.filter(({ customerId }) => customerId === 1).map(({ id }) => String(id))
  const signals = page.getByRole('region', { name: 'Signals' })
  await signals.getByRole('table').waitFor()
  await expect.poll(() => readColumn(signals.getByRole('table'), 'id')).toEqual(own)
  for (const [name, path] of [
    ['Meetings', 'meetings'],
    ['Notes', 'notes'],
  ] as const) {
    const { totalCount } = await fetchResource<{ totalCount: number }>(
      console,
      `/organizations/harbor/customers/1/${path}`,
    )
    const list = page.getByRole('region', { name })
    await expect.poll(() => list.getByRole('heading').textContent()).toBe(`${name} ${totalCount}`)
  }
  await page
    .getByRole('region', { name: 'Brief contents' })
    .getByRole('link', { name: 'Account summary' })
    .click()
  await findResponse(page, 'GET /v1/organizations/harbor/customers/1/briefs/1/contents')
})

it('finds automation logs that name a customer', async () => {
  const { page, sandbox } = await open()
  await sandbox.data.triggerLogs.put({
    triggerId: 11,
    message: 'Tidewater Clinics: a log of the test',
  })
  await page.goto(`${page.url()}#/data/customers/2`)
  await page.getByRole('heading', { name: 'Automation logs that mention this customer' }).click()
  await expectShown(page.getByRole('cell', { name: 'Tidewater Clinics: a log of the test' }))
})

it('shows that a member cannot read records of another organization', async () => {
  const { page } = await open({ at: '#/data/customers/1000001' })
  const answer = await findResponse(page, 'GET /v1/organizations/harbor/customers/1000001')
  await answer.getByText('404', { exact: true }).first().waitFor()
  await answer.getByText('Not found', { exact: true }).waitFor()
  await page.getByLabel('As seen by').selectOption('sbx_quill_501')
  await findResponse(page, 'GET /v1/organizations/quill/customers/1000001')
  await expectShown(answer.getByText('200', { exact: true }))
})

it('reports a record and a collection that do not exist', async () => {
  const { page, url } = await open({ at: '#/data/customers/99999' })
  await page.getByRole('alert').getByText('There is no customer 99999.').waitFor()
  await page.goto(`${url}/_sandbox#/data/nonsense`)
  await expectShown(page.getByText('No collection is called nonsense.'))
})

it('shows a record as stored if the service has no operation that reads it', async () => {
  const { page } = await open({ at: '#/data/notes/1' })
  await expectShown(
    page.getByRole('region', { name: 'Record' }).getByText('Bram Hoekstra is direct and fair.'),
  )
})

it('links an automation to the logs of its triggers, and a member to their customers', async () => {
  const { page, url } = await open({ at: '#/data/automations/1' })
  await page.getByRole('link', { name: 'triggerId 11' }).click()
  await findResponse(page, 'GET /v1/organizations/harbor/automations/1/triggers/11/logs')
  await page.goto(`${url}/_sandbox#/data/members/2`)
  await page.getByRole('link', { name: 'Customers with this memberId' }).click()
  await expectResponse(page, 'GET /v1/organizations/harbor/customers?memberId=2')
})

it('shows who reports to whom, who is in the team, and how much each member sees', async () => {
  const console = await open({ at: '#/data/tree' })
  const { page } = console
  const tree = page.getByRole('region', { name: 'Members' })
  const mara = tree.getByRole('listitem').filter({ hasText: 'Mara Ellis' }).last()
  await mara.getByText('mine 6, team 17, all 25').waitFor()
  await expect
    .poll(() => mara.getByRole('button', { name: 'Mara Ellis' }).getAttribute('aria-pressed'))
    .toBe('true')
  await expect.poll(() => tree.getByText('team', { exact: true }).count()).toBe(4)
  // Theo Brandt reports to Nadia Osman, who reports to Helen Ward.
  const nadia = tree.getByRole('listitem').filter({ hasText: 'Nadia Osman' }).last()
  await expect.poll(() => nadia.getByRole('button', { name: 'Theo Brandt' }).count()).toBe(1)

  await tree.getByRole('button', { name: 'Reports of Nadia Osman' }).press('Enter')
  await expect.poll(() => nadia.getByRole('button', { name: 'Theo Brandt' }).count()).toBe(0)
  await tree.getByRole('button', { name: 'Priya Nair' }).press('Enter')
  await page.getByText('Priya Nair is in a team of 3').waitFor()
  await expect.poll(() => page.getByLabel('As seen by').inputValue()).toBe('sbx_harbor_3')
  await page.getByRole('link', { name: '6 are their own' }).click()
  await findResponse(page, 'GET /v1/organizations/harbor/customers?scope=mine')
  expectQuiet(console)
})

it('shows the team that the session’s assumption defines', async () => {
  const { page } = await open({ at: '#/data/tree', sandbox: { assumptions: { team: 'branch' } } })
  await expectShown(page.getByText('Mara Ellis is in a team of 5: the manager and everyone below.'))
})
