import type { SimpleFaker } from '@faker-js/faker'

import { invalidRequest } from '../src/contract/errors.ts'
import type { Row } from '../src/store/tables.ts'
import { eventPositions, nightlyPosition } from './automation-plans.ts'
import { mostlySmall } from './fakers.ts'
import { getCommonLogPosition, computeId, getLogOrdinal } from './ids.ts'
import { RecordKey } from './record-key.ts'
import type { Tenant } from './tenant.ts'
import { DAY, HOUR, instant, startOfDay } from './time.ts'

type Automation = Row<'automations'>
type Part = 'triggers' | 'actions'

/** Generates a trigger log entry; its message is generated when it is read. */
export function generateTriggerLog(
  id: number,
  given: Partial<Row<'triggerLogs'>>,
  tenant: Tenant,
): Row<'triggerLogs'> {
  const key = new RecordKey(tenant.seed, 'triggerLogs', id)
  const automation = automationFor(
    id,
    { ...given, part: 'triggers', computePartId: given.triggerId },
    key,
    tenant,
  )
  const { id: triggerId } = findPart(id, automation, 'triggers', key.faker('part'))
  return { ...commonFields(id, automation, key, tenant.nowMs), triggerId }
}

/** Generates an action log entry; its message is generated when it is read. */
export function generateActionLog(
  id: number,
  given: Partial<Row<'actionLogs'>>,
  tenant: Tenant,
): Row<'actionLogs'> {
  const key = new RecordKey(tenant.seed, 'actionLogs', id)
  const automation = automationFor(
    id,
    { ...given, part: 'actions', computePartId: given.actionId },
    key,
    tenant,
  )
  const { id: actionId } = findPart(id, automation, 'actions', key.faker('part'))
  return { ...commonFields(id, automation, key, tenant.nowMs), actionId }
}

interface Wanted {
  readonly organizationId?: string
  readonly automationId?: number
  readonly part: Part
  readonly computePartId: number | undefined
}

/** Finds the given automation, or the one with the given part, or else one that writes such logs. */
function automationFor(id: number, wanted: Wanted, key: RecordKey, tenant: Tenant): Automation {
  const { data } = tenant
  const ordinal = getLogOrdinal(id)
  const block = computeId('definitions', ordinal, 1)
  if (wanted.automationId !== undefined) {
    const given = data.get('automations', wanted.automationId)
    if (!given) throw missing(`${wanted.automationId} matches no automation`)
    return given
  }
  if (wanted.computePartId === undefined && wanted.organizationId === undefined) {
    const position =
      getCommonLogPosition(id) === undefined
        ? key.faker('automation').helpers.arrayElement(eventPositions)
        : nightlyPosition
    const usual = data.get('automations', computeId('definitions', ordinal, position))
    if (usual && usual[wanted.part].length > 0) return usual
  }
  const organization = tenant.organizationFor('definitions', block, wanted.organizationId)
  const automations = data.list('automations', organization.id).filter((row) => row[wanted.part].length > 0)
  const found =
    automations.find((row) => row[wanted.part].some((part) => part.id === wanted.computePartId)) ??
    automations[0]
  if (!found) throw missing(`there is no automation with ${wanted.part}`)
  return found
}

const missing = (message: string) => invalidRequest([{ in: 'body', name: 'automationId', message }])

/** Finds the part that wrote a log; every night it is the same one. */
function findPart(
  id: number,
  automation: Automation,
  part: Part,
  faker: SimpleFaker,
): { readonly id: number } {
  const [first, ...others] = automation[part]
  if (!first) throw missing(`automation ${automation.id} has no ${part}`)
  return getCommonLogPosition(id) === undefined ? faker.helpers.arrayElement([first, ...others]) : first
}

type CommonFields = Omit<Row<'triggerLogs'>, 'triggerId' | 'message'>

function commonFields(id: number, automation: Automation, key: RecordKey, nowMs: number): CommonFields {
  const night = getCommonLogPosition(id)
  return {
    id,
    organizationId: automation.organizationId,
    automationId: automation.id,
    status: key.faker('status').datatype.boolean(0.07) ? 'failed' : 'info',
    createdDate: instant(night === undefined ? eventTime(key, nowMs) : nightTime(night, key, nowMs)),
  }
}

const eventTime = (key: RecordKey, nowMs: number): number =>
  Math.floor(
    nowMs - key.faker('age').number.float({ min: HOUR / 4, max: 200 * DAY, distributor: mostlySmall }),
  )

/** Generates a time shortly after two in the morning. */
function nightTime(night: number, key: RecordKey, nowMs: number): number {
  const lastMs = startOfDay(nowMs - 3 * HOUR) + 2 * HOUR
  return lastMs - (night - 1) * DAY + key.faker('delay').number.int({ min: 0, max: 95_000 })
}
