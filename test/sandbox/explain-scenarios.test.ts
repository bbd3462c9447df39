import { expect, it, onTestFinished, vi } from 'vitest'

import type { ScenarioInput } from '../../src/index.ts'
import { as } from '../support.ts'
import { open, organizationId, sandbox } from './scenarios-support.ts'

const path = `/organizations/${organizationId}/customers?limit=250`
const request = { path, token: 'sbx_harbor_1' }

/** Previews and explains a request with scenarios, which changes nothing, then sends it, and explains it as recorded. */
async function ask(
  scenario: ScenarioInput,
  id: number,
  prepare?: (opened: ReturnType<typeof open>) => Promise<unknown>,
) {
  const opened = open()
  const { session, scenarios, faults, clock, data, requests } = opened
  scenarios.add(scenario)
  faults.add({ status: 503, after: 9 })
  await prepare?.(opened)
  const readState = async () =>
    [scenarios, faults, requests].map((one): unknown => one.list()).concat(clock.now(), await data.changes())
  const before = await readState()
  const answer = async () =>
    [await session.preview(request), await session.explain({ ...request, id })] as const
  const answers = await answer()
  expect(await answer()).toEqual(answers)
  expect(await readState()).toEqual(before)
  const response = await as(session, 'mara').send(path)
  expect(answers[0]).toMatchObject({ status: response.status, body: await response.json() })
  expect(answers[1].status).toBe(response.status)
  scenarios.clear()
  const answered = await readState()
  const recorded = await session.explain({ requestId: requests.list().length, id })
  expect(await readState()).toEqual(answered)
  expect(recorded).toMatchObject({ status: response.status, included: answers[1].included })
  return [...answers, recorded] as const
}

it('late-visibility: a new customer is not in the list, and the explanation says why', async () => {
  const [preview, explanation] = await ask({ name: 'late-visibility' }, 777, ({ session }) =>
    session.data.customers.put({ id: 777, name: 'Late Foods' }),
  )
  expect(preview.warnings).toEqual([])
  expect(explanation).toMatchObject({ included: false })
  expect(explanation.conditions).toContainEqual(
    expect.objectContaining({ name: 'id', holds: false, text: expect.stringContaining('late-visibility') }),
  )
})

it('scope-narrowed: a hidden customer exists, but the scenario hides it', async () => {
  const all = await open().client.listCustomers({ organizationId, limit: 250 })
  const own = await open().client.listCustomers({ organizationId, limit: 250, scope: 'mine' })
  const hidden = all.items.find(({ id }) => own.items.every((one) => one.id !== id))
  const [, explanation] = await ask({ name: 'scope-narrowed', after: 0, scope: 'mine' }, hidden?.id ?? 0)
  expect(explanation).toMatchObject({ included: false, total: own.totalCount })
  expect(explanation.summary).toContain(`exists, but scenario-1 (scope-narrowed) answered with`)
})

it('bulk-update-ties: the list shows the change that the next request will make', async () => {
  const [preview, explanation] = await ask({ name: 'bulk-update-ties', count: 3 }, 1)
  const now = sandbox.clock.now()
  expect(JSON.stringify(preview.body).split(`"updatedDate":"${now}"`)).toHaveLength(4)
  expect(explanation).toMatchObject({ included: true })
})

it.each<[ScenarioInput, number]>([
  [{ name: 'token-revoked', after: 0 }, 401],
  [{ name: 'daily-quota', requests: 1 }, 429],
])('%j: the request is refused, and the explanation names the scenario', async (scenario, status) => {
  // The time to wait is in whole seconds of real time.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const [preview, explanation, recorded] = await ask(scenario, 1, ({ client }) =>
    client.getCurrentMember().catch(() => undefined),
  )
  expect(preview.status).toBe(status)
  for (const one of [explanation, recorded]) {
    expect(one).toMatchObject({ included: false, conditions: [{ name: 'scenario', holds: false }] })
  }
  const causes = [{ kind: 'scenario', id: 'scenario-1', requestId: 2 }]
  expect(recorded).toMatchObject({ causes, now: { status: 200, included: true } })
  expect(explanation.summary).toContain(`scenario-1 (${scenario.name}) refused the`)
})
