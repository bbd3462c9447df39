import { checkReferences } from '../src/store/references.ts'
import { type Row, type Rows, type TableName, tableNames } from '../src/store/tables.ts'
import type { OrganizationRow } from '../src/store/tables/members.ts'
import { withoutGeneratedText } from '../src/store/texts.ts'
import { fixtureError } from './fixture-errors.ts'
import type { FixtureRecord } from './fixture-file.ts'
import type { Fixture } from './fixture-layers.ts'
import { resolveTimes } from './fixture-times.ts'
import {
  listChildIds,
  type ChildTable,
  childTables,
  listCustomerIds,
  listMeetingIds,
  listNightlyLogIds,
  listOwnIds,
  type OwnTable,
} from './generated-ids.ts'
import { generateRow } from './generators.ts'
import { GrowingData } from './growing-data.ts'
import { MeetingCalendar } from './meeting-calendar.ts'
import { createTenant, type Tenant } from './tenant.ts'
import { createTexts } from './texts.ts'
import { parseTime } from './time.ts'

/** The inputs that a dataset is generated from. */
export interface GenerationRequest {
  readonly seed: number
  /** The customers of the first organization, including the fixture's; all others have a tenth, at least 3. */
  readonly size: number
  /** Units: ISO 8601. */
  readonly now: string
  readonly fixture: Fixture
}

/** The tables without customers, in the order in which they refer to each other. */
const definitions = [
  'members',
  'memberRoles',
  'customFields',
  'noteCategories',
  'briefs',
  'products',
  'productMetrics',
] as const satisfies readonly OwnTable[]

/** Generates the rows of all tables and merges those of the fixture. Errors: as `generate`. */
export function layDataset(request: GenerationRequest): {
  organizations: readonly OrganizationRow[]
  rows: Rows
} {
  const { fixture } = request
  const data = new GrowingData(fixture.organizations)
  const tenant = createTenant({ ...request, data }, new MeetingCalendar())
  const layer: Layer = { ...request, data, tenant }
  if (fixture.isComplete) return loadComplete(layer)
  const ordinals = fixture.organizations.map((_, ordinal) => ordinal)
  for (const table of definitions) {
    generateTable(
      table,
      mergeIds(
        table,
        ordinals.flatMap((ordinal) => listOwnIds(table, ordinal, request)),
        layer,
      ),
      layer,
    )
  }
  const generated = fixture.generated ? ordinals : []
  const automationIds = generated.flatMap((ordinal) => listOwnIds('automations', ordinal, request))
  generateTable('automations', mergeIds('automations', automationIds, layer), layer)
  const ids = generated.flatMap((ordinal) => listCustomerIds(ordinal, request))
  generateTable('customers', mergeIds('customers', ids, layer), layer)
  for (const ordinal of generated) {
    generateTable('triggerLogs', listNightlyLogIds(ordinal), layer)
    generateTable('actionLogs', listNightlyLogIds(ordinal), layer)
  }
  /** Meetings of the fixture come first, because generated ones avoid them. */
  generateRest('meetings', layer)
  for (const id of ids) generateChildren(id, layer)
  for (const table of childTables) generateRest(table, layer)
  for (const table of tableNames) check(table, layer)
  for (const table of tableNames) data.sort(table)
  return { organizations: fixture.organizations, rows: data.rows }
}

/** Loads the records of a complete fixture; drops texts that would be generated identically. */
function loadComplete(layer: Layer): { organizations: readonly OrganizationRow[]; rows: Rows } {
  const { fixture, data, seed } = layer
  const texts = createTexts(seed)
  const whole = new GrowingData(fixture.organizations)
  for (const table of tableNames) {
    for (const record of fixture.records[table].values()) addWhole(table, record, layer, whole)
  }
  for (const table of tableNames) {
    for (const row of whole.rows[table]) data.add(table, withoutGeneratedText(table, row, texts, whole))
  }
  for (const table of tableNames) check(table, layer)
  for (const table of tableNames) data.sort(table)
  return { organizations: fixture.organizations, rows: data.rows }
}

