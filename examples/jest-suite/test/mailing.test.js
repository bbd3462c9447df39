import { createSandbox } from 'workspace-sandbox'
import { createClient } from 'workspace-sandbox/client'

import { listCustomersIn } from '../src/mailing.js'

const token = 'sbx_harbor_1'

/** One sandbox for all tests, and a session for each. */
let sandbox
let session
let client

beforeAll(async () => {
  sandbox = await createSandbox({ size: 'small' })
})

beforeEach(() => {
  session = sandbox.session()
  client = createClient({ baseUrl: 'http://sandbox/v1', token, fetch: session.fetch })
})

afterEach(() => session.close())
afterAll(() => sandbox.close())

test('finds the customers of a country', async () => {
  const { items } = await client.listCustomers({ organizationId: 'harbor', scope: 'mine' })
  await Promise.all(items.map(({ id }) => session.data.customers.patch(id, { country: 'Spain' })))
  await session.data.customers.patch(items[0].id, { country: 'Portugal' })
  expect(await listCustomersIn(client, 'Portugal')).toEqual([items[0].name])
})

test('fails if the service is busy', async () => {
  session.faults.add({ operationId: 'listCustomers', status: 503 })
  await expect(listCustomersIn(client, 'Spain')).rejects.toThrow('503')
})
