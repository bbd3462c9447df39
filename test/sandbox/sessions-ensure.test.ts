import { expect, it } from 'vitest'

import { expectProblem, openSandbox } from '../support.ts'
import { open, type Opened } from './control-support.ts'

it('PUT opens a session with an id, and then returns the one that exists', async () => {
  const { sandbox, send } = await open()
  const put = async (body?: unknown) => {
    const response = await send('PUT', '/sessions/checkout', body)
    return { status: response.status, body: await response.json() }
  }
  const input = { name: 'Checkout', assumptions: { errorFormat: 'message' }, faults: { status: 503 } }
  const first = await put(input)
  const body: Opened = {
    id: 'checkout',
    name: 'Checkout',
    baseUrl: 'http://sandbox/_sandbox/sessions/checkout/v1',
    now: '2026-01-15T12:00:00.000Z',
  }
  expect(first).toEqual({ status: 201, body })
  sandbox.ensureSession('checkout').clock.advance('P1D')
  const moved = { ...body, now: '2026-01-16T12:00:00.000Z' }
  expect(await put()).toEqual({ status: 200, body: moved })
  expect(await put(input)).toEqual({ status: 200, body: moved })
  expect(sandbox.ensureSession('checkout').faults.list()).toHaveLength(1)
})

it('PUT with options other than those of the session is refused, and names them', async () => {
  const { send } = await open()
  await send('PUT', '/sessions/checkout', { name: 'Checkout' })
  const other = { name: 'Checkout', now: '2026-03-01T00:00Z', faults: { status: 500 } }
  const { detail } = await expectProblem(await send('PUT', '/sessions/checkout', other), 'conflict')
  expect(detail).toMatch(/opened with another value of now, faults\. Leave the options out/)
  expect((await send('PUT', '/sessions/checkout')).status).toBe(200)
})

it('many PUTs at once open one session', async () => {
  const { send } = await open()
  const puts = Array.from({ length: 20 }, () => send('PUT', '/sessions/checkout', { future: 'living' }))
  const statuses = (await Promise.all(puts)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 200)).toHaveLength(19)
})

it('in process, ensureSession shares a session, and session still refuses a taken id', async () => {
  const sandbox = await openSandbox()
  const first = sandbox.ensureSession('shared', { name: 'Shared' })
  first.faults.add({ status: 503 })
  expect(sandbox.ensureSession('shared').faults.list()).toHaveLength(1)
  expect(() => sandbox.ensureSession('shared', { name: 'Another' })).toThrow(/another value of name/)
  expect(() => sandbox.ensureSession('a b')).toThrow(/session id: must be 1 to 64 letters/)
  expect(() => sandbox.session({ id: 'shared' })).toThrow(/the id is taken/)
})
