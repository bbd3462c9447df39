import { lowerBound } from '../../src/core/lower-bound.ts'
import { getOrCreate } from '../../src/core/maps.ts'
import { finish, runAtOnce, type Steps } from '../../src/core/slices.ts'
import { sortInSteps } from '../../src/core/sort-in-steps.ts'
import { comparison, forEachTable, type LazyRows, type Row, type TableName } from '../../src/store/tables.ts'
import { withOwnFakers } from '../random/record-key.ts'
import { shrink } from './dataset-builder.ts'
import { listIdsAt, listNightlyLogIds, type ChildTable } from './generated-ids.ts'
import { generateRow } from './generators.ts'
import { getLogCustomer, getLogOrdinal, getOrdinal, getSlotCustomer } from './ids.ts'
import type { Tenant } from './tenant.ts'

type Groups = { readonly [T in TableName]: Map<number, readonly Row<T>[]> }
type FixtureRows = { readonly [T in TableName]: Map<number, Row<T>> }

const isLog = (table: ChildTable): boolean => table === 'triggerLogs' || table === 'actionLogs'

/** Rows are generated in groups: those of a customer, and the nightly logs of an organization, which are below 0. */
const getNightlyGroup = (ordinal: number): number => -1 - ordinal

const findGroup = (table: ChildTable, id: number): number =>
  isLog(table) ? (getLogCustomer(id) ?? getNightlyGroup(getLogOrdinal(id))) : getSlotCustomer(id)

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
  readonly #addedRows = forEachTable<FixtureRows>(() => new Map())
  readonly #groups = forEachTable<Groups>(() => new Map())
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
    const row = this.#fixtureRows[table].get(id)
    return row ?? this.#listGroup(table, findGroup(table, id)).find((one) => one.id === id)
  }

  *#find<T extends ChildTable>(table: T, id: number): Steps<Row<T> | undefined> {
    const group = findGroup(table, id)
    // An id that nobody has costs nothing.
    if (!this.#listIds(table, group).includes(id)) return this.#fixtureRows[table].get(id)
    yield* this.#prepareGroup(table, group)
    return this.get(table, id)
  }

  *#prepareGroup(table: ChildTable, group: number): Steps<void> {
    if (this.#groups[table].has(group) || !this.#hasGroup(group)) return
    if (readsMeetings(table)) yield* this.#generateMeetingsBefore(group)
    this.#listGroup(table, group)
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
      for (const group of isLog(table) ? [getNightlyGroup(ordinal), ...customers] : customers) {
        rows.push(...this.#listGroup(table, group))
        yield
      }
    }
    return yield* sortInSteps(rows, comparison(table))
  }

  *#generateByCustomer<T extends ChildTable>(table: T, customerId: number): Steps<readonly Row<T>[]> {
    yield* this.#prepareGroup(table, customerId)
    const rows = [...this.#listGroup(table, customerId)]
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

  #hasGroup(group: number): boolean {
    return group < 0
      ? group >= getNightlyGroup(this.#customers.length - 1)
      : this.#findPlace(group) !== undefined
  }

  #listGroup<T extends ChildTable>(table: T, group: number): readonly Row<T>[] {
    if (!this.#hasGroup(group)) return []
    if (table === 'meetings') finish(this.#generateMeetingsBefore(group))
    return this.#generateGroup(table, group)
  }

  #generateGroup<T extends ChildTable>(table: T, group: number): readonly Row<T>[] {
    const groups: Map<number, readonly Row<T>[]> = this.#groups[table]
    return getOrCreate(groups, group, () =>
      this.#listIds(table, group)
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
    const end = this.#findPlace(customerId) ?? 0
    for (;;) {
      const place = this.#countsWithMeetings[ordinal] ?? 0
      if (place >= end) return
      this.#countsWithMeetings[ordinal] = place + 1
      this.#generateGroup('meetings', this.#customers[ordinal]?.[place] ?? 0)
      yield
    }
  }

  #listIds(table: ChildTable, group: number): number[] {
    if (group < 0) return this.#hasGroup(group) ? listNightlyLogIds(-1 - group) : []
    const { data, seed, nowMs } = this.#tenant
    const customer = data.get('customers', group)
    return customer ? listIdsAt(table, customer, seed, nowMs) : []
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
