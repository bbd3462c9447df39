import { createClient } from 'workspace-sandbox/client'

const client = createClient({ baseUrl: '/v1', token: 'sbx_harbor_1' })
const customer = { organizationId: 'harbor', customerId: 1 }

async function show(): Promise<void> {
  const items: HTMLLIElement[] = []
  for await (const { content } of client.each.listCustomerNotes(customer)) {
    const item = document.createElement('li')
    item.textContent = content
    items.push(item)
  }
  document.querySelector('#notes')?.replaceChildren(...items)
}

document.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault()
  const content = document.querySelector('input')?.value ?? ''
  client
    .createCustomerNote({ ...customer, body: { categoryId: 1, content } })
    .then(show)
    .catch((error: unknown) => {
      document.querySelector('#status')?.replaceChildren(String(error))
    })
})

await show()
