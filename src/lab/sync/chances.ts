import { groupBy } from '../../core/maps.ts'
import type { Row, TableName } from '../../store/tables.ts'
import { findCustomerId, isOfCustomer, isVisible } from './collections.ts'
import type { Context } from './context.ts'
import { getOffset, type Read } from './reads.ts'
import type { Versions } from './views.ts'
import { createFinder, type PageWalk } from './walks.ts'

/** A list as a client reads it, again and again. */
interface ReadList {
  readonly first: Read
  /** The indexes of the states in which it was begun, ascending. */
  readonly begins: readonly number[]
}

/** The moments at which a client has begun to read a record: by itself, or a list that it belongs to. */
export class Chances {
  readonly #context: Context
  readonly #versions: Versions
  readonly #findLists: ReturnType<typeof createFinder<ReadList>>
  /** The lists of customers, whose records are read with them; none if the records do not belong to customers. */
  readonly #customerLists: readonly ReadList[]
  /** The last state in which a record was requested by its path. */
  readonly #singles = new Map<unknown, number>()

  constructor(context: Context, versions: Versions, walks: readonly PageWalk[]) {
    const { table } = versions
    this.#context = context
    this.#versions = versions
    this.#findLists = createFinder(groupWalks(walks, table), table)
    const isRequested = context.reads.some((read) => read.table === table)
    this.#customerLists = isOfCustomer(table) && isRequested ? groupWalks(walks, 'customers') : []
    for (const { table: of, range, delivery, address, begin } of context.reads) {
      if (of !== table || range || delivery.method !== 'GET' || delivery.status === 401) continue
      this.#singles.set(Object.values(address?.path ?? {}).at(-1), begin.index)
    }
  }

  /** Finds the state since which the client may not have seen a record as it is: the present one if it has never read it. */
  findLast(id: number): number {
    const rows = Array.from(this.#versions.listFormer(id))
    const own = this.#findLists(() => rows.flatMap(({ row }) => row ?? []))
    const states = rows.flatMap(({ from, to }) => [from, to])
    const lists = [...own, ...this.#customerLists].filter((list) =>
      states.some((index) => this.#has(list, id, index)),
    )
    const found = lists.map(({ first, begins }) =>
      begins.findLast(
        (index) =>
          this.#has({ first, begins }, id, index) || !lists.some((list) => this.#has(list, id, index)),
      ),
    )
    const last = Math.max(this.#singles.get(id) ?? -1, ...found.map((index) => index ?? -1))
    return last === -1 ? this.#context.past.now.index : last
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

/** Finds the request with which a walk begins: not one for the first page that failed, unless there is no other. */
const findFirst = ({ reads, last }: PageWalk): Read =>
  reads.find((read) => read.isAnswered || getOffset(read) > 0) ?? last

function groupWalks(walks: readonly PageWalk[], table: TableName): ReadList[] {
  const ofTable = walks.filter((walk) => walk.table === table)
  return Array.from(groupBy(ofTable, ({ first }) => first.listWithoutCursor).values()).flatMap((group) => {
    const begins = group.map((walk) => findFirst(walk).begin.index).toSorted((a, b) => a - b)
    return group.slice(0, 1).map(({ first }) => ({ first, begins }))
  })
}
