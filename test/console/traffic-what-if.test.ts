import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { type DatasetOptions, createSandbox } from '../../src/index.ts'
import {
  allowFailures,
  type RequestOptions,
  type Console,
  home,
  createSender,
  holdRequests,
  open,
  expectFits,
} from './support.ts'
import { note, findDetails } from './traffic-support.ts'

/** Reads the program of the shown request, in a language. */
async function readProgram(page: Page, name: string): Promise<string> {
  const region = page.getByRole('region', { name: 'As a program' })
  await region.getByRole('tab', { name }).click()
  return (await region.locator('pre').textContent()) ?? ''
}

interface Opened extends Console {
  readonly detail: Locator
  readonly levers: Locator
}

/** Opens the what-if of a first request. */
async function openWhatIf(path: string, token?: string, options?: RequestOptions): Promise<Opened> {
  const console = await open({ at: '#/traffic/1/if' })
  await createSender(console.baseUrl, token)(path, options)
  const detail = findDetails(console.page, 1)
  await detail.getByRole('region', { name: 'As a program' }).waitFor()
  return { ...console, detail, levers: detail.getByRole('region', { name: 'Levers' }) }
}

it('says what would make a record appear, shows it arrive at a press, and fits', async () => {
  const { page, detail, levers, sandbox, url } = await openWhatIf(
    `${home}/signals?scope=mine&limit=5`,
    'sbx_harbor_2',
  )
  const record = detail.getByRole('region', { name: 'Record', exact: true })
  await record.getByRole('textbox', { name: 'Record', exact: true }).fill('1')
  await record.getByRole('textbox', { name: 'Record', exact: true }).press('Enter')
  await record.getByText('not included now', { exact: true }).waitFor()
  await record.getByRole('button', { name: 'with scope=team' }).click()
  await record.getByText('included', { exact: true }).waitFor()
  await expect.poll(() => levers.getByLabel('Scope').inputValue()).toBe('team')
  await detail.locator('ins', { hasText: 'id: 1' }).first().waitFor()
  await levers.getByLabel('Scope').selectOption('mine')
  await record.getByRole('button', { name: 'if Theo Brandt had a role on Larkspur Foods' }).click()
  await record.getByText('included', { exact: true }).waitFor()
  // Neither the session nor the list of sessions shows what was tried.
  expect(sandbox.requests.list()).toHaveLength(1)
  expect(await sandbox.data.changes()).toEqual([])
  const sessions = (): Promise<unknown> =>
    fetch(`${url}/_sandbox/sessions`).then((response) => response.json())
  await expect.poll(sessions).toMatchObject({ totalCount: 0 })
  await expectFits(page)
})

it('tells a move that shows a record from one after which it is on another page', async () => {
  const { detail } = await openWhatIf(`${home}/customers?limit=1`)
  const record = detail.getByRole('textbox', { name: 'Record', exact: true })
  await record.fill('2')
  await record.press('Enter')
  const findWay = (title: RegExp, name: string) => detail.getByText(title).getByRole('button', { name })
  await findWay(/^It would appear/, 'on the page with offset=1').waitFor()
  await expect.poll(() => findWay(/^It would be on another page/, 'as Theo Brandt').count()).toBe(1)
})

it('says who has changed a picked field, and what another value would do', async () => {
  const { detail, levers, sandbox } = await openWhatIf(`${home}/customers?limit=2`)
  await sandbox.data.customers.patch(2, { city: 'Bath' })
  await detail.getByRole('button', { name: 'city', exact: true }).nth(1).click()
  const record = detail.getByRole('region', { name: 'Record', exact: true })
  await record.getByText('changed last by this session').waitFor()
  await record.getByLabel('Value of city').fill('"Oslo"')
  await record.getByLabel('Value of city').press('Enter')
  await detail.locator('ins', { hasText: '"Oslo"' }).first().waitFor()
  expect(await levers.getByLabel('Changed records').inputValue()).toBe('customers/2 {"city": "Oslo"}')
})

it('shows the difference that a lever makes', async () => {
  allowFailures(/503/)
  const { detail, levers } = await openWhatIf('/members/me')
  for (const [lever, option, text] of [
    ['Caller', 'Theo Brandt', '"Theo"'],
    ['Fault', '503', '503'],
  ] as const) {
    await levers.getByLabel(lever).selectOption({ label: option })
    await detail.getByText(/^The response differs/).waitFor()
    await detail.locator('ins', { hasText: text }).first().waitFor()
    await detail.getByRole('button', { name: 'Return all levers' }).click()
    await expect.poll(() => detail.getByText('As it was recorded').count()).toBe(1)
  }
})

it('claims nothing before the answer to a moved lever has arrived', async () => {
  const { page, detail, levers } = await openWhatIf(`${home}/customers/1`)
  await detail.getByText('Request 1 was answered with 200.').waitFor()
  const release = await holdRequests(page, '**/_sandbox/sessions')
  await levers.getByLabel('Caller').selectOption({ label: 'Theo Brandt' })
  await detail.getByText('Answering …').waitFor()
  expect(await detail.getByText(/^The response/).count()).toBe(0)
  release()
  await detail.getByText(/^The response is the same/).waitFor()
})

