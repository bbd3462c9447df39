import { listPathNames } from '../../contract/paths.ts'
import { groupBy } from '../../core/maps.ts'
import { type Row, type TableName, tables } from '../../store/tables.ts'
import { findCustomerId, findOperations, isOfCustomer, isVisible } from './collections.ts'
import type { Context } from './context.ts'
import { getOffset, type Read } from './reads.ts'
import type { Versions } from './views.ts'
import type { PageWalk } from './walks.ts'

/** A list as a client reads it, again and again. */
interface ReadList {
  readonly first: Read
  readonly walks: readonly PageWalk[]
  /** The indexes of the states in which it was begun, ascending. */
  readonly begins: readonly number[]
}

/** The walks by which a client reads the records of a collection, and the moments at which it has begun to read each of them. */
export class Chances {
  readonly #context: Context
  readonly #versions: Versions
  readonly #find: ReturnType<typeof createFinder>
  /** The lists of customers, whose records are read with them; none if the records do not belong to customers. */
  readonly #customerLists: readonly ReadList[]
  /** The lists of the record that was looked at last. */
  #last: { readonly id: number; readonly lists: readonly ReadList[] } | undefined

  constructor(context: Context, versions: Versions) {
    const { table } = versions
    const { walks } = context
    this.#context = context
    this.#versions = versions
    this.#find = createFinder(groupWalks(walks, table), versions)
    const isRequested = context.reads.some((read) => read.table === table)
    this.#customerLists = isOfCustomer(table) && isRequested ? groupWalks(walks, 'customers') : []
  }

  #findLists(id: number): readonly ReadList[] {
    if (this.#last?.id !== id) this.#last = { id, lists: this.#find(id) }
    return this.#last.lists
  }

  /** Lists the walks whose list has had a record. Order: by their first requests. */
  findWalks(id: number): readonly PageWalk[] {
    const walks = this.#findLists(id).flatMap((list) => list.walks)
    return walks.toSorted((a, b) => a.first.id - b.first.id)
  }

  /** Finds a full walk through a list that has had a record, or its customer, up to a state, but not any more. */
  findFullWalk(id: number, last = this.#versions.findLast(id)): PageWalk | undefined {
    if (last === undefined) return undefined
    const findWithout = (walks: readonly PageWalk[], one: number): PageWalk | undefined =>
      walks.findLast(
        ({ isComplete, first, answered }) =>
          isComplete &&
          answered.every((read) => read.state.index > last && !read.rows?.has(one)) &&
          this.#context.lists.find(first, last).has(one) &&
          this.#context.lists.isFull(first),
      )
    const customerId = findCustomerId(this.#versions.table, this.#versions.findRow(id, last).row)
    const customerWalks = this.#customerLists.flatMap(({ walks }) => walks)
    return findWithout(this.findWalks(id), id) ?? findWithout(customerWalks, customerId ?? 0)
  }

  /** Finds a request for a record, or for a list that has had it, that was answered with 404 after a state. */
  findRefusal(id: number, last: number): Read | undefined {
    const reads = this.findWalks(id).flatMap((walk) => walk.reads)
    return [...this.#context.findRequests(this.#versions.table, id), ...reads].find(
      ({ delivery, state }) => delivery.status === 404 && state.index > last,
    )
  }

  /** Reports whether a client can know that a record is gone: by a 404, or by a full walk that does not show it any more. */
  isKnownGone(id: number): boolean {
    const last = this.#versions.findLast(id) ?? Infinity
    return (this.findRefusal(id, last) ?? this.findFullWalk(id, last)) !== undefined
  }

  /** Reports whether a list that the client reads has a record in a state. */
  isListed(id: number, index: number): boolean {
    return this.#findLists(id).some((list) => this.#has(list, id, index))
  }

  /** Finds the state since which the client may not have seen a record as it is: the present one if it has never read it. */
  findStart(id: number): number {
    const { past, findRequests } = this.#context
    const states = Array.from(this.#versions.listFormer(id)).flatMap(({ from, to }) => [from, to])
    const lists = [...this.#findLists(id), ...this.#customerLists].filter((list) =>
      states.some((index) => this.#has(list, id, index)),
    )
    const found = lists.map((list) =>
      list.begins.findLast(
        (index) => this.#has(list, id, index) || !lists.some((one) => this.#has(one, id, index)),
      ),
    )
    const single = findRequests(this.#versions.table, id).findLast(({ delivery }) => delivery.status !== 401)
    const last = Math.max(single?.begin.index ?? -1, ...found.map((index) => index ?? -1))
    return last === -1 ? past.now.index : last
  }

  #has({ first }: ReadList, id: number, index: number): boolean {
    const { lists } = this.#context
    const row = this.#findListed(first, this.#versions.findRow(id, index).row, index)
    return row !== undefined && lists.isListed(first, row, index)
  }

  /** Finds the record of a list by which it reads another one: its customer in a list of customers. */
  #findListed({ table }: Read, row: Row<TableName> | undefined, index: number): Row<TableName> | undefined {
    if (table === this.#versions.table) return row
    const { past, caller } = this.#context
    const customerId = findCustomerId(this.#versions.table, row)
    const customer = customerId && past.findRow('customers', customerId, past.getState(index))
    return customer && isVisible(customer, caller) ? customer : undefined
  }
}

function groupWalks(all: readonly PageWalk[], table: TableName): ReadList[] {
  const ofTable = all.filter((walk) => walk.table === table)
  return Array.from(groupBy(ofTable, ({ first }) => first.list.withoutCursor).values()).flatMap((walks) => {
    const begins = walks.map((walk) => findFirst(walk).begin.index).toSorted((a, b) => a - b)
    return walks.slice(0, 1).map(({ first }) => ({ first, walks, begins }))
  })
}

/**
 * Finds the request with which a walk begins: not one for the first page that failed, nor one that was answered only after
 * the client had asked for its page again, unless there is no other.
 */
function findFirst({ reads, answered, last }: PageWalk): Read {
  const isLate = (read: Read): boolean => {
    const again = answered.find((page) => getOffset(page) === getOffset(read))
    return again !== undefined && again !== read && again.begin.index <= read.state.index
  }
  return reads.find((read) => (read.isAnswered || getOffset(read) > 0) && !isLate(read)) ?? last
}

/** Finds the lists that may have a record, by the parameters of their paths and the rows that it has had. */
function createFinder(lists: readonly ReadList[], versions: Versions): (id: number) => readonly ReadList[] {
  const { table } = versions
  const fields = tables[table].row.shape
  const parameters = listPathNames(findOperations(table).list.path)
  const names = parameters.filter((name) => name !== 'organizationId' && name in fields)
  if (names.length === 0) return () => lists
  const byKey = groupBy(lists, ({ first }) => first.address && toKey(first.address.path, names))
  return (id) => {
    const rows = Array.from(versions.listFormer(id)).flatMap(({ row }) => row ?? [])
    const keys = new Set([undefined, ...rows.map((row) => toKey(row, names))])
    return [...keys].flatMap((key) => byKey.get(key) ?? [])
  }
}

const toKey = (values: object, names: readonly string[]): string =>
  names.map((name) => `${name}=${Reflect.get(values, name)}`).join(' ')
