import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { allowFailures, open, waitUntilSettled, itFits, expectWithin } from './support.ts'

const run = promisify(execFile)

const card = (page: Page, name: string) => page.getByRole('region', { name })
const snippet = async (page: Page): Promise<string> =>
  (await page.getByRole('tabpanel').locator('pre').textContent()) ?? ''

/** Waits for the snippet of a call in a language, and reads it. */
async function findSnippet(page: Page, language: string, pattern: RegExp): Promise<string> {
  await page.getByRole('tab', { name: language, selected: true }).waitFor()
  await expect.poll(() => snippet(page)).toMatch(pattern)
  return snippet(page)
}

const selectCall = (page: Page, label: string) =>
  page.getByRole('combobox', { name: 'Call' }).selectOption(label)

it('shows the base URL and a token at once, copies them, and has few buttons', async () => {
  const { page, url, baseUrl } = await open({
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  })
  await page.getByRole('button', { name: 'Copy the base URL' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(baseUrl)
  expect(baseUrl).toBe(`${url}/v1`)
  await page.getByText('Copied the base URL.').waitFor()
  await page.getByRole('button', { name: 'Copy the token', exact: true }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('sbx_harbor_1')
  expect(await page.getByRole('main').locator('.columns button').count()).toBeLessThan(12)
})

/** Runs the snippet of each tab. */
const programs: Readonly<Record<string, (text: string) => Promise<{ readonly stdout: string }>>> = {
  curl: (text) => run('sh', ['-c', text]),
  JavaScript: (text) => run(process.execPath, ['--input-type=module', '--eval', text]),
  Python: (text) => run('python3', ['-c', text]),
  'Typed client': (text) => run(process.execPath, ['--input-type=module', '--eval', text]),
}

it('has a snippet that works unchanged in each language', async () => {
  const { page } = await open()
  for (const [language, execute] of Object.entries(programs)) {
    await page.getByRole('tab', { name: language }).click()
    await selectCall(page, 'List customers')
    const customers = await execute(await findSnippet(page, language, /customers/i))
    expect(customers.stdout, `in ${language}`).toContain('Larkspur Foods')
    expect(customers.stdout, `in ${language}`).toMatch(/["']?totalCount["']?: ?25/)
    await selectCall(page, 'Who am I?')
    const me = await execute(await findSnippet(page, language, /members\/me|currentMember/i))
    expect(me.stdout, `in ${language}`).toContain('mara.ellis@harboranalytics.example')
  }
})

it('switches languages by keyboard, and remembers the selected one', async () => {
  const { page } = await open()
  await page.getByRole('tab', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => snippet(page)).toContain('await fetch(')
  await page.keyboard.press('End')
  await expect.poll(() => snippet(page)).toContain('createClient')
  await page.keyboard.press('Home')
  await expect.poll(() => snippet(page)).toMatch(/^curl /)
  await page.keyboard.press('End')
  await page.getByRole('tab', { name: 'Typed client', selected: true }).waitFor()
  await page.reload()
  await page.getByRole('tab', { name: 'Typed client', selected: true }).waitFor()
  await expect.poll(() => page.getByRole('tab', { name: 'Typed client' }).getAttribute('tabindex')).toBe('0')
  await expect.poll(() => page.getByRole('tab', { name: 'curl' }).getAttribute('tabindex')).toBe('-1')
})

it('calls as the selected member, whom the URL and every link keep', async () => {
  const { page } = await open({ at: '#/start?call=customers' })
  await page
    .getByRole('combobox', { name: 'As' })
    .selectOption('Omar Haddad · Customer Success Manager (quill)')
  await expect.poll(() => snippet(page)).toContain('/organizations/quill/customers')
  await expect.poll(() => snippet(page)).toContain('Bearer sbx_quill_501')
  await page.reload()
  await expect.poll(() => snippet(page)).toContain('Bearer sbx_quill_501')
  await page.getByRole('radio', { name: 'Omar Haddad', checked: true }).waitFor()
})

it('makes a real request, which appears beside the response', async () => {
  allowFailures(/418/)
  const { page, sandbox } = await open()
  sandbox.faults.add({ status: 418, times: 1 })
  await selectCall(page, 'List customers')
  await page.getByRole('button', { name: 'Try it' }).click()
  const answer = card(page, 'Response')
  await answer.getByText('418', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Try it' }).click()
  await answer.getByText('totalCount').waitFor()
  await card(page, '2. Watch the requests').getByRole('listitem').nth(1).waitFor()
  expect(sandbox.requests.list().map(({ status }) => status)).toEqual([418, 200])
  await page
    .getByRole('combobox', { name: 'As' })
    .selectOption('Theo Brandt · Customer Success Manager (harbor)')
  await answer.waitFor({ state: 'detached' })
})

it('shows the base URL of its session, and uses it in the snippet', async () => {
  const { page, sandbox, url } = await open()
  const session = sandbox.session({ name: 'checkout' })
  await page.goto(`${url}/_sandbox?session=${session.id}`)
  await page.getByText(`Or ${url}/v1 with the header Sandbox-Session: ${session.id}.`).waitFor()
  await expect.poll(() => snippet(page)).toContain(`${url}/_sandbox/sessions/${session.id}/v1/members/me`)
  await programs['curl']?.(await snippet(page))
  expect(session.requests.list()).toHaveLength(1)
  await card(page, '2. Watch the requests').getByText('200').waitFor()
})

it('shows and links the latest requests as they arrive', async () => {
  const { page, send } = await open()
  const watch = card(page, '2. Watch the requests')
  await watch.getByText('None yet').waitFor()
  await send('/members/me')
  await watch.getByRole('link', { name: 'GET /members/me' }).waitFor()
  for (let count = 0; count < 8; count += 1) await send('/nothing')
  await watch.getByRole('link', { name: 'All 9 requests' }).waitFor()
  await expect.poll(() => watch.getByRole('listitem').count()).toBe(8)
  await watch.getByRole('link', { name: 'GET /nothing' }).first().click()
  await page.waitForURL(/#\/traffic\/9$/)
})

const failNext = (page: Page) => card(page, '3. Make one fail').getByRole('button')

it('makes the next request fail with one click, whatever other faults there are, and cancels that', async () => {
  const { page, sandbox, send } = await open()
  sandbox.faults.add({ delayMs: 1 })
  await waitUntilSettled(page)
  await failNext(page).click()
  const fail = card(page, '3. Make one fail')
  await fail.getByText('The next request to the service fails with 503').waitFor()
  expect((await send('/members/me')).status).toBe(503)
  await fail.getByText('Last failed: request 1 with 503.').waitFor()
  expect((await send('/members/me')).status).toBe(200)
  expect(await fail.getByRole('link', { name: 'request 1' }).getAttribute('href')).toBe('#/traffic/1')
  // An unused fault is canceled even after a reload, without moving the focus.
  await failNext(page).click()
  await failNext(page).and(page.locator('[aria-pressed=true]')).waitFor()
  await page.reload()
  await failNext(page).and(page.locator('[aria-pressed=true]')).press('Enter')
  await failNext(page).and(page.locator('[aria-pressed=false]')).waitFor()
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toContain('Fail the next request')
  expect(sandbox.faults.list().map(({ id }) => id)).toEqual(['fault-2', 'fault-1'])
  expect((await send('/members/me')).status).toBe(200)
})

itFits('#/start', async ({ page, send }) => {
  allowFailures(/503/)
  await send(`/organizations/harbor/customers/12345678901/${'meetings'.repeat(8)}`)
  await failNext(page).click()
  await page.getByRole('button', { name: 'Try it' }).click()
  await card(page, 'Response').waitFor()
  await page.getByText('As curl').click()
  await page.setViewportSize({ width: 760, height: 900 })
  await expectWithin(page)
})
