import { readFile } from 'node:fs/promises'

import { describe, expect, it, onTestFinished } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import {
  type Console,
  type ConsoleOptions,
  home,
  createSender,
  open,
  OWN_PORT,
  STOPPED,
  waitUntilSettled,
  itFits,
  expectFits,
} from './support.ts'
import { note, findList, findRow, readIds, findDetails } from './traffic-support.ts'

/** Opens a console with six requests: two lists, a 404, one with an invalid token, a note, and a fault. */
async function openSix(options: ConsoleOptions = {}): Promise<Console> {
  const console = await open({ at: '#/traffic', ...options })
  const { sandbox, page, send } = console
  await send(`${home}/customers?scope=mine&limit=2`)
  await send(`${home}/signals?scpe=team`)
  await send(`${home}/customers/99999`)
  await send('/members/me', { token: 'sbx_invalid' })
  await send(`${home}/customers/1/notes`, note('Called about the zebra.'))
  sandbox.faults.add({ operationId: 'listProducts', status: 503, times: 1 })
  await send(`${home}/products`, { token: 'sbx_harbor_2' })
  await page
    .getByText(/^(?:\d of )?6 requests$/)
    .first()
    .waitFor()
  return console
}

it('says where to send the first request, shows it, and clears the journal', async () => {
  const { page, sandbox, url, send } = await open({ at: '#/traffic' })
  await page.getByText(`No requests yet. Send one to ${url}/v1, or try one at Start`).waitFor()
  await send('/members/me')
  await findList(page).getByRole('link', { name: '/members/me' }).waitFor()
  expect(await page.getByText('No requests yet').count()).toBe(0)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByText('No requests yet').waitFor()
  expect(sandbox.requests.list()).toEqual([])
})

it('lists requests as they arrive, each with its key facts', async () => {
  const { page } = await openSix()
  await expect.poll(() => readIds(page)).toEqual([6, 5, 4, 3, 2, 1])
  const texts = async (id: number) =>
    (await findRow(page, id).getByRole('gridcell').allTextContents()).map((text) =>
      text
        .replace(/^[\d.]+ m?s$/, 'so long')
        .replace(/^[\d:.]{12}$/, 'then')
        .replace(/^[\d.]+ k?B$/, 'so much'),
    )
  const facts = ['then', 'GET', '/customers?scope=mine&limit=2', '200', 'Mara Ellis', 'so much', 'so long']
  expect((await texts(1)).slice(0, -1)).toEqual(facts)
  expect((await texts(4)).slice(2, 5)).toEqual([
    expect.stringMatching(/^\/members\/me The token belongs to no member\./),
    '401',
    '',
  ])
  expect((await texts(5)).slice(1, 3)).toEqual(['POST', '/customers/1/notes'])
  expect((await texts(6)).at(-1)).toBe('⚡ fault ')
  await page.getByTitle('unknown query parameters ignored: scpe (did you mean scope?)').waitFor()
  // Warnings that follow from several requests are found when the journal is read.
  await page.reload()
  await expect.poll(async () => (await texts(1)).at(-1)).toBe('⚠ unread pages ')
})

describe('the filter', () => {
  it('shows requests that match all conditions in the URL, also by their bodies, and new ones', async () => {
    const { page, send } = await openSix()
    const expected: readonly (readonly [query: string, ids: readonly number[]])[] = [
      ['text=CUSTOMERS%2F1', [5]],
      ['text=mara', [5, 3, 2, 1]],
      ['text=scope%3Dmine', [1]],
      ['status=4xx', [4, 3]],
      ['status=503', [6]],
      ['text=getCustomer', [3]],
      ['text=warning', [2, 1]],
      ['text=fault-1', [6]],
      ['status=2xx&text=get', [2, 1]],
      ['text=Mara+scope%3Dmine', [1]],
      ['text=did+you+mean', [2]],
      ['text=401+token', [4]],
      ['from=2&to=3', [3, 2]],
    ]
    for (const [query, ids] of expected) {
      await page.evaluate(`location.hash = '#/traffic?${query}'`)
      await page.getByText(`${ids.length} of 6 requests`, { exact: true }).waitFor()
      await expect.poll(() => readIds(page), { message: `for ${query}` }).toEqual(ids)
    }
    await page.evaluate(`location.hash = '#/traffic'`)
    await page.keyboard.press('/')
    await page.keyboard.type('ZEBRA')
    await expect.poll(() => readIds(page)).toEqual([5])
    await send(`${home}/customers/2/notes`, note('Another zebra.'))
    await expect.poll(() => readIds(page)).toEqual([7, 5])
  })

  it('is set by its controls, kept in the URL, also by a request that a click in its row opens, and cleared', async () => {
    const { page, url } = await openSix()
    await page.getByLabel('Search').fill('customers')
    await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: '4xx' }).click()
    await page.waitForURL(`${url}/_sandbox#/traffic?text=customers&status=4xx`)
    await expect.poll(() => readIds(page)).toEqual([3])
    await findRow(page, 3).getByRole('gridcell').nth(6).click({ force: true })
    await page.waitForURL(`${url}/_sandbox#/traffic/3?text=customers&status=4xx`)
    const heading = findDetails(page, 3).getByRole('heading', { level: 1 })
    await expect.poll(() => heading.textContent()).toBe(`GET /v1${home}/customers/99999`)
    await page.goBack()
    await page.reload()
    await page.getByText('1 of 6').waitFor()
    expect(
      await page
        .getByRole('group', { name: 'Status' })
        .getByRole('button', { name: '4xx' })
        .getAttribute('aria-pressed'),
    ).toBe('true')
    await page.getByLabel('Search').fill('nothing such')
    await page.getByText('No requests match.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => readIds(page)).toHaveLength(6)
  })
})