function addWhole<T extends TableName>(
  table: T,
  record: FixtureRecord<T>,
  layer: Layer,
  data: GrowingData,
): void {
  requireParents(table, record, { ...layer, data })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file's schema has validated that the record has all fields
  data.add(table, resolveTimes(record.given, parseTime(layer.now)) as Row<T>)
}

interface Layer extends GenerationRequest {
  readonly data: GrowingData
  readonly tenant: Tenant
}

/** Merges generated ids and those of the fixture. Order: ascending. */
function mergeIds(table: TableName, ids: readonly number[], { fixture }: Layer): number[] {
  return [...new Set([...ids, ...fixture.records[table].keys()])].toSorted((a, b) => a - b)
}

function generateTable(table: TableName, ids: readonly number[], layer: Layer): void {
  const records = layer.fixture.records[table]
  for (const id of ids) {
    const record = records.get(id)
    if (record) requireParents(table, record, layer)
    const given = record && resolveTimes(record.given, parseTime(layer.now))
    layer.data.add(table, generateRow(table, id, given, layer.tenant))
  }
}

/** Generates the rows of a customer, all at once, so that the customer is read only once. */
function generateChildren(customerId: number, layer: Layer): void {
  const customer = layer.data.get('customers', customerId)
  if (!customer) return
  for (const table of childTables) {
    const ids =
      table === 'meetings' ? listNewMeetingIds(customer, layer) : listChildIds(table, customer, layer.seed)
    generateTable(table, ids, layer)
  }
}

/** Lists the ids of a customer's meetings without those of the fixture, which have been generated already. */
function listNewMeetingIds(customer: Row<'customers'>, { seed, tenant, fixture }: Layer): number[] {
  return listMeetingIds(customer, seed, tenant.nowMs).filter((id) => !fixture.records.meetings.has(id))
}

/** Generates the records of the fixture that have not been generated yet. */
function generateRest(table: ChildTable, layer: Layer): void {
  const ids = [...layer.fixture.records[table].keys()]
  const left = ids.filter((id) => !layer.data.get(table, id))
  generateTable(
    table,
    left.toSorted((a, b) => a - b),
    layer,
  )
}

/** The rows that another row requires. */
const parents = [
  { field: 'customerId', table: 'customers', noun: 'customer' },
  { field: 'automationId', table: 'automations', noun: 'automation' },
] as const

/** Throws `invalid_request` if the organization, customer or automation of a record does not exist. */
function requireParents<T extends TableName>(
  table: T,
  { place, given }: FixtureRecord<T>,
  { data, fixture }: Layer,
): void {
  const reject = (field: string, value: unknown, noun: string) => {
    const [message, remedy] = [`${String(value)} matches no ${noun}`, `Add the ${noun} or change the id`]
    throw fixtureError(fixture.name, { path: `${place}.${field}`, message, remedy })
  }
  const { organizationId } = given
  const isKnown = data.organizations.some(({ id }) => id === organizationId)
  if (organizationId !== undefined && !isKnown) reject('organizationId', organizationId, 'organization')
  for (const parent of parents) {
    const id: unknown = Reflect.get(given, parent.field)
    if (typeof id === 'number' && !data.get(parent.table, id)) reject(parent.field, id, parent.noun)
  }
  const isLog = table === 'triggerLogs' || table === 'actionLogs'
  const [needed, noun] = isLog
    ? (['automations', 'automation'] as const)
    : (['customers', 'customer'] as const)
  if (childTables.some((name) => name === table) && data.rows[needed].length === 0) {
    const message = `needs an ${noun}, but there is none`.replace('an customer', 'a customer')
    throw fixtureError(fixture.name, { path: place, message, remedy: 'Add one' })
  }
}

/** Throws `invalid_request` if a record of the fixture has a dangling reference. */
function check(table: TableName, { data, fixture }: Layer): void {
  for (const [id, { place }] of fixture.records[table]) {
    const row = data.get(table, id)
    const [fault] = row ? checkReferences(table, row, data) : []
    if (fault) throw fixtureError(fixture.name, { ...fault, path: `${place}.${fault.path}` })
  }
}
