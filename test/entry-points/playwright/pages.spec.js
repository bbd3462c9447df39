import { createServer } from 'node:http'

import { ask, expect, html, mara, openApp, test } from './support.js'

test.beforeEach(openApp)

test('forwards the API of the page to the session', async ({ page, sandbox, client }) => {
  await sandbox.data.customers.patch(1, { name: 'Tern & Co' })
  const { body } = await ask(page, '/v1/organizations/harbor/customers/1')
  expect(JSON.parse(body)).toMatchObject({ id: 1, name: 'Tern & Co' })
  expect(await client.getCustomer({ organizationId: 'harbor', customerId: 1 })).toMatchObject({
    name: 'Tern & Co',
  })
  await expect(sandbox).toHaveReceived({ operationId: 'getCustomer', count: 2 })
  await expect(sandbox).toHaveNoWarnings()
  await expect(sandbox).not.toHaveReceived({ operationId: 'listSignals' })
})

for (const name of ['one', 'another'])
  test('shows no changes of another test: ' + name, async ({ page, client }) => {
    const first = { organizationId: 'harbor', customerId: 1 }
    const { totalCount } = await client.listCustomerNotes(first)
    await client.createCustomerNote({ ...first, body: { categoryId: 1, content: 'Called them' } })
    const { body } = await ask(page, '/v1/organizations/harbor/customers/1/notes?limit=1')
    expect(JSON.parse(body).totalCount).toBe(totalCount + 1)
  })

const app = createServer(({ url, headers }, response) => response.end(url + ': ' + headers.baggage))
await new Promise((listening) => app.listen(0, '127.0.0.1', listening))
app.unref()

const appUrl = 'http://127.0.0.1:' + app.address().port

test('adds the header for the sandbox itself, called across origins', async ({ page, sandbox }) => {
  const { origin } = new URL(sandbox.baseUrl)
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html.body))
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  await page.goto('http://localhost:' + server.address().port)
  expect((await ask(page, origin + '/v1/members/me')).status).toBe(200)
  expect(await sandbox.requests.list()).toMatchObject([
    { operationId: 'getCurrentMember', session: sandbox.id },
  ])
  server.close()
})

test('serves an API at another origin', async ({ page }) => {
  expect((await ask(page, 'https://api.example.test/v1/members/me')).status).toBe(0)
})

test.describe('pages whose address Playwright does not know', () => {
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the required fixtures from the pattern
  test.use({ baseURL: [async ({}, use) => use(undefined), { scope: 'test' }] })
  test('fails unconnected', async ({ page }) => {
    expect((await ask(page, 'http://app.test/v1/members/me')).status).toBe(200)
  })
})

test.describe('an API at another origin', () => {
  test.use({ sandboxApiUrl: 'https://api.example.test/rest', sandboxAssumptions: { violationStatus: 422 } })
  test('is forwarded, under the assumptions of the suite', async ({ page, sandbox }) => {
    expect((await ask(page, 'https://api.example.test/rest/members/me')).status).toBe(200)
    const { status } = await ask(page, 'https://api.example.test/rest/organizations/harbor/customers?limit=0')
    expect(status).toBe(422)
    await expect(sandbox).toHaveReceivedInOrder([
      { operationId: 'getCurrentMember' },
      { operationId: 'listCustomers' },
    ])
  })
})

test('sends no header to other origins', async ({ page, context }) => {
  const seen = []
  await context.route('http://other.test/**', (route, request) => {
    seen.push(request.headers())
    return route.fulfill({ headers: { 'access-control-allow-origin': '*' }, body: 'hello' })
  })
  const text = await page.evaluate(async () => (await fetch('http://other.test/v1/members/me')).text())
  expect(text).toBe('hello')
  expect(seen).toHaveLength(1)
  expect(Object.keys(seen[0])).not.toContain('sandbox-session')
  expect(Object.keys(seen[0])).not.toContain('baggage')
})

test.describe('a page that its server renders', () => {
  test.use({ baseURL: appUrl })
  test('gets the session in the baggage of requests, beside what the page has there', async ({
    page,
    sandbox,
  }) => {
    const member = 'sandbox-session=' + sandbox.id
    expect(await (await page.goto('/start')).text()).toBe('/start: ' + member)
    const own = await page.evaluate(async () =>
      (await fetch('/data', { headers: { baggage: 'a=1' } })).text(),
    )
    expect(own).toBe('/data: a=1,' + member)
  })
})

test('breaks connections and responses of pages', async ({ page, sandbox }) => {
  await sandbox.faults.add({ operationId: 'getCurrentMember', reset: true, times: 1 })
  expect(await ask(page, '/v1/members/me')).toEqual({ status: 0, body: 'TypeError: Failed to fetch' })
  expect((await ask(page, '/v1/members/me')).status).toBe(200)
})

test('follows a redirect within the API, and leaves any other one to the page', async ({ page, sandbox }) => {
  const target = 'https://other.test/'
  await page.context().route(target, (route) => route.fulfill(html))
  for (const [operationId, location] of [
    ['listMembers', '/v1/members/me'],
    ['listBriefs', target],
  ]) {
    await sandbox.faults.add({ operationId, status: 302, headers: { location } })
  }
  const home = '/v1/organizations/harbor'
  expect((await ask(page, home + '/members')).status).toBe(200)
  expect((await ask(page, home + '/briefs')).status).toBe(0)
  await expect(sandbox).toHaveReceivedInOrder([
    { operationId: 'listMembers' },
    { operationId: 'getCurrentMember' },
  ])
  await expect(sandbox).toHaveReceived({ count: 3 })
})

test('lists more records than a page has', async ({ sandbox }) => {
  const { data } = sandbox
  const { items, totalCount } = await data.triggerLogs.list()
  expect(items).toHaveLength(totalCount)
  expect(totalCount).toBeGreaterThan(250)
  expect((await data.triggerLogs.list({ offset: 1, limit: 2 })).items).toEqual(items.slice(1, 3))
})

test('connects a context that the test opens', async ({ browser, sandbox, baseURL }) => {
  const context = await browser.newContext({ baseURL })
  await context.route('http://app.test/', (route) => route.fulfill(html))
  await sandbox.connect(context)
  const page = await context.newPage()
  await page.goto('/')
  expect((await ask(page, '/v1/members/me')).status).toBe(200)
  await expect(sandbox).toHaveReceived({ operationId: 'getCurrentMember', count: 1 })
  await context.close()
})

test('ends while a fault holds a response back', async ({ page, sandbox }) => {
  await sandbox.faults.add({ malfunction: 'hang' })
  await page.evaluate((headers) => void fetch('/v1/members/me', { headers }), mara)
  await expect(sandbox).toHaveReceived({ operationId: 'getCurrentMember' })
})

test('fails', async ({ page, sandbox }) => {
  await sandbox.scenarios.add({ name: 'deleted' })
  await ask(page, '/v1/organizations/harbor/customers?scope=mine')
  const rule = { operationId: 'listCustomers', query: { scope: 'team' } }
  await expect.configure({ timeout: 500 })(sandbox).toHaveReceived(rule)
})
