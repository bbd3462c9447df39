import { describe, expect, it } from 'vitest'

import { requestsOf } from '../../src/control/journal/requests.ts'
import type { Verdict, VerifyRule } from '../../src/control/journal/verify.ts'
import { expectInvalid, expectProblem, posted } from '../support.ts'
import { controlOf, jsonOf, openJournal, page, theo } from './journal-support.ts'

const HARBOR = '/v1/organizations/harbor'

/** Two customers read, a note written and refused once, a list with filters. */
function filled() {
  const opened = openJournal()
  const { request, journal } = opened
  request(`${HARBOR}/customers?segment[]=a&segment[]=b&limit=10`, { answer: page(2) })
  request(`${HARBOR}/customers/7`)
  request(`${HARBOR}/customers/8`, { caller: theo })
  const note = { categoryId: 3, content: 'hello', tags: [{ id: 1, name: 'x' }] }
  request(`${HARBOR}/customers/8/notes`, { method: 'POST', sent: note, status: 503 })
  request(`${HARBOR}/customers/8/notes`, { method: 'POST', sent: note })
  const requests = requestsOf(() => journal)
  const failure = (rule: VerifyRule): string => {
    try {
      requests.verify(rule)
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
    return ''
  }
  const expectMet = (rule: VerifyRule): void => expect(failure(rule)).toBe('')
  return { ...opened, requests, failure, expectMet, ...controlOf(journal) }
}

describe('verify, in process', () => {
  it('expects at least one where nothing is said of the number', () => {
    const { requests, failure } = filled()
    requests.verify({ operationId: 'getCustomer' })
    expect(failure({ operationId: 'listSignals' })).toContain(
      'listSignals: expected at least 1 time, found 0',
    )
  })

  it('counts exactly, at least, at most, never', () => {
    const { requests, failure } = filled()
    requests.verify({ operationId: 'createCustomerNote', count: 2 })
    requests.verify({ operationId: 'createCustomerNote', atLeast: 2, atMost: 2 })
    requests.verify({ operationId: 'listSignals', never: true })
    requests.verify({ operationId: 'listSignals', count: 0 })
    expect(failure({ operationId: 'getCustomer', count: 3 })).toContain('expected 3 times, found 2')
    expect(failure({ operationId: 'getCustomer', atMost: 1 })).toContain('expected at most 1 time, found 2')
    expect(failure({ operationId: 'getCustomer', never: true })).toContain('expected never, found 2')
  })

  it('recognises requests by method, path, caller, status, query and body', () => {
    const { expectMet } = filled()
    expectMet({ method: 'post', count: 2 })
    expectMet({ path: '/organizations/{organizationId}/customers/{customerId}', count: 2 })
    expectMet({ path: '/v1/organizations/harbor/customers/7', count: 1 })
    expectMet({ caller: 2, count: 1 })
    expectMet({ status: '5xx', count: 1 })
    expectMet({ status: 503, operationId: 'createCustomerNote', count: 1 })
    expectMet({ query: { limit: 10, segment: ['a', 'b'], offset: null }, count: 1 })
    expectMet({ body: { content: 'hello' }, count: 2 })
    expectMet({ body: { tags: [{ name: 'x' }] }, count: 2 })
    expectMet({ body: { tags: [] }, count: 0 })
  })

  it('shows the nearest requests and in what they differ, not only a number', () => {
    const { failure } = filled()
    const rule = {
      operationId: 'createCustomerNote',
      caller: 2,
      body: { content: 'goodbye' },
      status: 200,
    } as const
    expect(failure(rule)).toBe(
      [
        'createCustomerNote, caller 2, status 200, body {"content":"goodbye"}: expected at least 1 time, found 0 among 5 requests.',
        'The nearest that do not match:',
        '  request 5: POST /v1/organizations/harbor/customers/8/notes by Mara Voss (1) -> 200',
        '    caller is 1 (Mara Voss), not 2',
        '    body.content is "hello", not "goodbye"',
        '  request 4: POST /v1/organizations/harbor/customers/8/notes by Mara Voss (1) -> 503',
        '    caller is 1 (Mara Voss), not 2',
        '    status is 503, not 200',
        '    body.content is "hello", not "goodbye"',
      ].join('\n'),
    )
  })

  it('shows the requests that should not have been', () => {
    const { failure } = filled()
    expect(failure({ operationId: 'getCustomer', never: true })).toContain(
      'These match:\n  request 3: GET /v1/organizations/harbor/customers/8 by Theo Lind (2) -> 200',
    )
  })

  it('expects an order, with others between', () => {
    const { requests, failure } = filled()
    requests.verify({
      inOrder: [{ operationId: 'listCustomers' }, { status: 503 }, { operationId: 'createCustomerNote' }],
    })
    const message = failure({
      inOrder: [{ operationId: 'createCustomerNote' }, { operationId: 'getCustomer' }],
    })
    expect(message).toContain('Step 2 of the order, getCustomer: none after request 4 matches it.')
    expect(message).toContain('It came earlier, as request 2.')
    expect(message).toContain('request 5: POST')
  })

  it('says where the journal no longer holds all', () => {
    const { journal, request } = openJournal({ entries: 2, bytes: 1_000_000 })
    for (let id = 1; id <= 3; id += 1) request('/v1/members/me')
    const verify = () => requestsOf(() => journal).verify({ count: 3 })
    expect(verify).toThrow('The journal no longer holds the first 1 request.')
  })

  it('refuses a wrong rule as such', () => {
    const { requests } = filled()
    expect(() => requests.verify({ operationId: 'getCustomers' })).toThrow('Did you mean getCustomer?')
  })
})

describe('POST /_sandbox/requests/verify', () => {
  it('answers whether the expectation is met, and what is near', async () => {
    const { send } = filled()
    const good = await send('/verify', posted({ operationId: 'getCustomer', count: 2 }))
    expect(await good.json()).toMatchObject({ passed: true, nearest: [] })
    const bad = await send('/verify', posted({ operationId: 'getCustomer', status: 404 }))
    expect(bad.status).toBe(200)
    const verdict = await jsonOf<Verdict>(bad)
    expect(verdict).toMatchObject({
      passed: false,
      message: expect.stringContaining('status is 200, not 404'),
    })
    expect(verdict.nearest[0]).toEqual({
      id: 3,
      method: 'GET',
      path: `${HARBOR}/customers/8`,
      operationId: 'getCustomer',
      differences: ['status is 200, not 404'],
    })
  })

  it('refuses a wrong rule and names the field', async () => {
    const { send } = filled()
    const refused = async (rule: unknown, ...places: readonly string[]) =>
      expectInvalid(await send('/verify', posted(rule)), ...places.map((place) => `body ${place}`))
    await refused({ operation: 'x' }, 'operation')
    await refused({ operationId: 'x', method: 'x' }, 'operationId', 'method')
    await refused({ path: '/nothing/here' }, 'path')
    await refused({ path: '/members/me?x=1' }, 'path')
    await refused({ count: -1 }, 'count')
    await refused({ count: 1, atLeast: 1 }, 'count')
    await refused({ never: true, atMost: 1 }, 'never')
    await refused({ atLeast: 2, atMost: 1 }, 'atLeast')
    await refused({ inOrder: [] }, 'inOrder')
    await refused({ inOrder: [{ operationid: 'x' }] }, 'inOrder[0].operationid')
    await refused({ inOrder: [{}], count: 1 }, 'inOrder', 'count')
    await refused({ status: 'x' }, 'status')
    await refused({ caller: 'mara' }, 'caller')
    await refused({ query: { limit: {} } }, 'query.limit')
    await refused([], '')
    const problem = await expectProblem(await send('/verify', posted({ opertionId: 'x' })), 'invalid_request')
    expect(problem.detail).toContain('Did you mean operationId?')
  })
})
