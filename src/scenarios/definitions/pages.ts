import { deleteRow } from '../../records/dependents.ts'
import type { Stage } from '../../records/stage.ts'
import { findCustomersInScope } from '../../resources/scopes.ts'
import type { Data } from '../../store/session-data.ts'
import type { Row } from '../../store/tables.ts'
import { type AnsweredRequest, defineScenario, type ScenarioMemory } from '../definition.ts'
import { canEdit, editCustomer } from '../edit.ts'

const listed = { on: 'listCustomers', after: 1, times: 1, count: 1, customerId: undefined } as const

const listEditable = (stage: Stage, { caller }: AnsweredRequest): readonly Row<'customers'>[] =>
  stage.list('customers', caller.organizationId).filter(canEdit)

export function nameCustomers(customers: readonly { readonly id: number }[]): string {
  const ids = customers.map(({ id }) => id)
  if (ids.length > 10) return `${ids.length} customers from ${ids[0]} on`
  const [last] = ids.slice(-1)
  return ids.length === 1 ? `customer ${last}` : `customers ${ids.slice(0, -1).join(', ')} and ${last}`
}

/** Gives many customers the same `updatedDate`. */
export const bulkUpdateTies = defineScenario({
  text: 'Before a list is answered, a bulk update gives many customers the same updatedDate.',
  options: { on: 'listCustomers', after: 0, times: 1, count: 150 },
  editsCustomers: true,
  turn: 'first page',
  change: ({ stage, request, options, now }) => {
    const customers = listEditable(stage, request).slice(0, options.count)
    for (const customer of customers) editCustomer(stage, customer, now)
    return customers.length === 0 ? undefined : `updated ${nameCustomers(customers)} at ${now}`
  },
})

/** Remembers the greatest `updatedDate` of a walk, which starts with the first page. */
function trackMaxUpdatedDate(memory: ScenarioMemory, request: AnsweredRequest, data: Data): ScenarioMemory {
  const { page, ids, table } = request
  if (table !== 'customers') return memory
  const isFirst = page === undefined || page.offset === 0
  const dates = ids.flatMap((id) => data.get('customers', id)?.updatedDate ?? [])
  const before = isFirst ? [] : (memory.greatest ?? [])
  return { ...memory, greatest: dates.concat(before).toSorted().at(-1) }
}

/** Updates two customers at one instant, between which a client reads. */
export const updateAtCursor = defineScenario({
  text: 'Before a list is answered, a customer is updated; after its last page, another one is updated at exactly the same instant.',
  options: { on: 'listCustomers', after: 1, times: 1, customerId: undefined },
  check: ({ after }) => (after > 0 ? [] : [['after', 'must be 1 or more']]),
  editsCustomers: true,
  canActOn: ({ resource }) => resource.table === 'customers',
  turn: 'last page',
  remember: trackMaxUpdatedDate,
  begin: ({ stage, options, request, now, remember }) => {
    const { caller, customerId, settings } = request
    const all = listEditable(stage, request).filter(({ id }) => id !== options.customerId)
    // A list shows the caller's own customers in every scope.
    const customerIds = new Set(findCustomersInScope('mine', caller, stage.data, settings.team))
    const [first] = all
    const customer =
      customerId === undefined
        ? (all.find(({ id }) => customerIds.has(id)) ?? first)
        : all.find(({ id }) => id === customerId)
    if (!customer) return undefined
    remember({ startedAt: now })
    if (customer.updatedDate === now) return undefined
    editCustomer(stage, customer, now)
    return `updated ${nameCustomers([customer])} at ${now}`
  },
  change: ({ stage, options, request, customers, memory: { greatest = '', startedAt } }) => {
    if (startedAt === undefined || greatest < startedAt) return undefined
    const others = listEditable(stage, request)
    const candidates = options.customerId === undefined ? [...customers, ...others] : customers
    const customer = candidates.find(({ updatedDate }) => updatedDate < startedAt)
    if (!customer) return undefined
    editCustomer(stage, customer, startedAt)
    return `updated ${nameCustomers([customer])} at ${startedAt}`
  },
})

/** Deletes a customer between two pages, and restores it between the next two. */
export const pageDrift = defineScenario({
  text: 'Between two pages of a list, a customer of an earlier page is deleted, so that the next page skips one; between the next two it comes back, so that one is shown twice.',
  options: { ...listed, times: 2 },
  turn: 'inner page',
  change: ({ stage, options, customers, memory: { removed }, remember }) => {
    if (removed) {
      for (const change of removed) stage.apply(change)
      remember({ removed: undefined })
      return `restored ${nameCustomers(removed.filter(({ table }) => table === 'customers'))}`
    }
    const deleted = customers.slice(0, options.count)
    if (deleted.length === 0) return undefined
    for (const customer of deleted) deleteRow('customers', customer, stage)
    remember({ removed: stage.listReversals() })
    return `deleted ${nameCustomers(deleted)}`
  },
})

/** Updates a customer while a client reads the rest. */
export const changeWhileReading = defineScenario({
  text: 'After the first page of a list, time passes, a customer of that page is updated, and time passes again.',
  options: { ...listed, seconds: 60 },
  editsCustomers: true,
  turn: 'first page',
  pause: ({ seconds }) => `PT${seconds}S`,
  change: ({ stage, options, customers, now }) => {
    const changed = customers.slice(0, options.count)
    for (const customer of changed) editCustomer(stage, customer, now)
    return changed.length === 0 ? undefined : `updated ${nameCustomers(changed)} at ${now}`
  },
})
