import { expect, it, onTestFinished, vi } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { createJsonPost } from '../support.ts'

/** The Fetch API objects that the server creates for a response. */
const one = { Request: 0, Response: 1 }

/**
 * Starts a server and counts what makes a response slow: serialised records, and Fetch API objects, which cost more
 * than everything else together. Timings would depend on the machine.
 */
async function startCounting() {
  const { baseUrl, close } = await startSandbox({ size: 'medium', port: 0 })
  onTestFinished(close)
  const organization = `${baseUrl}/organizations/harbor`
  const authorization = 'Bearer sbx_harbor_1'
  const stringify = vi.spyOn(JSON, 'stringify')
  const made = { Request: 0, Response: 0 }
  // fetch itself creates one of each without these constructors.
  for (const name of ['Request', 'Response'] as const) {
    vi.stubGlobal(
      name,
      new Proxy(globalThis[name], {
        construct(target, args, newTarget) {
          made[name] += 1
          return Reflect.construct(target, args, newTarget)
        },
      }),
    )
  }
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
  return async (path: string, init: RequestInit = {}) => {
    stringify.mockClear()
    Object.assign(made, { Request: 0, Response: 0 })
    const headers = new Headers(init.headers)
    headers.set('authorization', authorization)
    const response = await fetch(organization + path, { ...init, headers })
    await response.arrayBuffer()
    return {
      status: response.status,
      json: stringify.mock.calls.filter(([value]) => typeof value === 'object' && 'id' in value).length,
      ...made,
    }
  }
}

it('serialises a record once, whichever response contains it', async () => {
  const send = await startCounting()
  expect(await send('/customers?limit=50')).toEqual({ status: 200, json: 50, ...one })
  expect(await send('/customers?limit=50')).toEqual({ status: 200, json: 0, ...one })
  expect(await send('/customers?limit=10&offset=45')).toEqual({ status: 200, json: 5, ...one })
  expect(await send('/customers/1')).toEqual({ status: 200, json: 0, ...one })
})

it('serialises nothing for a repeated request', async () => {
  const send = await startCounting()
  for (let time = 0; time < 3; time += 1) await send('/signals?scope=mine&limit=100')
  expect(await send('/signals?scope=mine&limit=100')).toEqual({ status: 200, json: 0, ...one })
})

it('serialises a new note once for the response, and once to count the bytes of the session', async () => {
  const send = await startCounting()
  const note = createJsonPost({ categoryId: 1, content: 'Called them' })
  expect(await send('/customers/1/notes', note)).toEqual({ status: 200, json: 2, ...one })
  expect(await send('/customers/1/notes', note)).toEqual({ status: 200, json: 2, ...one })
})
