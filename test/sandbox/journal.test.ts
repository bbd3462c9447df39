import { describe, expect, it } from 'vitest'

import { stopwatch } from '../../src/core/system-clock.ts'
import type { FaultInput } from '../../src/index.ts'
import { as, openSandbox, createJsonPost } from '../support.ts'
import { serve } from './control-support.ts'
import { openJournal } from './journal-support.ts'

const HARBOR = '/v1/organizations/harbor'

describe('the journal', () => {
  it('records the request, the caller and the response', async () => {
    const { journal, request } = openJournal()
    request(`${HARBOR}/customers?segment=a&segment=b+c`, { body: '{"items":[]}' })
    const [entry] = journal.list()
    expect(entry).toMatchObject({
      id: 1,
      time: '2026-01-15T12:00:00.000Z',
      session: 'test',
      method: 'GET',
      path: `${HARBOR}/customers`,
      query: [
        { name: 'segment', value: 'a' },
        { name: 'segment', value: 'b c' },
      ],
      url: `http://127.0.0.1:4500${HARBOR}/customers?segment=a&segment=b+c`,
      operationId: 'listCustomers',
      caller: { id: 1, name: 'Mara Voss', organizationId: 'harbor' },
      status: 200,
      startedMs: expect.any(Number),
      durationMs: expect.any(Number),
      warnings: [],
      fault: undefined,
      response: { headers: { 'content-type': 'application/json' }, body: '{"items":[]}' },
    })
  })

  it('records the real time of arrival, to the microsecond, while the clock is frozen', () => {
    const { journal, request } = openJournal()
    for (let id = 1; id <= 3; id += 1) {
      const [before, entry, after] = [stopwatch(), request('/v1/members/me'), stopwatch()]
      const [shown] = journal.list({ since: entry.id - 1 })
      const { time, startedMs = NaN, durationMs = NaN } = { time: '', ...shown }
      expect(time).toBe('2026-01-15T12:00:00.000Z')
      expect(String(startedMs)).toMatch(/^\d+(\.\d{1,3})?$/)
      // Both are rounded.
      expect(startedMs).toBeGreaterThan(before - 0.001)
      expect(startedMs + durationMs).toBeLessThan(after + 0.002)
    }
  })

  it('masks tokens in headers, query and bodies', () => {
    const { journal, request } = openJournal()
    const names = ['cookie', 'proxy-authorization', 'x-token', 'x-api-key', 'x-auth-token']
    request(`${HARBOR}/customers/1/notes?token=sbx_harbor_1&access_token=secret&api%5Fkey=secret`, {
      method: 'POST',
      headers: Object.fromEntries(names.map((name) => [name, 'id=secret sbx_harbor_1'])),
      sent: { content: 'my token is sbx_harbor_1.' },
      body: '{"content":"sbx_harbor_1"}',
    })
    const masked = Object.fromEntries(names.map((name) => [name, '***']))
    expect(journal.list()[0]?.request.headers).toMatchObject({ authorization: 'Bearer ***', ...masked })
    expect(JSON.stringify([journal.list(), journal.har()])).not.toMatch(/sbx_|secret/)
  })

  it('cuts a body at 64 KiB between characters, and marks it', () => {
    const { journal, request } = openJournal()
    request(`${HARBOR}/customers`, { body: `a${'é'.repeat(40_000)}` })
    const [entry] = journal.list()
    const body = `a${'é'.repeat(32_767)}`
    expect(entry?.response).toMatchObject({ body, bodyBytes: 80_001, truncated: true })
  })

  it('evicts bodies first, then requests, beyond the limit of bytes', () => {
    const { journal, request } = openJournal({ entries: 1_000, bytes: 100_000 })
    for (let id = 1; id <= 10; id += 1) request('/v1/members/me', { body: 'x'.repeat(15_000) })
    expect(journal.bytes).toBeLessThanOrEqual(100_000)
    const shown = journal.list()
    expect(shown).toHaveLength(10)
    expect(shown[0]?.response).toMatchObject({ body: undefined, truncated: true })
    expect(shown[9]?.response?.body).toHaveLength(15_000)
    for (let id = 1; id <= 500; id += 1) request(`/v1/members/me?${'q'.repeat(1_000)}`)
    expect(journal.bytes).toBeLessThanOrEqual(100_000)
    expect(journal.entries().length).toBeLessThan(100)
  })

  it('counts its bytes correctly in whatever order entries are evicted', () => {
    const { journal, request, open, complete } = openJournal({ entries: 5, bytes: 20_000 })
    const late = open('/v1/members/me')
    for (let id = 1; id <= 4; id += 1) request('/v1/members/me', { body: 'x'.repeat(id * 2_000) })
    complete(late, { body: 'late'.repeat(1_000) })
    expect(late.hasBodies).toBe(false)
    const sum = journal.entries().reduce((bytes, entry) => bytes + entry.bytes, 0)
    expect(journal.bytes).toBe(sum)
    journal.clear()
    expect(journal.bytes).toBe(0)
  })

  it('ignores the response to an evicted request', () => {
    const { journal, open, complete } = openJournal()
    const entry = open('/v1/members/me')
    journal.reset()
    open('/v1/members/me')
    complete(entry)
    expect(journal.get(1)?.status).toBe('pending')
    expect(journal.bytes).toBe(journal.get(1)?.bytes)
  })

  it('keeps a response for the verdict even if the journal was cleared while the request was in flight', () => {
    const { journal, open, complete } = openJournal()
    const entry = open('/v1/members/me')
    entry.moment = entry.arrived
    journal.clear()
    complete(entry)
    expect(journal.deliveries.list()).toEqual([entry])
    expect(journal.entries()).toEqual([])
  })

  it('keeps the latest responses for the verdict in 8 MB, and knows from which request on it has all', () => {
    const { journal, open, complete } = openJournal()
    const { deliveries } = journal
    const sent = Array.from({ length: 200 }, () => {
      const entry = open(`/v1/members/me?${'x'.repeat(100_000)}`)
      entry.moment = entry.arrived
      complete(entry)
      expect(deliveries.bytes).toBeLessThanOrEqual(8 * 1_048_576)
      return entry
    })
    const kept = deliveries.list()
    expect(kept.length).toBeGreaterThan(70)
    expect(kept).toEqual(sent.slice(-kept.length))
    expect(deliveries.firstKnown).toBe(kept[0]?.id)
  })

  it('notifies subscribers of each answered request, until they unsubscribe', () => {
    const { journal, request } = openJournal()
    const seen: unknown[] = []
    const unsubscribe = journal.subscribe(({ id, status }) => seen.push(id, status))
    request('/v1/members/me')
    request('/v1/nothing', { status: 404 })
    unsubscribe()
    request('/v1/members/me')
    expect(seen).toEqual([1, 200, 2, 404])
  })
})

