import { deleteRow } from '../../records/dependents.ts'
import type { Stage } from '../../records/stage.ts'
import type { Data } from '../../store/session-data.ts'
import type { Row } from '../../store/tables.ts'
import { type AnsweredRequest, defineScenario, type ScenarioMemory } from '../definition.ts'

const listed = { on: 'listCustomers', after: 1, times: 1, count: 1, customerId: undefined } as const

/** Changes a customer as a colleague would: one more employee. */
export function editCustomer(stage: Stage, customer: Row<'customers'>, updatedDate: string): void {
  const employeeCount = customer.employeeCount + 1
  stage.put('customers', customer.id, { ...customer, employeeCount, updatedDate })
}

/** Names records, as in `customer 3` or `customers 3 and 4`. */
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
  turn: 'first page',
  change: ({ stage, request, options, now }) => {
    const customers = stage.list('customers', request.caller.organizationId).slice(0, options.count)
    for (const customer of customers) editCustomer(stage, customer, now)
    return customers.length === 0 ? undefined : `updated ${nameCustomers(customers)} at ${now}`
  },
})

/** Remembers the greatest `updatedDate` of a walk, which starts with the first page. */
function rememberGreatest(memory: ScenarioMemory, request: AnsweredRequest, data: Data): ScenarioMemory {
  const { page, ids, table } = request
  if (table !== 'customers') return memory
  const isFirst = page === undefined || page.offset === 0
  const dates = ids.map((id) => data.get('customers', id)?.updatedDate ?? '')
  return { ...memory, greatest: [...dates, isFirst ? '' : (memory.greatest ?? '')].toSorted().at(-1) ?? '' }
}

/** Updates a customer at the instant of a client's cursor. */
export const updateAtCursor = defineScenario({
  text: 'After the last page of a list, a customer is updated at exactly the greatest updatedDate that the list has shown.',
  options: { on: 'listCustomers', after: 1, times: 1, customerId: undefined },
  turn: 'last page',
  remember: rememberGreatest,
  change: ({ stage, options, request, customers, memory: { greatest = '' } }) => {
    if (greatest === '') return undefined
    const others = stage.list('customers', request.caller.organizationId)
    const candidates = options.customerId === undefined ? [...customers, ...others] : customers
    const customer = candidates.find(({ updatedDate }) => updatedDate < greatest)
    if (!customer) return undefined
    editCustomer(stage, customer, greatest)
    return `updated ${nameCustomers([customer])} at ${greatest}`
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
  turn: 'first page',
  pause: ({ seconds }) => `PT${seconds}S`,
  change: ({ stage, options, customers, now }) => {
    const changed = customers.slice(0, options.count)
    for (const customer of changed) editCustomer(stage, customer, now)
    return changed.length === 0 ? undefined : `updated ${nameCustomers(changed)} at ${now}`
  },
})
