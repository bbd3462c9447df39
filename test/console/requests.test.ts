import { readFile } from 'node:fs/promises'

import { describe, expect, it } from 'vitest'

import { findDetails, readIds, findList, findRows, createSender } from './requests-support.ts'
import {
  type Console,
  expectAccessible,
  expectFits,
  expectQuiet,
  expectSoon,
  waitUntilSettled,
  useConsole,
  windows,
} from './support.ts'

const open = useConsole()
const home = '/organizations/harbor'

/** Opens a console with six requests: two lists, a 404, one with an invalid token, a note, and a fault. */
async function openSix(at = '#/traffic'): Promise<Console> {
  const console = await open({ at })
  const { baseUrl, sandbox, page } = console
  const send = createSender(baseUrl)
  await send(`${home}/customers?scope=mine&limit=2`)
  await send(`${home}/signals?scpe=team`)
  await send(`${home}/customers/99999`)
  await createSender(baseUrl, 'sbx_invalid')('/members/me')
  const note = { method: 'POST', headers: { 'content-type': 'application/json' } }
  await send(`${home}/customers/1/notes`, { ...note, body: '{"categoryId":1,"content":"Called."}' })
  sandbox.faults.add({ operationId: 'listProducts', status: 503, times: 1 })
  await createSender(baseUrl, 'sbx_harbor_2')(`${home}/products`)
  await page
    .getByText(/^(?:\d of )?6$/)
    .first()
    .waitFor()
  return console
}

it('explains how to send the first request, and shows it when it arrives', async () => {
  const console = await open({ at: '#/traffic' })
  const { page } = console
  await waitUntilSettled(page)
  const command = (await page.locator('pre', { hasText: 'Authorization' }).textContent()) ?? ''
  const [, address = ''] = /curl '([^']+)'/.exec(command) ?? []
  const [, authorization = ''] = /-H 'Authorization: ([^']+)'/.exec(command) ?? []
  expect((await fetch(address, { headers: { authorization } })).status).toBe(200)
  await findList(page).getByRole('link', { name: '/v1/members/me' }).waitFor()
  await expect.poll(() => page.getByText('No requests yet').count()).toBe(0)
  expectQuiet(console)
})

it('explains how to send it to the session of the page', async () => {
  const console = await open()
  const { page, sandbox, url } = console
  const session = sandbox.session()
  await page.goto(`${url}/_sandbox?session=${session.id}#/traffic`)
  await page.locator('pre', { hasText: `${url}/_sandbox/sessions/${session.id}/v1/members/me` }).waitFor()
  await fetch(`${url}/_sandbox/sessions/${session.id}/v1/members/me`)
  await findList(page).getByRole('link', { name: '/v1/members/me' }).waitFor()
  expectQuiet(console)
})

it('lists requests newest first, each with its key facts', async () => {
  const console = await openSix()
  const { page } = console
  await expect.poll(() => readIds(page)).toEqual([6, 5, 4, 3, 2, 1])
  const texts = async (id: number) =>
    (
      await findRows(page)
        .nth(6 - id)
        .getByRole('gridcell')
        .allTextContents()
    ).map((text) => text.replace(/^[\d.]+ m?s$/, 'so long'))
  const list = `/v1${home}/customers?scope=mine&limit=2`
  await expect
    .poll(() => texts(1))
    .toEqual(['1', 'GET', list, 'listCustomers', 'Mara Ellis', '200', 'so long', '1 warning'])
  expect((await texts(4)).slice(3, 6)).toEqual(['getCurrentMember', 'none', '401'])
  expect((await texts(5)).slice(1, 4)).toEqual(['POST', `/v1${home}/customers/1/notes`, 'createCustomerNote'])
  expect((await texts(6)).slice(5)).toEqual(['503', 'so long', 'fault-1'])
  const warning = page.getByTitle('unknown query parameters ignored: scpe (did you mean scope?)')
  await expect.poll(() => warning.textContent()).toBe('1 warning')
  expectQuiet(console)
})

