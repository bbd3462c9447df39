import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import { NoteRow } from '../../store/rows.ts'
import { NoteCategory } from '../definitions.ts'
import { CustomerNote } from '../notes.ts'
import { known, recordForm } from './form.ts'
import { instantInput, owned, reference } from './input.ts'

/** A note on a customer. Its category goes by id: `category: { id: 2 }` or `categoryId: 2`. */
export const noteForm = recordForm({
  table: 'notes',
  row: NoteRow,
  operation: 'listCustomerNotes',
  shape: CustomerNote,
  extras: ({ organizationId }) => ({ organizationId }),
  input: z
    .strictObject({
      ...owned,
      customerId: recordId,
      category: reference(NoteCategory),
      /** Another way to name the category. */
      categoryId: recordId,
      content: z.string(),
      createdById: recordId,
      createdDate: instantInput,
      updatedDate: instantInput,
    })
    .partial(),
  owner: { field: 'customerId', table: 'customers' },
  identity: ['customerId'],
  fields: ({ category, categoryId, ...rest }, { refuse }) => {
    if (category !== undefined && categoryId !== undefined && category !== categoryId) {
      refuse('categoryId', 'names another than category. Give one of the two.')
    }
    return known({ ...rest, categoryId: category ?? categoryId })
  },
  stamps: ({ createdDate, updatedDate }, now) => {
    if (createdDate === undefined) return { createdDate: updatedDate ?? now, updatedDate: updatedDate ?? now }
    return { updatedDate: createdDate > now ? createdDate : now }
  },
})
