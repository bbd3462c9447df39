import { describe, expect, it } from 'vitest'

import type { VerifyRule } from '../../src/index.ts'
import type { Verification } from '../../src/testing/journal/verify.ts'
import { bodyOf } from '../entry-points/command.ts'
import { as, createJsonPost, customers, openSandbox } from '../support.ts'
import { openJournal } from './journal-support.ts'

const sandbox = await openSandbox()

/** Reads two customers, sends a note that fails once, and lists customers with filters. */
async function recordRequests() {
  const session = sandbox.session()
  const { requests } = session
  session.faults.add({ operationId: 'createCustomerNote', sequence: [503, 200] })
  const mara = as(session, 'mara')
  await mara.send(`${customers}?segment[]=a&segment[]=b&limit=10`)
  await mara.send(`${customers}/7`)
  await as(session, 'theo').send(`${customers}/8`)
  const note = createJsonPost({ categoryId: 3, content: 'hello', tags: [{ id: 1, name: 'x' }] })
  for (let count = 0; count < 2; count += 1) await mara.send(`${customers}/8/notes`, note)
  const failure = (rule: VerifyRule): string => {
    try {
      requests.verify(rule)
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
    return ''
  }
  const expectMet = (rule: VerifyRule): void => expect(failure(rule)).toBe('')
  /** Sends a rule over HTTP. */
  const send = (rule: unknown) => session.fetch('/_sandbox/requests/verify', createJsonPost(rule))
  return { requests, failure, expectMet, send }
}

describe('verify, in process', () => {
  it('expects at least one request by default, and exactly, at least, at most or never as many on request', async () => {
    const { requests, failure } = await recordRequests()
    requests.verify({ operationId: 'getCustomer' })
    expect(failure({ operationId: 'listSignals' })).toContain('expected at least 1 time, found 0')
    requests.verify({ operationId: 'createCustomerNote', count: 2 })
    requests.verify({ operationId: 'createCustomerNote', atLeast: 2, atMost: 2 })
    requests.verify({ operationId: 'listSignals', never: true })
    requests.verify({ operationId: 'listSignals', count: 0 })
    expect(failure({ operationId: 'getCustomer', count: 3 })).toContain('expected 3 times, found 2')
    expect(failure({ operationId: 'getCustomer', atMost: 1 })).toContain('expected at most 1 time, found 2')
    const never = failure({ operationId: 'getCustomer', never: true })
    expect(never).toContain('expected never, found 2')
    expect(never).toContain('Matching requests:\n  request 3, GET …/customers/8 by Theo')
  })

  it('matches requests by method, path, caller, status, query and body', async () => {
    const { expectMet } = await recordRequests()
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

  it('shows the nearest requests and how they differ', async () => {
    const { failure } = await recordRequests()
    const rule = { caller: 2, body: { content: 'goodbye' }, status: 200 }
    expect(failure({ operationId: 'createCustomerNote', ...rule })).toBe(
      [
        'createCustomerNote, caller 2, status 200, body {"content":"goodbye"}: expected at least 1 time, found 0 among 5 requests.',
        'Nearest requests:',
        '  request 5, POST …/customers/8/notes by Mara Ellis (1) -> 200',
        '    caller is 1 (Mara Ellis), not 2',
        '    body.content is "hello", not "goodbye"',
        '  request 4, POST …/customers/8/notes by Mara Ellis (1) -> 503',
        '    caller is 1 (Mara Ellis), not 2',
        '    status is 503, not 200',
        '    body.content is "hello", not "goodbye"',
      ].join('\n'),
    )
  })

  it('expects an order, with other requests in between', async () => {
    const { requests, failure } = await recordRequests()
    requests.verify({
      inOrder: [{ operationId: 'listCustomers' }, { status: 503 }, { operationId: 'createCustomerNote' }],
    })
    const reversed = [{ operationId: 'createCustomerNote' }, { operationId: 'getCustomer' }] as const
    const message = failure({ inOrder: reversed })
    expect(message).toContain('Step 2 of the order, getCustomer: no request after 4 matches.')
    expect(message).toContain('Request 2 matches, but arrived earlier.')
    expect(message).toContain('request 5, POST')
  })

  it('reports how many requests the journal has evicted', () => {
    const { journal, request } = openJournal({ entries: 2, bytes: 1_000_000 })
    for (let id = 1; id <= 3; id += 1) request('/v1/members/me')
    const verify = () => journal.verify({ count: 3 })
    expect(verify).toThrow('The journal has evicted the first 1 request.')
  })
})

describe('POST /_sandbox/requests/verify', () => {
  it('responds with the verdict and the nearest requests', async () => {
    const { send } = await recordRequests()
    const good = await send({ operationId: 'getCustomer', count: 2 })
    expect(await good.json()).toMatchObject({ passed: true, nearest: [] })
    const bad = await send({ operationId: 'getCustomer', status: 404 })
    expect(bad.status).toBe(200)
    const { passed, message, nearest } = await bodyOf<Verification>(bad)
    expect({ passed, message }).toEqual({
      passed: false,
      message: expect.stringContaining('is 200, not 404'),
    })
    const request = { id: 3, method: 'GET', path: `/v1${customers}/8`, operationId: 'getCustomer' }
    expect(nearest[0]).toEqual({ ...request, differences: ['status is 200, not 404'] })
  })
})
