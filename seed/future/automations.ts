import type { Row } from '../../src/store/tables.ts'
import { formatInstant } from '../calendar/time.ts'
import { computeId, computePartId } from '../dataset/ids.ts'
import { drawAt } from '../random/random.ts'
import type { CustomerTimeline } from './customer-timeline.ts'

/** Schedules the logs of an automation that starts after a delay. */
export function runAutomation(timeline: CustomerTimeline, position: number, delayMs: number): void {
  const { dataset, organization } = timeline
  const automationId = computeId('definitions', organization.ordinal, position)
  const automation = dataset.source.data.get('automations', automationId)
  if (automation?.deactivatedDate !== null) return
  const share = drawAt(timeline.hash, timeline.nowMs + position)
  const triggerMs = timeline.nowMs + delayMs + Math.floor(share * 9000)
  const hasFailed = share < 0.06
  const status = hasFailed ? 'failed' : 'info'
  timeline.schedule(triggerMs, (later) => writeLog(later, 'triggers', automationId, status))
  if (hasFailed) return
  const actionMs = triggerMs + 5000 + Math.floor(share * 20_000)
  timeline.schedule(actionMs, (later) => writeLog(later, 'actions', automationId, 'info'))
}

function writeLog(
  timeline: CustomerTimeline,
  part: 'triggers' | 'actions',
  automationId: number,
  status: Row<'triggerLogs'>['status'],
): void {
  const id = timeline.nextId(part === 'triggers' ? 'triggerLogs' : 'actionLogs')
  const partId = computePartId(automationId, 1)
  const automation = timeline.dataset.source.data.get('automations', automationId)
  if (id === 0 || !automation?.[part].some((each) => each.id === partId)) return
  const createdDate = formatInstant(timeline.nowMs)
  const log = { id, organizationId: timeline.organization.id, automationId, status, createdDate }
  if (part === 'triggers') timeline.put('triggerLogs', { ...log, triggerId: partId })
  else timeline.put('actionLogs', { ...log, actionId: partId })
}
