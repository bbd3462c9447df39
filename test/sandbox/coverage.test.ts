import { expect, it } from 'vitest'

import { openSandbox, tokens } from '../support.ts'
import { openJournal } from './journal-support.ts'

const sandbox = await openSandbox()

const mara = { authorization: `Bearer ${tokens.mara}` }

it('counts the requests by operation and status, and lists the statuses that no answer had', async () => {
  const session = sandbox.session()
  await session.fetch('/v1/members/me', { headers: mara })
  await session.fetch('/v1/members/me')
  await session.fetch('/v1/nowhere', { headers: mara })
  session.faults.add({ operationId: 'getCustomer', reset: true })
  await session.fetch('/v1/organizations/harbor/customers/1', { headers: mara }).catch(() => undefined)
  const { operations, tried, of } = session.requests.coverage()
  expect([tried, of, operations.length]).toEqual([2, 22, 22])
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
