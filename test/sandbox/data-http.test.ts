import { expect, it } from 'vitest'

import { tableNames } from '../../src/store/tables.ts'
import { expectProblem, openSandbox, readControl } from '../support.ts'

const sandbox = await openSandbox()

/** Calls the control plane in a fresh session. */
function open() {
  const session = sandbox.session()
  const send = (method: string, path: string, body?: unknown, type = 'application/json') =>
    session.fetch(`/_sandbox/data${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': type } }),
    })
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests know the bodies
  const json = (method: string, path: string, body?: unknown): Promise<any> =>
    readControl(session, method, `/data${path}`, body)
  return { send, json }
}

it('lists the collections with their number of records, and the first 100 of these', async () => {
  const { json } = open()
  const { items, totalCount } = await json('GET', '')
  expect(totalCount).toBe(tableNames.length)
  expect(items).toContainEqual({ name: 'customers', totalCount: 28 })
  const quill = await json('GET', '?organizationId=quill')
  expect(quill.items).toContainEqual({ name: 'customers', totalCount: 3 })
  // Records are listed 100 at a time by default, as the service does.
  const logs = await json('GET', '/triggerLogs')
  expect(logs.items).toHaveLength(100)
  expect(logs.totalCount).toBeGreaterThan(100)
})

it('creates a record with a new id in the organization of the query', async () => {
  const created = await open().json('PUT', '/customers/900?organizationId=quill')
  expect(created).toMatchObject({ id: 900, organizationId: 'quill' })
})

it('creates one record, a list, or records of several collections', async () => {
  const { json, send } = open()
  expect(await json('POST', '/customers', { name: 'One' })).toMatchObject({ id: 26, name: 'One' })
  const two = [{ name: 'Two' }, { name: 'Three' }]
  expect(await json('POST', '/customers', two)).toMatchObject([{ id: 27 }, { id: 28 }])
  const both = { customers: [{ id: 900 }], notes: [{ customerId: 900, content: 'Called.' }] }
  expect(await json('POST', '', both)).toMatchObject(both)
  await expectProblem(await send('POST', '/customers', { id: 900 }), 'conflict')
  expect((await json('GET', '/customers')).totalCount).toBe(32)
})

it('accepts JSON bodies with the default Content-Type of common clients', async () => {
  const { send } = open()
  const patch = (body: unknown, type?: string) => send('PATCH', '/customers/1', body, type)
  expect((await patch({ name: 'A' }, 'application/merge-patch+json')).status).toBe(200)
  expect((await patch({ name: 'B' }, 'text/plain;charset=UTF-8')).status).toBe(200)
  await expectProblem(await patch([], 'application/json-patch+json'), 'unsupported_media_type')
  const put = await send('PUT', '/customers/1', {}, 'application/merge-patch+json')
  await expectProblem(put, 'unsupported_media_type')
})

it('lists the allowed methods of a path', async () => {
  const { send } = open()
  const allowed = async (method: string, path: string) => {
    const response = await send(method, path)
    await expectProblem(response.clone(), 'method_not_allowed')
    return response.headers.get('allow')
  }
  expect(await allowed('DELETE', '/customers')).toBe('GET, HEAD, POST')
  expect(await allowed('POST', '/customers/1')).toBe('GET, HEAD, PUT, PATCH, DELETE')
  expect(await allowed('GET', '/changes/customers/1')).toBe('DELETE')
  expect((await send('HEAD', '/customers/1')).status).toBe(200)
})