it('shows only the requests and records of a server that comes back with another dataset', async () => {
  const { page, close, send } = await openSix({
    at: '#/traffic/3',
    sandbox: { port: OWN_PORT },
    failures: STOPPED,
  })
  await findDetails(page, 3)
    .getByRole('heading', { name: `${home}/customers/99999` })
    .waitFor()
  await close()
  await page.getByRole('alert').getByText('The sandbox does not respond').waitFor()
  const again = await startSandbox({ size: 'small', port: OWN_PORT, seed: 7 })
  onTestFinished(() => again.close())
  await waitUntilSettled(page)
  await findDetails(page, 3).getByText('is not in this session’s journal').waitFor()
  await send(`${home}/customers/1`)
  await findRow(page, 1).waitFor()
  for (const id of [2, 3]) await send(`${home}/customers/${id}`)
  await page.getByRole('button', { name: '2 new' }).click()
  await expect.poll(() => readIds(page)).toEqual([3, 2, 1])
  await findDetails(page, 3)
    .getByRole('heading', { name: `${home}/customers/3` })
    .waitFor()
  const { name } = await again.sandbox.data.customers.get(3)
  await findDetails(page, 3).getByText(`"${name}"`).first().waitFor()
})

it('says where to send requests to its session, and saves those as HAR, with the admin token', async () => {
  const { page, sandbox, url } = await open({
    sandbox: { adminToken: 'secret' },
    at: '#/traffic',
    failures: /401/,
  })
  await page.getByLabel('Token').fill('secret')
  await page.getByRole('button', { name: 'Unlock' }).click()
  const { id, requests } = sandbox.session()
  await page.goto(`${url}/_sandbox?session=${id}#/traffic`)
  await page.getByText(`Send one to ${url}/_sandbox/sessions/${id}/v1`).waitFor()
  await createSender(`${url}/_sandbox/sessions/${id}/v1`)(`${home}/customers?limit=1`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export HAR' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`requests-${id}.har`)
  const { log } = JSON.parse(await readFile(await download.path(), 'utf8'))
  const startedAt = requests.list()[0]?.startedAt
  expect(log.entries).toMatchObject([{ _operationId: 'listCustomers', startedDateTime: startedAt }])
})

it('is operated by keyboard: the arrows move, Enter opens, Escape closes', async () => {
  const { page } = await openSix()
  const focused = () => page.evaluate('document.activeElement.closest("tr")?.dataset.id')
  await findList(page).focus()
  await page.keyboard.press('End')
  await expect.poll(() => focused()).toBe('1')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => focused()).toBe('2')
  await page.keyboard.press('Enter')
  await findDetails(page, 2).waitFor()
  await page.keyboard.press('ArrowUp')
  await findDetails(page, 3).waitFor()
  await expect.poll(() => focused()).toBe('3')
  await page.keyboard.press('Escape')
  await findDetails(page, 3).waitFor({ state: 'detached' })
  await expect.poll(() => focused()).toBe('3')
})

it('shows the acts of scenarios in the row', async () => {
  const { page, send, sandbox } = await open({ at: '#/traffic' })
  sandbox.scenarios.add({ name: 'silent-change', customerId: 5 })
  for (let count = 0; count < 2; count += 1) await send(`${home}/customers`)
  const acts = page.getByTitle(/^silent-change: /)
  await expect.poll(() => acts.count()).toBeGreaterThan(0)
})

const isWhole = (cell: { readonly scrollWidth: number; readonly clientWidth: number }): boolean =>
  cell.scrollWidth <= cell.clientWidth

it('shows the row of an open request, and whole paths, beside the details and on a phone', async () => {
  const { page, send } = await open({ at: '#/traffic/1' })
  for (let count = 0; count < 40; count += 1) await send(`${home}/customers?limit=10&offset=10`)
  for (const viewport of [
    { width: 1100, height: 700 },
    { width: 390, height: 800 },
  ]) {
    await page.setViewportSize(viewport)
    await page.reload()
    await findDetails(page, 1).locator('.tree').waitFor()
    if (viewport.width === 390) await page.keyboard.press('Escape')
    const cell = findRow(page, 1).locator('.request-path')
    await expect.poll(async () => (await cell.boundingBox())?.y ?? Infinity).toBeLessThan(viewport.height)
    await expect.poll(() => cell.evaluate(isWhole)).toBe(true)
  }
})

itFits('#/traffic', async ({ page, sandbox, send }) => {
  await expectFits(page)
  sandbox.faults.add({ operationId: 'listProducts', status: 503, times: 1 })
  await send(`${home}/products`)
  sandbox.clock.advance('P1D')
  for (let count = 0; count < 40; count += 1)
    await send(`${home}/customers?limit=1&unknown=${'long'.repeat(30)}`)
  await page.getByText('41 requests', { exact: true }).first().waitFor()
  await expectFits(page)
})
