import { MAX_INTEGER } from '../../contract/fields.ts'
import type { Data } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import type { Stage } from '../records/stage.ts'
import type { AnsweredRequest, ScenarioProgress } from './definition.ts'

export function findCustomers(
  { caller, table, ids, customerId, hasResponse }: AnsweredRequest,
  { options }: ScenarioProgress,
  data: Data,
): Row<'customers'>[] {
  const find = (id: number | undefined): Row<'customers'>[] => {
    const customer = id === undefined ? undefined : data.get('customers', id)
    return customer ? [customer] : []
  }
  if (options.customerId !== undefined) return find(options.customerId)
  if (customerId !== undefined) return find(customerId)
  if (!hasResponse) return data.select('customers', [['organizationId', caller.organizationId]]).page()
  if (table === undefined) return []
  const rows = ids.map((id) => {
    const row = data.get(table, id)
    return table === 'customers' ? id : row && 'customerId' in row ? row.customerId : undefined
  })
  return [...new Set(rows)].flatMap(find)
}

export const children = ['meetings', 'signals', 'notes'] as const

export function findRecords(
  { table, ids }: AnsweredRequest,
  { options: { collection, customerId, count = 1 } }: ScenarioProgress,
  customers: readonly Row<'customers'>[],
  data: Data,
): readonly Row<TableName>[] {
  if (collection === undefined || collection === 'customers') return customers
  if (collection === table) {
    const shown = ids.flatMap((id): Row<TableName>[] => [data.get(table, id) ?? []].flat())
    return shown.filter(
      (row) => customerId === undefined || ('customerId' in row && row.customerId === customerId),
    )
  }
  const child = children.find((name) => name === collection)
  const rows: Row<TableName>[] = []
  for (const { id } of child ? customers : []) {
    if (!child || rows.length >= count) break
    rows.push(...data.select(child, [['customerId', id]]).page(0, count))
  }
  return rows
}

export function editCustomer(stage: Stage, customer: Row<'customers'>, updatedDate: string): void {
  const employeeCount = customer.employeeCount + (customer.employeeCount < MAX_INTEGER ? 1 : -1)
  stage.put('customers', customer.id, { ...customer, employeeCount, updatedDate })
}
