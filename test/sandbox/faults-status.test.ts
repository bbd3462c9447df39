import { expect, it } from 'vitest'

import { as, expectInvalid, openSandbox, createJsonPost } from '../support.ts'
import { serve } from './control-support.ts'

const customers = '/organizations/harbor/customers'

it.each([200, 201, 202, 206, 301, 302, 399])(
  'a fault with status %i and no body responds with an empty JSON object',
  async (status) => {
    const sandbox = await openSandbox()
    const mara = as(sandbox, 'mara')
    sandbox.faults.add({ status })
    for (const response of [
      await mara.send(customers),
      await mara.send(`${customers}/1/notes`, createJsonPost({})),
    ]) {
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('sandbox-fault')).toBe('fault-1')
      expect(await response.json()).toEqual({})
    }
  },
)

it.each([204, 205, 304])('a response with status %i has no body and no Content-Type', async (status) => {
  const sandbox = await openSandbox()
  sandbox.faults.add({ status })
  const response = await as(sandbox, 'mara').send(customers)
  expect(response.status).toBe(status)
  expect(response.headers.has('content-type')).toBe(false)
  expect(await response.text()).toBe('')
})

it('a step of a sequence and Prefer respond with an empty JSON object, too', async () => {
  const sandbox = await openSandbox()
  const mara = as(sandbox, 'mara')
  expect(await (await mara.send(customers, { headers: { prefer: 'code=200' } })).json()).toEqual({})
  sandbox.faults.add({ sequence: [200, 200], repeat: true })
  expect(await (await mara.send(customers)).json()).toEqual({})
})

it('a given body is sent as it is, even an empty string', async () => {
  const sandbox = await openSandbox()
  sandbox.faults.add({ status: 200, body: '' })
  const response = await as(sandbox, 'mara').send(customers)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await response.text()).toBe('')
})

it('HEAD gets the headers of the empty JSON object and no body', async () => {
  const { baseUrl, sandbox } = await serve()
  sandbox.faults.add({ status: 200 })
  const response = await fetch(`${baseUrl}${customers}`, { method: 'HEAD' })
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.text()).toBe('')
})

it.each([0, -1, 0.5])('`times: %d` is rejected', async (times) => {
  const { url } = await serve()
  const response = await fetch(`${url}/_sandbox/faults`, createJsonPost({ status: 503, times }))
  await expectInvalid(response, 'body times')
})

it('in process, the error for `times: 0` names the field', async () => {
  const sandbox = await openSandbox()
  expect(() => sandbox.faults.add({ status: 503, times: 0 })).toThrow('times: must be at least 1')
})