it('sends a request again as it was, with another body, or in the session itself', async () => {
  allowFailures(/400/)
  const { detail, levers, sandbox, page } = await openWhatIf(
    `${home}/customers/1/notes`,
    undefined,
    note('Called them.'),
  )
  await levers.getByText('The request itself').click()
  await levers.getByLabel('Body').fill('{"categoryId":1,"content":""}')
  await levers.getByLabel('Body').blur()
  await detail.getByText('400', { exact: true }).first().waitFor()
  expect(sandbox.requests.list()).toHaveLength(1)
  await detail.getByRole('button', { name: 'Send in this session' }).click()
  await findDetails(page, 2).waitFor()
  expect(sandbox.requests.list()).toMatchObject([{ status: 200 }, { status: 400 }])
})

it('tells what a change since then alters from what a lever alters', async () => {
  const { detail, levers, sandbox } = await openWhatIf(`${home}/customers/1`)
  await sandbox.data.customers.patch(1, { name: 'Renamed Foods' })
  await detail.getByRole('button', { name: 'Send again in a fork' }).click()
  await detail.locator('del', { hasText: '"Larkspur Foods"' }).waitFor()
  await detail.locator('ins', { hasText: '"Renamed Foods"' }).waitFor()
  await levers.getByLabel('Changed records').fill('customers/1 {"city": "Oslo"}')
  await levers.getByLabel('Changed records').blur()
  await detail.locator('ins', { hasText: '"Oslo"' }).waitFor()
  await detail.getByText('Compared with what this session answers now').waitFor()
  await expect.poll(() => detail.locator('del', { hasText: 'Larkspur' }).count()).toBe(0)
})

it('carries request, seed and levers in a link, which works where the request was not recorded', async () => {
  allowFailures(/403/)
  const { page, detail, levers, sandbox } = await openWhatIf(`${home}/customers/1`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await levers.getByLabel('Caller').selectOption({ label: 'Omar Haddad' })
  await detail.getByRole('button', { name: 'Copy link' }).click()
  const link: string = await page.evaluate('navigator.clipboard.readText()')
  sandbox.requests.clear()
  await page.goto('about:blank')
  await page.goto(link)
  const shown = page.getByRole('region', { name: 'What if' })
  await shown.getByText('403', { exact: true }).first().waitFor()
  await page.goto('about:blank')
  await page.goto(link.replace('seed=42', 'seed=7'))
  await expect.poll(() => shown.getByText('This link is about seed 7').count()).toBe(1)
})

it('saves a what-if as a test that passes', async () => {
  const { page, detail, levers } = await openWhatIf(`${home}/customers/1`)
  await levers.getByLabel('Clock').fill('30 days')
  await levers.getByLabel('Changed records').fill('customers/1 {"name": "Renamed Foods"}')
  await levers.getByLabel('Changed records').blur()
  await detail.locator('ins', { hasText: '"Renamed Foods"' }).waitFor()
  const program = await readProgram(page, 'Vitest test')
  expect(program).toContain('sandbox.clock.advance("P30D")')
  expect(await runTest(program)).toMatchObject({ statuses: [200] })
})

it('offers a curl command with the token of the caller, or asks for one that is unknown', async () => {
  const { page, baseUrl, send } = await openWhatIf(`${home}/customers/1`, 'sbx_harbor_2')
  expect(await readProgram(page, 'curl')).toBe(
    [
      `curl '${baseUrl}${home}/customers/1'`,
      `-H 'authorization: Bearer sbx_harbor_2'`,
      `-H 'accept: */*'`,
    ].join(' \\\n  '),
  )
  await send('/members/me', { token: 'sbx_unknown' })
  await page.goto(page.url().replace('/traffic/1', '/traffic/2'))
  await findDetails(page, 2).getByText('with your token.').waitFor()
  expect(await readProgram(page, 'curl')).toContain('authorization: Bearer ***')
})

/** Runs the program of a test in a new sandbox, as Vitest would. Returns its title and its requests. */
async function runTest(program: string) {
  const body = program.slice(program.indexOf('const test'))
  let run: Promise<unknown> | undefined
  const ran: { title?: string; statuses?: readonly unknown[] } = {}
  const createTest =
    (options: DatasetOptions) =>
    (title: string, test: (fixtures: object) => Promise<void>): void => {
      const start = async () => {
        const sandbox = (await createSandbox(options)).session()
        const send = (url: string, init: RequestInit) => sandbox.fetch(new Request(url, init))
        await test({ baseUrl: 'http://sandbox/v1', sandbox, fetch: send })
        ran.statuses = sandbox.requests.list().map(({ status }) => status)
      }
      ran.title = title
      run = start()
    }
  const inSandbox = body.replace('{ baseUrl, sandbox }', '{ baseUrl, sandbox, fetch }')
  // oxlint-disable-next-line typescript/no-implied-eval -- code that a person would paste into a file
  new Function('createTest', 'expect', inSandbox)(createTest, expect)
  await run
  return ran
}

it('offers a Vitest test that passes, with the clock and the faults of then', async () => {
  const { page, sandbox, send } = await openWhatIf('/members/me')
  sandbox.clock.advance('P30D')
  const { id } = sandbox.faults.add({
    operationId: 'listProducts',
    status: 503,
    retryAfterSeconds: 9,
    times: 1,
  })
  await send(`${home}/products`)
  await page.goto(page.url().replace('/traffic/1', '/traffic/2'))
  await findDetails(page, 2).getByText('As it was recorded').waitFor()
  const program = await readProgram(page, 'Vitest test')
  expect(program).toContain("import { createTest } from 'workspace-sandbox/vitest'")
  expect(program).toContain('sandbox.clock.set("2026-02-14T12:00:00.000Z")')
  expect(program).toContain('"retryAfterSeconds":9')
  expect(id).toBe('fault-1')
  expect(await runTest(program)).toMatchObject({ statuses: [503] })
})
