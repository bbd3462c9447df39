import { type Change, type Row, toChange } from '../../src/store/tables.ts'
import { NIGHT_HOUR, findNightlyHour, nightlyPosition } from '../automations/automations.ts'
import { generateActionLog, generateTriggerLog } from '../automations/logs.ts'
import { DAY, HOUR, formatInstant, startOfDay } from '../calendar/time.ts'
import { NIGHTLY_LOGS } from '../dataset/generated-ids.ts'
import { computeFutureOrganizationId, computeId, computeNightlyLogId } from '../dataset/ids.ts'
import { createTenant, type PlacedOrganization } from '../dataset/tenant.ts'
import type { LivingDataset } from './living-dataset.ts'

/** Something that happens to no customer. Units: milliseconds since 1970. */
export interface TenantEvent {
  readonly atMs: number
  readonly changes: readonly Change[]
}

/** Lists what happens to an organization after a time: all movements, and the logs of the nights up to another time. */
export type ListOrganizationEvents = (afterMs: number, toMs: number) => TenantEvent[]

/** Creates the lister of an organization: who joins and leaves, and its nightly logs. Each event is made once. */
export function createOrganizationEvents(
  dataset: LivingDataset,
  organization: PlacedOrganization,
): ListOrganizationEvents {
  const movements = listMovements(dataset, organization)
  const nights: TenantEvent[][] = []
  const firstNightMs = findNightlyHour(1, dataset.nowMs)
  return (afterMs, toMs) => {
    const last = Math.floor((toMs - firstNightMs) / DAY)
    const events = [...movements]
    for (let night = Math.max(1, Math.floor((afterMs - firstNightMs) / DAY)); night <= last; night += 1) {
      events.push(...(nights[night] ??= listLogs(dataset, organization, night)))
    }
    return events.filter(({ atMs }) => atMs > afterMs)
  }
}

function listMovements(dataset: LivingDataset, organization: PlacedOrganization): TenantEvent[] {
  const leavers = dataset
    .listLeavers(organization)
    .map(({ atMs, member }) => ({ atMs, member: { ...member, leftDate: formatInstant(atMs) } }))
  return [...dataset.listJoiners(organization), ...leavers].map(({ atMs, member }) => ({
    atMs,
    changes: [toChange('members', member.id, member)],
  }))
}

/** Lists the logs of a night, counted from 1: each of them drops the oldest one. */
function listLogs(
  dataset: LivingDataset,
  { id: organizationId, ordinal }: PlacedOrganization,
  night: number,
): TenantEvent[] {
  const { source, seed, nowMs } = dataset
  const { data } = source
  const automation = data.get('automations', computeId('definitions', ordinal, nightlyPosition))
  const hasLogs = data.get('triggerLogs', computeNightlyLogId(ordinal, 1)) !== undefined
  if (automation?.deactivatedDate !== null || !hasLogs) return []
  const nightMs = findNightlyHour(1, nowMs) + night * DAY
  const toId = (timeMs: number): number =>
    computeFutureOrganizationId(ordinal, Math.floor((timeMs - startOfDay(nowMs)) / DAY))
  const outdated =
    night <= NIGHTLY_LOGS
      ? computeNightlyLogId(ordinal, NIGHTLY_LOGS + 1 - night)
      : toId(nightMs - NIGHTLY_LOGS * DAY)
  const createEvent = <T extends 'triggerLogs' | 'actionLogs'>(table: T, row: Row<T>): TenantEvent => {
    const changes = [toChange(table, row.id, row)]
    if (!dataset.isStatic(table, outdated)) changes.push(toChange(table, outdated, null))
    return { atMs: Date.parse(row.createdDate), changes }
  }
  const now = formatInstant(startOfDay(nightMs) + (NIGHT_HOUR + 2) * HOUR)
  const tenant = createTenant({ seed, now, data })
  const fields = { organizationId, automationId: automation.id }
  return [
    createEvent('triggerLogs', generateTriggerLog(toId(nightMs), fields, tenant)),
    createEvent('actionLogs', generateActionLog(toId(nightMs), fields, tenant)),
  ]
}
