import * as z from 'zod'

import { instant } from '../../contract/fields.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { defineTable, partOf, recordFields } from './define.ts'

export const briefs = defineTable({
  noun: 'brief',
  row: lazyStrictObject(() => ({
    ...recordFields,
    key: z.string(),
    name: z.string(),
    description: z.string(),
    isActive: z.boolean(),
  })),
  unique: ['key'],
  hasIdsByOrganization: true,
})

export const briefContents = defineTable({
  noun: 'brief content',
  row: lazyStrictObject(() => ({
    ...recordFields,
    customerId: partOf('customers'),
    briefId: partOf('briefs'),
    content: z.string().optional(),
    createdDate: instant,
  })),
  isNewestFirst: true,
  longText: 'content',
})
