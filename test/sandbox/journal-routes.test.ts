import { describe, expect, it } from 'vitest'

import { endpoints } from '../../src/service/index.ts'
import type { JournalEntry } from '../../src/testing/journal/view.ts'
import { bodyOf } from '../entry-points/command.ts'
import {
  as,
  createJsonPost,
  customers,
  expectInvalid,
  expectProblem,
  openSandbox,
  type Page,
  tokens,
} from '../support.ts'
import { serve } from './control-support.ts'
import { openJournal } from './journal-support.ts'

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
    ['?method=post', [4], 1],
    ['?status=404', [3], 1],
    ['?caller=2', [2], 1],
    ['?caller=none', [5], 1],
    ['?operationId=getCustomer&status=200', [2], 1],
  ])('lists the requests of %j', async ([query, ids, total]) => {
    const send = await recordRequests()
    const { items, totalCount } = await bodyOf<Page<JournalEntry>>(await send(query))
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
    const { items } = await bodyOf<Page<JournalEntry>>(await send(query))
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

const [base, right] = ['/_sandbox/sessions/one', '/v1/members/me']
it.for([
  ['/members/me?x=1', `It lacks /v1. Send ${right}.`],
  ['/v1/v1/members/me', `It has /v1 twice. Send ${right}.`],
  ['/api/v2/members/me', `It has /api/v2 in place of /v1. Send ${right}.`],
  [`${base}/members/me`, `It lacks /v1. Send ${base}${right}.`],
  [`${base}/v1/v1/members/me`, `It has /v1 twice. Send ${base}${right}.`],
  ['/member/me', 'It does not begin with /v1. The nearest endpoint is GET /v1/members/me.'],
  ['/%6Dembers/me', `It lacks /v1. Send ${right}.`],
])('keeps a request for %s, which is nowhere, as it was sent, and says: %s', async ([path = '', hint]) => {
  const { sandbox: served, url } = await serve()
  const one = served.session({ id: 'one' })
  const session = path.startsWith(base) ? one : served
  const sent = path.replace(/\?.*|^\/_sandbox.*(?=\/v1\/v1)/g, '')
  const init = {
    method: 'POST',
    headers: { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json' },
    body: '{"content":"hello"}',
  }
  for (const target of [path, url + path]) {
    const send = target === path ? session.fetch : fetch
    const response = await send(target, init)
    expect(await expectProblem(response, 'not_found')).toMatchObject({
      detail: `There is no endpoint at this path. ${hint}`,
    })
    const [entry] = session.requests.list()
    const request = { body: init.body }
    expect(entry).toMatchObject({
      status: 404,
      path: sent,
      operationId: undefined,
      caller: { id: 1 },
      request,
    })
    expect(() => session.requests.verify({ path: '/members/me' })).toThrow('members/me')
    expect(await session.explain({ requestId: 1 })).toMatchObject({ status: 404 })
    await session.reset()
  }
  expect((served === session ? one : served).requests.list()).toEqual([])
})

const mara = { authorization: `Bearer ${tokens.mara}` }

it('counts the requests by operation and status, and lists the statuses that no answer had', async () => {
  const session = sandbox.session()
  await session.fetch('/v1/members/me', { headers: mara })
  await session.fetch('/v1/members/me')
  await session.fetch('/v1/nowhere', { headers: mara })
  session.faults.add({ operationId: 'getCustomer', reset: true })
  await session.fetch('/v1/organizations/harbor/customers/1', { headers: mara }).catch(() => undefined)
  const { operations, tried, of } = session.requests.coverage()
  expect([tried, of, operations.length]).toEqual([2, endpoints.length, endpoints.length])
  const find = (id: string) => operations.find(({ operationId }) => operationId === id)
  const me = { operationId: 'getCurrentMember', requests: 2, statuses: { 200: 1, 401: 1 }, untried: [429] }
  expect(find('getCurrentMember')).toEqual(me)
  expect(find('getCustomer')).toMatchObject({
    statuses: { reset: 1 },
    untried: [200, 400, 401, 403, 404, 429],
  })
  expect(find('createCustomerNote')).toMatchObject({
    requests: 0,
    untried: [200, 400, 401, 403, 404, 413, 415, 429, 503, 507],
  })
})

it('knows the statuses of the assumptions', () => {
  const session = sandbox.session({ assumptions: { violationStatus: 422, createStatus: 201 } })
  const note = session.requests
    .coverage()
    .operations.find(({ operationId }) => operationId === 'createCustomerNote')
  expect(note?.untried).toEqual([201, 401, 403, 404, 413, 415, 422, 429, 503, 507])
})

it('counts requests that the journal no longer has, until the reset', () => {
  const { journal, open, complete, request } = openJournal({ entries: 2, bytes: 1_000_000 })
  const slow = open('/v1/members/me')
  for (let n = 0; n < 4; n += 1) request('/v1/members/me')
  complete(slow)
  const count = () =>
    journal
      .coverage()
      .operations.map(({ requests }) => requests)
      .find((one) => one > 0)
  expect(count()).toBe(5)
  journal.clear()
  expect(count()).toBe(5)
  const old = open('/v1/members/me')
  journal.reset()
  complete(old)
  expect(count()).toBe(undefined)
})
