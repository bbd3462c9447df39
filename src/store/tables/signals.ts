import * as z from 'zod'

import { instant, recordId } from '../../contract/fields.ts'
import { signalStatuses } from '../../contract/statuses.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { defineTable, lookupValue, partOf, recordFields, reference } from './define.ts'

export const signals = defineTable({
  noun: 'signal',
  row: lazyStrictObject(() => ({
    ...recordFields,
    customerId: partOf('customers'),
    productId: reference('products'),
    status: z.enum(signalStatuses),
    /** The name that the status was arranged with, if its meaning has several. Source: assumption A-10. */
    statusName: z.string().optional(),
    source: z.string(),
    summary: z.string(),
    notes: z.string().nullable().optional(),
    severity: z.int(),
    severityExplanation: z.string().nullable(),
    createdById: reference('members'),
    updatedById: reference('members'),
    ownerId: reference('members'),
    latestNote: z.string().nullable(),
    isDraft: z.boolean(),
    isPrimary: z.boolean(),
    createdDate: instant,
    raisedDate: instant.nullable(),
    closedDate: instant.nullable(),
    updatedDate: instant,
    opportunity: z.string().nullable(),
    category: lookupValue,
    dismissalReason: lookupValue.nullable(),
    subCategory: lookupValue.nullable(),
    outcome: lookupValue.nullable(),
    outcomeNotes: z.string().nullable(),
    competitor: lookupValue.nullable(),
    type: z.strictObject({ id: recordId, name: z.string(), color: z.string() }),
  })),
})
