import * as z from 'zod'

import { lazyStrictObject } from '../../../core/lazy-schema.ts'
import { Member } from '../../../service/members.ts'
import { TranscriptLineRow } from '../../../store/tables/meetings.ts'
import { inputFields, recordInput, recordForm } from './form.ts'

/** A meeting with its transcript. Members are named by id: `members: [3]`, `members: [{ id: 3 }]` or `memberIds: [3]`. */
export const meetingForm = recordForm('meetings', {
  operation: 'getCustomerMeeting',
  input: lazyStrictObject(() => ({
    ...inputFields('meetings'),
    members: z.array(recordInput(Member)).optional(),
    /** Null for a meeting that was not transcribed. */
    transcript: z.array(TranscriptLineRow).nullable().optional(),
  })),
  toFields: ({ members, memberIds, transcript, hasTranscript, ...rest }, { reject }) => {
    if (members && memberIds && String(members) !== String(memberIds)) {
      reject('memberIds', 'differs from members. Send only one of them.')
    }
    if (transcript && hasTranscript === false) {
      reject('transcript', 'must be null, because hasTranscript is false')
    }
    if (transcript === null && hasTranscript) {
      reject('transcript', 'must have lines, because hasTranscript is true')
    }
    return {
      ...rest,
      memberIds: members ?? memberIds,
      hasTranscript: hasTranscript ?? (transcript === undefined ? undefined : transcript !== null),
      transcript: transcript ?? undefined,
    }
  },
  defaults: ({ createdDate }, now) => ((createdDate ?? now) <= now ? { updatedDate: now } : {}),
  /** Keeps the length of a meeting that is moved; removes the lines of one without a transcript. */
  adjust: (row, { startDate, endDate }, { before }) => {
    const { transcript, ...adjusted } = row
    if (before && startDate !== undefined && endDate === undefined) {
      const lengthMs = Math.max(0, Date.parse(before.endDate) - Date.parse(before.startDate))
      adjusted.endDate = new Date(Date.parse(row.startDate) + lengthMs).toISOString()
    }
    return adjusted.hasTranscript && transcript ? { ...adjusted, transcript } : adjusted
  },
})
