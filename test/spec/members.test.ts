import { expect, it } from 'vitest'

import type { Member } from '../../src/index.ts'
import { as, openSandbox } from '../support.ts'

it('shows a member with exactly the documented fields, in order', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  const theo = await mara.get<Member>('/organizations/harbor/members/2')
  expect(Object.keys(theo)).toEqual(['id', 'firstName', 'lastName', 'email', 'organizationId', 'managerId'])
  expect(theo).toMatchObject({
    id: 2,
    firstName: 'Theo',
    lastName: 'Brandt',
    organizationId: 'harbor',
    managerId: 4,
  })
})

it('shows the same member as the caller, in the list and by its id', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  const me = await mara.get<Member>('/members/me')
  expect(await mara.get('/organizations/harbor/members/1')).toEqual(me)
  expect((await mara.get<Member[]>('/organizations/harbor/members'))[0]).toEqual(me)
})

it('lists exactly the members of the organization, each with one of them as manager', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  const members = await mara.get<Member[]>('/organizations/harbor/members')
  expect(members.length).toBeGreaterThanOrEqual(7)
  expect(new Set(members.map(({ organizationId }) => organizationId))).toEqual(new Set(['harbor']))
  const ids = new Set(members.map(({ id }) => id))
  expect(members.filter(({ managerId }) => !ids.has(managerId))).toEqual([])
})

it('shows the member at the top as its own manager (assumed A-09)', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  expect(await mara.get('/organizations/harbor/members/6')).toMatchObject({
    firstName: 'Helen',
    managerId: 6,
  })
})
