import type { Settings } from '../contract/choices.ts'
import { reverse, type Selection } from '../store/selection.ts'
import { type Row, type TableName, tables } from '../store/tables.ts'
import type { Endpoint } from './endpoint.ts'

/** Lists newest first if the settings say so. Source: assumption A-03. */
export function applyOrder<R extends Row<TableName> | Selection<Row<TableName>>>(
  { order }: Settings,
  { resource }: Endpoint,
  result: R,
): R | Selection<Row<TableName>> {
  const isReversed = order === 'newest' && tables[resource.table].order === 'by id'
  return isReversed && 'page' in result ? reverse(result) : result
}
