import { createClient } from 'workspace-sandbox/client'

// For the real service, use its base URL and a real token.
const client = createClient({ baseUrl: '/v1', token: 'sbx_harbor_1' })

const list = document.querySelector('#customers')
const { organizationId } = await client.getCurrentMember()
for await (const { name, city } of client.each.listCustomers({ organizationId, scope: 'mine' })) {
  const item = document.createElement('li')
  item.textContent = `${name}, ${city}`
  list.append(item)
}
