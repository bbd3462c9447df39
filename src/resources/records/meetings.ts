import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import { MeetingRow, TranscriptLineRow } from '../../store/rows.ts'
import type { Row } from '../../store/tables.ts'
import { Meeting } from '../meetings.ts'
import { Member } from '../members.ts'
import { type Among, type Fields, known, recordForm } from './form.ts'
import { instantInput, owned, reference } from './input.ts'

type Meetings = Row<'meetings'>

const person = z.strictObject({
  id: recordId,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
})

const input = z
  .strictObject({
    ...owned,
    customerId: recordId,
    topic: z.string(),
    summary: z.string().nullable(),
    url: z.string().nullable(),
    startDate: instantInput,
    endDate: instantInput,
    members: z.array(reference(Member)),
    /** Another way to name the members. */
    memberIds: z.array(recordId),
    users: z.array(person),
    contacts: z.array(person),
    unmatchedParticipants: z.array(z.string()),
    nextSteps: z.array(z.string()),
    hasTranscript: z.boolean(),
    createdDate: instantInput,
    updatedDate: instantInput,
    /** Null for a meeting that was not transcribed. */
    transcript: z.array(TranscriptLineRow).nullable(),
  })
  .partial()

/** A meeting with its transcript. Members take part by id: `members: [3]`, `members: [{ id: 3 }]` or `memberIds: [3]`. */
export const meetingForm = recordForm({
  table: 'meetings',
  row: MeetingRow,
  operation: 'getCustomerMeeting',
  shape: Meeting,
  extras: ({ organizationId }) => ({ organizationId }),
  input,
  owner: { field: 'customerId', table: 'customers' },
  identity: ['customerId'],
  fields,
  stamps: ({ createdDate }, now) => ((createdDate ?? now) <= now ? { updatedDate: now } : {}),
  settle,
  drawn: {
    field: 'transcript',
    draw: (row, data) => z.array(TranscriptLineRow).parse(data.texts.transcript(row, data)),
  },
})

function fields(
  { members, memberIds, transcript, hasTranscript, ...rest }: z.output<typeof input>,
  { refuse }: Among<'meetings'>,
): Fields<'meetings'> {
  if (members && memberIds && String(members) !== String(memberIds)) {
    refuse('memberIds', 'names others than members. Give one of the two.')
  }
  if (transcript && hasTranscript === false) {
    refuse('transcript', 'must be null: hasTranscript says that there is none')
  }
  if (transcript === null && hasTranscript) {
    refuse('transcript', 'must have lines: hasTranscript says that there are some')
  }
  return known({
    ...rest,
    memberIds: members ?? memberIds,
    hasTranscript: hasTranscript ?? (transcript === undefined ? undefined : transcript !== null),
    transcript: transcript ?? undefined,
  })
}

/** A meeting that is moved keeps its length; one without a transcript has no lines. */
function settle(row: Meetings, given: Fields<'meetings'>, { before }: Among<'meetings'>): Meetings {
  const { transcript, ...settled } = row
  if (before && given.startDate !== undefined && given.endDate === undefined) {
    const lengthMs = Math.max(0, Date.parse(before.endDate) - Date.parse(before.startDate))
    settled.endDate = new Date(Date.parse(row.startDate) + lengthMs).toISOString()
  }
  return settled.hasTranscript && transcript ? { ...settled, transcript } : settled
}
