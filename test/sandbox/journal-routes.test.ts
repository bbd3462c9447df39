import { describe, expect, it } from 'vitest'

import type { JournalEntry } from '../../src/testing/journal/view.ts'
import {
  as,
  createJsonPost,
  customers,
  expectInvalid,
  expectProblem,
  openSandbox,
  type Page,
} from '../support.ts'
import { openJournal, readJson } from './journal-support.ts'

const sandbox = await openSandbox()

/** Sends five requests: of two members, and without a token. */
async function recordRequests() {
  const session = sandbox.session()
  session.faults.add({ operationId: 'createCustomerNote', status: 503 })
  const mara = as(session, 'mara')
  await mara.send(customers)
  await as(session, 'theo').send(`${customers}/7`)
  await mara.send(`${customers}/800`)
  await mara.send(`${customers}/8/notes`, createJsonPost({}))
  await as(session, 'nobody').send('/members/me')
  return (path: string, init?: RequestInit) => session.fetch(`/_sandbox/requests${path}`, init)
}

describe('GET /_sandbox/requests', () => {
  it.for<readonly [query: string, ids: readonly number[], total: number]>([
    ['', [1, 2, 3, 4, 5], 5],
    ['?offset=1&limit=2', [2, 3], 5],
    ['?since=3', [4, 5], 2],
    ['?operationId=getCustomer', [2, 3], 2],
    ['?method=post', [4], 1],
    ['?path=/organizations/{organizationId}/customers/{customerId}', [2, 3], 2],
    ['?path=/v1/organizations/harbor/customers/800', [3], 1],
    ['?status=404', [3], 1],
    ['?status=4xx', [3, 5], 2],
    ['?caller=2', [2], 1],
    ['?caller=none', [5], 1],
    ['?operationId=getCustomer&status=200', [2], 1],
  ])('lists the requests of %j', async ([query, ids, total]) => {
    const send = await recordRequests()
    const { items, totalCount } = await readJson<Page<JournalEntry>>(await send(query))
    expect([items.map(({ id }) => id), totalCount]).toEqual([ids, total])
  })

  it('returns one request by its id', async () => {
    const send = await recordRequests()
    expect(await (await send('/2')).json()).toMatchObject({ id: 2, operationId: 'getCustomer' })
    await expectProblem(await send('/6'), 'not_found')
    await expectInvalid(await send('/x'), 'path id')
  })

  it.each([
    ['', []],
    ['?bodies=true', []],
    ['?bodies=false', ['request', 'response']],
  ])('%j omits from the list %j', async (query, omitted) => {
    const send = await recordRequests()
    const { items } = await readJson<Page<JournalEntry>>(await send(query))
    expect(items[0]).toHaveProperty('startedMs')
    const parts = ['request', 'response']
    expect(parts.filter((name) => !(name in Object(items[0])))).toEqual(omitted)
  })
})

describe('the HTTP archive', () => {
  it('has absolute URLs and complete bodies', () => {
    const { journal, request } = openJournal()
    request(`/v1${customers}?limit=250`, { body: `"${'é'.repeat(70_000)}"` })
    request(`/v1${customers}/8/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      sent: { content: 'hello' },
    })
    request('/v1/members/me', { status: 'reset' })
    const { log } = journal.har()
    expect(log).toMatchObject({
      version: '1.2',
      creator: { name: 'workspace-sandbox', version: expect.any(String) },
    })
    const [list, note, broken] = log.entries
    expect(list).toMatchObject({
      startedDateTime: expect.stringMatching(/^2\d{3}-\d\d-\d\dT/),
      _sessionTime: '2026-01-15T12:00:00.000Z',
      request: {
        method: 'GET',
        url: `http://127.0.0.1:4500/v1${customers}?limit=250`,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        queryString: [{ name: 'limit', value: '250' }],
      },
      response: {
        status: 200,
        statusText: 'OK',
        content: { size: 140_002, mimeType: 'application/json', text: `"${'é'.repeat(70_000)}"` },
        redirectURL: '',
      },
      cache: {},
      timings: { send: 0, wait: list?.time, receive: 0 },
    })
    expect(note?.request.postData).toEqual({ mimeType: 'application/json', text: '{"content":"hello"}' })
    expect(broken?.response).toMatchObject({ status: 0, _error: 'net::ERR_CONNECTION_RESET' })
  })
})
