import * as z from 'zod'

import { instant, recordId, toSortable } from '../../contract/fields.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { defineTable, partOf, recordFields, reference } from './define.ts'

export const personRow = lazyStrictObject(() => ({
  id: recordId,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
}))

export const TranscriptLineRow = lazyStrictObject(() => ({
  speaker: z.string(),
  text: z.string(),
  startSeconds: z.number().nonnegative(),
  endSeconds: z.number().nonnegative(),
}))
export type TranscriptLineRow = z.infer<typeof TranscriptLineRow>

export const meetings = defineTable({
  noun: 'meeting',
  row: lazyStrictObject(() => ({
    ...recordFields,
    customerId: partOf('customers'),
    topic: z.string(),
    summary: z.string().nullable(),
    url: z.string().nullable(),
    startDate: instant,
    endDate: instant,
    memberIds: z.array(reference('members')),
    users: z.array(personRow),
    contacts: z.array(personRow),
    unmatchedParticipants: z.array(z.string()),
    nextSteps: z.array(z.string()),
    hasTranscript: z.boolean(),
    createdDate: instant,
    updatedDate: instant,
    transcript: z.array(TranscriptLineRow).optional(),
  })),
  indexes: {
    startDate: (row) => toSortable(row.startDate),
    memberId: (row) => row.memberIds,
    userId: (row) => row.users.map(({ id }) => id),
  },
  longText: 'transcript',
  dates: [
    ['startDate', 'endDate'],
    ['createdDate', 'updatedDate'],
  ],
})
