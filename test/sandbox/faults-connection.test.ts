import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { expect, test, vi } from 'vitest'

import { type Connection, endsConnection, Waits } from '../../src/control/faults/connection.ts'
import { Faults } from '../../src/control/faults/faults.ts'
import type { FaultInput } from '../../src/control/faults/input.ts'
import { whole } from '../../src/http/respond.ts'
import { answeredThrough } from './faults-support.ts'

const text = JSON.stringify({ items: 'x'.repeat(200_000) })

/** An app with one fault before an answer of 200 kB. */
function faulted(input: FaultInput, waits = new Waits()) {
  const faults = new Faults(() => 0)
  faults.add(input)
  const asked = vi.fn<() => void>()
  return {
    asked,
    fetch: async (request: Request, connection?: Connection): Promise<Response> => {
      const session = { knownFaults: faults, clock: { now: () => '' } }
      const answer = answeredThrough(request, { session, connection, waits }, async () => {
        asked()
        return new Response(text, { headers: { 'content-type': 'application/json' } })
      })
      return whole(await answer)
    },
  }
}

type Fetch = ReturnType<typeof faulted>['fetch']

/** A server as the Node door is one. */
async function served(fetch: Fetch): Promise<{ url: string } & AsyncDisposable> {
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

/** The code at the end of an error's causes. */
async function codeOf(failing: Promise<unknown>): Promise<unknown> {
  const error = await failing.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(TypeError)
  return ((error as TypeError).cause as { code?: string }).code
}

const here = (init?: RequestInit): Request => new Request('http://sandbox/v1/members/me', init)

test('in process, a reset and an empty answer fail as fetch does', async () => {
  await expect(faulted({ reset: true }).fetch(here())).rejects.toThrow('fetch failed')
  expect(await codeOf(faulted({ reset: true }).fetch(here()))).toBe('ECONNRESET')
  expect(await codeOf(faulted({ malfunction: 'empty' }).fetch(here()))).toBe('UND_ERR_SOCKET')
})

test('in process, a truncated answer fails while it is read', async () => {
  const answer = await faulted({ malfunction: 'truncate' }).fetch(here())
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-length')).toBe(String(text.length))
  await expect(answer.text()).rejects.toThrow('terminated')
})

test('in process, a hang ends when the client gives up', async () => {
  const hanging = faulted({ malfunction: 'hang' })
  await expect(hanging.fetch(here({ signal: AbortSignal.timeout(30) }))).rejects.toThrow('timeout')
  expect(hanging.asked).not.toHaveBeenCalled()
})

test('a delay ends when the client gives up, and the service is not asked', async () => {
  const slow = faulted({ delayMs: 600_000 })
  await expect(slow.fetch(here({ signal: AbortSignal.timeout(30) }))).rejects.toThrow('timeout')
  await expect(slow.fetch(here({ signal: AbortSignal.abort('enough') }))).rejects.toThrow('enough')
  expect(slow.asked).not.toHaveBeenCalled()
})

test('a closing sandbox answers what is delayed, and lets go of what hangs', async () => {
  const waits = new Waits()
  const delayed = faulted({ delayMs: 600_000 }, waits)
  const first = delayed.fetch(here())
  const hanging = codeOf(faulted({ malfunction: 'hang' }, waits).fetch(here()))
  setTimeout(() => waits.end(), 20)
  expect((await first).status).toBe(200)
  expect(await hanging).toBe('UND_ERR_SOCKET')
  expect((await delayed.fetch(here())).status).toBe(200)
})

test('over HTTP, a reset is a reset', async () => {
  await using server = await served(faulted({ reset: true }).fetch)
  expect(await codeOf(fetch(server.url))).toBe('ECONNRESET')
})

test('over HTTP, an empty answer is a connection that closes', async () => {
  await using server = await served(faulted({ malfunction: 'empty' }).fetch)
  expect(await codeOf(fetch(server.url))).toBe('UND_ERR_SOCKET')
})

test('over HTTP, half of a truncated answer arrives, and nothing is printed', async () => {
  const printed = vi.spyOn(console, 'error')
  await using server = await served(faulted({ malfunction: 'truncate' }).fetch)
  const answer = await fetch(server.url)
  expect(answer.headers.get('content-length')).toBe(String(text.length))
  let received = 0
  const read = async (): Promise<void> => {
    for await (const chunk of answer.body ?? []) received += chunk.length
  }
  await expect(read()).rejects.toThrow('terminated')
  expect(received).toBe(text.length / 2)
  expect(printed).not.toHaveBeenCalled()
})

test('over HTTP, a malformed answer arrives whole and is no JSON', async () => {
  await using server = await served(faulted({ malfunction: 'malformed' }).fetch)
  const answer = await fetch(server.url)
  expect(await answer.text()).toBe(text.slice(0, -1))
})

test('over HTTP, a hang and a delay end when the client gives up', async () => {
  for (const input of [{ malfunction: 'hang' }, { delayMs: 600_000 }] as const) {
    const { fetch: answer, asked } = faulted(input)
    const ended = vi.fn<() => void>()
    await using server = await served((...given) => answer(...given).finally(ended))
    await expect(fetch(server.url, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout')
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
    expect(asked).not.toHaveBeenCalled()
  }
})

test('over HTTP, a faulted POST leaves the connection fit for the next request', async () => {
  await using server = await served(faulted({ status: 503, times: 20 }).fetch)
  for (let count = 0; count < 20; count += 1) {
    const answer = await fetch(server.url, { method: 'POST', body: 'x'.repeat(50_000) })
    expect(answer.status).toBe(503)
    await answer.text()
  }
  expect((await fetch(server.url)).status).toBe(200)
})

test('a hundred requests that wait at once leave no warning behind', async () => {
  const warned = vi.fn<() => void>()
  process.on('warning', warned)
  const slow = faulted({ delayMs: 30 })
  await Promise.all(Array.from({ length: 100 }, () => slow.fetch(here())))
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.off('warning', warned)
  expect(warned).not.toHaveBeenCalled()
})
