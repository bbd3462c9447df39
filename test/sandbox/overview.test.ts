import { expect, it } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import type { MemberVisibility } from '../../src/lab/explain/visibility.ts'
import { endpoints } from '../../src/service/index.ts'
import { as, control, expectProblem, openSandbox, type Page, readControl } from '../support.ts'

/** Opens a small sandbox, and a function that calls its control plane. */
async function open() {
  const sandbox = await openSandbox({ size: 'small' })
  const json = <T>(method: string, path: string, body?: object) => readControl<T>(sandbox, method, path, body)
  return { sandbox, json }
}

const customer = '/data/customers/1'
const latest = '/data/changes?latest=250'

it('shows what differs in a session from the start', async () => {
  const { sandbox, json } = await open()
  const nothing = { movedMs: 0, changes: 0, faults: 0, scenarios: 0, requests: 0 }
  const start = { session: 'default', ...nothing, assumptions: {} }
  expect(await json('GET', '/overview')).toMatchObject(start)
  sandbox.clock.advance('P30D')
  sandbox.faults.add({ status: 503, times: 1 })
  sandbox.faults.add({ delayMs: 1 })
  sandbox.scenarios.add({ name: 'deleted' })
  await json('PATCH', '/assumptions', { errorFormat: 'error' })
  await json('PATCH', customer, { name: 'Tern & Co' })
  expect(await json('GET', '/overview')).toMatchObject({
    movedMs: 30 * 86_400_000,
    now: '2026-02-14T12:00:00.000Z',
    changes: 1,
    faults: 2,
    scenarios: 1,
    assumptions: { errorFormat: 'problem' },
  })
  // A fault that is used up does not count.
  await sandbox.fetch('/v1/members/me')
  expect(await json('GET', '/overview')).toMatchObject({ faults: 1, requests: 1 })
  await json('POST', '/reset')
  expect(await json('GET', '/overview')).toMatchObject(start)
})

it('has a revision that grows with each change, even with one that is undone at once', async () => {
  const { sandbox, json } = await open()
  const changes: Readonly<Record<string, () => unknown>> = {
    fault: () => sandbox.faults.remove(sandbox.faults.add({ status: 503 }).id),
    scenario: () => sandbox.scenarios.remove(sandbox.scenarios.add({ name: 'page-drift' }).id),
    clock: () => [sandbox.clock.advance('P30D'), sandbox.clock.reset()],
    assumption: async () => {
      await json('PATCH', '/assumptions', { errorFormat: 'error' })
      await json('PATCH', '/assumptions', { errorFormat: 'problem' })
    },
    record: () => json('PATCH', customer, { name: 'Tern & Co' }),
    'record again': () => json('PATCH', customer, { name: 'Tern and Company' }),
    reset: () => sandbox.reset(),
  }
  for (const [name, change] of Object.entries(changes)) {
    const before = await json<{ revision: number }>('GET', '/overview')
    await change()
    const after = await json<typeof before>('GET', '/overview')
    expect(after.revision, `after ${name}`).toBeGreaterThan(before.revision)
  }
})

it('adds a fault before the others on request, so that it fails the next request', async () => {
  const { sandbox, json } = await open()
  sandbox.faults.add({ status: 500 })
  await json('POST', '/faults?first=true', { status: 503, times: 1 })
  const send = () => sandbox.fetch('/v1/members/me')
  expect([(await send()).status, (await send()).status]).toEqual([503, 500])
})

it('lists a change whose record was part of one that is deleted since', async () => {
  const { json } = await open()
  const before = await json('GET', '/data/signals/1')
  const after = await json('PATCH', '/data/signals/1', { customerId: 2 })
  const gone = await json('GET', customer)
  await json('DELETE', customer)
  const { items } = await json<{ readonly items: readonly object[] }>('GET', latest)
  expect(items).toContainEqual(expect.objectContaining({ collection: 'signals', id: 1, before, after }))
  expect(items).toContainEqual(
    expect.objectContaining({ collection: 'customers', id: 1, kind: 'deleted', before: gone, after: null }),
  )
})

type Listed = Page<{ readonly id: number; readonly customerId: number }>

it('lists the records of one customer', async () => {
  const { sandbox, json } = await open()
  const all = await json<Listed>('GET', '/data/signals')
  const own = await json<Listed>('GET', '/data/signals?customerId=1')
  expect(own.items).toEqual(all.items.filter(({ customerId }) => customerId === 1))
  expect(own.totalCount).toBeGreaterThan(0)
  const refused = await control(sandbox, 'GET', '/data/members?customerId=1')
  expect((await expectProblem(refused, 'invalid_request')).errors).toEqual([
    { in: 'query', name: 'customerId', message: 'does not apply: members belong to no customer' },
  ])
})

