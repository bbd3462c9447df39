import { SandboxError } from '../../core/errors.ts'
import { runAtOnce, type Steps } from '../../core/slices.ts'
import { pluralize } from '../../core/words.ts'
import { createReferring, findValues, isIndex, listReferences } from '../../store/references.ts'
import { type Selection, selectList, testRow } from '../../store/selection.ts'
import type { Data, SessionData } from '../../store/session-data.ts'
import { type Row, type TableName, tableNames, tables, nameRecord } from '../../store/tables.ts'
import type { Stage, StagedRow } from './stage.ts'

export interface Part {
  readonly table: TableName
  readonly row: Row<TableName>
}

/** Finds the parts of a record, also those that the session has written and that are not there at this time. */
export function* findParts(table: TableName, row: Row<TableName>, data: SessionData): Steps<Part[]> {
  const parts: Part[] = []
  for (const partTable of tableNames) {
    for (const { isPart, table: owner, path } of listReferences(partTable)) {
      const [field = ''] = path
      if (!isPart || owner !== table || !isIndex(partTable, field)) continue
      const rows = data.select(partTable, [[field, row.id]], true).page()
      for (const part of rows) parts.push({ table: partTable, row: part })
      yield
    }
  }
  return parts
}

export function hasOwners({ table, row }: Part, data: Data): boolean {
  return listReferences(table).every((reference) => {
    const [link] = reference.isPart ? findValues(row, reference.path) : []
    return typeof link?.value !== 'number' || data.get(reference.table, link.value) !== undefined
  })
}

function selectUsers(
  table: TableName,
  targetTable: TableName,
  target: Row<TableName>,
  data: SessionData,
  onlyByKey: boolean,
): Selection<Row<TableName>> {
  if (table === 'customers' && targetTable === 'productMetrics' && 'productId' in target && 'key' in target) {
    return selectCustomersWithMetric(target, data)
  }
  const fields = listReferences(table).filter(
    ({ table: to, isPart, by }) => to === targetTable && !isPart && (by === 'key' || !onlyByKey),
  )
  return fields.length > 0
    ? data.select(table, [createReferring(table, fields, target)])
    : selectList<Row<TableName>>([])
}

function selectCustomersWithMetric(
  { key, productId, organizationId }: Row<'productMetrics'>,
  data: SessionData,
): Selection<Row<'customers'>> {
  const productKey = data.get('products', productId)?.key
  if (productKey === undefined) return selectList([])
  const hasMetric = (row: Row<'customers'>): boolean =>
    row.organizationId === organizationId &&
    row.products.some(
      ({ key: own, metrics }) => own === productKey && metrics.some((metric) => metric.key === key),
    )
  return data.select('customers', [testRow(`metric ${organizationId} ${productKey} ${key}`, hasMetric)])
}

export function describeUsers(
  table: TableName,
  row: Row<TableName>,
  { data }: Stage,
  onlyByKey = false,
): string | undefined {
  const usersByTable = tableNames
    .map((name) => ({ noun: tables[name].noun, users: selectUsers(name, table, row, data, onlyByKey) }))
    .filter(({ users }) => users.total > 0)
  const [first] = usersByTable
  if (!first) return undefined
  const name = `${first.noun} ${first.users.page(0, 1)[0]?.id}`
  const others = usersByTable.reduce((sum, { users }) => sum + users.total, 0) - 1
  if (others === 0) return `${name} refers to`
  return `${name} and ${pluralize(others, 'other record')} refer to`
}

export function* deleteInSteps(table: TableName, row: Row<TableName>, stage: Stage): Steps<void> {
  stage.put(table, row.id, null)
  yield
  const parts = yield* findParts(table, row, stage.data)
  for (const part of parts) yield* deleteInSteps(part.table, part.row, stage)
  const users = describeUsers(table, row, stage)
  if (users !== undefined) {
    const detail = `Cannot delete ${nameRecord(table, row.id)}: ${users} it. Change or delete those records first.`
    throw new SandboxError('conflict', detail)
  }
}

export const deleteRow = (table: TableName, row: Row<TableName>, stage: Stage): void =>
  runAtOnce(deleteInSteps(table, row, stage))

export function checkKeyChange({ table, id, before, row }: StagedRow, stage: Stage): void {
  if (!before || !row || toUniqueKey(table, before) === toUniqueKey(table, row)) return
  const users = describeUsers(table, before, stage, true)
  if (users === undefined) return
  const detail = `Cannot change the key of ${nameRecord(table, id)}: ${users} it by its key. Change those records first.`
  throw new SandboxError('conflict', detail)
}

function toUniqueKey(table: TableName, row: Row<TableName>): string {
  return (tables[table].unique ?? []).map((field) => String(Reflect.get(row, field))).join('/')
}
