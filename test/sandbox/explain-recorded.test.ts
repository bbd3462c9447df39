import { expect, it } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import {
  as,
  control,
  createJsonPost,
  customers,
  expectInvalid,
  expectProblem,
  openSandbox,
  tokens,
} from '../support.ts'

const sandbox = await openSandbox()

/** Opens a session in which Mara has read a path. */
async function openAfter(path: string, prepare?: (session: SessionHandle) => unknown) {
  const session = sandbox.session()
  await prepare?.(session)
  const mara = as(session, 'mara')
  await mara.send(path).catch(() => undefined)
  return { session, mara }
}

it('a customer that was in the response stays in it, although it has been deleted since', async () => {
  const { session } = await openAfter(`${customers}?limit=3`)
  await session.data.customers.delete(2)
  const explanation = await session.explain({ requestId: 1, id: 2 })
  expect(explanation).toMatchObject({
    requestId: 1,
    request: `GET /v1${customers}?limit=3`,
    status: 200,
    included: true,
    isRebuilt: true,
    place: { position: 1 },
    causes: [{ kind: 'change', text: 'Customer 2 was deleted.' }],
    now: { status: 200, included: false },
  })
  expect(explanation.conditions.every(({ holds }) => holds)).toBe(true)
  expect(explanation.summary).toMatch(
    /^Customer 2 is in the response, at position 1 .*Since then: Customer 2 was deleted\. Now: Customer 2 is not in the response: /,
  )
})

it('a customer that did not match has been changed since', async () => {
  const { session } = await openAfter(`${customers}?city=Nowhere`)
  await session.data.customers.patch(5, { city: 'Nowhere' })
  const { conditions, ...explanation } = await session.explain({ requestId: 1, id: 5 })
  const causes = [{ text: 'Customer 5 has changed (city, updatedDate).' }]
  expect(explanation).toMatchObject({ included: false, causes, now: { included: true } })
  expect(conditions.filter(({ holds }) => holds === false)).toMatchObject([{ name: 'city' }])
})

it('a customer that an evicted response had is still in it, and one of another page is not', async () => {
  const { session, mara } = await openAfter(`${customers}?limit=3`)
  session.faults.add({ path: '/members/me', status: 200, body: 'x'.repeat(900_000) })
  for (let count = 1; count <= 20; count += 1) await mara.send('/members/me')
  expect(session.requests.list()[0]?.response).toMatchObject({ truncated: true })
  await session.data.customers.delete(2)
  const explanation = await session.explain({ requestId: 1, id: 2 })
  expect(explanation).toMatchObject({ included: true, place: { position: 1 }, now: { included: false } })
  expect(await session.explain({ requestId: 1, id: 5 })).toMatchObject({ included: false, isRebuilt: true })
})

it('a response to HEAD has the customers of GET, but unknown ones after a scenario or fault', async () => {
  const { session, mara } = await openAfter('/members/me')
  const head = () => mara.send(`${customers}?limit=3`, { method: 'HEAD' })
  await head()
  session.scenarios.add({ name: 'scope-narrowed', scope: 'mine', after: 0 })
  await head()
  session.faults.add({ status: 200 })
  await head()
  const explain = (requestId: number, id: number) => session.explain({ requestId, id })
  const included = [await explain(2, 2), await explain(3, 2), await explain(4, 2)].map((one) => one.included)
  expect(included).toEqual([true, undefined, undefined])
  const summary = expect.not.stringContaining('on another page')
  expect(await explain(3, 6)).toMatchObject({ causes: [{ kind: 'scenario' }], summary })
})

it('names changed assumptions', async () => {
  const { session } = await openAfter(`${customers}?status=active`)
  const live = { customerStatuses: ['live', 'implementation', 'lost', 'lead'] }
  await control(sandbox, 'PATCH', '/assumptions', live, session.id)
  const causes = [{ kind: 'assumption', text: expect.stringContaining('customerStatuses') }]
  expect(await session.explain({ requestId: 1 })).toMatchObject({ status: 200, causes, now: { status: 400 } })
})

it('names five changes of a list, and counts the others', async () => {
  const { session } = await openAfter(customers)
  for (let id = 1; id <= 7; id += 1) await session.data.customers.delete(id)
  const { causes = [] } = await session.explain({ requestId: 1 })
  const texts = causes.map(({ text }) => text)
  expect(texts).toEqual(
    [1, 2, 3, 4, 5].map((id) => `Customer ${id} was deleted.`).concat('2 other changes followed.'),
  )
})

