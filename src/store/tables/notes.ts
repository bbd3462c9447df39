import * as z from 'zod'

import { instant } from '../../contract/fields.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { defineTable, partOf, recordFields, reference } from './define.ts'

export const noteCategories = defineTable({
  noun: 'note category',
  row: lazyStrictObject(() => ({ ...recordFields, name: z.string(), isActive: z.boolean() })),
  hasIdsByOrganization: true,
})

export const notes = defineTable({
  noun: 'note',
  row: lazyStrictObject(() => ({
    ...recordFields,
    customerId: partOf('customers'),
    categoryId: reference('noteCategories'),
    content: z.string(),
    createdById: reference('members'),
    createdDate: instant,
    updatedDate: instant,
  })),
  dates: [['createdDate', 'updatedDate']],
})
