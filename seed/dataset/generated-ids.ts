import type { Row, TableName } from '../../src/store/tables.ts'
import type { Reader } from '../../src/store/texts.ts'
import { automationPlans } from '../automations/automations.ts'
import { HISTORY, findPeriod } from '../customers/history.ts'
import { measureAttention } from '../customers/segments.ts'
import { getStage, type Stage } from '../customers/stages.ts'
import { countProducts, listMetricIds, plansByTable } from '../definitions/definitions.ts'
import type { Fixture } from '../fixtures/fixtures.ts'
import { RecordKey } from '../random/record-key.ts'
import { listCustomerRows } from './customer-rows.ts'
import {
  computeId,
  computeLogId,
  computeNightlyLogId,
  computeSlotId,
  countMembers,
  getOrdinal,
  isFutureId,
  type Block,
} from './ids.ts'

interface Extent {
  readonly seed: number
  readonly size: number
  readonly fixture: Fixture
}

const countCustomers = (ordinal: number, size: number): number =>
  ordinal === 0 ? size : Math.max(3, Math.floor(size / 10))

export type OrganizationTable = Exclude<TableName, 'customers' | ChildTable>

export function listOrganizationIds(table: OrganizationTable, ordinal: number, extent: Extent): number[] {
  const listIds = (block: Block, count: number) =>
    upTo(count).map((position) => computeId(block, ordinal, position))
  if (table === 'automations')
    return automationPlans.map(({ position }) => computeId('definitions', ordinal, position))
  if (table === 'members') return listIds('members', countMembers(countCustomers(ordinal, extent.size)))
  const products = listIds('definitions', countProducts(extent.seed, ordinal))
  if (table === 'products') return products
  if (table === 'productMetrics') return products.flatMap((id) => listMetricIds(id, ordinal))
  return listIds('definitions', plansByTable[table].length)
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** Lists the ids of an organization's generated customers: the first ones not in its fixture. Order: ascending. */
export function listCustomerIds(ordinal: number, { size, fixture }: Extent): number[] {
  const { customers } = fixture.records
  const count = fixture.organizations.length
  const belongs = (id: number, organizationId: string | undefined) => {
    const block = getOrdinal('customers', id)
    const defaultId = fixture.organizations[block < count ? block : 0]?.id
    return (organizationId ?? defaultId) === fixture.organizations[ordinal]?.id
  }
  const inFixture = [...customers].filter(([id, { fields }]) => belongs(id, fields.organizationId)).length
  const ids: number[] = []
  for (let position = 1; ids.length < countCustomers(ordinal, size) - inFixture; position += 1) {
    const id = computeId('customers', ordinal, position)
    if (!customers.has(id)) ids.push(id)
  }
  return ids
}

export const childTables = [
  'signals',
  'meetings',
  'notes',
  'briefContents',
  'triggerLogs',
  'actionLogs',
] as const

export type ChildTable = (typeof childTables)[number]

export const isChildTable = (table: TableName): table is ChildTable =>
  childTables.some((name) => name === table)

type Range = readonly [min: number, max: number]

type CountedTable = Exclude<ChildTable, 'actionLogs'>

const counts: Readonly<
  Record<CountedTable, Readonly<Partial<Record<Stage, Range>>> & { readonly usual: Range }>
> = {
  signals: { usual: [2, 7], atRisk: [3, 8], onboarding: [1, 3], prospect: [0, 2], churned: [2, 6] },
  meetings: { usual: [1, 8], prospect: [0, 2], churned: [1, 6] },
  notes: { usual: [0, 4] },
  briefContents: { usual: [0, 4], prospect: [0, 1] },
  triggerLogs: { usual: [0, 2] },
}

const DEVIATION = 0.9

export function listChildIds(table: ChildTable, customer: Row<'customers'>, seed: number): number[] {
  const counted = table === 'actionLogs' ? 'triggerLogs' : table
  const faker = new RecordKey(seed, 'customers', customer.id).faker('count of', counted)
  const [min, max] = counts[counted][getStage(customer)] ?? counts[counted].usual
  const attention = measureAttention(customer)
  const isForgotten = faker.datatype.boolean(0.08) && attention < 0.4
  const usual = min + (max - min) * attention + faker.number.float({ min: -DEVIATION, max: DEVIATION })
  const count = isForgotten ? 0 : Math.min(max, Math.max(min, Math.round(usual)))
  const computeRowId = counted === 'triggerLogs' ? computeLogId : computeSlotId
  return upTo(count).map((slot) => computeRowId(customer.id, slot))
}

/**
 * Lists the rows of a customer that are there before its logs and briefs: those that are generated, and those that time has
 * brought. Order: by id.
 */
export function listEarlierRows<T extends 'signals' | 'meetings' | 'notes'>(
  table: T,
  customer: Row<'customers'>,
  { data, seed }: { readonly data: Reader; readonly seed: number },
): Row<T>[] {
  const generated = new Set(listChildIds(table, customer, seed))
  return listCustomerRows(table, customer, data).filter(({ id }) => generated.has(id) || isFutureId(id))
}

const growing: ReadonlySet<ChildTable> = new Set(['signals', 'meetings', 'notes'])

/** Lists the ids of the rows that a customer has at a time: fewer for one that came lately. Order: ascending. */
export function listIdsAt(
  table: ChildTable,
  customer: Row<'customers'>,
  seed: number,
  nowMs: number,
): number[] {
  const ids = listChildIds(table, customer, seed)
  if (!growing.has(table) || customer.products.length === 0) return ids
  const { fromMs } = findPeriod(customer, nowMs, seed)
  return ids.slice(0, Math.ceil((ids.length * (nowMs - fromMs)) / HISTORY))
}

export const NIGHTLY_LOGS = 300

export function listNightlyLogIds(ordinal: number): number[] {
  return upTo(NIGHTLY_LOGS).map((place) => computeNightlyLogId(ordinal, place))
}
