import * as z from 'zod'

import { instant, recordId } from '../../contract/fields.ts'
import { type SignalStatus, signalStatuses } from '../../contract/statuses.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { type Contradiction, defineTable, lookupValue, partOf, recordFields, reference } from './define.ts'

export const signalDates = ['createdDate', 'raisedDate', 'closedDate', 'updatedDate'] as const

export const isOver = ({ status }: { readonly status?: SignalStatus | undefined }): boolean =>
  status === 'closed' || status === 'dismissed'

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
  dates: [signalDates],
  /** Source: assumption A-10. */
  findContradictions: (row) => {
    const contradictions: Contradiction[] = []
    const add = (path: string, message: string) => contradictions.push({ path, message })
    if (row.isDraft && row.raisedDate !== null)
      add('raisedDate', 'must be absent, because the signal is a draft')
    if (isOver(row) && row.closedDate === null) add('closedDate', `is required for a ${row.status} signal`)
    if (row.status === 'dismissed' && row.dismissalReason === null)
      add('dismissalReason', 'is required for a dismissed signal')
    return contradictions
  },
})
