import { describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Journal } from '../../src/testing/journal/journal.ts'
import { createEventStream } from '../../src/testing/journal/stream.ts'
import { expectInvalid, openSandbox } from '../support.ts'
import { openJournal } from './journal-support.ts'

const ORIGIN = 'http://sandbox'
const HARBOR = '/v1/organizations/harbor'

interface Event {
  readonly event: string
  readonly id: number
  readonly data: Readonly<Record<string, unknown>>
}

/** Reads the events of a journal as they come. */
function readEvents(journal: Journal, after?: number) {
  const abort = new AbortController()
  const reader = createEventStream(journal, abort, after).getReader()
  const text = async (): Promise<string | undefined> => {
    const { value } = await reader.read()
    return value && new TextDecoder().decode(value)
  }
  return { abort, reader, text, events: async () => parseEvents((await text()) ?? '') }
}

function parseEvents(text: string): Event[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event = '', id = '', data = ''] = block.split('\n').map((line) => line.replace(/^\w+: /, ''))
      return { event, id: Number(id), data: JSON.parse(data) }
    })
}

describe('the event stream', () => {
  it('sends requests as they are answered, from now on', async () => {
    const { journal, request } = openJournal()
    request('/v1/members/me')
    const { text, events } = readEvents(journal)
    expect(await text()).toBe('retry: 1000\n: the journal, live\n\n')
    const next = events()
    request(`${HARBOR}/customers/7`)
    const data = { id: 2, operationId: 'getCustomer' }
    expect(await next).toMatchObject([{ event: 'request', id: 2, data }])
  })

  it.each([
    ['continues after the last event that a client has seen', 2, [3, 4]],
    ['sends all events to a client whose last event belongs to an earlier journal', 5_000, [1, 2, 3, 4]],
  ])('%s', async (_, after, ids) => {
    const { journal, request } = openJournal()
    for (let id = 1; id <= 4; id += 1) request('/v1/members/me')
    const { text, events } = readEvents(journal, after)
    await text()
    expect((await events()).map(({ id }) => id)).toEqual(ids)
  })

  it('reports the gap to a client that was away for too long', async () => {
    const { journal, request } = openJournal({ entries: 10, bytes: 1_000_000 })
    for (let id = 1; id <= 30; id += 1) request('/v1/members/me')
    const { text, events } = readEvents(journal, 5)
    await text()
    const [gap, ...rest] = await events()
    expect(gap).toMatchObject({ event: 'gap', data: { missed: 15 } })
    expect(rest.map(({ data }) => data['id'])).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30])
  })

  it('reports that the journal was cleared', async () => {
    const { journal, request } = openJournal()
    const { text, events } = readEvents(journal)
    await text()
    request('/v1/members/me')
    journal.clear()
    request('/v1/members/me')
    expect((await events()).map(({ event }) => event)).toEqual(['gap', 'clear', 'request'])
  })

  it('sends heartbeats while nothing happens', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { text } = readEvents(openJournal().journal)
    await text()
    const next = text()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await next).toBe(': alive\n\n')
  })

  it('buffers nothing for a client that does not read', async () => {
    const { journal, request } = openJournal()
    const { text, events } = readEvents(journal)
    await text()
    for (let id = 1; id <= 10_000; id += 1) request('/v1/members/me', { body: 'x'.repeat(1_000) })
    const [gap, ...rest] = await events()
    expect(gap).toMatchObject({ event: 'gap' })
    expect(rest.length).toBeLessThanOrEqual(100)
  })

  it.each(['abort', 'cancel', 'close'])('ends on %s, and leaves no listener', async (how) => {
    const { journal, request } = openJournal()
    const { abort, reader, text } = readEvents(journal)
    await text()
    const next = text()
    if (how === 'abort') abort.abort()
    else if (how === 'cancel') await reader.cancel()
    else journal.close()
    expect(await next).toBeUndefined()
    expect(() => request('/v1/members/me')).not.toThrow()
  })

  it('ends at once for a client that has already disconnected', async () => {
    const over = new AbortController()
    over.abort()
    const stream = createEventStream(openJournal().journal, over)
    expect(await new Response(stream).text()).toBe('retry: 1000\n: the journal, live\n\n')
  })
})

describe('GET /_sandbox/requests/stream', () => {
  it('is an event stream that starts after Last-Event-ID', async () => {
    const sandbox = await openSandbox()
    for (let id = 1; id <= 3; id += 1) await sandbox.fetch('/v1/members/me')
    const abort = new AbortController()
    const open = (id: string) =>
      sandbox.fetch('/_sandbox/requests/stream', { headers: { 'last-event-id': id }, signal: abort.signal })
    await expectInvalid(await open('x'), 'header Last-Event-ID')
    const response = await open('2')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const reader = response.body?.getReader()
    await reader?.read()
    const { value } = (await reader?.read()) ?? {}
    expect(parseEvents(new TextDecoder().decode(value))).toMatchObject([{ event: 'request', id: 3 }])
    abort.abort()
    expect((await reader?.read())?.done).toBe(true)
  })

  it('sends a request that a fault delays, and again when it ends', async () => {
    const sandbox = await openSandbox()
    sandbox.faults.add({ status: 503, delayMs: 60_000 })
    const reader = (await sandbox.fetch(new Request(`${ORIGIN}/_sandbox/requests/stream`))).body?.getReader()
    await reader?.read()
    const over = new AbortController()
    const sent = sandbox.fetch(new Request(`${ORIGIN}/v1/members/me`, { signal: over.signal }))
    const next = async () => parseEvents(new TextDecoder().decode((await reader?.read())?.value))
    const entry = { id: 1, fault: 'fault-1' }
    expect(await next()).toMatchObject([{ event: 'request', data: { ...entry, status: 'pending' } }])
    over.abort()
    await expect(sent).rejects.toThrow('aborted')
    expect(await next()).toMatchObject([{ event: 'request', data: { ...entry, status: 'aborted' } }])
    await reader?.cancel()
  })
})
