import { findValues, isIndex, listReferences, type TableReference } from './references.ts'
import { type Clause, type Clauses, type Selection, selectList, testRow } from './selection.ts'
import type { Row, TableName } from './tables.ts'
import type { Reader } from './texts.ts'

export interface SelectableRows extends Reader {
  select<T extends TableName>(table: T, clauses: Clauses<T>): Selection<Row<T>>
}

/** Creates the condition that a row refers to a record by one of some fields. */
export function createReferring<T extends TableName>(
  table: T,
  fields: readonly TableReference[],
  target: Row<TableName>,
): Clause<T> {
  const names = fields.map(({ path }) => path.join('.')).join()
  const { id, organizationId } = target
  if (isIndex(table, names)) return [names, id]
  const key = String(Reflect.get(target, 'key'))
  return testRow(
    `${names} ${organizationId} ${id} ${key}`,
    (row) =>
      row.organizationId === organizationId &&
      // An id is a number, and a key is a text.
      fields.some(({ path }) => findValues(row, path).some(({ value }) => value === id || value === key)),
  )
}

/** Selects the rows that refer to a record, not as its parts. @param onlyByKey whether those count that refer to its key */
export function selectReferring(
  table: TableName,
  targetTable: TableName,
  target: Row<TableName>,
  data: SelectableRows,
  onlyByKey = false,
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
  data: SelectableRows,
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
