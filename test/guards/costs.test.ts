import { expect, it, onTestFinished, vi } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { posted } from '../support.ts'

/**
 * What is dear in an answer, counted: a clock would tell of the machine. Records made into JSON, and objects of
 * fetch's kind, which cost more than all the rest together.
 */
async function counted() {
  const { baseUrl, close } = await startSandbox({ size: 'medium', port: 0 })
  onTestFinished(close)
  const organization = `${baseUrl}/organizations/harbor`
  const authorization = 'Bearer sbx_harbor_1'
  const made = vi.spyOn(JSON, 'stringify')
  // fetch itself makes one of each; what the server makes comes on top.
  const [responses, requests] = [vi.spyOn(globalThis, 'Response'), vi.spyOn(globalThis, 'Request')]
  onTestFinished(() => void vi.restoreAllMocks())
  return async (path: string, init: RequestInit = {}) => {
    for (const spy of [made, responses, requests]) spy.mockClear()
    const headers = new Headers(init.headers)
    headers.set('authorization', authorization)
    const answer = await fetch(organization + path, { ...init, headers })
    await answer.arrayBuffer()
    return {
      status: answer.status,
      json: made.mock.calls.filter(([value]) => typeof value === 'object' && 'id' in value).length,
      fetched: responses.mock.calls.length + requests.mock.calls.length,
    }
  }
}

it('makes JSON of a record once, whatever list it stands in', async () => {
  const ask = await counted()
  expect(await ask('/customers?limit=50')).toEqual({ status: 200, json: 50, fetched: 0 })
  expect(await ask('/customers?limit=50')).toEqual({ status: 200, json: 0, fetched: 0 })
  expect(await ask('/customers?limit=10&offset=45')).toEqual({ status: 200, json: 5, fetched: 0 })
  expect(await ask('/customers/1')).toEqual({ status: 200, json: 0, fetched: 0 })
})

it('makes nothing again for what was asked before', async () => {
  const ask = await counted()
  for (let time = 0; time < 3; time += 1) await ask('/signals?scope=mine&limit=100')
  expect(await ask('/signals?scope=mine&limit=100')).toEqual({ status: 200, json: 0, fetched: 0 })
})

it('makes JSON of a note once for the answer, and once for the count of the session’s bytes', async () => {
  const ask = await counted()
  const note = posted({ categoryId: 1, content: 'Called them' })
  expect(await ask('/customers/1/notes', note)).toEqual({ status: 200, json: 2, fetched: 0 })
  expect(await ask('/customers/1/notes', note)).toEqual({ status: 200, json: 2, fetched: 0 })
})
