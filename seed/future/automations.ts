import type { Row } from '../../src/store/tables.ts'
import type { Occasion } from '../automations/occasions.ts'
import { formatInstant } from '../calendar/time.ts'
import { computeId, computePartId } from '../dataset/ids.ts'
import { drawAt } from '../random/random.ts'
import type { CustomerTimeline } from './customer-timeline.ts'

/** Schedules the logs of an automation that a trigger, by default its first, starts after a delay. */
export function runAutomation(
  timeline: CustomerTimeline,
  { position, trigger = 0 }: Pick<Occasion, 'position' | 'trigger'>,
  delayMs: number,
): void {
  const { dataset, organization } = timeline
  const automationId = computeId('definitions', organization.ordinal, position)
  const automation = dataset.source.data.get('automations', automationId)
  if (automation?.deactivatedDate !== null) return
  const share = drawAt(timeline.hash, timeline.nowMs + position)
  const triggerMs = timeline.nowMs + delayMs + Math.floor(share * 9000)
  const hasFailed = share < 0.06
  const status = hasFailed ? 'failed' : 'info'
  timeline.schedule(triggerMs, (later) =>
    writeLog(later, { part: 'triggers', place: trigger }, automation, status),
  )
  if (hasFailed) return
  const actionMs = triggerMs + 5000 + Math.floor(share * 20_000)
  timeline.schedule(actionMs, (later) => writeLog(later, { part: 'actions', place: 0 }, automation, 'info'))
}

function writeLog(
  timeline: CustomerTimeline,
  { part, place }: { readonly part: 'triggers' | 'actions'; readonly place: number },
  automation: Row<'automations'>,
  status: Row<'triggerLogs'>['status'],
): void {
  const id = timeline.nextId(part === 'triggers' ? 'triggerLogs' : 'actionLogs')
  const automationId = automation.id
  const partId = computePartId(automationId, place + 1)
  if (id === 0 || !automation[part].some((each) => each.id === partId)) return
  const createdDate = formatInstant(timeline.nowMs)
  const log = { id, organizationId: timeline.organization.id, automationId, status, createdDate }
  if (part === 'triggers') timeline.put('triggerLogs', { ...log, triggerId: partId })
  else timeline.put('actionLogs', { ...log, actionId: partId })
}
