import { withoutField } from '../../../../seed/dataset/long-texts.ts'
import { MAX_INTEGER } from '../../../contract/fields.ts'
import { findCustomersInScope } from '../../../service/scopes.ts'
import { listReversals } from '../../../store/history.ts'
import { type Row, type TableName, tables } from '../../../store/tables.ts'
import { deleteRow } from '../../records/dependents.ts'
import type { Stage } from '../../records/stage.ts'
import { type AnsweredRequest, type ChangeContext, defineScenario } from '../definition.ts'

const listed = { on: 'listCustomers', after: 1, times: 1, count: 1, customerId: undefined } as const

const listAll = (stage: Stage, { caller }: AnsweredRequest): readonly Row<'customers'>[] =>
  stage.list('customers', caller.organizationId)

export const children = ['meetings', 'signals', 'notes'] as const

export const deletable = ['customers', ...children] as const

const newestFirst = ['briefContents', 'triggerLogs', 'actionLogs'] as const

export const findTable = <T extends TableName>(among: readonly T[], collection: string): T | undefined =>
  among.find((table) => table === collection)

export function nameRecords(table: TableName, records: readonly { readonly id: number }[]): string {
  const { noun } = tables[table]
  const ids = records.map(({ id }) => id)
  if (ids.length > 10) return `${ids.length} ${noun}s from ${ids[0]} on`
  const [last] = ids.slice(-1)
  return ids.length === 1 ? `${noun} ${last}` : `${noun}s ${ids.slice(0, -1).join(', ')} and ${last}`
}

export function editCustomer(stage: Stage, customer: Row<'customers'>, updatedDate: string): void {
  const employeeCount = customer.employeeCount + (customer.employeeCount < MAX_INTEGER ? 1 : -1)
  stage.put('customers', customer.id, { ...customer, employeeCount, updatedDate })
}

function updateCustomers(
  stage: Stage,
  customers: readonly Row<'customers'>[],
  updatedDate: string,
): string | undefined {
  for (const customer of customers) editCustomer(stage, customer, updatedDate)
  return customers.length === 0
    ? undefined
    : `updated ${nameRecords('customers', customers)} at ${updatedDate}`
}

export const bulkUpdateTies = defineScenario({
  text: 'Before a list is answered, a bulk update gives many customers, the last ones of the list, the same updatedDate.',
  options: { on: 'listCustomers', after: 0, times: 1, count: 150 },
  editsCustomers: true,
  turn: 'first page',
  change: ({ stage, request, options, now }) =>
    updateCustomers(stage, listAll(stage, request).slice(-options.count), now),
})

export const updateAtCursor = defineScenario({
  text: 'Before a list is answered, a customer is updated; after its last page, another one is updated at exactly the same instant.',
  options: { on: 'listCustomers', after: 1, times: 1, customerId: undefined },
  check: ({ after }) => (after > 0 ? [] : [['after', 'must be 1 or more']]),
  editsCustomers: true,
  canActOn: ({ resource }) => resource.table === 'customers',
  turn: 'last page',
  remember: (memory, { page, ids, endpoint }, data) => {
    if (endpoint?.resource.table !== 'customers') return memory
    const isFirst = page === undefined || page.offset === 0
    const dates = ids.flatMap((id) => data.get('customers', id)?.updatedDate ?? [])
    const before = isFirst ? [] : (memory.greatest ?? [])
    return { ...memory, greatest: dates.concat(before).toSorted().at(-1) }
  },
  begin: ({ stage, options, request, now, remember }) => {
    const { caller, customerId, settings } = request
    const all = listAll(stage, request).filter(({ id }) => id !== options.customerId)
    // A list shows the caller's own customers in every scope.
    const customerIds = new Set(findCustomersInScope('mine', caller, stage.data, settings.team))
    const [first] = all
    const customer =
      customerId === undefined
        ? (all.find(({ id }) => customerIds.has(id)) ?? first)
        : all.find(({ id }) => id === customerId)
    if (!customer) return undefined
    remember({ startedAt: now })
    return customer.updatedDate === now ? undefined : updateCustomers(stage, [customer], now)
  },
  change: ({ stage, options, request, customers, memory: { greatest = '', startedAt } }) => {
    if (startedAt === undefined || greatest < startedAt) return undefined
    const others = listAll(stage, request)
    const candidates = options.customerId === undefined ? [...customers, ...others] : customers
    const customer = candidates.find(({ updatedDate }) => updatedDate < startedAt)
    return customer && updateCustomers(stage, [customer], startedAt)
  },
})

/** Deletes a record between two pages, and restores it between the next two; or adds one to a list with the newest first. */
export const pageDrift = defineScenario({
  text: 'Between two pages of a list, a record of an earlier page is deleted, so that the next page skips one; between the next two it comes back, so that one is shown twice. In a list that begins with the newest, a new one is added at its top instead.',
  options: { ...listed, times: 2, collection: 'customers' },
  check: ({ collection, customerId }) => {
    if (findTable(newestFirst, collection)) {
      return customerId === undefined ? [] : [['customerId', `does not apply to ${collection}`]]
    }
    const all = [...deletable, ...newestFirst]
    return findTable(deletable, collection) ? [] : [['collection', `must be one of ${all.join(', ')}`]]
  },
  canActOn: ({ resource }, { collection }) => collection === 'customers' || resource.table === collection,
  turn: 'inner page',
  change: (context) => {
    const { stage, options, records, memory, remember } = context
    const { removed } = memory
    const newest = findTable(newestFirst, options.collection)
    if (newest) return addNewest(newest, context)
    const collection = findTable(deletable, options.collection) ?? 'customers'
    if (removed) {
      for (const change of removed) stage.apply(change)
      remember({ removed: undefined })
      const restored = removed.filter(({ table }) => table === collection)
      return `restored ${nameRecords(collection, restored)}`
    }
    const deleted = records.slice(0, options.count)
    if (deleted.length === 0) return undefined
    for (const record of deleted) deleteRow(collection, record, stage)
    remember({ removed: listReversals([{ rows: stage.staged() }]) })
    return `deleted ${nameRecords(collection, deleted)}`
  },
})

function addNewest(
  table: (typeof newestFirst)[number],
  { stage, records, options, now }: ChangeContext<{ count: number }>,
): string | undefined {
  const [first] = records
  const row = first && stage.get(table, first.id)
  if (!row) return undefined
  const createdDate = now > row.createdDate ? now : row.createdDate
  // Without its text, which then follows from the new id.
  const like = withoutField(row, tables[table].longText ?? '')
  const added = Array.from({ length: options.count }, () => ({
    ...like,
    id: stage.nextId(table, row.organizationId),
    createdDate,
  }))
  for (const one of added) stage.put(table, one.id, one)
  return `added ${nameRecords(table, added)}`
}

export const changeWhileReading = defineScenario({
  text: 'After the first page of a list, time passes, a customer of that page is updated, and time passes again.',
  options: { ...listed, seconds: 60 },
  editsCustomers: true,
  turn: 'first page',
  pause: ({ seconds }) => `PT${seconds}S`,
  change: ({ stage, options, customers, now }) =>
    updateCustomers(stage, customers.slice(0, options.count), now),
})
