import { describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Journal } from '../../src/testing/journal/journal.ts'
import { createEventStream } from '../../src/testing/journal/stream.ts'
import { expectInvalid, openSandbox } from '../support.ts'
import { openJournal } from './journal-support.ts'

const HARBOR = '/v1/organizations/harbor'

interface Event {
  readonly event: string
  readonly id: number
  readonly data: Readonly<Record<string, unknown>>
}

/** Follows a stream of events from its second part on; the first is always the same. */
async function follow(stream: ReadableStream<Uint8Array> = new ReadableStream()) {
  const reader = stream.getReader()
  const readText = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await readText()).toBe('retry: 1000\n: the journal, live\n\n')
  return { reader, readText, readEvents: async () => parseEvents(await readText()) }
}

const followJournal = (journal: Journal, after?: number, over = new AbortController()) =>
  follow(createEventStream(journal, over, after))

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
    const { readEvents } = await followJournal(journal)
    const next = readEvents()
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
    const { readEvents } = await followJournal(journal, after)
    expect((await readEvents()).map(({ id }) => id)).toEqual(ids)
  })

  it('reports the gap to a client that was away for too long', async () => {
    const { journal, request } = openJournal({ entries: 10, bytes: 1_000_000 })
    for (let id = 1; id <= 30; id += 1) request('/v1/members/me')
    const [gap, ...rest] = await (await followJournal(journal, 5)).readEvents()
    expect(gap).toMatchObject({ event: 'gap', data: { missed: 15 } })
    expect(rest.map(({ data }) => data['id'])).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30])
  })

  it('reports that the journal was cleared', async () => {
    const { journal, request } = openJournal()
    const { readEvents } = await followJournal(journal)
    request('/v1/members/me')
    journal.clear()
    request('/v1/members/me')
    expect((await readEvents()).map(({ event }) => event)).toEqual(['gap', 'clear', 'request'])
  })

  it('sends heartbeats while nothing happens', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const next = (await followJournal(openJournal().journal)).readText()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await next).toBe(': alive\n\n')
  })

  it('buffers nothing for a client that does not read', async () => {
    const { journal, request } = openJournal()
    const { readEvents } = await followJournal(journal)
    for (let id = 1; id <= 10_000; id += 1) request('/v1/members/me', { body: 'x'.repeat(1_000) })
    const [gap, ...rest] = await readEvents()
    expect(gap).toMatchObject({ event: 'gap' })
    expect(rest.length).toBeLessThanOrEqual(100)
  })

  it.each(['abort', 'cancel', 'close'])('ends on %s, and leaves no listener', async (how) => {
    const { journal, request } = openJournal()
    const over = new AbortController()
    const { reader } = await followJournal(journal, undefined, over)
    const next = reader.read()
    if (how === 'abort') over.abort()
    else if (how === 'cancel') await reader.cancel()
    else journal.close()
    expect((await next).done).toBe(true)
    expect(() => request('/v1/members/me')).not.toThrow()
  })

  it('ends at once for a client that has already disconnected', async () => {
    const over = new AbortController()
    over.abort()
    const { reader } = await followJournal(openJournal().journal, undefined, over)
    expect((await reader.read()).done).toBe(true)
  })
})

describe('GET /_sandbox/requests/stream', () => {
  it('is an event stream that starts after Last-Event-ID', async () => {
    const sandbox = await openSandbox()
    for (let id = 1; id <= 3; id += 1) await sandbox.fetch('/v1/members/me')
    const over = new AbortController()
    const open = (id: string) =>
      sandbox.fetch('/_sandbox/requests/stream', { headers: { 'last-event-id': id }, signal: over.signal })
    await expectInvalid(await open('x'), 'header Last-Event-ID')
    const { headers, body } = await open('2')
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('cache-control')).toBe('no-store')
    const { reader, readEvents } = await follow(body ?? undefined)
    expect(await readEvents()).toMatchObject([{ event: 'request', id: 3 }])
    over.abort()
    expect((await reader.read()).done).toBe(true)
  })

  it('sends a request that a fault delays, and again when it ends', async () => {
    const sandbox = await openSandbox()
    sandbox.faults.add({ status: 503, delayMs: 60_000 })
    const { body } = await sandbox.fetch('/_sandbox/requests/stream')
    const { reader, readEvents } = await follow(body ?? undefined)
    const over = new AbortController()
    const sent = sandbox.fetch('/v1/members/me', { signal: over.signal })
    const entry = { id: 1, fault: 'fault-1' }
    expect(await readEvents()).toMatchObject([{ event: 'request', data: { ...entry, status: 'pending' } }])
    over.abort()
    await expect(sent).rejects.toThrow('aborted')
    expect(await readEvents()).toMatchObject([{ event: 'request', data: { ...entry, status: 'aborted' } }])
    await reader.cancel()
  })
})
