import { describe, expect, it } from 'vitest'

import type { ExaminedRequest } from '../../src/explain/report.ts'
import type { Har } from '../../src/journal/har.ts'
import type { Journal } from '../../src/journal/journal.ts'
import type { JournalEntry, RequestSummary } from '../../src/journal/view.ts'
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
/** Reads the basis of each request of a journal. */
async function readBases(journal: Journal) {
  const { send } = mountControl(journal)
  const read = async ({ id }: { readonly id: number }) => readJson<ExaminedRequest>(await send(`/${id}`))
  const requests = await Promise.all(journal.entries().map(read))
  return requests.map(({ basis }) => basis)
}

/** Returns the ids that a query lists, and the total count. */
async function listIds(query: string): Promise<(number | string)[]> {
  const { items, totalCount } = await readJson<Page<JournalEntry>>(await recordRequests().send(query))
  return [...items.map(({ id }) => id), `of ${totalCount}`]
}

describe('GET /_sandbox/requests', () => {
  it('lists requests by id, in pages', async () => {
    expect(await listIds('')).toEqual([1, 2, 3, 4, 5, 'of 5'])
    expect(await listIds('?offset=1&limit=2')).toEqual([2, 3, 'of 5'])
    expect(await listIds('?since=3')).toEqual([4, 5, 'of 2'])
  })

  it('filters by operation, method, path, status and caller', async () => {
    expect(await listIds('?operationId=getCustomer')).toEqual([2, 3, 'of 2'])
    expect(await listIds('?method=post')).toEqual([4, 'of 1'])
    expect(await listIds('?path=/organizations/{organizationId}/customers/{customerId}')).toEqual([
      2,
      3,
      'of 2',
    ])
    expect(await listIds('?path=/v1/organizations/harbor/customers/8')).toEqual([3, 'of 1'])
    expect(await listIds('?status=404')).toEqual([3, 'of 1'])
    expect(await listIds('?status=4xx')).toEqual([3, 5, 'of 2'])
    expect(await listIds('?caller=2')).toEqual([2, 'of 1'])
    expect(await listIds('?caller=none')).toEqual([5, 'of 1'])
    expect(await listIds('?operationId=getCustomer&status=200')).toEqual([2, 'of 1'])
  })

  it('omits headers and bodies on request', async () => {
    const { items } = await readJson<Page<RequestSummary>>(await recordRequests().send('?bodies=false'))
    expect(items[0]).not.toHaveProperty('request')
    expect(items[0]).not.toHaveProperty('response')
  })

  it('rejects unknown values and suggests the nearest', async () => {
    const { send } = recordRequests()
    const problem = await expectProblem(await send('?opertionId=x'), 'invalid_request')
    expect(problem.detail).toContain('Did you mean operationId?')
    const unknown = await expectProblem(await send('?operationId=listCustomer'), 'invalid_request')
    expect(unknown.detail).toContain('Did you mean listCustomers?')
    await expectInvalid(await send('?method=FETCH'), 'query method')
    await expectInvalid(await send('?path=/v1/customer'), 'query path')
    await expectInvalid(
      await send('?status=99&limit=0&since=x'),
      'query status',
      'query since',
      'query limit',
    )
    await expectInvalid(await send('?limit=1&limit=2'), 'query limit')
  })

  it('returns one request by its id', async () => {
    const { send } = recordRequests()
    expect(await (await send('/2')).json()).toMatchObject({ id: 2, operationId: 'getCustomer' })
    await expectProblem(await send('/6'), 'not_found')
    await expectInvalid(await send('/x'), 'path id')
  })

  it('shows the assumptions behind one response', async () => {
    const { journal, request, open, complete } = openJournal()
    request('/v1/members/me')
    request(`${HARBOR}/products`, { body: '[]' })
    request('/v1/members/me', { status: 401, caller: null })
    complete(open('/v1/members/me'), { status: 'aborted' })
    expect(await readBases(journal)).toEqual([
      { isFault: false, assumptions: [] },
      {
        isFault: false,
        assumptions: [{ id: 'A-02', subject: 'Body of lists without pagination', name: 'envelopes' }],
      },
      {
        isFault: false,
        assumptions: [{ id: 'A-05', subject: 'Error body and status codes', name: 'errorFormat' }],
      },
      null,
    ])
  })

  it('distinguishes responses of the service from those of a fault, and from none', async () => {
    const { journal, open, complete } = openJournal()
    const faulted = open(`${HARBOR}/products`)
    const delayed = open('/v1/members/me')
    expect(await readBases(journal)).toEqual([null, null])
    faulted.markFaulted('fault-1', 503)
    complete(faulted, { status: 503, caller: null })
    delayed.markFaulted('fault-2')
    complete(delayed)
    expect(await readBases(journal)).toEqual([
      { isFault: true, assumptions: [] },
      { isFault: false, assumptions: [] },
    ])
  })

  it('omits the basis from lists', async () => {
    for (const query of ['', '?bodies=true']) {
      const { items } = await readJson<Page<JournalEntry>>(await recordRequests().send(query))
      expect(items[0]).toHaveProperty('startedMs')
      expect(items[0]).not.toHaveProperty('basis')
    }
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
