import type { Row } from '../../src/store/tables.ts'
import { NIGHT_HOUR, nightlyPosition } from '../automations/automation-plans.ts'
import { generateActionLog, generateTriggerLog } from '../automations/logs.ts'
import { findNightlyHour } from '../automations/nightly-runs.ts'
import { DAY, HOUR, formatInstant, parseTime, startOfDay } from '../calendar/time.ts'
import { NIGHTLY_LOGS } from '../dataset/generated-ids.ts'
import { computeFutureOrganizationId, computeId, computeNightlyLogId } from '../dataset/ids.ts'
import type { PlacedOrganization, Tenant } from '../dataset/tenant.ts'
import { recordChange, type Changes } from './customer-timeline.ts'
import type { LivingDataset } from './living-dataset.ts'

/** The events of an organization since the dataset's time. */
export interface OrganizationCounts {
  /** The number of members who have joined. */
  readonly joined: number
  /** The number of members who have left. */
  readonly left: number
  /** The number of logs of the nights: each night has two. */
  readonly logs: number
}

/** The events of an organization as a whole: colleagues who come and go, and the logs of every night. */
export interface OrganizationTimeline extends OrganizationCounts {
  readonly organization: PlacedOrganization
  /** Units: milliseconds since 1970. */
  readonly nextMs: number
}

/** The log that a night writes at a turn, and the one that is deleted for it. */
interface NightlyLog {
  readonly atMs: number
  recordChange(changes: Changes): void
}

/**
 * Schedules an organization's events.
 * @param counts what has happened so far
 */
export function beginOrganization(
  dataset: LivingDataset,
  organization: PlacedOrganization,
  counts: OrganizationCounts = { joined: 0, left: 0, logs: 0 },
): OrganizationTimeline {
  return withNextTime(dataset, { organization, ...counts })
}

/** Lets time pass in an organization. */
export function advanceOrganization(
  dataset: LivingDataset,
  office: OrganizationTimeline,
  toMs: number,
  changes: Changes,
): OrganizationTimeline {
  let { joined, left, logs } = office
  const { organization } = office
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
  for (let log = findLog(dataset, organization, logs); log && log.atMs <= toMs;) {
    log.recordChange(changes)
    logs += 1
    log = findLog(dataset, organization, logs)
  }
  return withNextTime(dataset, { organization, joined, left, logs })
}

function withNextTime(
  dataset: LivingDataset,
  office: Omit<OrganizationTimeline, 'nextMs'>,
): OrganizationTimeline {
  const { organization, joined, left, logs } = office
  const joinsMs = dataset.getJoiner(organization, joined).atMs
  const leavesMs = dataset.listLeavers(organization)[left]?.atMs ?? Infinity
  const logMs = findLog(dataset, organization, logs)?.atMs ?? Infinity
  return { ...office, nextMs: Math.min(joinsMs, leavesMs, logMs) }
}

/** Generates the log of a turn: nights have one of their trigger and one of their action. */
function findLog(
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
  const tenant = createNightlyTenant(dataset, organization, nightMs)
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
    recordChange: (changes) => {
      recordChange(changes, table, row.id, row)
      if (!dataset.isStatic(table, outdated)) recordChange(changes, table, outdated, null)
    },
  }
}

/** Creates the tenant on the morning after a night. */
function createNightlyTenant(
  dataset: LivingDataset,
  organization: PlacedOrganization,
  nightMs: number,
): Tenant {
  return {
    seed: dataset.seed,
    nowMs: startOfDay(nightMs) + (NIGHT_HOUR + 2) * HOUR,
    data: dataset.source.data,
    calendar: undefined,
    findOrganization: () => organization,
    getCatalog: () => dataset.getCatalog(organization, nightMs),
    findAccount: () => {
      throw new RangeError('The log of a night has no customer.')
    },
  }
}
