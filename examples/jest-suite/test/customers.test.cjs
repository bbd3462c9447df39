/** A CommonJS test: Jest's `require` cannot load ES modules before Node 24.9, so that Babel converts them. */
const { createSandbox } = require('workspace-sandbox')
const { createClient } = require('workspace-sandbox/client')

let session

beforeAll(async () => {
  session = (await createSandbox({ size: 'small' })).session()
})

test('lists the customers of the caller', async () => {
  const client = createClient({ baseUrl: 'http://sandbox/v1', token: 'sbx_harbor_1', fetch: session.fetch })
  const { items } = await client.listCustomers({ organizationId: 'harbor', scope: 'mine' })
  expect(items.length).toBeGreaterThan(0)
})
