import type { SimpleFaker } from '@faker-js/faker'

import { type Change, tables, type Row, type TableName, toChange } from '../../src/store/tables.ts'
import { DAY, formatInstant, startOfDay } from '../calendar/time.ts'
import type { Account } from '../customers/account.ts'
import type { CustomerReader } from '../dataset/customer-rows.ts'
import type { ChildTable } from '../dataset/generated-ids.ts'
import { SLOTS, computeFutureSlotId, getPosition } from '../dataset/ids.ts'
import { createTenant, type PlacedOrganization, type Tenant } from '../dataset/tenant.ts'
import type { Catalog } from '../definitions/catalog.ts'
import { detectCustomerRole, findCustomerRole } from '../people/job-positions.ts'
import { chooseHolder } from '../people/portfolios.ts'
import { drawAt, hashRecord, type RecordHash } from '../random/random.ts'
import { RecordKey } from '../random/record-key.ts'
import type { LivingDataset } from './living-dataset.ts'

/** Something that happens to a customer. Units: milliseconds since 1970. */
export interface CustomerEvent {
  readonly atMs: number
  readonly happen: (timeline: CustomerTimeline) => void
}

/** A customer that is added after the dataset's time: it was referred by another one. Units: milliseconds since 1970. */
export interface SpawnedCustomer {
  readonly customer: Row<'customers'>
  readonly atMs: number
  /** The time at which it buys its first product, unless it does so by chance. */
  readonly purchaseMs: number | undefined
}

/** The data of a customer at some time; a table without an entry is as in the dataset. */
export interface Snapshot {
  readonly customer: Row<'customers'>
  readonly children: { readonly [T in ChildTable]?: readonly Row<T>[] | undefined }
}

/** The data at the time at which a record was written, which the record's long text quotes. */
export const snapshots = new WeakMap<object, Snapshot>()

/** The events of a customer. Once it has begun, only `advance` changes it, on a copy, while its events happen. */
export class CustomerTimeline implements Snapshot {
  readonly dataset: LivingDataset
  readonly id: number
  readonly organization: PlacedOrganization
  readonly hash: RecordHash
  nowMs = 0
  customer: Row<'customers'>
  children: Snapshot['children'] = {}
  /** Whether it was deleted, so that nothing happens any more. */
  isGone = false
  readonly spawned: SpawnedCustomer[] = []
  spawnedCount = 0
  /** Order: by time. */
  #agenda: CustomerEvent[] = []
  #changes: Change[] = []

  constructor(dataset: LivingDataset, customer: Row<'customers'>) {
    this.dataset = dataset
    this.id = customer.id
    this.organization = dataset.tenant.getOrganization(customer.organizationId)
    this.hash = hashRecord(dataset.seed, 'lives', customer.id)
    this.customer = customer
  }

  /** The time of the next event; infinite without one. Units: milliseconds since 1970. */
  get nextMs(): number {
    return this.#agenda[0]?.atMs ?? Infinity
  }

  /** Returns the timeline after the events up to a time, with the customers that they have spawned. */
  advance(toMs: number, changes: Change[]): CustomerTimeline {
    const later = new CustomerTimeline(this.dataset, this.customer)
    later.#agenda = [...this.#agenda]
    later.children = this.children
    later.spawnedCount = this.spawnedCount
    later.#changes = changes
    for (let next = later.#agenda[0]; next && next.atMs <= toMs; next = later.#agenda[0]) {
      later.#agenda.shift()
      later.nowMs = next.atMs
      next.happen(later)
    }
    later.#changes = []
    return later
  }

  /** Schedules an event; one in the past happens next. */
  schedule(timeMs: number, happen: CustomerEvent['happen']): void {
    const atMs = Math.floor(timeMs)
    const place = this.#agenda.findIndex((other) => other.atMs > atMs)
    this.#agenda.splice(place === -1 ? this.#agenda.length : place, 0, { atMs, happen })
  }

  end(): void {
    this.#agenda = []
    this.isGone = true
    this.recordCustomer(this.id, null)
  }

  createKey(kind: string): RecordKey {
    const [, b] = this.hash
    const place = Math.floor(drawAt(this.hash, this.nowMs) * 2 ** 32) * 2 ** 20 + (b >>> 12)
    return new RecordKey(this.dataset.seed, `future ${kind}`, place)
  }