it('names the fault behind a broken connection', async () => {
  const { session } = await openAfter(`${customers}?limit=3`, ({ faults }) =>
    faults.add({ reset: true, times: 1 }),
  )
  expect(await session.explain({ requestId: 1, id: 2 })).toMatchObject({
    status: 'reset',
    included: false,
    conditions: [{ name: 'fault', holds: false }],
    causes: [{ kind: 'fault', id: 'fault-1', requestId: 1 }],
    now: { status: 200, included: true },
  })
})

it('names the scenario that has deleted a customer of a page, so that the next one was on neither page', async () => {
  const { session, mara } = await openAfter(`${customers}?limit=3`, ({ scenarios }) =>
    scenarios.add({ name: 'page-drift', customerId: 2, times: 1 }),
  )
  const causes = [{ kind: 'scenario', id: 'scenario-1', requestId: 1 }]
  const deleted = await session.explain({ requestId: 1, id: 2 })
  expect(deleted).toMatchObject({ included: true, causes, now: { included: false } })
  const page = await mara.get<{ items: { id: number }[] }>(`${customers}?limit=3&offset=3`)
  const id = (page.items[0]?.id ?? 0) - 1
  expect(await session.explain({ requestId: 1, id })).toMatchObject({ included: false })
  const place = { position: 2, offset: 0 }
  expect(await session.explain({ requestId: 2, id })).toMatchObject({ included: false, place, causes })
})

it('a scenario that deletes a customer after the response is no reason for the response', async () => {
  const { session } = await openAfter('/members/me', ({ scenarios }) =>
    scenarios.add({ name: 'page-drift', customerId: 2 }),
  )
  const input = { path: `${customers}?limit=3`, token: tokens.mara, id: 2 }
  expect(await session.explain(input)).toMatchObject({ included: true, place: { position: 1 } })
  await as(session, 'mara').get(input.path)
  session.restore(session.snapshot())
  expect(await session.explain({ requestId: 2 })).toMatchObject({ isRebuilt: false, causes: [] })
})

it('blames a scenario only in pages of the same list, and for none of a list that a fault has replaced', async () => {
  const { session, mara } = await openAfter(`${customers}?scope=team&limit=1`, ({ scenarios }) =>
    scenarios.add({ name: 'page-drift', customerId: 9, times: 1 }),
  )
  session.scenarios.add({ name: 'page-drift', customerId: 2, times: 1 })
  session.scenarios.add({ name: 'extra-field' })
  for (const offset of [0, 3]) await mara.send(`${customers}?limit=3&offset=${offset}`)
  session.faults.add({ status: 503 })
  await mara.send(`${customers}?limit=3&offset=3`)
  const drift = { kind: 'scenario', id: 'scenario-2', requestId: 2 }
  expect(await session.explain({ requestId: 3, id: 4 })).toMatchObject({ included: false, causes: [drift] })
  expect(await session.explain({ requestId: 4, id: 4 })).toMatchObject({ causes: [{ kind: 'fault' }] })
})

it('explains an error by what it said', async () => {
  const { session, mara } = await openAfter(`${customers}?limit=0`)
  await mara.send(`${customers}/1/notes`, createJsonPost({ categoryId: 1 }))
  const read = await session.explain({ requestId: 1 })
  expect(read).toMatchObject({ status: 400, causes: [], now: { status: 400 } })
  expect(read.conditions.at(-1)).toMatchObject({ name: 'limit', holds: false })
  const summary = expect.stringContaining('content')
  expect(await session.explain({ requestId: 2 })).toMatchObject({ status: 400, summary })
})

const ask = ({ id }: SessionHandle, body: unknown): Promise<Response> =>
  control(sandbox, 'POST', '/explain', body, id)

it('over HTTP, rejects an unknown request, one without a response, and a path beside it', async () => {
  const { session, mara } = await openAfter('/members/me', ({ faults }) =>
    faults.add({ gate: true, after: 1 }),
  )
  await expectProblem(await ask(session, { requestId: 7 }), 'not_found')
  const held = mara.send('/members/me')
  await session.gates.next()
  await expectProblem(await ask(session, { requestId: 2 }), 'conflict')
  session.gates.releaseAll()
  await held
  const both = { requestId: 1, path: '/members/me', token: tokens.mara, method: 'GET' }
  await expectInvalid(await ask(session, both), 'body path', 'body token', 'body method')
})