it('lists the records that contain a text, page by page', async () => {
  const { json } = await open()
  const found = await json<Listed>('GET', '/data/customers?text=LARKSPUR')
  expect(found.items.map(({ id }) => id)).toContain(1)
  expect(found.totalCount).toBeLessThan(5)
  const query = 'organizationId=harbor&text=example&offset=2&limit=3'
  const page = await json<Listed>('GET', `/data/customers?${query}`)
  expect(page.items.map(({ id }) => id)).toEqual([3, 4, 5])
  expect(page.totalCount).toBe(25)
})

it('finds requests by a text in a body', async () => {
  const { sandbox, json } = await open()
  for (const path of ['/members/me', '/organizations/harbor/products']) await as(sandbox, 'mara').get(path)
  expect(await json('GET', '/requests?text=MARA.ellis@')).toMatchObject({ items: [{ id: 1 }], totalCount: 1 })
  expect(await json('GET', '/requests?text=/PRODUCTS')).toMatchObject({ items: [{ id: 2 }], totalCount: 1 })
})

type Found = Page<{ readonly collection: string; readonly id: number; readonly name: string }>

const sandbox = await openSandbox()

const find = (query: string, session?: string) =>
  readControl<Found>(sandbox, 'GET', `/find?${query}`, undefined, session)

it('finds records by their id first, then by a part of their name', async () => {
  const { id } = await sandbox.session().data.customers.put({ id: 700, name: 'Area 1 Foods' })
  expect(id).toBe(700)
  const { items } = await find('q=1&limit=50')
  expect(items.slice(0, 3)).toMatchObject([
    { collection: 'members', id: 1, name: 'Mara Ellis' },
    { collection: 'customers', id: 1, name: 'Larkspur Foods' },
    { collection: 'signals', id: 1 },
  ])
  const byName = await find('q=LARKSPUR')
  expect(byName.items[0]).toMatchObject({ collection: 'customers', id: 1, name: 'Larkspur Foods' })
  expect(await find('q=no such name')).toEqual({ items: [], totalCount: 0 })
})

it('finds what the session has changed, under its new name only, and nothing that it has deleted', async () => {
  const session = sandbox.session()
  await session.data.customers.patch(1, { name: 'Tern & Sons' })
  expect((await find('q=tern %26 sons', session.id)).items).toMatchObject([
    { collection: 'customers', id: 1 },
  ])
  expect((await find('q=Larkspur Foods', session.id)).items).toEqual([])
  await session.data.customers.delete(1)
  expect((await find('q=tern %26 sons', session.id)).items).toEqual([])
})

const scopes = ['mine', 'team', 'all'] as const

/** Reads the counts that every member sees in a session. */
const visibility = (session: SessionHandle = sandbox.session()) =>
  readControl<Page<MemberVisibility>>(sandbox, 'GET', '/visibility', undefined, session.id)

/** Counts the records that a list has for a token. */
async function total(session: SessionHandle, path: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const page: Page<unknown> = JSON.parse(await (await session.fetch(`/v1${path}`, { headers })).text())
  return page.totalCount
}

it.each([
  ['as the sandbox assumes', {}],
  ['with teams of whole branches', { team: 'branch', customerStatuses: ['a', 'b', 'c', 'd'] }],
] as const)('counts each list with a scope as the service does: %s', async (_, assumptions) => {
  const session = sandbox.session({ assumptions })
  const before = await visibility()
  // Changes roles, so that nothing cached for the dataset is valid.
  await session.data.customers.patch(1, { memberRoles: [{ key: 'csm', memberIds: [7] }] })
  await session.data.create({
    members: [{ id: 990, managerId: 4 }],
    customers: [{ memberRoles: [{ key: 'csm', memberIds: [990] }] }],
  })
  const people = sandbox.credentials.organizations.flatMap(({ id: organizationId, members }) =>
    members.map(({ id: memberId, name }) => ({ organizationId, memberId, name })),
  )
  expect(before.items, 'everyone in the order of the credentials').toMatchObject(people)
  const { items, totalCount } = await visibility(session)
  expect(totalCount).toBe(before.totalCount + 1)
  expect(await visibility()).toEqual(before)
  const lists = endpoints.filter(({ query }) => 'scope' in query.shape)
  expect(lists.length).toBeGreaterThan(1)
  for (const { organizationId, memberId, name, ...counts } of items) {
    const token = `sbx_${organizationId}_${memberId}`
    const expected: Record<string, Record<string, number>> = {}
    for (const { path, resource } of lists) {
      const home = path.replace('{organizationId}', organizationId)
      const seen = (expected[resource.table] = { mine: 0, team: 0, all: 0 })
      for (const scope of scopes) seen[scope] = await total(session, `${home}?scope=${scope}&limit=1`, token)
    }
    expect(counts, `of ${name}`).toEqual(expected)
  }
})
