import type { Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'

import type { StartOptions } from '../../src/node.ts'
import { endpoints } from '../../src/resources/index.ts'
import { importPacked } from '../packed.ts'
import { expectRefusal, serve } from '../sandbox/control-support.ts'
import { tokens } from '../support.ts'
import { opened } from './chromium.ts'

/** Starts a server of the packed package for the duration of the test. */
async function started(options: StartOptions = {}) {
  const { startSandbox } = await importPacked('workspace-sandbox/node')
  const running = await startSandbox({ size: 'small', port: 0, ...options })
  onTestFinished(() => running.close())
  return running
}

/** Finds an operation of the reference, once the reference is there. */
async function operation(page: Page, id: string): Promise<Locator> {
  const section = page.getByRole('region', { name: id, exact: true })
  await section.waitFor()
  return section
}

/** Sends the request that an operation shows, and reads status and body. */
async function called(page: Page, section: Locator) {
  const answer = page.waitForResponse((response) => response.url().includes('/v1/'))
  await section.getByRole('button', { name: 'Send' }).click()
  const response = await answer
  await section.locator('.try-out .row .tag').waitFor()
  return { status: response.status(), request: response.request(), body: await response.json() }
}

/** Reads the provenance of rows. Order: as shown. */
const provenance = (rows: Locator) =>
  rows.evaluateAll((all) => all.map((row) => row.querySelector('.mark')?.textContent))

const marks = (count: number) =>
  Array.from({ length: count }, () => expect.stringMatching(/^(?:documented|assumed)$/))

it('marks every operation, parameter, response and field as documented or assumed, and loads nothing from elsewhere', async () => {
  const { url } = await started()
  const { page, errors, requests } = await opened(`${url}/docs`, '.operation')
  expect(await provenance(page.locator('.operation > header'))).toEqual(marks(endpoints.length))
  const section = await operation(page, 'listCustomers')
  expect(await provenance(section.locator('.parameter'))).toEqual(marks(15))
  const fields = await provenance(section.locator('.fields-list > li'))
  expect(fields.length).toBeGreaterThan(15)
  expect(fields).toEqual(marks(fields.length))
  const all = new Set(await provenance(page.locator('.fields-list > li')))
  expect(all).toEqual(new Set(['documented', 'assumed']))
  expect(requests.filter((address) => !address.startsWith(`${url}/`))).toEqual([])
  expect(errors).toEqual([])
})

it('explains an assumption on hover and focus', async () => {
  const { url } = await started()
  const { page } = await opened(`${url}/docs`, '.operation')
  const section = await operation(page, 'listCustomers')
  const assumption = section.locator('.parameter', { hasText: 'all: every visible' }).locator('a.tag')
  const why = assumption.locator('.why')
  expect(await why.isVisible()).toBe(false)
  await assumption.focus()
  await expect.poll(() => why.isVisible()).toBe(true)
  await expect
    .poll(() => why.textContent())
    .toMatch(/^A-12 .* the members with the caller's managerId.* Set by team, here "peers"\.$/)
})

it('calls the service with the token and the organization of the chosen member', async () => {
  const { url } = await started()
  const { page, errors } = await opened(`${url}/docs`, '.operation')
  const me = await operation(page, 'getCurrentMember')
  expect(await called(page, me)).toMatchObject({ status: 200, body: { firstName: 'Mara' } })
  await page.getByLabel('Call as').selectOption(tokens.omar)
  expect(await called(page, me)).toMatchObject({ status: 200, body: { firstName: 'Omar' } })
  const products = await operation(page, 'listProducts')
  expect(await called(page, products)).toMatchObject({ status: 200 })
  expect(errors).toEqual([])
})

it('sends the parameters that are filled in, and shows the request as curl', async () => {
  const { url } = await started()
  const { page } = await opened(`${url}/docs`, '.operation')
  const section = await operation(page, 'listCustomers')
  await section.getByLabel('limit').fill('1')
  await section.getByLabel('scope').selectOption('mine')
  await section.getByLabel('country').fill('Spain, Norway')
  const { request, body } = await called(page, section)
  const query = 'limit=1&scope=mine&country=Spain&country=Norway'
  expect(request.url()).toBe(`${url}/v1/organizations/harbor/customers?${query}`)
  expect(await section.locator('pre').first().textContent()).toContain(`customers?${query}'`)
  expect(body).toHaveProperty('totalCount')
})

it('writes a note', async () => {
  const { url } = await started()
  const { page, errors } = await opened(`${url}/docs`, '.operation')
  const section = await operation(page, 'createCustomerNote')
  await section.getByLabel('customerId').fill('1')
  await section.getByLabel('Body').fill('{ "categoryId": 1, "content": "Called them" }')
  expect(await called(page, section)).toMatchObject({ status: 200, body: { content: 'Called them' } })
  expect(errors).toEqual([])
})

it('shows and calls the session of its address, with the session’s assumptions', async () => {
  const { url, sandbox } = await started()
  const session = sandbox.session({ assumptions: { signalStatuses: ['new', 'doing', 'done', 'no'] } })
  const { page } = await opened(`${url}/docs?session=${session.id}`, '.operation')
  const signals = await operation(page, 'listSignals')
  expect(await signals.getByLabel('status').textContent()).toContain('doing')
  expect(await called(page, signals)).toMatchObject({ status: 200 })
  expect(session.requests.list().map(({ operationId }) => operationId)).toEqual(['listSignals'])
  expect(sandbox.requests.list()).toEqual([])
})

it('shows and calls the control plane as well, with the admin token if there is one', async () => {
  const { url, sandbox } = await started({ adminToken: 'secret' })
  const session = sandbox.session()
  const { page, errors } = await opened(`${url}/docs?session=${session.id}`, '.operation')
  await page.getByRole('link', { name: 'Control plane' }).click()
  await page.waitForURL(/\/docs\/control\?/)
  await page.getByLabel('Admin token').fill('secret')
  await page.keyboard.press('Enter')
  const section = await operation(page, 'setClock')
  await section.getByLabel('Body').fill('{ "now": "2026-05-05T05:05Z" }')
  const answer = page.waitForResponse((response) => response.url().endsWith('/_sandbox/clock'))
  await section.getByRole('button', { name: 'Send' }).click()
  expect(await (await answer).json()).toEqual({ now: '2026-05-05T05:05:00.000Z' })
  expect(session.clock.now()).toBe('2026-05-05T05:05:00.000Z')
  expect(await section.locator('pre').first().textContent()).not.toContain('secret')
  await page.getByRole('link', { name: 'Service', exact: true }).click()
  await operation(page, 'listCustomers')
  expect(new URL(page.url()).searchParams.get('session')).toBe(session.id)
  expect(errors.filter((error) => !error.includes('401'))).toEqual([])
})

it('shows an error if the session of its address does not exist', async () => {
  const { url } = await started()
  const { page } = await opened(`${url}/docs?session=gone`, '[role=alert]:not(:empty)')
  await expect.poll(() => page.getByRole('alert').first().textContent()).toMatch(/session/i)
})

it('asks for the admin token if the control plane requires one', async () => {
  const { url } = await started({ adminToken: 'secret' })
  const { page } = await opened(`${url}/docs`, '.operation')
  await expect.poll(() => page.getByLabel('Call as').isDisabled()).toBe(true)
  await page.getByLabel('Admin token').fill('secret')
  await page.keyboard.press('Enter')
  await page.locator('select:enabled').first().waitFor()
  const me = await operation(page, 'getCurrentMember')
  await me.getByText('sbx_').waitFor()
  const { status, request } = await called(page, me)
  expect(status).toBe(200)
  expect(await request.headerValue('authorization')).toBe(`Bearer ${tokens.mara}`)
})

it('opens by a link from another site, but not under another host name', async () => {
  const { ask } = await serve()
  const cross = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
  expectRefusal(await ask('/docs', { headers: cross }), 'forbidden')
  expect((await ask('/docs', { headers: { ...cross, 'sec-fetch-mode': 'navigate' } })).status).toBe(200)
  expectRefusal(await ask('/docs', { headers: { host: 'evil.example' } }), 'forbidden')
})