describe('recording', () => {
  it('keeps both bodies, and leaves them readable, but none for HEAD', async () => {
    const sandbox = await openSandbox()
    const mara = as(sandbox, 'mara')
    const note = createJsonPost({ categoryId: 1, content: 'hello' })
    const response = await mara.send('/organizations/harbor/customers/1/notes', note)
    const body = await response.text()
    expect(body).toContain('"content":"hello"')
    expect(sandbox.requests.list()[0]).toMatchObject({
      operationId: 'createCustomerNote',
      status: 200,
      request: { body: '{"categoryId":1,"content":"hello"}' },
      response: { headers: { 'content-type': 'application/json' }, body },
    })
    await mara.send('/members/me', { method: 'HEAD' })
    const [, head] = sandbox.requests.list()
    expect(head).toMatchObject({ method: 'HEAD', operationId: 'getCurrentMember', status: 200 })
    expect(head?.response?.body).toBeUndefined()
  })

  const note = { categoryId: 1, content: 'hello' }
  const notes = `${HARBOR}/customers/1/notes`
  const authorization = 'Bearer sbx_harbor_1'
  const asJson = { authorization, 'content-type': 'application/json' }

  /** Requests that the service does not handle, by the outcome that the journal has. */
  const refused: readonly (readonly [
    outcome: string | number,
    path: string,
    init: RequestInit,
    fault?: FaultInput,
  ])[] = [
    [401, notes, { headers: { 'content-type': 'application/json' } }],
    [404, '/v1/nowhere', { headers: asJson }],
    [405, `${HARBOR}/customers`, { headers: asJson, method: 'PUT' }],
    [415, notes, { headers: { authorization, 'content-type': 'text/plain' } }],
    [400, `${HARBOR}/customers/x/notes`, { headers: asJson }],
    [503, notes, { headers: asJson }, { status: 503, delayMs: 20 }],
    [429, notes, { headers: { ...asJson, prefer: 'code=429' } }],
    ['reset', notes, { headers: asJson }, { reset: true }],
    ['truncate', notes, { headers: asJson }, { malfunction: 'truncate' }],
  ]

  it.for(refused)(
    'keeps the body of a request that ends with %s at %s',
    async ([outcome, path, init, fault]) => {
      const { sandbox, url } = await serve()
      for (const send of [sandbox.fetch, (target: string, sent?: RequestInit) => fetch(url + target, sent)]) {
        if (fault) sandbox.faults.add(fault)
        const sent = send(path, { method: 'POST', body: JSON.stringify(note), ...init })
        await sent.then((response) => response.text()).catch(() => undefined)
        const [entry] = sandbox.requests.list()
        expect(entry).toMatchObject({ status: outcome, request: { body: JSON.stringify(note) } })
        sandbox.requests.verify({ body: note })
        await sandbox.reset()
      }
    },
  )

  it('keeps the start of a body that is too large, of a known length or not', async () => {
    const { sandbox, url } = await serve()
    const text = 'x'.repeat(2_000_000)
    const stream = () => new Blob([text]).stream()
    for (const send of [sandbox.fetch, (target: string, sent?: RequestInit) => fetch(url + target, sent)]) {
      for (const body of [text, stream()]) {
        const length = typeof body === 'string' ? { 'content-length': `${text.length}` } : {}
        const init = { method: 'POST', headers: { ...asJson, ...length }, body, duplex: 'half' }
        expect((await send(notes, init)).status).toBe(413)
      }
    }
    const requests = sandbox.requests.list().map(({ request }) => request)
    for (const request of requests) {
      expect(request).toMatchObject({ body: text.slice(0, 65_536), truncated: true })
    }
    const announced = requests.filter(({ headers }) => 'content-length' in headers)
    expect(announced.map(({ bodyBytes }) => bodyBytes)).toEqual([text.length, text.length])
  })
})
