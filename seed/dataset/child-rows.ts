import { lowerBound } from '../../src/core/lower-bound.ts'
import { getOrCreate } from '../../src/core/maps.ts'
import { finish, runAtOnce, type Steps } from '../../src/core/slices.ts'
import { sortInSteps } from '../../src/core/sort-in-steps.ts'
import { comparison, type LazyRows, type Row } from '../../src/store/tables.ts'
import { withOwnFakers } from '../random/record-key.ts'
import { shrink } from './dataset-builder.ts'
import { forEachChildTable, listIdsAt, listNightlyLogIds, type ChildTable } from './generated-ids.ts'
import { generateRow } from './generators.ts'
import { getLogCustomer, getLogOrdinal, getOrdinal, getSlotCustomer } from './ids.ts'
import type { Tenant } from './tenant.ts'

type Groups = { readonly [T in ChildTable]: Map<number, readonly Row<T>[]> }
type FixtureRows = { readonly [T in ChildTable]: Map<number, Row<T>> }

const isLog = (table: ChildTable): boolean => table === 'triggerLogs' || table === 'actionLogs'

const findCustomer = (table: ChildTable, id: number): number | undefined =>
  isLog(table) ? getLogCustomer(id) : getSlotCustomer(id)

/** Briefs and logs are about meetings. */
const readsMeetings = (table: ChildTable): boolean => table !== 'signals' && table !== 'notes'

/**
 * The rows of customers, which are generated when they are read: customer by customer, because most depend on no other
 * customer. Meetings avoid those of the previous customers of the organization, which are therefore generated first.
 */
export class ChildRows {
  readonly #tenant: Tenant
  /** The customers whose rows are generated, by organization. Order: by id. */
  readonly #customers: readonly (readonly number[])[]
  readonly #addedRows = forEachChildTable<FixtureRows>(() => new Map())
  readonly #byCustomer = forEachChildTable<Groups>(() => new Map())
  readonly #nightlyLogs = forEachChildTable<Groups>(() => new Map())
  readonly #countsWithMeetings: number[]
  #addFixtureRows: (() => Steps<void>) | undefined

  /** @param addFixtureRows adds the rows of the fixture, before the first row is read */
  constructor(tenant: Tenant, customers: readonly (readonly number[])[], addFixtureRows: () => Steps<void>) {
    this.#tenant = tenant
    this.#customers = customers
    this.#countsWithMeetings = customers.map(() => 0)
    this.#addFixtureRows = addFixtureRows
  }

  *addFixtureRows(): Steps<void> {
    const add = this.#addFixtureRows
    // Each row may read those that were added before it.
    this.#addFixtureRows = undefined
    if (add) yield* add()
  }

