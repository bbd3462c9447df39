import { buyProduct, goLive, renewContracts } from './contracts.ts'
import type { TimelineBuilder } from './customer-timeline.ts'
import type { CustomerEvent, PlainEvent } from './events.ts'
import { handOver } from './handovers.ts'
import { describeMeeting, planMeeting, postponeMeeting, updateMeeting } from './meetings.ts'
import { refreshMetrics } from './metrics.ts'
import { addCustomer, duplicateCustomer, mergeDuplicate, removeCustomer } from './new-customers.ts'
import { planNextEvent } from './next-event.ts'
import {
  createSignal,
  endSignal,
  logAction,
  logTrigger,
  raiseSignal,
  settleSignal,
  touchSignal,
  workOnSignal,
} from './signals.ts'
import { reassignRole, shiftUse, updateFacts, writeBrief, writeNote } from './updates.ts'

const plainEvents: Readonly<Record<PlainEvent, (timeline: TimelineBuilder) => void>> = {
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
}

export function applyEvent(timeline: TimelineBuilder, event: CustomerEvent): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the compiler checks that the default has the others
  switch (event.event) {
    case 'goLive':
      return goLive(timeline, event.product)
    case 'handOver':
      return handOver(timeline, event.place)
    case 'mergeDuplicate':
      return mergeDuplicate(timeline, event)
    case 'cancelMeeting':
      return timeline.remove('meetings', event.id)
    case 'postponeMeeting':
      return postponeMeeting(timeline, event.final)
    case 'describeMeeting':
      return describeMeeting(timeline, event.id)
    case 'addSummary': {
      const { id, summary, nextSteps } = event
      return updateMeeting(timeline, id, { summary, nextSteps })
    }
    case 'addTranscript':
      return updateMeeting(timeline, event.id, { hasTranscript: true })
    case 'raiseSignal':
      return raiseSignal(timeline, event.id)
    case 'workOnSignal':
      return workOnSignal(timeline, event.id, event.final)
    case 'settleSignal':
      return settleSignal(timeline, event.id, event.final)
    case 'touchSignal':
      return touchSignal(timeline, event.id)
    case 'endSignal':
      return endSignal(timeline, event.id)
    case 'logTrigger':
      return logTrigger(timeline, event)
    case 'logAction':
      return logAction(timeline, event.automationId)
    default:
      return plainEvents[event.event](timeline)
  }
}