  listRows<T extends ChildTable>(table: T): readonly Row<T>[] {
    return this.children[table] ?? this.dataset.listCustomerRows(table, this.id)
  }

  find<T extends ChildTable>(table: T, id: number): Row<T> | undefined {
    return this.listRows(table).find((row) => row.id === id)
  }

  put<T extends ChildTable>(table: T, row: Row<T>): void {
    const rows = this.listRows(table)
    const place = rows.findIndex(({ id }) => id === row.id)
    this.children = { ...this.children, [table]: place === -1 ? [...rows, row] : rows.with(place, row) }
    if (tables[table].longText) snapshots.set(row, { customer: this.customer, children: this.children })
    this.#changes.push(toChange(table, row.id, row))
  }

  remove(table: ChildTable, id: number): void {
    this.children = { ...this.children, [table]: this.listRows(table).filter((row) => row.id !== id) }
    this.#changes.push(toChange(table, id, null))
  }

  update(fields: Partial<Row<'customers'>>): void {
    this.customer = { ...this.customer, ...fields, updatedDate: formatInstant(this.nowMs) }
    this.recordCustomer(this.id, this.customer)
  }

  recordCustomer(id: number, row: Row<'customers'> | null): void {
    this.#changes.push(toChange('customers', id, row))
  }

  get day(): number {
    return Math.floor((this.nowMs - startOfDay(this.dataset.nowMs)) / DAY)
  }

  /** Returns an unused id for a row of the customer; 0 if all of the day are in use. */
  nextId(table: ChildTable): number {
    const rows = this.listRows(table)
    for (let place = rows.length; place < rows.length + SLOTS; place += 1) {
      const id = computeFutureSlotId(this.id, this.day, place % SLOTS)
      if (!rows.some((row) => row.id === id)) return id
    }
    return 0
  }

  get account(): Account | undefined {
    return this.dataset.getAccount(this.customer, this.nowMs)
  }

  get catalog(): Catalog {
    return this.dataset.getCatalog(this.organization, this.nowMs)
  }

  /** Chooses a member for a role on the customer, none of its holders. */
  chooseHolder(roleKey: string, holders: readonly number[], faker: SimpleFaker): Row<'members'> | undefined {
    const role = findCustomerRole(roleKey) ?? 'csm'
    const position = getPosition('customers', this.id)
    const joiners = this.dataset
      .listJoiners(this.organization)
      .filter(({ atMs, member }) => atMs <= this.nowMs && detectCustomerRole(member) === role)
    const members = [...this.catalog.listHolders(role, position), ...joiners.map(({ member }) => member)]
    const others = members.filter(({ id }) => !holders.includes(id))
    return chooseHolder(others, { timezone: this.customer.timezone, position }, faker)
  }

  replaceIfGone(memberId: number, otherId: number): number {
    return this.dataset.hasLeft(this.organization, memberId, this.nowMs) ? otherId : memberId
  }

  /** Creates the tenant as this customer sees it, to generate its rows as of a time. */
  createTenant(nowMs: number, calendar?: Tenant['calendar'], account = this.account): Tenant {
    const { dataset } = this
    const { data: source } = dataset.source
    const data: Tenant['data'] & CustomerReader = {
      organizations: source.organizations,
      get: (table, id) => readRow(dataset, this, table, id),
      list: (table, organizationId) => source.list(table, organizationId),
      find: (table, index, key) => source.find(table, index, key),
      listRows: (table) => this.listRows(table),
    }
    return {
      ...createTenant({ seed: dataset.seed, now: formatInstant(nowMs), data }, calendar),
      getCatalog: () => this.catalog,
      findAccount: () => {
        if (!account) throw new RangeError(`Customer ${this.id} has nobody who is responsible for it.`)
        // A copy, because plans of meetings are cached by account and depend on the time.
        return { ...account }
      },
    }
  }
}

/** Reads a row as it is in a snapshot; the rows of other customers are as in the dataset. */
export function readRow<T extends TableName>(
  dataset: LivingDataset,
  { customer, children }: Snapshot,
  table: T,
  id: number,
): Row<T> | undefined {
  const childRows: Partial<Record<TableName, readonly { readonly id: number }[] | undefined>> = children
  const rows = table === 'customers' ? [customer] : childRows[table]
  const row = table === 'members' ? dataset.findMember(id) : rows?.find((one) => one.id === id)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- found in the rows of that table
  if (row) return row as Row<T>
  return dataset.source.data.get(table, id)
}
