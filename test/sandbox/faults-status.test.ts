import { expect, test } from 'vitest'

import { as, expectInvalid, openSandbox, posted } from '../support.ts'
import { serve } from './control-support.ts'

const customers = '/organizations/harbor/customers'

test.each([200, 201, 202, 206, 301, 302, 399])(
  'a fault that answers %i without a body answers an empty JSON object',
  async (status) => {
    const sandbox = await openSandbox()
    const mara = as(sandbox, 'mara')
    sandbox.faults.add({ status })
    for (const answer of [await mara.send(customers), await mara.send(`${customers}/1/notes`, posted({}))]) {
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('sandbox-fault')).toBe('fault-1')
      expect(await answer.json()).toEqual({})
    }
  },
)

test.each([204, 205, 304])('a fault that answers %i has no body and no type', async (status) => {
  const sandbox = await openSandbox()
  sandbox.faults.add({ status })
  const answer = await as(sandbox, 'mara').send(customers)
  expect(answer.status).toBe(status)
  expect(answer.headers.has('content-type')).toBe(false)
  expect(await answer.text()).toBe('')
})

test('a step of a sequence and Prefer answer an empty JSON object, too', async () => {
  const sandbox = await openSandbox()
  const mara = as(sandbox, 'mara')
  expect(await (await mara.send(customers, { headers: { prefer: 'code=200' } })).json()).toEqual({})
  sandbox.faults.add({ sequence: [200, 200], repeat: true })
  expect(await (await mara.send(customers)).json()).toEqual({})
})

test('a body that is given is sent as it is, an empty text among them', async () => {
  const sandbox = await openSandbox()
  sandbox.faults.add({ status: 200, body: '' })
  const answer = await as(sandbox, 'mara').send(customers)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await answer.text()).toBe('')
})

test('HEAD has the headers of the empty JSON object and no body', async () => {
  const { baseUrl, sandbox } = await serve()
  sandbox.faults.add({ status: 200 })
  const answer = await fetch(`${baseUrl}${customers}`, { method: 'HEAD' })
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.text()).toBe('')
})

test.each([0, -1, 0.5])('a fault that is to happen %d times is refused', async (times) => {
  const { url } = await serve()
  const response = await fetch(`${url}/_sandbox/faults`, posted({ status: 503, times }))
  await expectInvalid(response, 'body times')
})

test('in process, times: 0 is refused by name', async () => {
  const sandbox = await openSandbox()
  expect(() => sandbox.faults.add({ status: 503, times: 0 })).toThrow('times: must be at least 1')
})
