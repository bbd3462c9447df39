import * as z from 'zod'

import { recordId } from '../../src/contract/fields.ts'
import { tables } from '../../src/store/tables.ts'

const plainEvents = [
  'planNextEvent',
  'refreshMetrics',
  'renewContracts',
  'createSignal',
  'planMeeting',
  'writeNote',
  'writeBrief',
  'updateFacts',
  'shiftUse',
  'reassignRole',
  'buyProduct',
  'addCustomer',
  'duplicateCustomer',
  'removeCustomer',
] as const
export type PlainEvent = (typeof plainEvents)[number]

const signal = tables.signals.row.shape
const meeting = tables.meetings.row.shape

const signalWork = { updatedById: signal.updatedById, latestNote: signal.latestNote }
const signalEnd = {
  ...signalWork,
  status: signal.status,
  dismissalReason: signal.dismissalReason,
  outcome: signal.outcome,
  outcomeNotes: signal.outcomeNotes,
}

const meetingEnd = {
  id: recordId,
  endDate: meeting.endDate,
  summary: meeting.summary,
  nextSteps: meeting.nextSteps,
  hasTranscript: meeting.hasTranscript,
}

const define = <N extends string, S extends z.ZodRawShape>(event: N, shape: S) =>
  z.strictObject({ atMs: z.int(), event: z.literal(event), ...shape })

/** Creates the schema of events, on demand because only saved states need it. */
function createEventSchema() {
  const id = recordId
  return z.discriminatedUnion('event', [
    z.strictObject({ atMs: z.int(), event: z.enum(plainEvents) }),
    define('goLive', { product: z.string() }),
    // The place of the member among those who leave the organization.
    define('handOver', { place: z.int().nonnegative() }),
    define('mergeDuplicate', {
      id,
      source: z.strictObject({ key: z.string(), externalId: z.string() }),
    }),
    define('cancelMeeting', { id }),
    define('postponeMeeting', { final: z.strictObject({ ...meetingEnd, startDate: meeting.startDate }) }),
    define('describeMeeting', { id }),
    define('addSummary', { id, summary: z.string(), nextSteps: meeting.nextSteps }),
    define('addTranscript', { id }),
    define('raiseSignal', { id }),
    // Without `final`, the signal is one of the dataset and gets its fields from there.
    define('workOnSignal', { id, final: z.strictObject(signalWork).optional() }),
    define('settleSignal', { id, final: z.strictObject(signalEnd) }),
    define('touchSignal', { id }),
    define('endSignal', { id }),
    define('logTrigger', { automationId: id, status: tables.triggerLogs.row.shape.status }),
    define('logAction', { automationId: id }),
  ])
}

/** An event of a customer at a time, as plain JSON: `atMs` is in milliseconds since 1970. */
export type ScheduledEvent = Readonly<z.infer<ReturnType<typeof createEventSchema>>>

type WithoutTime<A> = A extends unknown ? Omit<A, 'atMs'> : never

export type CustomerEvent = WithoutTime<ScheduledEvent>

export type SignalWork = Readonly<z.infer<z.ZodObject<typeof signalWork>>>
export type SignalEnd = Readonly<z.infer<z.ZodObject<typeof signalEnd>>>
export type MeetingEnd = Readonly<z.infer<z.ZodObject<typeof meetingEnd>>>
