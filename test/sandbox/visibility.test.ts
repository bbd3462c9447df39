import { expect, it } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import type { MemberVisibility, Visibility } from '../../src/lab/explain/visibility.ts'
import { endpoints } from '../../src/service/index.ts'
import { control, openSandbox, type Page } from '../support.ts'

const sandbox = await openSandbox()
const scopes = ['mine', 'team', 'all'] as const

/** Reads the counts that every member sees in a session. */
async function visibility(session: SessionHandle = sandbox.session()): Promise<Visibility> {
  const response = await control(sandbox, 'GET', '/visibility', undefined, session.id)
  expect(response.status).toBe(200)
  return JSON.parse(await response.text())
}

/** Finds the counts of one member. */
function seenBy({ items }: Visibility, id: number): MemberVisibility {
  const found = items.filter(({ memberId }) => memberId === id)
  expect(found).toHaveLength(1)
  return found[0] as MemberVisibility
}

/** Counts the records that a list has for a token. */
async function total(session: SessionHandle, path: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await session.fetch(new Request(`http://sandbox/v1${path}`, { headers }))
  expect(response.status, `answer to ${path}`).toBe(200)
  const page: Page<unknown> = JSON.parse(await response.text())
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
  // Changes roles, so that nothing cached for the dataset is valid.
  await session.data.customers.patch(1, { memberRoles: [{ key: 'csm', memberIds: [7] }] })
  const { items } = await visibility(session)
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

it("counts a session's changes and new members in that session only", async () => {
  const session = sandbox.session()
  const before = await visibility(session)
  const memberRoles = [{ key: 'csm', memberIds: [990] }]
  await session.data.create({
    members: [{ id: 990, firstName: 'Ada', lastName: 'Ash', managerId: 4 }],
    customers: [{ id: 991, memberRoles }],
  })
  const after = await visibility(session)
  expect(seenBy(after, 990)).toMatchObject({ name: 'Ada Ash', customers: { mine: 1 }, signals: { mine: 0 } })
  const { mine, team, all } = seenBy(before, 1).customers
  expect(seenBy(after, 1).customers).toEqual({ mine, team: team + 1, all: all + 1 })
  expect(await visibility()).toEqual(before)
})
