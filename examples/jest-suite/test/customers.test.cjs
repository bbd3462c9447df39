/** A CommonJS test: Jest's `require` cannot load ES modules before Node 24.9, but `import()` can. */
let session

beforeAll(async () => {
  const { createSandbox } = await import('workspace-sandbox')
  session = (await createSandbox({ size: 'small' })).session()
})

test('lists the customers of the caller', async () => {
  const { createClient } = await import('workspace-sandbox/client')
  const client = createClient({ baseUrl: 'http://sandbox/v1', token: 'sbx_harbor_1', fetch: session.fetch })
  const { items } = await client.listCustomers({ organizationId: 'harbor', scope: 'mine' })
  expect(items.length).toBeGreaterThan(0)
})
