import type { TableName } from '../src/store/tables.ts'

/** Makes one thing for each table. Order: in which the tables refer to each other. */
export function perTable<M extends Record<TableName, unknown>>(
  make: <T extends TableName>(table: T) => M[T],
): { [T in TableName]: M[T] } {
  return {
    members: make('members'),
    customers: make('customers'),
    signals: make('signals'),
    meetings: make('meetings'),
    notes: make('notes'),
    automations: make('automations'),
    triggerLogs: make('triggerLogs'),
    actionLogs: make('actionLogs'),
    briefs: make('briefs'),
    briefContents: make('briefContents'),
    products: make('products'),
    productMetrics: make('productMetrics'),
    customFields: make('customFields'),
    memberRoles: make('memberRoles'),
    noteCategories: make('noteCategories'),
  }
}
