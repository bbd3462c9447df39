import type { Steps } from '../../src/core/slices.ts'
import {
  type DatasetContent,
  forEachTable,
  tableNames,
  type Row,
  type TableName,
} from '../../src/store/tables.ts'
import { checkFixtureRow, generateAt } from '../fixtures/fixture-errors.ts'
import type { Fixture } from '../fixtures/fixtures.ts'
import { resolveTimes } from '../fixtures/relative-times.ts'
import { MeetingCalendar } from '../meetings/meeting-calendar.ts'
import { ChildRows } from './child-rows.ts'
import { DatasetBuilder } from './dataset-builder.ts'
import {
  childTables,
  isChildTable,
  listCustomerIds,
  listOrganizationIds,
  type ChildTable,
  type OrganizationTable,
} from './generated-ids.ts'
import { generateRow } from './generators.ts'
import { createTexts, withoutGeneratedText } from './long-texts.ts'
import { createTenant, type Tenant } from './tenant.ts'

export interface GenerationRequest {
  readonly seed: number
  /** The customers of the first organization, including the fixture's; all others have a tenth, at least 3. */
  readonly size: number
  readonly now: string
  readonly fixture: Fixture
}

/** The tables without customers; each is listed after those that it refers to. */
const definitions = tableNames.filter(
  (name): name is OrganizationTable => name !== 'customers' && name !== 'automations' && !isChildTable(name),
)

/**
 * Generates a tenant as a pure function of its request. A larger size does not change existing records. The rows of
 * customers are generated when they are read.
 * Errors: `invalid_request` for a record of the fixture with a dangling reference, with its path.
 */
export function* generate(request: GenerationRequest): Steps<DatasetContent> {
  const { fixture } = request
  const { organizations } = fixture
  const data = new DatasetBuilder(organizations)
  const tenant = createTenant({ ...request, data }, new MeetingCalendar())
  const context: GenerationContext = { ...request, data, tenant }
  if (fixture.isComplete) return yield* loadComplete(context)
  const ordinals = organizations.map((_, ordinal) => ordinal)
  const generated = fixture.generated ? ordinals : []
  const listIds = (table: OrganizationTable, among: readonly number[]) =>
    among.flatMap((ordinal) => listOrganizationIds(table, ordinal, request))
  for (const table of definitions) yield* generateTable(table, listIds(table, ordinals), context)
  yield* generateTable('automations', listIds('automations', generated), context)
  const customers = generated.map((ordinal) => listCustomerIds(ordinal, request))
  yield* generateTable('customers', customers.flat(), context)
  const children = new ChildRows(tenant, customers, function* add() {
    for (const table of childTables) yield* addFixtureRows(table, children, context)
  })
  data.children = children
  if (!fixture.isBuiltin) {
    yield* children.addFixtureRows()
    for (const table of tableNames) yield* checkRecords(table, context)
  }
  return {
    organizations,
    rows: forEachTable<DatasetContent['rows']>((table) =>
      isChildTable(table) ? children.table(table) : data.rows[table],
    ),
  }
}

/** Loads the records of a complete fixture; drops texts that would be generated identically. */
function* loadComplete(context: GenerationContext): Steps<DatasetContent> {
  const { fixture, data, seed } = context
  const texts = createTexts(seed)
  const withTexts = new DatasetBuilder(fixture.organizations)
  for (const table of tableNames) {
    for (const record of fixture.records[table].values()) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file's schema has validated that it has all fields
      withTexts.add(table, resolveTimes(record.fields, context.tenant.nowMs) as Row<typeof table>)
      yield
    }
  }
  for (const table of tableNames) {
    for (const row of withTexts.rows[table]) {
      data.add(table, withoutGeneratedText(table, row, texts, withTexts))
      yield
    }
    data.sort(table)
  }
  for (const table of tableNames) yield* checkRecords(table, context)
  return { organizations: fixture.organizations, rows: data.rows }
}

interface GenerationContext extends GenerationRequest {
  readonly data: DatasetBuilder
  readonly tenant: Tenant
}

function* generateTable(
  table: OrganizationTable | 'customers',
  ids: readonly number[],
  { fixture, data, tenant }: GenerationContext,
): Steps<void> {
  const records = fixture.records[table]
  const all = new Set([...ids, ...records.keys()])
  for (const id of [...all].toSorted((a, b) => a - b)) {
    const { place = '', fields } = records.get(id) ?? {}
    const create = () => generateRow(table, id, resolveTimes(fields, tenant.nowMs), tenant)
    data.add(table, generateAt(fixture.name, place, create))
    yield
  }
}

function* addFixtureRows(
  table: ChildTable,
  children: ChildRows,
  { fixture, tenant }: GenerationContext,
): Steps<void> {
  for (const [id, { place, fields }] of [...fixture.records[table]].toSorted(([a], [b]) => a - b)) {
    const add = () => children.addFixtureRow(table, id, resolveTimes(fields, tenant.nowMs))
    generateAt(fixture.name, place, add)
    yield
  }
}

function* checkRecords(table: TableName, { data, fixture }: GenerationContext): Steps<void> {
  for (const record of fixture.records[table].values()) {
    checkFixtureRow(fixture.name, table, record, data)
    yield
  }
}