  get #fixtureRows(): FixtureRows {
    runAtOnce(this.addFixtureRows())
    return this.#addedRows
  }

  addFixtureRow<T extends ChildTable>(table: T, id: number, fields: Partial<Row<T>>): void {
    this.#addedRows[table].set(id, this.#generateRow(table, id, fields))
  }

  get<T extends ChildTable>(table: T, id: number): Row<T> | undefined {
    const fields = this.#fixtureRows[table].get(id)
    if (fields) return fields
    const customerId = findCustomer(table, id)
    const rows =
      customerId === undefined
        ? this.#listNightlyLogs(table, getLogOrdinal(id))
        : this.#listByCustomer(table, customerId)
    return rows.find((row) => row.id === id)
  }

  *#find<T extends ChildTable>(table: T, id: number): Steps<Row<T> | undefined> {
    const customerId = findCustomer(table, id)
    if (customerId !== undefined) {
      // An id that nobody has costs nothing.
      if (!this.#listIds(table, customerId).includes(id)) return this.#fixtureRows[table].get(id)
      yield* this.#generateGroupOf(table, customerId)
    }
    return this.get(table, id)
  }

  *#generateGroupOf(table: ChildTable, customerId: number): Steps<void> {
    if (this.#byCustomer[table].has(customerId) || this.#findPlace(customerId) === undefined) return
    if (readsMeetings(table)) yield* this.#generateMeetingsBefore(customerId)
    this.#listByCustomer(table, customerId)
    yield
  }

  table<T extends ChildTable>(table: T): LazyRows<T> {
    return {
      generate: (customerId) =>
        customerId === undefined ? this.#generateTable(table) : this.#generateByCustomer(table, customerId),
      find: (id) => this.#find(table, id),
      listLastIds: () => this.#listLastIds(table),
    }
  }

  *#generateTable<T extends ChildTable>(table: T): Steps<readonly Row<T>[]> {
    const rows: Row<T>[] = [...this.#fixtureRows[table].values()]
    for (const [ordinal, customers] of this.#customers.entries()) {
      rows.push(...this.#listNightlyLogs(table, ordinal))
      for (const customerId of customers) {
        rows.push(...this.#listByCustomer(table, customerId))
        yield
      }
    }
    return yield* sortInSteps(rows, comparison(table))
  }

  *#generateByCustomer<T extends ChildTable>(table: T, customerId: number): Steps<readonly Row<T>[]> {
    yield* this.#generateGroupOf(table, customerId)
    const rows = [...this.#listByCustomer(table, customerId)]
    for (const row of this.#fixtureRows[table].values()) {
      if ('customerId' in row && row.customerId === customerId) rows.push(row)
    }
    return rows.toSorted(comparison(table))
  }

  #findPlace(customerId: number): number | undefined {
    const customers = this.#customers[getOrdinal('customers', customerId)] ?? []
    const place = lowerBound(customers.length, (at) => (customers[at] ?? 0) >= customerId)
    return customers[place] === customerId ? place : undefined
  }

  #listByCustomer<T extends ChildTable>(table: T, customerId: number): readonly Row<T>[] {
    if (this.#findPlace(customerId) === undefined) return []
    if (table === 'meetings') finish(this.#generateMeetingsBefore(customerId))
    return this.#generateGroup(this.#byCustomer[table], table, customerId, () =>
      this.#listIds(table, customerId),
    )
  }

  #listNightlyLogs<T extends ChildTable>(table: T, ordinal: number): readonly Row<T>[] {
    if (!isLog(table) || ordinal >= this.#customers.length) return []
    return this.#generateGroup(this.#nightlyLogs[table], table, ordinal, () => listNightlyLogIds(ordinal))
  }

  #generateGroup<T extends ChildTable>(
    groups: Map<number, readonly Row<T>[]>,
    table: T,
    group: number,
    listIds: () => readonly number[],
  ): readonly Row<T>[] {
    return getOrCreate(groups, group, () =>
      listIds()
        .filter((id) => !this.#fixtureRows[table].has(id))
        .map((id) => this.#generateRow(table, id, undefined)),
    )
  }

  #generateRow<T extends ChildTable>(table: T, id: number, fields: Partial<Row<T>> | undefined): Row<T> {
    const row = withOwnFakers(() => generateRow(table, id, fields, this.#tenant))
    shrink(row)
    return row
  }

  *#generateMeetingsBefore(customerId: number): Steps<void> {
    const ordinal = getOrdinal('customers', customerId)
    const customers = this.#customers[ordinal] ?? []
    const end = this.#findPlace(customerId) ?? 0
    for (
      let place = this.#countsWithMeetings[ordinal] ?? 0;
      place < end;
      place = this.#countsWithMeetings[ordinal] ?? end
    ) {
      const id = customers[place] ?? 0
      this.#countsWithMeetings[ordinal] = place + 1
      this.#generateGroup(this.#byCustomer.meetings, 'meetings', id, () => this.#listIds('meetings', id))
      yield
    }
  }

  #listIds(table: ChildTable, customerId: number): number[] {
    const { data, seed, nowMs } = this.#tenant
    const customer = data.get('customers', customerId)
    if (!customer) return []
    return listIdsAt(table, customer, seed, nowMs)
  }

  #listLastIds(table: ChildTable): number[] {
    const ids = [...this.#fixtureRows[table].keys()]
    for (const [ordinal, customers] of this.#customers.entries()) {
      if (isLog(table)) ids.push(...listNightlyLogIds(ordinal))
      const last = customers.findLast((customerId) => this.#listIds(table, customerId).length > 0)
      if (last !== undefined) ids.push(...this.#listIds(table, last))
    }
    return ids.toSorted((a, b) => a - b)
  }
}
