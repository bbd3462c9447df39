import type * as z from 'zod'

import { sortable } from '../contract/instants.ts'
import { type CustomerStatus, shareKey, shareOf } from '../contract/statuses.ts'
import * as rows from './rows.ts'

/** What a row can be found by: one value, or several where the row belongs to more than one. */
type IndexOf<R> = (row: R) => Key | readonly Key[]

/** A value in an index. */
export type Key = string | number | boolean

/** How the rows of a table are ordered wherever they are listed. Source: assumption A-03. */
export type Order = 'by id' | 'newest first'

interface TableDefinition<S extends z.ZodType, I extends string> {
  readonly row: S
  readonly order: Order
  readonly indexes: Readonly<Record<I, IndexOf<z.infer<S>>>>
}

function define<S extends z.ZodType, I extends string>(
  row: S,
  order: Order,
  indexes: Readonly<Record<I, IndexOf<z.infer<S>>>>,
): TableDefinition<S, I> {
  return { row, order, indexes }
}

/** A customer's status, which follows from its products. Source: assumption A-11. */
export function customerStatus(customer: Pick<rows.CustomerRow, 'products'>): CustomerStatus {
  const statuses = customer.products.map((product) => product.status)
  if (statuses.includes('active')) return 'active'
  if (statuses.includes('onboarding')) return 'onboarding'
  return statuses.length > 0 ? 'churned' : 'prospect'
}

/** The key under which a role of a member is found: the role's key, then the member's id. */
export const assignmentKey = (roleKey: string, memberId: number): string => `${memberId}/${roleKey}`

/** The key under which an id in an external source is found. */
export const sourceKey = (source: string, externalId: string): string => JSON.stringify([source, externalId])

/** The index key of automations that are no child of another. */
export const NO_PARENT = 0

const organizationId = (row: { readonly organizationId: string }) => row.organizationId
const key = (row: { readonly key: string }) => row.key
const customerId = (row: { readonly customerId: number }) => row.customerId

/** Every table: its rows, their order, and what they are found by. */
export const tables = {
  members: define(rows.MemberRow, 'by id', { organizationId, managerId: (row) => row.managerId }),
  customers: define(rows.CustomerRow, 'by id', {
    organizationId,
    status: customerStatus,
    statusShare: (row) => shareKey(customerStatus(row), shareOf(row.id)),
    segment: (row) => row.segment,
    domain: (row) => row.domain,
    country: (row) => row.country,
    region: (row) => row.region,
    city: (row) => row.city,
    memberId: (row) => row.memberRoles.flatMap((role) => role.memberIds),
    assignment: (row) =>
      row.memberRoles.flatMap((role) => role.memberIds.map((memberId) => assignmentKey(role.key, memberId))),
    source: (row) => row.sources.map((source) => sourceKey(source.key, source.externalId)),
    updatedDate: (row) => sortable(row.updatedDate),
  }),
  signals: define(rows.SignalRow, 'by id', {
    organizationId,
    customerId,
    status: (row) => row.status,
    statusShare: (row) => shareKey(row.status, row.statusShare ?? shareOf(row.id)),
  }),
  meetings: define(rows.MeetingRow, 'by id', { customerId, startDate: (row) => sortable(row.startDate) }),
  notes: define(rows.NoteRow, 'by id', { customerId }),
  automations: define(rows.AutomationRow, 'by id', {
    organizationId,
    parentId: (row) => row.parentId ?? NO_PARENT,
  }),
  triggerLogs: define(rows.TriggerLogRow, 'newest first', {
    automationId: (row) => row.automationId,
    triggerId: (row) => row.triggerId,
  }),
  actionLogs: define(rows.ActionLogRow, 'newest first', {
    automationId: (row) => row.automationId,
    actionId: (row) => row.actionId,
  }),
  briefs: define(rows.BriefRow, 'by id', { organizationId, isActive: (row) => row.isActive }),
  briefContents: define(rows.BriefContentRow, 'newest first', { customerId, briefId: (row) => row.briefId }),
  products: define(rows.ProductRow, 'by id', { organizationId, key }),
  productMetrics: define(rows.ProductMetricRow, 'by id', { productId: (row) => row.productId }),
  customFields: define(rows.CustomFieldRow, 'by id', { organizationId }),
  memberRoles: define(rows.MemberRoleRow, 'by id', { organizationId, key }),
  noteCategories: define(rows.NoteCategoryRow, 'by id', { organizationId, isActive: (row) => row.isActive }),
}

/** The name of a table. */
export type TableName = keyof typeof tables

/** The names of all tables, in the order in which they refer to each other. */
export const tableNames = Object.keys(tables).filter((name): name is TableName => name in tables)

/** The stored form of a record of a table. */
export type Row<T extends TableName> = z.infer<(typeof tables)[T]['row']>

/** What rows of a table can be found by. */
export type IndexName<T extends TableName> = keyof (typeof tables)[T]['indexes'] & string

/** What an index finds a row by. */
export function indexOf<T extends TableName>(table: T, index: IndexName<T>): IndexOf<Row<T>> {
  const indexes: Readonly<Record<string, unknown>> = tables[table].indexes
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's own definition; TypeScript cannot follow the name through the union of all tables
  return indexes[index] as IndexOf<Row<T>>
}

/** All rows of all tables. */
export type Rows = { readonly [T in TableName]: readonly Row<T>[] }

/** Says how two rows of a table are ordered: negative where `a` comes first. */
export function comparison(order: Order): (a: Listed, b: Listed) => number {
  if (order === 'by id') return (a, b) => a.id - b.id
  return (a, b) => {
    const [left, right] = [a.createdDate ?? '', b.createdDate ?? '']
    if (left === right) return b.id - a.id
    return left < right ? 1 : -1
  }
}

interface Listed {
  readonly id: number
  readonly createdDate?: string
}

/** Makes something for each table. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it says what each entry is, which no value can
export function forEachTable<M extends Readonly<Record<TableName, unknown>>>(
  make: (table: TableName) => unknown,
): M {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each name, made for that name
  return Object.fromEntries(tableNames.map((name) => [name, make(name)])) as M
}
