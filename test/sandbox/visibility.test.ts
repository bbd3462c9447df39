import { expect, it } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import type { MemberVisibility } from '../../src/lab/explain/visibility.ts'
import { endpoints } from '../../src/service/index.ts'
import { openSandbox, type Page, readControl } from '../support.ts'

const sandbox = await openSandbox()
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

it('lists everyone in the order of the credentials', async () => {
  const { items, totalCount } = await visibility()
  const people = sandbox.credentials.organizations.flatMap(({ id: organizationId, members }) =>
    members.map(({ id: memberId, name }) => ({ organizationId, memberId, name })),
  )
  expect(items).toMatchObject(people)
  expect(totalCount).toBe(people.length)
})

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
