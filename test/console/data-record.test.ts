import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { expectRequest, expectColumn, readColumn } from './data-support.ts'
import { open } from './support.ts'

const card = (page: Page, name: string | RegExp): Locator => page.getByRole('region', { name })

it('shows a customer as the member gets it, with fields, roles and renewals', async () => {
  const { page, get } = await open({ at: '#/data/customers/12' })
  await expectRequest(page, 'GET /v1/organizations/harbor/customers/12')
  interface Customer {
    readonly city: string
    readonly products: readonly { readonly key: string; readonly renewalDate: string }[]
  }
  const customer = await get<Customer>('/organizations/harbor/customers/12')
  const seen = card(page, 'As seen by Mara Ellis')
  await seen.getByText(customer.city, { exact: true }).waitFor()
  const roles = seen.getByRole('table', { name: 'memberRoles' })
  await expect.poll(() => readColumn(roles, 'key')).toContain('csm')
  await expect.poll(async () => (await readColumn(roles, 'members')).join()).toContain('Theo Brandt')
  const products = seen.getByRole('table', { name: 'products' })
  await expectColumn(
    products,
    'renewalDate',
    customer.products.map(({ renewalDate }) => renewalDate),
  )
})

it('shows that a member cannot read records of another organization', async () => {
  const { page } = await open({ at: '#/data/customers/1000001' })
  await expectRequest(page, 'GET /v1/organizations/harbor/customers/1000001')
  await page.getByRole('alert').getByText('404').first().waitFor()
  await page.getByRole('combobox', { name: 'As seen by' }).selectOption('501')
  await expectRequest(page, 'GET /v1/organizations/quill/customers/1000001')
  await page.getByRole('main').getByText('200', { exact: true }).waitFor()
})

it('reports a record and a collection that do not exist', async () => {
  const { page, url } = await open({ at: '#/data/customers/99999', failures: /404/ })
  await page.getByRole('alert').getByText('There is no customer 99999.').waitFor()
  await page.goto(`${url}/_sandbox#/data/nonsense`)
  await expect.poll(() => page.getByText('No collection is called nonsense.').count()).toBe(1)
})

it('links the lists of what belongs to a record', async () => {
  const { page, sandbox, url } = await open({ at: '#/data/customers/1' })
  await page.getByRole('link', { name: 'Signals with this customerId' }).click()
  await page.waitForURL(/#\/data\/signals\?customerId=1$/)
  const signals = await sandbox.data.signals.list({ customerId: 1, limit: 100 })
  await expectColumn(
    page.getByRole('table').first(),
    'id',
    signals.items.map(({ id }) => id),
  )
  await page.goto(`${url}/_sandbox#/data/members/2`)
  await page.getByRole('link', { name: 'Customers with this memberId' }).click()
  await expectRequest(page, 'GET /v1/organizations/harbor/customers?memberId=2')
})