describe('the filter', () => {
  it('shows requests that match all conditions in the URL', async () => {
    const { page } = await openSix()
    const expected: readonly (readonly [query: string, ids: readonly number[]])[] = [
      ['text=CUSTOMERS%2F1', [5]],
      ['text=mara', [5, 3, 2, 1]],
      ['text=listsignals', [2]],
      ['text=scope%3Dmine', [1]],
      ['method=POST', [5]],
      ['status=4xx', [4, 3]],
      ['status=503', [6]],
      ['operationId=getCustomer', [3]],
      ['caller=none', [4]],
      ['caller=2', [6]],
      ['caller=1', [5, 3, 2, 1]],
      ['only=warnings', [2, 1]],
      ['only=faults', [6]],
      ['caller=1&status=2xx&method=GET', [2, 1]],
    ]
    for (const [query, ids] of expected) {
      await page.evaluate(`location.hash = '#/traffic?${query}'`)
      await page.getByText(`${ids.length} of 6`, { exact: true }).waitFor()
      await expect.poll(() => readIds(page), { message: `for ${query}` }).toEqual(ids)
    }
  })

  it('is set by its controls, kept in the URL, and cleared', async () => {
    const console = await openSix()
    const { page, url } = console
    await page.getByLabel('Search').fill('customers')
    await page.getByLabel('Status').selectOption('4xx')
    await page.waitForURL(`${url}/_sandbox#/traffic?text=customers&status=4xx`)
    await expect.poll(() => readIds(page)).toEqual([3])
    await page.getByText('1 of 6').waitFor()
    await page.reload()
    await page.getByText('1 of 6').waitFor()
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('customers')
    await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('4xx')
    await page.getByLabel('Search').fill('nothing such')
    await page.getByText('No requests match.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForURL(`${url}/_sandbox#/traffic`)
    await expect.poll(() => readIds(page)).toHaveLength(6)
    expectQuiet(console)
  })

  it('offers values that occur in the requests', async () => {
    const { page } = await openSix()
    const offered = (label: string) => page.getByLabel(label).locator('option').allTextContents()
    await expect
      .poll(() => offered('Operation'))
      .toEqual([
        'Any operation',
        'createCustomerNote',
        'getCurrentMember',
        'getCustomer',
        'listCustomers',
        'listProducts',
        'listSignals',
      ])
    await expect.poll(() => offered('Method')).toEqual(['Any method', 'GET', 'POST'])
    await expect.poll(() => offered('Caller')).toEqual(['Any caller', 'Mara Ellis', 'none', 'Theo Brandt'])
  })
})

it('does not change while it is paused, and counts new requests', async () => {
  const { page, baseUrl } = await openSix()
  await page.getByRole('button', { name: 'Pause' }).click()
  const send = createSender(baseUrl)
  for (let count = 0; count < 12; count += 1) await send('/members/me')
  const news = page.getByRole('button', { name: '12 new' })
  await news.waitFor()
  await expect.poll(() => readIds(page)).toEqual([6, 5, 4, 3, 2, 1])
  await news.click()
  expect((await readIds(page)).at(0)).toBe(18)
  await expect
    .poll(() => page.getByRole('button', { name: 'Pause' }).getAttribute('aria-pressed'))
    .toBe('false')
})

it('announces to screen readers how many requests have arrived, and moves nothing for it', async () => {
  const { page, baseUrl } = await openSix()
  await waitUntilSettled(page)
  const before = await findList(page).boundingBox()
  for (let count = 0; count < 3; count += 1) await createSender(baseUrl)('/members/me')
  const said = page.getByRole('status').filter({ hasText: 'latest: 9.' })
  await said.waitFor({ state: 'attached' })
  await expect.poll(() => said.textContent()).toMatch(/^[1-9] new requests?, /)
  expect(await findList(page).boundingBox()).toEqual(before)
})

it('clears the journal', async () => {
  const { page, sandbox } = await openSix()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  expect(sandbox.requests.list()).toEqual([])
})

it('saves the session’s requests as HAR, with the admin token', async () => {
  const { page, sandbox, url } = await open({ sandbox: { adminToken: 'secret' }, at: '#/traffic' })
  await page.getByLabel('Token').fill('secret')
  await page.getByRole('button', { name: 'Unlock' }).click()
  const session = sandbox.session()
  await page.goto(`${url}/_sandbox?session=${session.id}#/traffic`)
  await createSender(`${url}/_sandbox/sessions/${session.id}/v1`)(`${home}/customers?limit=1`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export HAR' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`requests-${session.id}.har`)
  const { log } = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(log).toMatchObject({ version: '1.2', entries: [{ _operationId: 'listCustomers' }] })
})

it('is operated by keyboard: down and up move, Enter opens, Escape closes', async () => {
  const console = await openSix()
  const { page } = console
  const focused = () => page.evaluate('document.activeElement.closest("tr")?.cells[0].textContent')
  await page.getByRole('button', { name: 'Export HAR' }).focus()
  await findList(page).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused()).toBe('6')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused()).toBe('5')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused()).toBe('4')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => focused()).toBe('5')
  await page.keyboard.press('Enter')
  await findDetails(page, 5).waitFor()
  await page.keyboard.press('ArrowDown')
  await findDetails(page, 4).waitFor()
  await expect.poll(() => focused()).toBe('4')
  await page.keyboard.press('Escape')
  await findDetails(page, 4).waitFor({ state: 'detached' })
  await expect.poll(() => focused()).toBe('4')
  await page.keyboard.press('End')
  await expect.poll(() => focused()).toBe('1')
  expectQuiet(console)
})

