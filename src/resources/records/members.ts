import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import { MemberRow } from '../../store/rows.ts'
import { Member } from '../members.ts'
import { known, recordForm } from './form.ts'
import { owned } from './input.ts'

/** A member with its job title. A manager of null is no manager: the member is its own then. */
export const memberForm = recordForm({
  table: 'members',
  row: MemberRow,
  operation: 'getMember',
  shape: Member,
  extras: ({ title }) => ({ title }),
  input: z
    .strictObject({
      ...owned,
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      title: z.string(),
      managerId: recordId.nullable(),
    })
    .partial(),
  fields: ({ managerId, ...rest }, { id }) =>
    known({ ...rest, managerId: managerId === null ? id : managerId }),
})
