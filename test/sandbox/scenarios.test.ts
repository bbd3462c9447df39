import { expect, it } from 'vitest'

import { createSandbox } from '../../src/index.ts'
import { scenarioNames } from '../../src/testing/scenarios/definitions.ts'
import { control, expectProblem } from '../support.ts'
import { connect, open, organizationId, readAll, sandbox } from './scenarios-support.ts'

it.each([
  [{}, 'name'],
  [{ name: 'page-drfit' }, 'name'],
  [{ name: 'page-drift', seconds: 3 }, 'seconds'],
  [{ name: 'page-drift', on: 'listCustomer' }, 'on'],
  [{ name: 'page-drift', customerId: 999_999 }, 'customerId'],
  [{ name: 'token-revoked', memberId: 999_999 }, 'memberId'],
  [{ name: 'child-only-change', collection: 'products' }, 'collection'],
  [{ name: 'new-enum-value', field: 'signals.summary' }, 'field'],
  [{ name: 'daily-quota', requests: 0 }, 'requests'],
  [{ name: 'deleted', on: 'getCurrentMember' }, 'on'],
  [{ name: 'new-enum-value', value: 'x'.repeat(101) }, 'value'],
  [{ name: 'new-enum-value', value: '', field: 'signals.summary' }, 'value', 'field'],
  [{ name: 'new-enum-value', value: 'open' }, 'value'],
  [{ name: 'extra-field', field: 'id' }, 'field'],
  [{ name: 'page-drift', collection: 'signals' }, 'on'],
  [{ name: 'page-drift', collection: 'triggerLogs', on: 'listAutomationActionLogs' }, 'on'],
  [
    { name: 'page-drift', collection: 'actionLogs', on: 'listAutomationActionLogs', customerId: 1 },
    'customerId',
  ],
  [{ name: 'deleted', collection: 'triggerLogs' }, 'collection'],
  [{ name: 'child-only-change', field: 'summary' }, 'field'],
  [{ name: 'late-visibility', lag: 'some' }, 'lag'],
  [{ name: 'wrong-total', on: 'listMembers' }, 'on'],
  [{ name: 'wrong-total', total: 'none' }, 'total'],
])('refuses %o and names the field', async (scenario, ...fields) => {
  const response = await control(sandbox, 'POST', '/scenarios', scenario, open().session.id)
  const { errors = [] } = await expectProblem(response, 'invalid_request')
  expect(errors.map(({ name }) => name)).toEqual(fields)
})

it('acts as often as `times` says, from the request that `after` says, on a record of its own choice', async () => {
  const { scenarios, client } = open()
  scenarios.add({ name: 'deleted', after: 2, times: 2, customerId: undefined })
  const totals: number[] = []
  for (let run = 0; run < 5; run += 1) totals.push((await readAll(client)).length)
  expect(totals).toEqual([40, 40, 39, 38, 38])
  expect(scenarios.list()).toMatchObject([{ matched: 5, acted: 2 }])
})

it('acts in the default session, and keeps its changes like those of a test', async () => {
  const own = await createSandbox({ size: 'small' })
  own.scenarios.add({ name: 'merged' })
  const before = await readAll(connect(own))
  expect(await readAll(connect(own))).toHaveLength(before.length - 1)
  expect((await own.data.changes()).map(({ collection }) => collection)).toContain('meetings')
})

it('acts on the customer of the request, whichever operation it is', async () => {
  const { scenarios, client, listActs } = open()
  scenarios.add({ name: 'silent-change', on: 'getCustomer' })
  scenarios.add({ name: 'child-only-change', on: 'listSignals', collection: 'signals' })
  scenarios.add({ name: 'child-only-change', on: 'listCustomerNotes', collection: 'notes' })
  await client.getCustomer({ organizationId, customerId: 5 })
  const [signal] = (await client.listSignals({ organizationId, limit: 250 })).items
  const [note] = (await client.listCustomerNotes({ organizationId, customerId: 1 })).items
  expect(listActs()).toEqual([
    'changed employeeCount of customer 5',
    `updated signal ${signal?.id} of customer ${signal?.customerId}`,
    `updated note ${note?.id} of customer 1`,
  ])
})

it('changes nothing without scenarios, and nothing in other sessions', async () => {
  const [played, other] = [open(), open()]
  const before = await readAll(other.client)
  for (const name of scenarioNames) played.session.scenarios.add({ name })
  await readAll(played.client).catch(() => undefined)
  expect(await played.session.data.changes()).not.toEqual([])
  expect(await readAll(other.client)).toEqual(before)
  played.session.scenarios.clear()
  await played.session.data.undoAll()
  expect(await readAll(played.client)).toEqual(before)
})

it('is named by the requests on which it has acted, also in an archive', async () => {
  const session = sandbox.session()
  session.scenarios.add({ name: 'deleted' })
  await connect(session).listCustomers({ organizationId })
  expect(session.requests.list()[0]?.scenarios).toMatchObject([{ did: 'deleted customer 1' }])
  expect(session.requests.har().log.entries).toMatchObject([{ _scenarios: ['deleted: deleted customer 1'] }])
})

it('acts between pages that are bare arrays', async () => {
  const session = sandbox.session({ assumptions: { pages: 'array' } })
  session.scenarios.add({ name: 'page-drift', on: 'listSignals' })
  session.scenarios.add({ name: 'page-drift', on: 'listCustomerNotes', customerId: 3 })
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  await session.fetch(`/v1/organizations/${organizationId}/customers/1/notes?limit=1`, { headers })
  expect(session.scenarios.list()).toMatchObject([{ acted: 0 }, { acted: 1 }])
})
