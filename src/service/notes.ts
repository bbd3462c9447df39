import * as z from 'zod'

import { assumedPagination, instant, recordId } from '../contract/fields.ts'
import { assumed, assumedShape } from '../contract/provenance.ts'
import { invalidField } from '../core/errors.ts'
import { type Input, named } from '../core/input.ts'
import { findLoneSurrogate, notWellFormed } from '../core/json.ts'
import { lazyObject, lazyStrictObject } from '../core/lazy-schema.ts'
import { findCustomer } from './customers.ts'
import { endpoint, findOwn, resource } from './endpoint.ts'

/** A note on a customer. Source: assumption A-18. */
export const CustomerNote = assumedShape('CustomerNote', 'A-18', () => ({
  id: recordId,
  customerId: recordId,
  category: assumedShape('CustomerNoteCategory', 'A-18', () => ({ id: recordId, name: z.string() })),
  content: z.string(),
  createdById: recordId,
  createdDate: instant,
  updatedDate: instant,
}))
export type CustomerNote = z.infer<typeof CustomerNote>

const MAX_CONTENT = 10_000

/** The request that creates a note. Units: content counts Unicode code points. Source: assumption A-18. */
export const CreateCustomerNote = assumed(
  lazyStrictObject(() => ({
    categoryId: assumed(recordId, 'A-18').describe('The id of an active note category'),
    content: assumed(
      z
        .string()
        .min(1, 'must have at least 1 character')
        .refine((text) => findLoneSurrogate(text) === undefined, notWellFormed)
        .refine(
          (text) => text.length <= MAX_CONTENT || Array.from(text).length <= MAX_CONTENT,
          `must have at most ${MAX_CONTENT} characters`,
        )
        .meta({ maxLength: MAX_CONTENT }),
      'A-18',
    ).describe('The text of the note, 1 to 10,000 characters'),
  })),
  'A-18',
).meta({ id: 'CreateCustomerNote' })

export interface CreateCustomerNote extends Input<typeof CreateCustomerNote> {}

const note = resource({
  table: 'notes',
  shape: CustomerNote,
  embeds: ['noteCategories'],
  derive: (row, data) => ({
    category: { id: row.categoryId, name: data.get('noteCategories', row.categoryId)?.name ?? '' },
  }),
})

export const noteEndpoints = {
  listCustomerNotes: endpoint({
    path: '/organizations/{organizationId}/customers/{customerId}/notes',
    summary: 'The notes on a customer',
    query: lazyObject(() => assumedPagination('A-18')),
    returns: 'page',
    assumes: 'A-18',
    resource: note,
    find: findCustomer,
    where: ({ record }) => [['customerId', record.id]],
  }),
  createCustomerNote: endpoint({
    path: '/organizations/{organizationId}/customers/{customerId}/notes',
    summary: 'Adds a note to a customer',
    body: named<CreateCustomerNote>(CreateCustomerNote),
    assumes: 'A-18',
    resource: note,
    find: findCustomer,
    create: ({ record, body, caller, data, now, settings }) => {
      const { categoryId, content } = body
      const category = findOwn('noteCategories', categoryId, { caller, data })
      if (!category?.isActive) {
        const message = `${categoryId} is not the id of an active note category. listNoteCategories lists them.`
        throw invalidField('categoryId', message)
      }
      const row = {
        organizationId: record.organizationId,
        customerId: record.id,
        categoryId: category.id,
        content,
        createdById: caller.id,
        createdDate: now(),
        updatedDate: now(),
      }
      const touched = { table: 'customers', id: record.id, row: { ...record, updatedDate: now() } } as const
      return { row, further: settings.noteTouches === 'customer' ? [touched] : [] }
    },
  }),
}
