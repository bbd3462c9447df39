import { SandboxError } from '../../contract/errors.ts'
import { nouns } from '../../store/references.ts'
import type { Selection } from '../../store/selection.ts'
import type { Data } from '../../store/session-data.ts'
import type { Clause } from '../../store/table.ts'
import { type IndexName, type Row, type TableName, tableNames } from '../../store/tables.ts'
import type { Placed, Stage } from './stage.ts'

/** The rows that refer to a row, and what becomes of them when it is deleted. */
interface Referrer<T extends TableName> {
  readonly table: TableName
  /** The field by which they are part of it, and so deleted with it; without, they keep it from being deleted. */
  readonly partBy: string | undefined
  /** Whether they refer to its key, which then cannot be changed. */
  readonly byKey: boolean
  find(target: Row<T>, data: Data): Selection<Row<TableName>>
}

interface Finding<T extends TableName, S extends TableName> {
  readonly clauses?: (target: Row<T>) => readonly Clause<S>[]
  readonly keep?: (row: Row<S>, target: Row<T>, data: Data) => boolean
}

function referrer<T extends TableName, S extends TableName>(
  table: S,
  kind: 'user' | 'user by key',
  { clauses, keep }: Finding<T, S>,
): Referrer<T> {
  return {
    table,
    partBy: undefined,
    byKey: kind === 'user by key',
    find: (target, data) =>
      data.select(table, clauses?.(target) ?? [], keep && ((row) => keep(row, target, data))),
  }
}

/** The rows that name the row by a field, under which they are found. */
function part<T extends TableName, S extends TableName>(
  table: S,
  field: IndexName<S> & keyof Row<S>,
): Referrer<T> {
  return {
    table,
    partBy: field,
    byKey: false,
    find: (target, data) => data.select(table, [[field, target.id]]),
  }
}

const customersOf = (target: { readonly organizationId: string }) =>
  [['organizationId', target.organizationId]] as const

/** What refers to the rows of each table. */
const referrers: { readonly [T in TableName]: readonly Referrer<T>[] } = {
  members: [
    referrer('members', 'user', {
      clauses: ({ id }) => [['managerId', id]],
      keep: (row, { id }) => row.id !== id,
    }),
    referrer('customers', 'user', { clauses: ({ id }) => [['memberId', id]] }),
    referrer('signals', 'user', {
      keep: (row, { id }) => row.ownerId === id || row.createdById === id || row.updatedById === id,
    }),
    referrer('meetings', 'user', { keep: (row, { id }) => row.memberIds.includes(id) }),
    referrer('notes', 'user', { keep: (row, { id }) => row.createdById === id }),
  ],
  customers: [
    part('signals', 'customerId'),
    part('meetings', 'customerId'),
    part('notes', 'customerId'),
    part('briefContents', 'customerId'),
  ],
  automations: [
    part('automations', 'parentId'),
    part('triggerLogs', 'automationId'),
    part('actionLogs', 'automationId'),
  ],
  briefs: [part('briefContents', 'briefId')],
  products: [
    part('productMetrics', 'productId'),
    referrer('customers', 'user by key', {
      clauses: customersOf,
      keep: (row, { key }) => row.products.some((product) => product.key === key),
    }),
    referrer('signals', 'user', { keep: (row, { id }) => row.productId === id }),
  ],
  productMetrics: [referrer('customers', 'user by key', { clauses: customersOf, keep: measures })],
  customFields: [
    referrer('customers', 'user by key', {
      clauses: customersOf,
      keep: (row, { key }) => row.customFields.some((field) => field.key === key),
    }),
  ],
  memberRoles: [
    referrer('customers', 'user by key', {
      clauses: customersOf,
      keep: (row, { key }) => row.memberRoles.some((role) => role.key === key),
    }),
  ],
  noteCategories: [referrer('notes', 'user', { keep: (row, { id }) => row.categoryId === id })],
  signals: [],
  meetings: [],
  notes: [],
  triggerLogs: [],
  actionLogs: [],
  briefContents: [],
}

function measures(row: Row<'customers'>, metric: Row<'productMetrics'>, data: Data): boolean {
  const product = data.get('products', metric.productId)
  const entry = row.products.find(({ key }) => key === product?.key)
  return entry?.metrics.some(({ key }) => key === metric.key) ?? false
}

