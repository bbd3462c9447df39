import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { type DatasetOptions, createSandbox } from '../../src/index.ts'
import { type Console, expectQuiet, useConsole, waitUntilSettled } from './support.ts'
import { createSender, findDetails, findRow, home, note } from './traffic-support.ts'

const open = useConsole()

/** Finds the programs of the shown request, in a language. */
async function readProgram(page: Page, name: string): Promise<string> {
  const region = page.getByRole('region', { name: 'As a program' })
  await region.getByRole('tab', { name }).click()
  return (await region.locator('pre').textContent()) ?? ''
}

/** Opens a console with the replay of its first request. */
async function openReplay(path: string, token?: string): Promise<Console & { readonly detail: Locator }> {
  const console = await open({ at: '#/traffic/1?tab=replay' })
  await waitUntilSettled(console.page)
  await createSender(console.baseUrl, token)(path)
  const detail = findDetails(console.page, 1)
  await detail.getByRole('region', { name: 'As a program' }).waitFor()
  return { ...console, detail }
}

it('sends a request again in a fork, and shows which fields of the response differ', async () => {
  const console = await openReplay(`${home}/customers/1`)
  const { page, sandbox, detail } = console
  const again = detail.getByRole('button', { name: 'Send again in a fork' })
  await again.click()
  await detail.getByText('0 of 1 response changed.').waitFor()
  await sandbox.data.customers.patch(1, { name: 'Renamed Foods' })
  await again.click()
  await detail.getByText('1 of 1 response changed.').waitFor()
  await detail.locator('del', { hasText: '"Larkspur Foods"' }).waitFor()
  await detail.locator('ins', { hasText: '"Renamed Foods"' }).waitFor()
  expect(sandbox.requests.list()).toHaveLength(1)
  await detail.getByRole('button', { name: /^Switch to/ }).click()
  await page.waitForURL(/session=/)
  await findDetails(page, 1)
    .getByRole('heading', { name: `GET /v1${home}/customers/1` })
    .waitFor()
  expectQuiet(console)
})

it('sends all listed requests again, with the clock of then, with or without the faults', async () => {
  const { sandbox, baseUrl, detail } = await openReplay('/members/me')
  sandbox.faults.add({ operationId: 'listProducts', status: 503 })
  await createSender(baseUrl)(`${home}/products`)
  sandbox.clock.advance('P30D')
  await createSender(baseUrl)(`${home}/customers/1/notes`, note('Later.'))
  await detail.getByLabel('Requests', { exact: true }).selectOption('the 3 in the list')
  await detail.getByRole('button', { name: 'Send 3 requests in a fork' }).click()
  await detail.getByText('1 of 2 responses changed. 1 not comparable:').waitFor()
  const products = detail.getByRole('listitem').filter({ hasText: 'fault-1 acted on it, but not' })
  await products.getByRole('link', { name: 'Request 2' }).waitFor()
  await detail.getByRole('checkbox', { name: 'with this session’s faults' }).check()
  await detail.getByRole('button', { name: 'Send 3 requests in a fork' }).click()
  // Only the id of the note differs.
  await detail.getByText('1 of 3 responses changed.').waitFor()
  const created = detail.getByRole('group').filter({ hasText: 'POST' })
  await created.getByRole('rowheader', { name: 'id' }).waitFor()
  expect(await created.textContent()).not.toContain('createdDate')
})

it('sends a request with an unknown token again with one that is unknown as well', async () => {
  const { detail, sandbox } = await openReplay('/members/me', 'sbx_unknown')
  await detail.getByRole('button', { name: 'Send again in a fork' }).click()
  await detail.getByText('0 of 1 response changed.').waitFor()
  expect(sandbox.requests.list()).toMatchObject([{ status: 401 }])
})

it('does not compare a response on which a fault or a scenario acted with one on which none did', async () => {
  const { sandbox, baseUrl, detail } = await openReplay('/members/me')
  const send = createSender(baseUrl)
  sandbox.scenarios.add({ name: 'bulk-update-ties' })
  await send(`${home}/customers?limit=1`)
  sandbox.faults.add({ malfunction: 'reset', times: 1 })
  await send('/members/me').catch(() => undefined)
  await detail.getByLabel('Requests', { exact: true }).selectOption('the 3 in the list')
  await detail.getByRole('button', { name: 'Send 3 requests in a fork' }).click()
  await detail.getByText('0 of 1 response changed. 2 not comparable:').waitFor()
  await detail.getByText('scenario-1 acted on it, but not when it was sent again').waitFor()
  expect(sandbox.requests.list()).toHaveLength(3)
})

it('offers a curl command with the token of the caller, without headers that curl adds', async () => {
  const { page, baseUrl } = await openReplay(`${home}/customers/1`, 'sbx_harbor_2')
  expect(await readProgram(page, 'curl')).toBe(
    [
      `curl '${baseUrl}${home}/customers/1'`,
      `-H 'authorization: Bearer sbx_harbor_2'`,
      `-H 'accept: */*'`,
    ].join(' \\\n  '),
  )
})

it('asks for a token if the one that was used is unknown', async () => {
  const { page, detail } = await openReplay('/members/me', 'sbx_unknown')
  await detail.getByText('with your token.').waitFor()
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
  const { page, sandbox, baseUrl, detail } = await openReplay('/members/me')
  sandbox.clock.advance('P30D')
  const { id } = sandbox.faults.add({
    operationId: 'listProducts',
    status: 503,
    retryAfterSeconds: 9,
    times: 1,
  })
  const send = createSender(baseUrl)
  await send(`${home}/products`)
  await send(`${home}/products`)
  await send(`${home}/customers/1/notes`, note('Later.'))
  const { id: gone } = sandbox.faults.add({ malfunction: 'reset', times: 2 })
  await send('/members/me').catch(() => undefined)
  sandbox.faults.remove(gone)
  await findRow(page, 5).getByText('reset').first().waitFor()
  await detail.getByLabel('Requests', { exact: true }).selectOption('many')
  const program = await expect
    .poll(() => readProgram(page, 'Vitest test'))
    .toMatch(/"retryAfterSeconds":9[^]*rejects\.toThrow\(\)/)
    .then(() => readProgram(page, 'Vitest test'))
  expect(program).toContain("import { createTest } from 'workspace-sandbox/vitest'")
  expect(program).toContain('sandbox.clock.set("2026-02-14T12:00:00.000Z")')
  const recorded = sandbox.requests.list().map(({ status }) => status)
  expect(id).toBe('fault-1')
  expect(await runTest(program)).toMatchObject({ statuses: recorded })
})
