import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { expect, it, vi } from 'vitest'

import { type Connection, endsConnection, Waits } from '../../src/faults/connection.ts'
import type { FaultInput } from '../../src/faults/fault.ts'
import { Faults } from '../../src/faults/faults.ts'
import { sendThroughFaults } from './faults-support.ts'

const text = JSON.stringify({ items: 'x'.repeat(200_000) })

/** Opens an app with one fault before a response of 200 kB. */
function openFaulted(input: FaultInput, waits = new Waits()) {
  const faults = new Faults(() => 0)
  faults.add(input)
  const handled = vi.fn<() => void>()
  return {
    handled,
    fetch: async (request: Request, connection?: Connection): Promise<Response> => {
      const session = { knownFaults: faults, clock: { now: () => '' } }
      return sendThroughFaults(request, { session, connection, waits }, async () => {
        handled()
        return new Response(text, { headers: { 'content-type': 'application/json' } })
      })
    },
  }
}

type Fetch = ReturnType<typeof openFaulted>['fetch']

/** Starts a server like that of the Node entry point. */
async function serve(fetch: Fetch): Promise<{ url: string } & AsyncDisposable> {
  const listener = getRequestListener(
    (request, { outgoing }) => {
      const socket = outgoing.socket as Socket
      const connection = { reset: () => socket.resetAndDestroy(), close: () => socket.destroySoon() }
      return fetch(request, connection).catch((error: unknown) => {
        if (endsConnection(error)) return RESPONSE_ALREADY_SENT
        throw error
      })
    },
    { overrideGlobalObjects: false },
  )
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/v1/members/me`, [Symbol.asyncDispose]: stop }
}

/** Returns the code of the cause of an error. */
async function codeOf(failing: Promise<unknown>): Promise<unknown> {
  const error = await failing.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(TypeError)
  return ((error as TypeError).cause as { code?: string }).code
}

const createRequest = (init?: RequestInit): Request => new Request('http://sandbox/v1/members/me', init)

it('in process, a reset and an empty response reject like fetch', async () => {
  await expect(openFaulted({ reset: true }).fetch(createRequest())).rejects.toThrow('fetch failed')
  expect(await codeOf(openFaulted({ reset: true }).fetch(createRequest()))).toBe('ECONNRESET')
  expect(await codeOf(openFaulted({ malfunction: 'empty' }).fetch(createRequest()))).toBe('UND_ERR_SOCKET')
})

it('in process, reading a truncated response rejects', async () => {
  const response = await openFaulted({ malfunction: 'truncate' }).fetch(createRequest())
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe(String(text.length))
  await expect(response.text()).rejects.toThrow('terminated')
})

it('in process, a hang ends when the client gives up', async () => {
  const hanging = openFaulted({ malfunction: 'hang' })
  await expect(hanging.fetch(createRequest({ signal: AbortSignal.timeout(30) }))).rejects.toThrow('timeout')
  expect(hanging.handled).not.toHaveBeenCalled()
})

it('a delay ends when the client gives up, and the request does not reach the service', async () => {
  const slow = openFaulted({ delayMs: 600_000 })
  await expect(slow.fetch(createRequest({ signal: AbortSignal.timeout(30) }))).rejects.toThrow('timeout')
  await expect(slow.fetch(createRequest({ signal: AbortSignal.abort('enough') }))).rejects.toThrow('enough')
  expect(slow.handled).not.toHaveBeenCalled()
})

it('a closing sandbox responds to delayed requests and closes the connections of hanging ones', async () => {
  const waits = new Waits()
  const delayed = openFaulted({ delayMs: 600_000 }, waits)
  const first = delayed.fetch(createRequest())
  const hanging = codeOf(openFaulted({ malfunction: 'hang' }, waits).fetch(createRequest()))
  setTimeout(() => waits.end(), 20)
  expect((await first).status).toBe(200)
  expect(await hanging).toBe('UND_ERR_SOCKET')
  expect((await delayed.fetch(createRequest())).status).toBe(200)
})

it('over HTTP, a reset resets the connection', async () => {
  await using server = await serve(openFaulted({ reset: true }).fetch)
  expect(await codeOf(fetch(server.url))).toBe('ECONNRESET')
})

it('over HTTP, an empty response closes the connection', async () => {
  await using server = await serve(openFaulted({ malfunction: 'empty' }).fetch)
  expect(await codeOf(fetch(server.url))).toBe('UND_ERR_SOCKET')
})

it('over HTTP, half of a truncated response arrives, and nothing is printed', async () => {
  const printed = vi.spyOn(console, 'error')
  await using server = await serve(openFaulted({ malfunction: 'truncate' }).fetch)
  const response = await fetch(server.url)
  expect(response.headers.get('content-length')).toBe(String(text.length))
  let received = 0
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) received += chunk.length
  }
  await expect(read()).rejects.toThrow('terminated')
  expect(received).toBe(text.length / 2)
  expect(printed).not.toHaveBeenCalled()
})

it('over HTTP, a malformed response arrives completely and is not JSON', async () => {
  await using server = await serve(openFaulted({ malfunction: 'malformed' }).fetch)
  const response = await fetch(server.url)
  expect(await response.text()).toBe(text.slice(0, -1))
})

it('over HTTP, a hang and a delay end when the client gives up', async () => {
  for (const input of [{ malfunction: 'hang' }, { delayMs: 600_000 }] as const) {
    const { fetch: send, handled } = openFaulted(input)
    const ended = vi.fn<() => void>()
    const over = new AbortController()
    await using server = await serve((...request) => {
      setImmediate(() => over.abort())
      return send(...request).finally(ended)
    })
    await expect(fetch(server.url, { signal: over.signal })).rejects.toThrow('aborted')
    await expect.poll(() => ended.mock.calls).toHaveLength(1)
    expect(handled).not.toHaveBeenCalled()
  }
})

it('over HTTP, a faulted POST leaves the connection usable', async () => {
  await using server = await serve(openFaulted({ status: 503, times: 20 }).fetch)
  for (let count = 0; count < 20; count += 1) {
    const response = await fetch(server.url, { method: 'POST', body: 'x'.repeat(50_000) })
    expect(response.status).toBe(503)
    await response.text()
  }
  expect((await fetch(server.url)).status).toBe(200)
})

it('a hundred delayed requests cause no process warning', async () => {
  const warned = vi.fn<() => void>()
  process.on('warning', warned)
  const slow = openFaulted({ delayMs: 30 })
  await Promise.all(Array.from({ length: 100 }, () => slow.fetch(createRequest())))
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.off('warning', warned)
  expect(warned).not.toHaveBeenCalled()
})
