import { describe, expect, it } from 'vitest'

import type { Har } from '../../src/control/journal/har.ts'
import type { Journal } from '../../src/control/journal/journal.ts'
import type { ExaminedRequest, JournalEntry, RequestSummary } from '../../src/control/journal/view.ts'
import { expectInvalid, expectProblem, type Page } from '../support.ts'
import { controlOf, jsonOf, openJournal, page, theo } from './journal-support.ts'

const HARBOR = '/v1/organizations/harbor'

/** Five requests of two members and of nobody. */
function filled() {
  const opened = openJournal()
  opened.request(`${HARBOR}/customers`, { answer: page(3) })
  opened.request(`${HARBOR}/customers/7`, { caller: theo })
  opened.request(`${HARBOR}/customers/8`, { status: 404 })
  opened.request(`${HARBOR}/customers/8/notes`, { method: 'POST', status: 503 })
  opened.request('/v1/members/me', { status: 401, caller: null })
  return controlOf(opened.journal)
}
/** What each request of a journal rests on, read one by one. */
async function basesOf(journal: Journal) {
  const { send } = controlOf(journal)
  const read = async ({ id }: { readonly id: number }) => jsonOf<ExaminedRequest>(await send(`/${id}`))
  const requests = await Promise.all(journal.entries().map(read))
  return requests.map(({ basis }) => basis)
}

/** The ids that a query lists, and how many there are. */
async function ids(query: string): Promise<(number | string)[]> {
  const { items, totalCount } = await jsonOf<Page<JournalEntry>>(await filled().send(query))
  return [...items.map(({ id }) => id), `of ${totalCount}`]
}

describe('GET /_sandbox/requests', () => {
  it('lists by id, by pages', async () => {
    expect(await ids('')).toEqual([1, 2, 3, 4, 5, 'of 5'])
    expect(await ids('?offset=1&limit=2')).toEqual([2, 3, 'of 5'])
    expect(await ids('?since=3')).toEqual([4, 5, 'of 2'])
  })

  it('narrows by operation, method, path, status and caller', async () => {
    expect(await ids('?operationId=getCustomer')).toEqual([2, 3, 'of 2'])
    expect(await ids('?method=post')).toEqual([4, 'of 1'])
    expect(await ids('?path=/organizations/{organizationId}/customers/{customerId}')).toEqual([2, 3, 'of 2'])
    expect(await ids('?path=/v1/organizations/harbor/customers/8')).toEqual([3, 'of 1'])
    expect(await ids('?status=404')).toEqual([3, 'of 1'])
    expect(await ids('?status=4xx')).toEqual([3, 5, 'of 2'])
    expect(await ids('?caller=2')).toEqual([2, 'of 1'])
    expect(await ids('?caller=none')).toEqual([5, 'of 1'])
    expect(await ids('?operationId=getCustomer&status=200')).toEqual([2, 'of 1'])
  })

  it('leaves out headers and bodies where asked to', async () => {
    const { items } = await jsonOf<Page<RequestSummary>>(await filled().send('?bodies=false'))
    expect(items[0]).not.toHaveProperty('request')
    expect(items[0]).not.toHaveProperty('response')
  })

  it('refuses what it does not know, with the nearest name', async () => {
    const { send } = filled()
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

  it('gives one request by its id', async () => {
    const { send } = filled()
    expect(await (await send('/2')).json()).toMatchObject({ id: 2, operationId: 'getCustomer' })
    await expectProblem(await send('/6'), 'not_found')
    await expectInvalid(await send('/x'), 'path id')
  })

  it('says of one request what its answer rests on', async () => {
    const { journal, request, opened, answered } = openJournal()
    request('/v1/members/me')
    request(`${HARBOR}/products`, { answer: '[]' })
    request('/v1/members/me', { status: 401, caller: null })
    answered(opened('/v1/members/me'), { status: 'aborted' })
    expect(await basesOf(journal)).toEqual([
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

  it('names what an answer rests on by id, whatever was noticed first', async () => {
    const { journal, request } = openJournal()
    request(`${HARBOR}/products?colour=red`, { answer: '[{},{}]' })
    const [basis] = await basesOf(journal)
    expect(basis?.assumptions.map(({ id }) => id)).toEqual(['A-02', 'A-03', 'A-15', 'A-25'])
  })

  it('tells an answer of the service from one of a fault, and from none', async () => {
    const { journal, opened, answered } = openJournal()
    const faulted = opened(`${HARBOR}/products`)
    const delayed = opened('/v1/members/me')
    expect(await basesOf(journal)).toEqual([null, null])
    faulted.faulted('fault-1', 503)
    answered(faulted, { status: 503, caller: null })
    delayed.faulted('fault-2')
    answered(delayed)
    expect(await basesOf(journal)).toEqual([
      { isFault: true, assumptions: [] },
      { isFault: false, assumptions: [] },
    ])
  })

  it('says it of no request in a list', async () => {
    for (const query of ['', '?bodies=true']) {
      const { items } = await jsonOf<Page<JournalEntry>>(await filled().send(query))
      expect(items[0]).toHaveProperty('startedMs')
      expect(items[0]).not.toHaveProperty('basis')
    }
  })

  it('forgets all on DELETE', async () => {
    const { send } = filled()
    expect((await send('', { method: 'DELETE' })).status).toBe(204)
    expect(await (await send('')).json()).toEqual({ items: [], totalCount: 0 })
  })
})

describe('GET /_sandbox/requests.har', () => {
  it('is an HTTP archive with absolute addresses and whole bodies', async () => {
    const { journal, request } = openJournal()
    request(`${HARBOR}/customers?limit=250`, { answer: `"${'é'.repeat(70_000)}"` })
    request(`${HARBOR}/customers/8/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      sent: { content: 'hello' },
    })
    request('/v1/members/me', { status: 'reset' })
    const response = await controlOf(journal).send('.har')
    expect(response.headers.get('content-type')).toBe('application/json')
    const { log } = await jsonOf<Har>(response)
    expect(log).toMatchObject({
      version: '1.2',
      creator: { name: 'workspace-sandbox', version: expect.any(String) },
    })
    const [list, note, broken] = log.entries
    expect(list).toMatchObject({
      startedDateTime: '2026-01-15T12:00:00.000Z',
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
