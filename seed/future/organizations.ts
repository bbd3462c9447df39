import type { Row } from '../../src/store/tables.ts'
import { NIGHT_HOUR, findNightlyHour, nightlyPosition } from '../automations/automation-plans.ts'
import { generateActionLog, generateTriggerLog } from '../automations/logs.ts'
import { DAY, HOUR, formatInstant, parseTime, startOfDay } from '../calendar/time.ts'
import { NIGHTLY_LOGS } from '../dataset/generated-ids.ts'
import { computeFutureOrganizationId, computeId, computeNightlyLogId } from '../dataset/ids.ts'
import { createTenant, type PlacedOrganization } from '../dataset/tenant.ts'
import { recordChange, type Changes } from './customer-timeline.ts'
import type { LivingDataset } from './living-dataset.ts'

export interface OrganizationCounts {
  readonly joined: number
  readonly left: number
  /** The nightly logs: each night has two. */
  readonly logs: number
}

export interface OrganizationTimeline extends OrganizationCounts {
  readonly organization: PlacedOrganization
  readonly nextMs: number
}

interface NightlyLog {
  readonly atMs: number
  record(changes: Changes): void
}

export function beginOrganization(
  dataset: LivingDataset,
  organization: PlacedOrganization,
  { joined, left, logs }: OrganizationCounts = { joined: 0, left: 0, logs: 0 },
): OrganizationTimeline {
  const joinsMs = dataset.getJoiner(organization, joined).atMs
  const leavesMs = dataset.listLeavers(organization)[left]?.atMs ?? Infinity
  const logMs = generateLog(dataset, organization, logs)?.atMs ?? Infinity
  return { organization, joined, left, logs, nextMs: Math.min(joinsMs, leavesMs, logMs) }
}

export function advanceOrganization(
  dataset: LivingDataset,
  timeline: OrganizationTimeline,
  toMs: number,
  changes: Changes,
): OrganizationTimeline {
  let { joined, left, logs } = timeline
  const { organization } = timeline
  for (; ; joined += 1) {
    const { atMs, member } = dataset.getJoiner(organization, joined)
    if (atMs > toMs) break
    recordChange(changes, 'members', member.id, member)
  }
  const leavers = dataset.listLeavers(organization)
  for (let next = leavers[left]; next && next.atMs <= toMs; next = leavers[left]) {
    recordChange(changes, 'members', next.member.id, { ...next.member, leftDate: formatInstant(next.atMs) })
    left += 1
  }
  for (let log = generateLog(dataset, organization, logs); log && log.atMs <= toMs;) {
    log.record(changes)
    logs += 1
    log = generateLog(dataset, organization, logs)
  }
  return beginOrganization(dataset, organization, { joined, left, logs })
}

/** Generates the nightly log of a turn, counted from 0: each night has one of the trigger and then one of the action. */
function generateLog(
  dataset: LivingDataset,
  organization: PlacedOrganization,
  turn: number,
): NightlyLog | undefined {
  const { ordinal } = organization
  const { data } = dataset.source
  const automation = data.get('automations', computeId('definitions', ordinal, nightlyPosition))
  const isRunning =
    automation?.deactivatedDate === null && data.get('triggerLogs', computeNightlyLogId(ordinal, 1))
  if (!isRunning) return undefined
  const night = Math.floor(turn / 2) + 1
  const nightMs = findNightlyHour(1, dataset.nowMs) + night * DAY
  const id = computeFutureOrganizationId(ordinal, toDay(dataset, nightMs))
  const outdated =
    night <= NIGHTLY_LOGS
      ? computeNightlyLogId(ordinal, NIGHTLY_LOGS + 1 - night)
      : computeFutureOrganizationId(ordinal, toDay(dataset, nightMs - NIGHTLY_LOGS * DAY))
  const now = formatInstant(startOfDay(nightMs) + (NIGHT_HOUR + 2) * HOUR)
  const tenant = createTenant({ seed: dataset.seed, now, data })
  const fields = { organizationId: organization.id, automationId: automation.id }
  if (turn % 2 === 0) {
    const row = generateTriggerLog(id, fields, tenant)
    return createNightlyLog(dataset, 'triggerLogs', row, outdated)
  }
  return createNightlyLog(dataset, 'actionLogs', generateActionLog(id, fields, tenant), outdated)
}

const toDay = (dataset: LivingDataset, timeMs: number): number =>
  Math.floor((timeMs - startOfDay(dataset.nowMs)) / DAY)

function createNightlyLog<T extends 'triggerLogs' | 'actionLogs'>(
  dataset: LivingDataset,
  table: T,
  row: Row<T>,
  outdated: number,
): NightlyLog {
  return {
    atMs: parseTime(row.createdDate),
    record: (changes) => {
      recordChange(changes, table, row.id, row)
      if (!dataset.isStatic(table, outdated)) recordChange(changes, table, outdated, null)
    },
  }
}
