import { expect, it } from 'vitest'

import type { Customer, CustomFieldDefinition, MemberRoleDefinition, NoteCategory } from '../../src/index.ts'
import { as, openSandbox } from '../support.ts'

it('lists custom fields with id, key, name, type and options (assumed A-23)', async () => {
  const tier = { id: 90, key: 'tier2', name: 'Tier', type: 'select', options: ['Gold', 'Silver'] }
  const mara = as(await openSandbox({ fixture: { extends: 'empty', customFields: [tier] } }), 'mara')
  const fields = await mara.get<CustomFieldDefinition[]>('/organizations/harbor/custom-fields')
  expect(JSON.stringify(fields.at(-1))).toBe(JSON.stringify(tier))
})

it('has custom fields of the types text, number, boolean, date and select, of which only the last has options (assumed A-23)', async () => {
  const mara = as(await openSandbox(), 'mara')
  const fields = await mara.get<CustomFieldDefinition[]>('/organizations/harbor/custom-fields')
  const types = ['text', 'number', 'boolean', 'date', 'select']
  expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(types))
  expect(fields.filter(({ type, options }) => (type === 'select') !== options.length > 0)).toEqual([])
})

it('lists member roles with id, key and name', async () => {
  const partner = { id: 90, key: 'partner', name: 'Partner manager' }
  const mara = as(await openSandbox({ fixture: { extends: 'empty', memberRoles: [partner] } }), 'mara')
  const roles = await mara.get<MemberRoleDefinition[]>('/organizations/harbor/member-roles')
  expect(JSON.stringify(roles.at(-1))).toBe(JSON.stringify(partner))
})

it('shows a role of a customer with the name of its definition', async () => {
  const fixture = {
    extends: 'empty',
    memberRoles: [{ id: 90, key: 'partner', name: 'Partner manager' }],
    customers: [{ id: 1, memberRoles: [{ key: 'partner', memberIds: [1] }] }],
  }
  const mara = as(await openSandbox({ fixture }), 'mara')
  const { memberRoles } = await mara.get<Customer>('/organizations/harbor/customers/1')
  expect(memberRoles).toMatchObject([{ key: 'partner', name: 'Partner manager' }])
})

it('lists active note categories with id and name (assumed A-24)', async () => {
  const noteCategories = [
    { id: 90, name: 'Training', isActive: true },
    { id: 91, name: 'Fax', isActive: false },
  ]
  const mara = as(await openSandbox({ fixture: { extends: 'empty', noteCategories } }), 'mara')
  const categories = await mara.get<NoteCategory[]>('/organizations/harbor/note-categories')
  expect(JSON.stringify(categories.at(-1))).toBe(JSON.stringify({ id: 90, name: 'Training' }))
})

it('lists the definitions of the caller’s organization only', async () => {
  const omar = as(await openSandbox({ fixture: 'empty' }), 'omar')
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  for (const list of ['custom-fields', 'member-roles', 'note-categories', 'products']) {
    const mine = await mara.get<{ id: number }[]>(`/organizations/harbor/${list}`)
    const theirs = await omar.get<{ id: number }[]>(`/organizations/quill/${list}`)
    const ids = new Set(mine.map(({ id }) => id))
    expect(theirs.filter(({ id }) => ids.has(id))).toEqual([])
  }
})