/** A row that is part of another one. */
export interface Part {
  readonly table: TableName
  readonly row: Row<TableName>
}

/** The rows that are part of a row. Order: by table, then as the table's. */
export function partsOf<T extends TableName>(table: T, row: Row<T>, data: Data): Part[] {
  return referrers[table]
    .filter(({ partBy }) => partBy !== undefined)
    .flatMap((each) => {
      const found = each.find(row, data)
      return found.page(0, found.total).map((other) => ({ table: each.table, row: other }))
    })
}

/** Says whether everything is there that a row is part of. */
export function hasOwners({ table, row }: Part, data: Data): boolean {
  return tableNames.every((owner) =>
    referrers[owner].every(({ table: own, partBy }) => {
      const id: unknown = own === table && partBy !== undefined ? Reflect.get(row, partBy) : null
      return typeof id !== 'number' || data.get(owner, id) !== undefined
    }),
  )
}

/**
 * Deletes a row and what is part of it.
 * Errors: conflict where something else refers to one of them, by the first that does.
 */
export function remove<T extends TableName>(table: T, row: Row<T>, stage: Stage): void {
  stage.place(table, row.id, null)
  for (const each of partsOf(table, row, stage.data)) remove(each.table, each.row, stage)
  const users = usersOf(table, row, stage)
  if (users !== undefined) {
    const what = `Cannot delete ${nouns[table]} ${row.id}: ${users} it. Change or delete what does first.`
    throw new SandboxError('conflict', what)
  }
}

/** Deletes what belonged to triggers and actions that an automation no longer has. */
export function removeOfLostParts(before: Row<'automations'>, row: Row<'automations'>, stage: Stage): void {
  const lost = (field: 'triggers' | 'actions'): ReadonlySet<number> => {
    const kept = new Set(row[field].map(({ id }) => id))
    return new Set(before[field].flatMap(({ id }) => (kept.has(id) ? [] : [id])))
  }
  const [triggers, actions] = [lost('triggers'), lost('actions')]
  const ofAutomation = [['automationId', row.id]] as const
  const logs = [
    triggers.size > 0 && stage.data.select('triggerLogs', ofAutomation, (log) => triggers.has(log.triggerId)),
    actions.size > 0 && stage.data.select('actionLogs', ofAutomation, (log) => actions.has(log.actionId)),
  ] as const
  for (const [index, found] of logs.entries()) {
    if (!found) continue
    for (const { id } of found.page(0, found.total)) {
      stage.place(index === 0 ? 'triggerLogs' : 'actionLogs', id, null)
    }
  }
}

/** Refuses to change the key of a row by which others refer to it. Errors: conflict. */
export function refuseLostKey<T extends TableName>(
  { table, id, before, row }: Placed<T>,
  stage: Stage,
): void {
  if (!before || !row || nameOf(before) === nameOf(row)) return
  const users = usersOf(table, before, stage, ({ byKey }) => byKey)
  if (users === undefined) return
  const what = `Cannot change the key of ${nouns[table]} ${id}: ${users} it by its key. Change what does first.`
  throw new SandboxError('conflict', what)
}

/** What a row is referred to by, besides its id. */
function nameOf(row: Row<TableName>): string {
  if (!('key' in row)) return ''
  return 'productId' in row ? `${row.productId}/${row.key}` : row.key
}

/** Who uses a row, as in `customer 5 and 23 other records refer to`; undefined where nobody does. */
export function usersOf<T extends TableName>(
  table: T,
  row: Row<T>,
  stage: Stage,
  counts: (referrer: Referrer<T>) => boolean = () => true,
): string | undefined {
  const users = referrers[table]
    .filter((each) => each.partBy === undefined && counts(each))
    .map((each) => ({ table: each.table, found: each.find(row, stage.data) }))
    .filter(({ found }) => found.total > 0)
  const [first] = users
  if (!first) return undefined
  const name = `${nouns[first.table]} ${first.found.page(0, 1)[0]?.id}`
  const others = users.reduce((sum, { found }) => sum + found.total, 0) - 1
  if (others === 0) return `${name} refers to`
  return `${name} and ${others} other record${others === 1 ? '' : 's'} refer to`
}
