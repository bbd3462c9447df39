import { describe, expect, it } from 'vitest'

import type { Journal } from '../../src/control/journal/journal.ts'
import { eventStream } from '../../src/control/journal/stream.ts'
import { expectInvalid, openSandbox } from '../support.ts'
import { controlOf, openJournal, page } from './journal-support.ts'

const ORIGIN = 'http://sandbox'
const HARBOR = '/v1/organizations/harbor'

interface Event {
  readonly event: string
  readonly id: number
  readonly data: Readonly<Record<string, unknown>>
}

/** Reads a journal's events as they come. */
function reading(journal: Journal, after?: number, heartbeatMs?: number) {
  const abort = new AbortController()
  const options = { after, signal: abort.signal, ...(heartbeatMs !== undefined && { heartbeatMs }) }
  const reader = eventStream(journal, options).getReader()
  const text = async (): Promise<string | undefined> => {
    const { value } = await reader.read()
    return value && new TextDecoder().decode(value)
  }
  return { abort, reader, text, events: async () => eventsOf((await text()) ?? '') }
}

function eventsOf(text: string): Event[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event = '', id = '', data = ''] = block.split('\n').map((line) => line.replace(/^\w+: /, ''))
      return { event, id: Number(id), data: JSON.parse(data) }
    })
}

describe('the live journal', () => {
  it('tells of requests as they are answered, from now on', async () => {
    const { journal, request } = openJournal()
    request('/v1/members/me')
    const { text, events } = reading(journal)
    expect(await text()).toBe('retry: 1000\n: the journal, live\n\n')
    const next = events()
    request(`${HARBOR}/customers/7`)
    expect(await next).toMatchObject([
      { event: 'request', id: 2, data: { id: 2, operationId: 'getCustomer' } },
    ])
  })

  it('goes on after the event that a reader saw last', async () => {
    const { journal, request } = openJournal()
    for (let id = 1; id <= 4; id += 1) request('/v1/members/me')
    const { text, events } = reading(journal, 2)
    await text()
    expect((await events()).map(({ id }) => id)).toEqual([3, 4])
  })

  it('tells a reader that was away for too long of the gap', async () => {
    const { journal, request } = openJournal({ entries: 10, bytes: 1_000_000 })
    for (let id = 1; id <= 30; id += 1) request('/v1/members/me')
    const { text, events } = reading(journal, 5)
    await text()
    const [gap, ...rest] = await events()
    expect(gap).toMatchObject({ event: 'gap', data: { missed: 15 } })
    expect(rest.map(({ data }) => data['id'])).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30])
  })

  it('sends all that there is to a reader that knows a journal of before', async () => {
    const { journal, request } = openJournal()
    request('/v1/members/me')
    const { text, events } = reading(journal, 5_000)
    await text()
    expect((await events()).map(({ id }) => id)).toEqual([1])
  })

  it('sends a request again when its warnings change', async () => {
    const { journal, request } = openJournal()
    const { text, events } = reading(journal)
    await text()
    request(`${HARBOR}/customers?limit=1`, { answer: page(2) })
    request('/v1/members/me')
    const seen = await events()
    expect(seen.map(({ data }) => data['id'])).toEqual([1, 2, 1])
    expect(seen[2]?.data['warnings']).toMatchObject([{ code: 'unread_pages' }])
  })

  it('says when the journal was emptied', async () => {
    const { journal, request } = openJournal()
    const { text, events } = reading(journal)
    await text()
    request('/v1/members/me')
    journal.clear()
    request('/v1/members/me')
    expect((await events()).map(({ event }) => event)).toEqual(['gap', 'clear', 'request'])
  })

  it('gives a sign of life while nothing happens', async () => {
    const { text } = reading(openJournal().journal, undefined, 1)
    await text()
    expect(await text()).toBe(': alive\n\n')
  })

  it('keeps nothing for a reader that does not read', async () => {
    const { journal, request } = openJournal()
    const { text, events } = reading(journal)
    await text()
    for (let id = 1; id <= 10_000; id += 1) request('/v1/members/me', { answer: 'x'.repeat(1_000) })
    const [gap, ...rest] = await events()
    expect(gap).toMatchObject({ event: 'gap' })
    expect(rest.length).toBeLessThanOrEqual(100)
  })

  it.each(['abort', 'cancel', 'close'])('ends on %s, and leaves nobody listening', async (how) => {
    const { journal, request } = openJournal()
    const { abort, reader, text } = reading(journal)
    await text()
    const next = text()
    if (how === 'abort') abort.abort()
    else if (how === 'cancel') await reader.cancel()
    else journal.close()
    expect(await next).toBeUndefined()
    expect(() => request('/v1/members/me')).not.toThrow()
  })

  it('ends at once for a reader that has gone already', async () => {
    const stream = eventStream(openJournal().journal, { after: undefined, signal: AbortSignal.abort() })
    expect(await new Response(stream).text()).toBe('retry: 1000\n: the journal, live\n\n')
  })
})

describe('GET /_sandbox/requests/stream', () => {
  it('is an event stream that starts after Last-Event-ID', async () => {
    const { journal, request } = openJournal()
    for (let id = 1; id <= 3; id += 1) request('/v1/members/me')
    const abort = new AbortController()
    const headers = { 'last-event-id': '2' }
    const response = await controlOf(journal).send('/stream', { headers, signal: abort.signal })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const reader = response.body?.getReader()
    await reader?.read()
    const { value } = (await reader?.read()) ?? {}
    expect(eventsOf(new TextDecoder().decode(value))).toMatchObject([{ event: 'request', id: 3 }])
    abort.abort()
    expect((await reader?.read())?.done).toBe(true)
  })

  it('tells of a request that a fault lets wait, and again of its end', async () => {
    const sandbox = await openSandbox()
    sandbox.faults.add({ status: 503, delayMs: 60_000 })
    const reader = (await sandbox.fetch(new Request(`${ORIGIN}/_sandbox/requests/stream`))).body?.getReader()
    await reader?.read()
    const over = new AbortController()
    const asked = sandbox.fetch(new Request(`${ORIGIN}/v1/members/me`, { signal: over.signal }))
    const next = async () => eventsOf(new TextDecoder().decode((await reader?.read())?.value))
    const entry = { id: 1, fault: 'fault-1' }
    expect(await next()).toMatchObject([{ event: 'request', data: { ...entry, status: 'pending' } }])
    over.abort()
    await expect(asked).rejects.toThrow('aborted')
    expect(await next()).toMatchObject([{ event: 'request', data: { ...entry, status: 'aborted' } }])
    await reader?.cancel()
  })

  it('refuses a Last-Event-ID that is none', async () => {
    const { send } = controlOf(openJournal().journal)
    await expectInvalid(await send('/stream', { headers: { 'last-event-id': 'x' } }), 'header Last-Event-ID')
  })
})
