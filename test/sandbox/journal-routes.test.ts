import { describe, expect, it } from 'vitest'

import type { Har } from '../../src/testing/journal/har.ts'
import type { JournalEntry } from '../../src/testing/journal/view.ts'
import { expectInvalid, expectProblem, type Page } from '../support.ts'
import { mountControl, readJson, openJournal, page, theo } from './journal-support.ts'

const HARBOR = '/v1/organizations/harbor'

/** Records five requests: of two members, and with an invalid token. */
function recordRequests() {
  const opened = openJournal()
  opened.request(`${HARBOR}/customers`, { body: page(3) })
  opened.request(`${HARBOR}/customers/7`, { caller: theo })
  opened.request(`${HARBOR}/customers/8`, { status: 404 })
  opened.request(`${HARBOR}/customers/8/notes`, { method: 'POST', status: 503 })
  opened.request('/v1/members/me', { status: 401, caller: null })
  return mountControl(opened.journal)
}

describe('GET /_sandbox/requests', () => {
  it.for<readonly [query: string, ids: readonly number[], total: number]>([
    ['', [1, 2, 3, 4, 5], 5],
    ['?offset=1&limit=2', [2, 3], 5],
    ['?since=3', [4, 5], 2],
    ['?operationId=getCustomer', [2, 3], 2],
    ['?method=post', [4], 1],
    ['?path=/organizations/{organizationId}/customers/{customerId}', [2, 3], 2],
    ['?path=/v1/organizations/harbor/customers/8', [3], 1],
    ['?status=404', [3], 1],
    ['?status=4xx', [3, 5], 2],
    ['?caller=2', [2], 1],
    ['?caller=none', [5], 1],
    ['?operationId=getCustomer&status=200', [2], 1],
  ])('lists the requests of %j', async ([query, ids, total]) => {
    const { items, totalCount } = await readJson<Page<JournalEntry>>(await recordRequests().send(query))
    expect([items.map(({ id }) => id), totalCount]).toEqual([ids, total])
  })

  it('rejects unknown values and suggests the nearest', async () => {
    const { send } = recordRequests()
    const problem = await expectProblem(await send('?opertionId=x'), 'invalid_request')
    expect(problem.detail).toContain('Did you mean operationId?')
    const unknown = await expectProblem(await send('?operationId=listCustomer'), 'invalid_request')
    expect(unknown.detail).toContain('Did you mean listCustomers?')
    await expectInvalid(await send('?method=FETCH'), 'query method')
    await expectInvalid(await send('?path=/v1/customer'), 'query path')
    const wrong = await send('?status=99&limit=0&since=x')
    await expectInvalid(wrong, 'query status', 'query since', 'query limit')
    await expectInvalid(await send('?limit=1&limit=2'), 'query limit')
  })

  it('returns one request by its id', async () => {
    const { send } = recordRequests()
    expect(await (await send('/2')).json()).toMatchObject({ id: 2, operationId: 'getCustomer' })
    await expectProblem(await send('/6'), 'not_found')
    await expectInvalid(await send('/x'), 'path id')
  })

  it.each([
    ['', []],
    ['?bodies=true', []],
    ['?bodies=false', ['request', 'response']],
  ])('%j omits from the list %j', async (query, omitted) => {
    const { items } = await readJson<Page<JournalEntry>>(await recordRequests().send(query))
    expect(items[0]).toHaveProperty('startedMs')
    const parts = ['request', 'response']
    expect(parts.filter((name) => !(name in Object(items[0])))).toEqual(omitted)
  })

  it('clears the journal on DELETE', async () => {
    const { send } = recordRequests()
    expect((await send('', { method: 'DELETE' })).status).toBe(204)
    expect(await (await send('')).json()).toEqual({ items: [], totalCount: 0 })
  })
})

describe('GET /_sandbox/requests.har', () => {
  it('is an HTTP archive with absolute URLs and complete bodies', async () => {
    const { journal, request } = openJournal()
    request(`${HARBOR}/customers?limit=250`, { body: `"${'é'.repeat(70_000)}"` })
    request(`${HARBOR}/customers/8/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      sent: { content: 'hello' },
    })
    request('/v1/members/me', { status: 'reset' })
    const response = await mountControl(journal).send('.har')
    expect(response.headers.get('content-type')).toBe('application/json')
    const { log } = await readJson<Har>(response)
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
        url: `http://127.0.0.1:4500${HARBOR}/customers?limit=250`,
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
