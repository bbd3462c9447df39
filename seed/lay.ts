import { danglingReferences } from '../src/store/references.ts'
import type { OrganizationRow } from '../src/store/rows.ts'
import { type Row, type Rows, type TableName, tableNames } from '../src/store/tables.ts'
import { withoutDrawnText } from '../src/store/whole.ts'
import { draftRow } from './drafters.ts'
import { fixtureError } from './fixture-errors.ts'
import type { FixtureRecord } from './fixture-file.ts'
import type { Fixture } from './fixture-layers.ts'
import { withTimesAt } from './fixture-times.ts'
import {
  childIds,
  type ChildTable,
  childTables,
  customerIds,
  nightlyLogIds,
  ownIds,
  type OwnTable,
} from './generated-ids.ts'
import { GrowingData } from './growing-data.ts'
import { createTenant, type Tenant } from './tenant.ts'
import { createTexts } from './texts.ts'
import { timeOf } from './time.ts'

/** What a dataset is generated from. */
export interface GenerationRequest {
  readonly seed: number
  /** Customers of the first organization, the fixture's included; each further one has a tenth, at least 3. */
  readonly size: number
  /** Units: ISO 8601. */
  readonly now: string
  readonly fixture: Fixture
}

/** The tables that stand without customers, in the order in which they refer to each other. */
const definitions = [
  'members',
  'memberRoles',
  'customFields',
  'noteCategories',
  'briefs',
  'products',
  'productMetrics',
] as const satisfies readonly OwnTable[]

/** Lays the generated rows and those of the fixture, table by table. Errors: as `generate`. */
export function layDataset(request: GenerationRequest): {
  organizations: readonly OrganizationRow[]
  rows: Rows
} {
  const { fixture } = request
  const data = new GrowingData(fixture.organizations)
  const layer: Layer = { ...request, data, tenant: createTenant({ ...request, data }) }
  if (fixture.isComplete) return layComplete(layer)
  const ordinals = fixture.organizations.map((_, ordinal) => ordinal)
  for (const table of definitions) {
    lay(
      table,
      withFixture(
        table,
        ordinals.flatMap((ordinal) => ownIds(table, ordinal, request)),
        layer,
      ),
      layer,
    )
  }
  const generated = fixture.generated ? ordinals : []
  const automationIds = generated.flatMap((ordinal) => ownIds('automations', ordinal, request))
  lay('automations', withFixture('automations', automationIds, layer), layer)
  const ids = generated.flatMap((ordinal) => customerIds(ordinal, request))
  lay('customers', withFixture('customers', ids, layer), layer)
  for (const ordinal of generated) {
    lay('triggerLogs', nightlyLogIds(ordinal), layer)
    lay('actionLogs', nightlyLogIds(ordinal), layer)
  }
  for (const id of ids) layChildren(id, layer)
  for (const table of childTables) layRest(table, layer)
  for (const table of tableNames) check(table, layer)
  for (const table of tableNames) data.sort(table)
  return { organizations: fixture.organizations, rows: data.rows }
}

/** Lays the records of a fixture that has all of them; a text that would be drawn just so is not kept. */
function layComplete(layer: Layer): { organizations: readonly OrganizationRow[]; rows: Rows } {
  const { fixture, data, seed } = layer
  const texts = createTexts(seed)
  const whole = new GrowingData(fixture.organizations)
  for (const table of tableNames) {
    for (const record of fixture.records[table].values()) addWhole(table, record, layer, whole)
  }
  for (const table of tableNames) {
    for (const row of whole.rows[table]) data.add(table, withoutDrawnText(table, row, texts, whole))
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file's schema has made sure that the record is whole
  data.add(table, withTimesAt(record.given, timeOf(layer.now)) as Row<T>)
}

interface Layer extends GenerationRequest {
  readonly data: GrowingData
  readonly tenant: Tenant
}

/** Generated ids and the fixture's. Order: ascending. */
function withFixture(table: TableName, ids: readonly number[], { fixture }: Layer): number[] {
  return [...new Set([...ids, ...fixture.records[table].keys()])].toSorted((a, b) => a - b)
}

function lay(table: TableName, ids: readonly number[], layer: Layer): void {
  const records = layer.fixture.records[table]
  for (const id of ids) {
    const record = records.get(id)
    if (record) requireParents(table, record, layer)
    const given = record && withTimesAt(record.given, timeOf(layer.now))
    layer.data.add(table, draftRow(table, id, given, layer.tenant))
  }
}

/** Customer by customer, so that each is read only once. */
function layChildren(customerId: number, layer: Layer): void {
  const customer = layer.data.get('customers', customerId)
  if (!customer) return
  for (const table of childTables) lay(table, childIds(table, customer, layer.seed), layer)
}

/** The records of the fixture that no generated id has. */
function layRest(table: ChildTable, layer: Layer): void {
  const ids = [...layer.fixture.records[table].keys()]
  const left = ids.filter((id) => !layer.data.get(table, id))
  lay(
    table,
    left.toSorted((a, b) => a - b),
    layer,
  )
}

/** The rows without which another cannot be drawn. */
const parents = [
  { field: 'customerId', table: 'customers', noun: 'customer' },
  { field: 'automationId', table: 'automations', noun: 'automation' },
] as const

/** Errors: `invalid_request` for a record whose organization, customer or automation does not exist. */
function requireParents<T extends TableName>(
  table: T,
  { place, given }: FixtureRecord<T>,
  { data, fixture }: Layer,
): void {
  const refuse = (field: string, value: unknown, noun: string) => {
    const [message, remedy] = [`${String(value)} matches no ${noun}`, `Add the ${noun} or change the id`]
    throw fixtureError(fixture.name, { path: `${place}.${field}`, message, remedy })
  }
  const { organizationId } = given
  const isKnown = data.organizations.some(({ id }) => id === organizationId)
  if (organizationId !== undefined && !isKnown) refuse('organizationId', organizationId, 'organization')
  for (const parent of parents) {
    const id: unknown = Reflect.get(given, parent.field)
    if (typeof id === 'number' && !data.get(parent.table, id)) refuse(parent.field, id, parent.noun)
  }
  const isLog = table === 'triggerLogs' || table === 'actionLogs'
  const [needed, noun] = isLog
    ? (['automations', 'automation'] as const)
    : (['customers', 'customer'] as const)
  if (childTables.some((name) => name === table) && data.rows[needed].length === 0) {
    const message = `needs an ${noun}, and there is none`.replace('an customer', 'a customer')
    throw fixtureError(fixture.name, { path: place, message, remedy: `Add one` })
  }
}

/** Errors: `invalid_request` for a record that refers to nothing. */
function check(table: TableName, { data, fixture }: Layer): void {
  for (const [id, { place }] of fixture.records[table]) {
    const row = data.get(table, id)
    const [fault] = row ? danglingReferences(table, row, data) : []
    if (fault) throw fixtureError(fixture.name, { ...fault, path: `${place}.${fault.path}` })
  }
}
