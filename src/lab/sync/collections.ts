import type { Endpoint } from '../../service/endpoint.ts'
import { endpoints } from '../../service/index.ts'
import type { Data } from '../../store/session-data.ts'
import { type Row, type TableName } from '../../store/tables.ts'

/** Finds the operation that lists the records of a collection, and the one that shows a single one, if it shows more. */
export function findOperations(table: TableName): {
  readonly list: Endpoint
  readonly single: Endpoint | undefined
} {
  const all = endpoints.filter(({ resource, method }) => resource.table === table && method === 'GET')
  const list = all.find(({ returns }) => returns !== 'one')
  const single = all.find(({ returns, resource }) => returns === 'one' && resource !== list?.resource)
  if (!list) throw new RangeError(`No operation lists ${table}.`)
  return { list, single: single?.path.endsWith('/me') === true ? undefined : single }
}

export const isOfCustomer = (table: TableName): boolean =>
  findOperations(table).list.path.includes('{customerId}')

export function findCustomerId(table: TableName, row: Row<TableName> | undefined): number | undefined {
  return row && 'customerId' in row && isOfCustomer(table) ? row.customerId : undefined
}

export function isVisible(row: Row<TableName> | undefined, caller: Row<'members'>): row is Row<TableName> {
  if (!row || row.organizationId !== caller.organizationId) return false
  if ('leftDate' in row && row.leftDate !== undefined) return false
  if ('isActive' in row && !row.isActive) return false
  return !('parentId' in row) || row.parentId === null
}

/** The number of rows that are selected in one step. */
const SLICE = 5_000

/** Selects the rows that a member sees, some at a time. */
export function* selectVisible(
  data: Data,
  table: TableName,
  caller: Row<'members'>,
): Generator<readonly Row<TableName>[]> {
  const all = data.select(table, [])
  for (let at = 0; at < all.total; at += SLICE) {
    yield all.page(at, SLICE).filter((row) => isVisible(row, caller))
  }
}
