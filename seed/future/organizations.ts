import type { Row } from '../../src/store/tables.ts'
import { NIGHT_HOUR, nightlyPosition } from '../automations/automation-plans.ts'
import { generateActionLog, generateTriggerLog } from '../automations/logs.ts'
import { findNight } from '../automations/nightly-runs.ts'
import { DAY, HOUR, instant, parseTime, startOfDay } from '../calendar/time.ts'
import { NIGHTS } from '../dataset/generated-ids.ts'
import { computeCommonLogId, computeFutureCommonId, computeId } from '../dataset/ids.ts'
import type { PlacedOrganization, Tenant } from '../dataset/tenant.ts'
import { enter, type Changes } from './customer-timeline.ts'
import type { World } from './living-dataset.ts'

/** The events of an organization since the dataset's time. */
export interface OfficeCounts {
  /** The number of members who have joined. */
  readonly joined: number
  /** The number of members who have left. */
  readonly left: number
  /** The number of logs of the nights: each night has two. */
  readonly logs: number
}

/** The events of an organization as a whole: colleagues who come and go, and the logs of every night. */
export interface Office extends OfficeCounts {
  readonly organization: PlacedOrganization
  /** Units: milliseconds since 1970. */
  readonly nextMs: number
}

/** The log that a night writes at a turn, and the one that is deleted for it. */
interface NightLog {
  readonly atMs: number
  enter(changes: Changes): void
}

/**
 * Schedules an organization's events.
 * @param counts what has happened so far
 */
export function beginOffice(
  world: World,
  organization: PlacedOrganization,
  counts: OfficeCounts = { joined: 0, left: 0, logs: 0 },
): Office {
  return withNext(world, { organization, ...counts })
}

/** Lets time pass in an organization. */
export function passOfficeTime(world: World, office: Office, toMs: number, changes: Changes): Office {
  let { joined, left, logs } = office
  const { organization } = office
  for (; ; joined += 1) {
    const { atMs, member } = world.joiner(organization, joined)
    if (atMs > toMs) break
    enter(changes, 'members', member.id, member)
  }
  const leavers = world.leavers(organization)
  for (let next = leavers[left]; next && next.atMs <= toMs; next = leavers[left]) {
    enter(changes, 'members', next.member.id, { ...next.member, leftDate: instant(next.atMs) })
    left += 1
  }
  for (let log = findLog(world, organization, logs); log && log.atMs <= toMs;) {
    log.enter(changes)
    logs += 1
    log = findLog(world, organization, logs)
  }
  return withNext(world, { organization, joined, left, logs })
}

function withNext(world: World, office: Omit<Office, 'nextMs'>): Office {
  const { organization, joined, left, logs } = office
  const joinsMs = world.joiner(organization, joined).atMs
  const leavesMs = world.leavers(organization)[left]?.atMs ?? Infinity
  const logMs = findLog(world, organization, logs)?.atMs ?? Infinity
  return { ...office, nextMs: Math.min(joinsMs, leavesMs, logMs) }
}

/** Generates the log of a turn: nights have one of their trigger and one of their action. */
function findLog(world: World, organization: PlacedOrganization, turn: number): NightLog | undefined {
  const { ordinal } = organization
  const { data } = world.source
  const automation = data.get('automations', computeId('definitions', ordinal, nightlyPosition))
  const isRunning =
    automation?.deactivatedDate === null && data.get('triggerLogs', computeCommonLogId(ordinal, 1))
  if (!isRunning) return undefined
  const night = Math.floor(turn / 2) + 1
  const nightMs = findNight(1, world.nowMs) + night * DAY
  const id = computeFutureCommonId(ordinal, toDay(world, nightMs))
  const outdated =
    night <= NIGHTS
      ? computeCommonLogId(ordinal, NIGHTS + 1 - night)
      : computeFutureCommonId(ordinal, toDay(world, nightMs - NIGHTS * DAY))
  const tenant = createNightTenant(world, organization, nightMs)
  const given = { organizationId: organization.id, automationId: automation.id }
  if (turn % 2 === 0) {
    const row = generateTriggerLog(id, given, tenant)
    return createNightLog(world, 'triggerLogs', row, outdated)
  }
  return createNightLog(world, 'actionLogs', generateActionLog(id, given, tenant), outdated)
}

const toDay = (world: World, timeMs: number): number => Math.floor((timeMs - startOfDay(world.nowMs)) / DAY)

function createNightLog<T extends 'triggerLogs' | 'actionLogs'>(
  world: World,
  table: T,
  row: Row<T>,
  outdated: number,
): NightLog {
  return {
    atMs: parseTime(row.createdDate),
    enter: (changes) => {
      enter(changes, table, row.id, row)
      if (!world.isStill(table, outdated)) enter(changes, table, outdated, null)
    },
  }
}

/** Creates the tenant on the morning after a night. */
function createNightTenant(world: World, organization: PlacedOrganization, nightMs: number): Tenant {
  return {
    seed: world.seed,
    nowMs: startOfDay(nightMs) + (NIGHT_HOUR + 2) * HOUR,
    data: world.source.data,
    calendar: undefined,
    organizationFor: () => organization,
    catalog: () => world.catalog(organization, nightMs),
    accountFor: () => {
      throw new RangeError('The log of a night has no customer.')
    },
  }
}
