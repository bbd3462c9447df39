import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import type { Health } from '../../src/control/host.ts'
import { expectAccessible, expectFits, expectQuiet, waitUntilSettled, useConsole } from './support.ts'

const open = useConsole()
const run = promisify(execFile)

/** Calls the service as the default caller, as an application would. */
const call = (base: string, path = '/members/me'): Promise<Response> =>
  fetch(`${base}${path}`, { headers: { authorization: 'Bearer sbx_harbor_1' } })

const card = (page: Page, name: string) => page.getByRole('region', { name })
const snippet = async (page: Page): Promise<string> =>
  (await page.getByRole('tabpanel').locator('pre').textContent()) ?? ''

/** Waits for the snippet of a call in a language, and reads it. */
async function findSnippet(page: Page, language: string, pattern: RegExp): Promise<string> {
  await page.getByRole('tab', { name: language, selected: true }).waitFor()
  await expect.poll(() => snippet(page)).toMatch(pattern)
  return snippet(page)
}

const selectCustomers = (page: Page) => page.getByRole('radio', { name: 'List customers' }).check()

it('shows the base URL and a token at once, and copies them', async () => {
  const console = await open({ browser: { permissions: ['clipboard-read', 'clipboard-write'] } })
  const { page, url, baseUrl } = console
  await waitUntilSettled(page)
  await page.getByRole('button', { name: 'Copy the base URL' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(baseUrl)
  expect(baseUrl).toBe(`${url}/v1`)
  await page.getByText('Copied the base URL.').waitFor()
  await page.getByRole('button', { name: 'Copy the token', exact: true }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('sbx_harbor_1')
  await page.getByRole('button', { name: 'Copy the token of Theo Brandt' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('sbx_harbor_2')
  expectQuiet(console)
})

/** Runs the snippet of each tab. */
const programs: Readonly<Record<string, (text: string) => Promise<{ readonly stdout: string }>>> = {
  curl: (text) => run('sh', ['-c', text]),
  JavaScript: (text) => run(process.execPath, ['--input-type=module', '--eval', text]),
  Python: (text) => run('python3', ['-c', text]),
  'Typed client': (text) => run(process.execPath, ['--input-type=module', '--eval', text]),
}

it.for(Object.keys(programs))('has a snippet that works unchanged: %s', async (language) => {
  const { page } = await open({ at: '#/start?call=customers' })
  await page.getByRole('tab', { name: language }).click()
  const customers = await programs[language]?.(await findSnippet(page, language, /customers/i))
  expect(customers?.stdout).toContain('Larkspur Foods')
  expect(customers?.stdout).toMatch(/["']?totalCount["']?: ?25/)
  await page.getByRole('radio', { name: 'Who am I?' }).check()
  const me = await programs[language]?.(await findSnippet(page, language, /members\/me|currentMember/i))
  expect(me?.stdout).toContain('mara.ellis@harboranalytics.example')
})

it('switches languages by keyboard, and remembers the selected one', async () => {
  const { page } = await open()
  await page.getByRole('tab', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => snippet(page)).toContain('await fetch(')
  await page.keyboard.press('End')
  await expect.poll(() => snippet(page)).toContain('createClient')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => snippet(page)).toMatch(/^curl /)
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('tab', { name: 'Typed client', selected: true }).waitFor()
  await page.reload()
  await page.getByRole('tab', { name: 'Typed client', selected: true }).waitFor()
  await expect.poll(() => page.getByRole('tab', { name: 'Typed client' }).getAttribute('tabindex')).toBe('0')
  await expect.poll(() => page.getByRole('tab', { name: 'curl' }).getAttribute('tabindex')).toBe('-1')
})

it('calls as the member selected in the table or the list, for as long as the tab is open', async () => {
  const { page } = await open({ at: '#/start?call=customers' })
  await page.getByRole('radio', { name: 'Theo Brandt' }).check()
  await expect.poll(() => snippet(page)).toContain('Bearer sbx_harbor_2')
  await page.getByRole('combobox', { name: 'As' }).selectOption('sbx_quill_501')
  await expect.poll(() => snippet(page)).toContain('/organizations/quill/customers')
  await expect.poll(() => snippet(page)).toContain('Bearer sbx_quill_501')
  await page.reload()
  await page.getByRole('radio', { name: 'Omar Haddad', checked: true }).waitFor()
  await expect.poll(() => snippet(page)).toContain('Bearer sbx_quill_501')
})

it('previews a response, without a journal entry and without faults', async () => {
  const { page, sandbox } = await open()
  sandbox.faults.add({ status: 500 })
  await selectCustomers(page)
  await page.getByRole('button', { name: 'Try it' }).click()
  const answer = card(page, 'Response')
  await answer.getByText('totalCount').waitFor()
  await expect.poll(() => answer.getByText('200', { exact: true }).isVisible()).toBe(true)
  await expect
    .poll(() => answer.getByText('GET /v1/organizations/harbor/customers?limit=5').isVisible())
    .toBe(true)
  expect(sandbox.requests.list()).toEqual([])
  await page.getByRole('radio', { name: 'Theo Brandt' }).check()
  await answer.waitFor({ state: 'detached' })
})

it('shows the base URL of its session, and uses it in the snippet', async () => {
  const { page, sandbox, url } = await open()
  const session = sandbox.session({ name: 'checkout' })
  await page.goto(`${url}/_sandbox?session=${session.id}`)
  await page.getByText(`Or call ${url}/v1 with the header Sandbox-Session: ${session.id}.`).waitFor()
  await expect.poll(() => snippet(page)).toContain(`${url}/_sandbox/sessions/${session.id}/v1/members/me`)
  await programs['curl']?.(await snippet(page))
  expect(session.requests.list()).toHaveLength(1)
  await card(page, 'Watch the requests').getByText('200').waitFor()
})

it('shows and links the latest requests as they arrive', async () => {
  const { page, baseUrl } = await open()
  await waitUntilSettled(page)
  const watch = card(page, 'Watch the requests')
  await watch.getByText('No requests yet').waitFor()
  await call(baseUrl)
  await watch.getByRole('link', { name: 'GET /v1/members/me' }).waitFor()
  for (let count = 0; count < 6; count += 1) await call(baseUrl, '/nothing')
  await watch.getByRole('link', { name: 'All 7 requests' }).waitFor()
  await expect.poll(() => watch.getByRole('listitem').count()).toBe(5)
  await watch.getByRole('link', { name: 'GET /v1/nothing' }).first().click()
  await page.waitForURL(/#\/requests\/7$/)
})

it('makes the next call fail with one click, and reports when calls succeed again', async () => {
  const { page, baseUrl } = await open()
  await waitUntilSettled(page)
  const fail = card(page, 'Make the next call fail')
  const button = fail.getByRole('button', { name: /next call|Cancel/ })
  await button.click()
  await fail.getByText('The next call to the service fails with 503').waitFor()
  expect((await call(baseUrl)).status).toBe(503)
  await fail.getByText('failed with 503. Calls succeed again.').waitFor()
  expect((await call(baseUrl)).status).toBe(200)
  await expect
    .poll(() => fail.getByRole('link', { name: 'GET /v1/members/me' }).getAttribute('href'))
    .toBe('#/requests/1')
})

it('removes an unused fault, even after a reload, without moving the focus', async () => {
  const { page, baseUrl, sandbox } = await open()
  await page.getByRole('button', { name: 'Fail the next call with 503' }).click()
  await page.getByRole('button', { name: 'Cancel' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await page.getByRole('button', { name: 'Fail the next call with 503' }).waitFor()
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toBe('Fail the next call with 503')
  expect(sandbox.faults.list()).toEqual([])
  expect((await call(baseUrl)).status).toBe(200)
})

interface Counted {
  readonly totalCount: number
}

it('lists the cast by organization, with what each member sees', async () => {
  const { page, baseUrl } = await open()
  const mara = page.getByRole('row', { name: /Mara Ellis/ })
  await mara.waitFor()
  await mara.getByText('…').first().waitFor({ state: 'detached' })
  const cells = await mara.getByRole('cell').allTextContents()
  const total = async (path: string): Promise<string> =>
    `${((await (await call(baseUrl, `/organizations/harbor/${path}`)).json()) as Counted).totalCount}`
  expect(cells.slice(3)).toEqual([
    await total('customers?scope=mine'),
    await total('customers?scope=team'),
    await total('customers'),
    await total('signals?scope=mine'),
    await total('signals?scope=team'),
    await total('signals'),
  ])
  expect(cells.slice(0, 3)).toEqual(['sbx_harbor_1 Copy', 'Customer Success Manager', '1'])
  await expect.poll(() => page.getByRole('rowheader', { name: 'Quill & Co quill' }).isVisible()).toBe(true)
})

it('shows the first of many members, all of them on demand, and finds one by any word', async () => {
  const { page } = await open({ sandbox: { size: 'medium' } })
  const people = page.getByRole('radio', { name: /^(?!Who|List)/ })
  await page.getByRole('button', { name: 'Show all 24 of Harbor Analytics' }).click()
  await expect.poll(() => people.count()).toBe(24 + 10)
  await page.getByRole('button', { name: 'Show 10 of Harbor Analytics' }).click()
  await expect.poll(() => people.count()).toBe(10 + 10)
  await page.getByLabel('Find a member').fill('osman lead')
  await page.getByRole('row', { name: /Nadia Osman/ }).waitFor()
  await expect.poll(() => people.count()).toBe(1)
  await page.getByLabel('Find a member').fill('quill_502')
  await page.getByRole('row', { name: /Grace Lin/ }).waitFor()
  await expect.poll(() => people.count()).toBe(1)
  await page.getByLabel('Find a member').fill('nobody')
  await page.getByText('No members match.').waitFor()
})

it('lists tokens that are always rejected', async () => {
  const { page, baseUrl, sandbox } = await open()
  for (const token of sandbox.credentials.invalidTokens) {
    await page.getByRole('button', { name: `Copy the token ${token}` }).waitFor()
    const { status } = await fetch(`${baseUrl}/members/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(status).toBe(401)
  }
})

/** Clicks a button and reads the file that it saves. */
async function saveFile(
  page: Page,
  button: string,
): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

it('shows the dataset, and saves HAR and OpenAPI files of its session with the admin token', async () => {
  const { page, sandbox, url } = await open({ sandbox: { seed: 7, adminToken: 'secret' } })
  const session = sandbox.session({ id: 'checkout', assumptions: { errorFormat: 'message' } })
  await session.fetch(new Request('http://sandbox/v1/members/me'))
  await page.goto(`${url}/_sandbox?session=checkout`)
  await page.getByLabel('Token').fill('secret')
  await page.getByRole('button', { name: 'Unlock' }).click()
  const dataset = card(page, 'Dataset')
  const health = await fetch(`${url}/health`, { headers: { authorization: 'Bearer secret' } })
  const { fingerprint, version } = (await health.json()) as Health
  for (const text of [fingerprint, version, '7', '25 customers', 'default', '2026-01-15 12:00:00']) {
    await dataset.getByText(text, { exact: true }).waitFor()
  }
  const har = await saveFile(page, 'Save requests as HAR')
  expect(har.name).toBe('checkout.har')
  expect(JSON.parse(har.text).log.entries).toHaveLength(1)
  const openapi = await saveFile(page, 'Save OpenAPI')
  expect(JSON.parse(openapi.text).info['x-assumptions'].errorFormat).toBe('message')
  await expect
    .poll(() => dataset.getByRole('link', { name: 'API reference' }).getAttribute('href'))
    .toBe('/docs?session=checkout')
})

it.for([
  [1600, 'light'],
  [760, 'light'],
  [400, 'dark'],
] as const)('is accessible while it shows a response and a fault, %i px wide, %s', async (how) => {
  const [width, colorScheme] = how
  const console = await open({ browser: { viewport: { width, height: 900 }, colorScheme } })
  const { page, baseUrl } = console
  await waitUntilSettled(page)
  await call(baseUrl, `/organizations/harbor/customers/12345678901/${'meetings'.repeat(8)}`)
  await page.getByRole('button', { name: 'Fail the next call with 503' }).click()
  await page.getByRole('button', { name: 'Try it' }).click()
  await card(page, 'Response').waitFor()
  await card(page, 'Make the next call fail').getByText('as curl').click()
  await expectAccessible(page)
  await expectFits(page)
  expectQuiet(console)
})
