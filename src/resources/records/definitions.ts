import * as z from 'zod'

import { CustomFieldRow, customFieldTypes, MemberRoleRow, NoteCategoryRow } from '../../store/rows.ts'
import { CustomFieldDefinition, MemberRoleDefinition, NoteCategory } from '../definitions.ts'
import { known, recordForm } from './form.ts'
import { owned } from './input.ts'

/** A custom field definition. */
export const customFieldForm = recordForm({
  table: 'customFields',
  row: CustomFieldRow,
  operation: 'listCustomFields',
  shape: CustomFieldDefinition,
  extras: ({ organizationId }) => ({ organizationId }),
  input: z
    .strictObject({
      ...owned,
      key: z.string().min(1),
      name: z.string(),
      type: z.enum(customFieldTypes),
      options: z.array(z.string()),
    })
    .partial(),
  identity: ['key'],
  fields: (given) => known(given),
  stamps: ({ options = [] }): { type?: 'select' } => (options.length > 0 ? { type: 'select' } : {}),
  unsettled: ({ type }, changed) => (changed.type === undefined || changed.type === type ? [] : ['options']),
  settle: (row, { options }) =>
    options === undefined && row.type !== 'select' ? { ...row, options: [] } : row,
  contradictions: ({ type, options }) =>
    type !== 'select' && options.length > 0
      ? [{ path: 'options', message: `must be empty: the field's type is ${type}, not select` }]
      : [],
})

/** A member-role definition. */
export const memberRoleForm = recordForm({
  table: 'memberRoles',
  row: MemberRoleRow,
  operation: 'listMemberRoles',
  shape: MemberRoleDefinition,
  extras: ({ organizationId }) => ({ organizationId }),
  input: z.strictObject({ ...owned, key: z.string().min(1), name: z.string() }).partial(),
  identity: ['key'],
  fields: (given) => known(given),
})

/** A note category, and whether it is listed. */
export const noteCategoryForm = recordForm({
  table: 'noteCategories',
  row: NoteCategoryRow,
  operation: 'listNoteCategories',
  shape: NoteCategory,
  extras: ({ organizationId, isActive }) => ({ organizationId, isActive }),
  input: z.strictObject({ ...owned, name: z.string(), isActive: z.boolean() }).partial(),
  fields: (given) => known(given),
})