it('opens a request by a click anywhere in its row', async () => {
  const console = await openSix('#/traffic?status=4xx')
  const { page, url } = console
  await findRows(page).nth(1).getByRole('gridcell').nth(3).click()
  await page.waitForURL(`${url}/_sandbox#/traffic/3?status=4xx`)
  await findDetails(page, 3)
    .getByRole('heading', { name: `GET /v1${home}/customers/99999` })
    .waitFor()
  expectQuiet(console)
})

it('shows hostile URLs as text', async () => {
  const console = await open({ at: '#/traffic' })
  const { page, baseUrl } = console
  const path = '/members/%3Cimg%20src=x%20onerror=alert(1)%3E?name=%22%3E%3Cscript%3Ealert(1)%3C/script%3E'
  page.on('dialog', () => expect.fail('A dialog was opened.'))
  await createSender(baseUrl)(path)
  await findRows(page).first().getByRole('link').click()
  await findDetails(page, 1).getByText('query parameter').click()
  await findDetails(page, 1).getByText('"><script>alert(1)</script>').waitFor()
  await expect.poll(() => page.locator('main img, main script').count()).toBe(0)
  expectQuiet(console)
})

it.for(windows)('is accessible, and fits into $viewport.width pixels, $colorScheme', async (browser) => {
  const console = await open({ at: '#/traffic', browser })
  const { page, baseUrl } = console
  await waitUntilSettled(page)
  await expectAccessible(page)
  const send = createSender(baseUrl)
  for (let count = 0; count < 40; count += 1)
    await send(`${home}/customers?limit=1&unknown=${'long'.repeat(30)}`)
  await page.getByText('40', { exact: true }).first().waitFor()
  await expectAccessible(page)
  await expectFits(page)
  await page.mouse.move(browser.viewport.width / 2, 600)
  await page.mouse.wheel(0, 600)
  await expectSoon(page, "document.querySelector('[role=grid]').scrollTop > 0")
  await send('/members/me')
  await page.getByRole('button', { name: '1 new' }).waitFor()
  await expectAccessible(page)
  const unfold = page.getByRole('button', { name: 'Filters' })
  if (await unfold.isVisible()) await unfold.click()
  await page.getByLabel('Operation').selectOption('getCurrentMember')
  await expectAccessible(page)
  await expectFits(page)
  expectQuiet(console)
})
