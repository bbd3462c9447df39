import * as z from 'zod'

import { instant, pagination, recordId, toSortable, utcDateTime } from '../contract/fields.ts'
import { assumedShape, documented, documentedShape } from '../contract/provenance.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { personRow, TranscriptLineRow } from '../store/tables/meetings.ts'
import { findCustomer } from './customers.ts'
import { endpoint, resource } from './endpoint.ts'
import { Member, presentMembers } from './members.ts'

const source = 'Meeting'

const MeetingPerson = documentedShape('MeetingPerson', source, () => personRow.shape)

/** A participant from the customer. Source: assumption A-28. */
export const MeetingContact = assumedShape('MeetingContact', 'A-28', () => personRow.shape)
export type MeetingContact = z.infer<typeof MeetingContact>

/** A line of a transcript. Source: assumption A-29. */
export const MeetingTranscriptLine = assumedShape(
  'MeetingTranscriptLine',
  'A-29',
  () => TranscriptLineRow.shape,
)
export type MeetingTranscriptLine = z.infer<typeof MeetingTranscriptLine>

const timestamp = documented(instant, source, 'A-35')

const listed = {
  id: recordId,
  customerId: recordId,
  topic: z.string(),
  summary: z.string().nullable(),
  url: z.string().nullable(),
  startDate: timestamp,
  endDate: timestamp,
  members: z.array(Member),
  users: z.array(MeetingPerson),
  contacts: documented(z.array(MeetingContact), source, 'A-28'),
  unmatchedParticipants: z
    .array(z.string())
    .describe('Participants that could not be matched to a member, user or contact'),
  nextSteps: z.array(z.string()),
  hasTranscript: z.boolean(),
  createdDate: timestamp,
  updatedDate: timestamp,
}

/** A meeting in a list: every field except the transcript. Source: Meeting. */
export const MeetingSummary = documentedShape('MeetingSummary', source, () => listed)
export type MeetingSummary = z.infer<typeof MeetingSummary>

/** A meeting with its transcript, null if it was not transcribed. Source: Meeting. */
export const Meeting = documentedShape('Meeting', source, () => ({
  ...listed,
  transcript: documented(z.array(MeetingTranscriptLine).nullable(), source, 'A-29').describe(
    'Lines in order; null when the meeting was not transcribed',
  ),
}))
export type Meeting = z.infer<typeof Meeting>

const meetingSummary = resource({
  table: 'meetings',
  shape: MeetingSummary,
  embeds: ['members'],
  derive: (row, data) => ({ members: presentMembers(row.memberIds, data) }),
})

const meeting = resource({
  table: 'meetings',
  shape: Meeting,
  embeds: ['meetings', 'members', 'customers', 'signals'],
  derive: (row, data) => ({
    members: presentMembers(row.memberIds, data),
    transcript: row.hasTranscript ? (row.transcript ?? data.texts.transcript(row, data)) : null,
  }),
})

export const meetingEndpoints = {
  listCustomerMeetings: endpoint({
    path: '/organizations/{organizationId}/customers/{customerId}/meetings',
    summary: 'The meetings of a customer, without transcripts',
    query: lazyObject(() => ({
      ...pagination,
      minStartDate: documented(utcDateTime.optional(), 'Customer meeting list parameter', 'A-33').describe(
        'Only meetings starting on or after this UTC date-time',
      ),
    })),
    returns: 'page',
    resource: meetingSummary,
    find: findCustomer,
    where: ({ record, query: { minStartDate } }) => [
      ['customerId', record.id],
      ['startDate', minStartDate && { from: toSortable(minStartDate) }, ['minStartDate']],
    ],
  }),
  getCustomerMeeting: endpoint({
    path: '/organizations/{organizationId}/customers/{customerId}/meetings/{meetingId}',
    summary: 'One meeting of a customer, with its transcript',
    resource: meeting,
    find: (address) => {
      const customer = findCustomer(address)
      const row = address.data.get('meetings', address.path.meetingId)
      return row?.customerId === customer?.id ? row : undefined
    },
  }),
}
