import { buyProduct, goLive, renewContracts } from './contracts.ts'
import type { TimelineBuilder } from './customer-timeline.ts'
import type { CustomerEvent } from './events.ts'
import { handOver } from './handovers.ts'
import { describeMeeting, planMeeting, postponeMeeting, updateMeeting } from './meetings.ts'
import { refreshMetrics } from './metrics.ts'
import { addCustomer, duplicateCustomer, mergeDuplicate, removeCustomer } from './new-customers.ts'
import { planNextEvent } from './next-event.ts'
import {
  createSignal,
  endSignal,
  raiseSignal,
  settleSignal,
  touchSignal,
  workOnSignal,
  writeLog,
} from './signals.ts'
import { reassignRole, shiftUse, updateFacts, writeBrief, writeNote } from './updates.ts'

type Handlers = {
  readonly [E in CustomerEvent as E['event']]: (timeline: TimelineBuilder, event: E) => void
}

const handlers: Handlers = {
  planNextEvent,
  refreshMetrics,
  renewContracts,
  createSignal,
  planMeeting,
  writeNote,
  writeBrief,
  updateFacts,
  shiftUse,
  reassignRole,
  buyProduct,
  addCustomer,
  duplicateCustomer,
  removeCustomer,
  mergeDuplicate,
  goLive: (timeline, { product }) => goLive(timeline, product),
  handOver: (timeline, { place }) => handOver(timeline, place),
  cancelMeeting: (timeline, { id }) => timeline.remove('meetings', id),
  postponeMeeting: (timeline, { final }) => postponeMeeting(timeline, final),
  describeMeeting: (timeline, { id }) => describeMeeting(timeline, id),
  addSummary: (timeline, { id, summary, nextSteps }) => updateMeeting(timeline, id, { summary, nextSteps }),
  addTranscript: (timeline, { id }) => updateMeeting(timeline, id, { hasTranscript: true }),
  raiseSignal: (timeline, { id }) => raiseSignal(timeline, id),
  workOnSignal: (timeline, { id, final }) => workOnSignal(timeline, id, final),
  settleSignal: (timeline, { id, final }) => settleSignal(timeline, id, final),
  touchSignal: (timeline, { id }) => touchSignal(timeline, id),
  endSignal: (timeline, { id }) => endSignal(timeline, id),
  logTrigger: (timeline, event) => writeLog(timeline, 'triggers', event),
  logAction: (timeline, { automationId }) => writeLog(timeline, 'actions', { automationId, status: 'info' }),
}

export function applyEvent(timeline: TimelineBuilder, event: CustomerEvent): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the handler of this event
  const handle = handlers[event.event] as (timeline: TimelineBuilder, event: CustomerEvent) => void
  handle(timeline, event)
}
