import { setupServer } from 'msw/node'
import { expect } from 'vitest'
import { sandboxHandlers } from 'workspace-sandbox/msw'
import { createTest } from 'workspace-sandbox/vitest'

import { greetAll } from '../src/notes.ts'

const test = createTest({ size: 'small' })
const token = 'sbx_harbor_1'

test("writes a note for each of the caller's customers", async ({ baseUrl, sandbox, client }) => {
  const count = await greetAll({ baseUrl, token }, 'Happy new year')
  expect(count).toBeGreaterThan(0)
  expect(sandbox).toHaveReceived({
    operationId: 'createCustomerNote',
    body: { content: 'Happy new year' },
    count,
  })
  const { items } = await client.listCustomers({ organizationId: 'harbor', scope: 'mine' })
  const [first] = items
  const notes = await client.listCustomerNotes({ organizationId: 'harbor', customerId: first?.id ?? 0 })
  expect(notes.items.at(-1)?.content).toBe('Happy new year')
})

test('stops if the service is busy, and writes nothing', async ({ baseUrl, sandbox }) => {
  sandbox.faults.add({ operationId: 'listCustomers', status: 503 })
  await expect(greetAll({ baseUrl, token }, 'Hello')).rejects.toThrow('503')
  expect(sandbox).not.toHaveReceived({ operationId: 'createCustomerNote' })
})

test('sends no unnecessary requests', async ({ baseUrl, sandbox }) => {
  await greetAll({ baseUrl, token }, 'Hello')
  expect(sandbox).toHaveNoWarnings()
})

test('writes nothing if the caller has no customers', async ({ baseUrl, sandbox }) => {
  const { items } = await sandbox.data.customers.list()
  await Promise.all(items.map(({ id }) => sandbox.data.customers.patch(id, { memberRoles: [] })))
  expect(await greetAll({ baseUrl, token }, 'Hello')).toBe(0)
})

test('works at the production URL', async ({ sandbox }) => {
  const baseUrl = 'https://api.example.com/v1'
  const server = setupServer(...sandboxHandlers(sandbox, { baseUrl }))
  server.listen({ onUnhandledRequest: 'error' })
  expect(await greetAll({ baseUrl, token }, 'Hello')).toBeGreaterThan(0)
  server.close()
})
