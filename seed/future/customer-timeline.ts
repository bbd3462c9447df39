import type { SimpleFaker } from '@faker-js/faker'

import type { Lookup } from '../../src/store/references.ts'
import { tables, type Row, type TableName } from '../../src/store/tables.ts'
import { DAY, formatInstant, startOfDay } from '../calendar/time.ts'
import type { Account } from '../customers/account.ts'
import type { CustomerReader } from '../dataset/customer-rows.ts'
import type { ChildTable } from '../dataset/generated-ids.ts'
import { SLOTS, computeFutureSlotId, getPosition } from '../dataset/ids.ts'
import type { Tenant } from '../dataset/tenant.ts'
import type { Catalog } from '../definitions/catalog.ts'
import { detectCustomerRole, findCustomerRole } from '../people/job-positions.ts'
import { chooseHolder } from '../people/portfolios.ts'
import { drawAt, hashRecord, type RecordHash } from '../random/random.ts'
import { RecordKey } from '../random/record-key.ts'
import type { ScheduledEvent, CustomerEvent } from './events.ts'
import type { LivingDataset } from './living-dataset.ts'

/** The rows of a customer by table; a table without an entry is as in the dataset. */
type Children = { readonly [T in ChildTable]?: readonly Row<T>[] | undefined }

export interface CustomerTimeline {
  readonly id: number
  readonly hash: RecordHash
  readonly customer: Row<'customers'> | undefined
  readonly children: Children
  readonly agenda: readonly ScheduledEvent[]
  readonly spawnedCount: number
  /** The time of the next event; infinite without one. Units: milliseconds since 1970. */
  readonly nextMs: number
}

/** A customer that is added after the dataset's time: it was referred by another one. */
export interface SpawnedCustomer {
  readonly customer: Row<'customers'>
  readonly atMs: number
  readonly events: readonly ScheduledEvent[]
}

export function resumeCustomerTimeline(
  dataset: LivingDataset,
  state: Omit<CustomerTimeline, 'hash' | 'nextMs'>,
): CustomerTimeline {
  const hash = hashRecord(dataset.seed, 'lives', state.id)
  return { ...state, hash, nextMs: state.agenda[0]?.atMs ?? Infinity }
}

/** The changed rows of all tables, by id; null for deleted ones. */
export type Changes = { [T in TableName]?: Map<number, Row<T> | null> }

export function recordChange<T extends TableName>(
  changes: Changes,
  table: T,
  id: number,
  row: Row<T> | null,
): void {
  const rows: Map<number, Row<T> | null> = changes[table] ?? new Map()
  rows.set(id, row)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the map is that of the table
  ;(changes as Record<TableName, unknown>)[table] = rows
}

/** The data of a customer at the time of a record, which the record's long text quotes. */
export type Snapshot = Pick<CustomerTimeline, 'customer' | 'children'>

export const snapshots = new WeakMap<object, Snapshot>()

export class TimelineBuilder {
  readonly dataset: LivingDataset
  readonly id: number
  readonly hash: RecordHash
  nowMs = 0
  customer: Row<'customers'> | undefined
  children: Children
  spawnedCount: number
  readonly spawned: SpawnedCustomer[] = []
  readonly #changes: Changes
  readonly #agenda: ScheduledEvent[]

  constructor(dataset: LivingDataset, timeline: CustomerTimeline, changes: Changes) {
    this.dataset = dataset
    this.id = timeline.id
    this.hash = timeline.hash
    this.customer = timeline.customer
    this.children = timeline.children
    this.spawnedCount = timeline.spawnedCount
    this.#agenda = [...timeline.agenda]
    this.#changes = changes
  }

  advance(toMs: number, apply: (timeline: TimelineBuilder, event: CustomerEvent) => void): CustomerTimeline {
    for (let next = this.#agenda[0]; next && next.atMs <= toMs; next = this.#agenda[0]) {
      this.#agenda.shift()
      this.nowMs = next.atMs
      apply(this, next)
    }
    const { id, hash, customer, children, spawnedCount } = this
    const agenda = this.#agenda
    return { id, hash, customer, children, spawnedCount, agenda, nextMs: agenda[0]?.atMs ?? Infinity }
  }

  /** Schedules an event; one in the past is applied next. */
  schedule(timeMs: number, event: CustomerEvent): void {
    const atMs = Math.floor(timeMs)
    const place = this.#agenda.findIndex((other) => other.atMs > atMs)
    this.#agenda.splice(place === -1 ? this.#agenda.length : place, 0, { atMs, ...event })
  }

  end(): void {
    this.#agenda.length = 0
    this.customer = undefined
    this.children = {}
  }

  createKey(kind: string): RecordKey {
    const [, b] = this.hash
    const place = Math.floor(drawAt(this.hash, this.nowMs) * 2 ** 32) * 2 ** 20 + (b >>> 12)
    return new RecordKey(this.dataset.seed, `future ${kind}`, place)
  }

  listRows<T extends ChildTable>(table: T): readonly Row<T>[] {
    return this.children[table] ?? this.dataset.source.listCustomerRows(table, this.id)
  }

  find<T extends ChildTable>(table: T, id: number): Row<T> | undefined {
    return this.listRows(table).find((row) => row.id === id)
  }

  put<T extends ChildTable>(table: T, row: Row<T>): void {
    const rows = this.listRows(table)
    const place = rows.findIndex(({ id }) => id === row.id)
    this.children = { ...this.children, [table]: place === -1 ? [...rows, row] : rows.with(place, row) }
    if (tables[table].longText) snapshots.set(row, { customer: this.customer, children: this.children })
    recordChange(this.#changes, table, row.id, row)
  }

  remove(table: ChildTable, id: number): void {
    this.children = { ...this.children, [table]: this.listRows(table).filter((row) => row.id !== id) }
    recordChange(this.#changes, table, id, null)
  }

  update(fields: Partial<Row<'customers'>>): void {
    if (!this.customer) return
    this.customer = { ...this.customer, ...fields, updatedDate: formatInstant(this.nowMs) }
    recordChange(this.#changes, 'customers', this.id, this.customer)
  }

  recordCustomer(id: number, row: Row<'customers'> | null): void {
    recordChange(this.#changes, 'customers', id, row)
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
    return this.customer && this.dataset.getAccount(this.customer, this.nowMs)
  }

  get catalog(): Catalog | undefined {
    const { customer, dataset } = this
    return customer && dataset.getCatalog(dataset.getOrganization(customer.organizationId), this.nowMs)
  }

  listHolders(roleKey: string): readonly Row<'members'>[] {
    const { customer, dataset } = this
    if (!customer) return []
    const organization = dataset.getOrganization(customer.organizationId)
    const role = findCustomerRole(roleKey) ?? 'csm'
    const position = getPosition('customers', this.id)
    const joiners = dataset
      .listJoined(organization, this.nowMs)
      .filter((member) => detectCustomerRole(member) === role)
    return [...dataset.getCatalog(organization, this.nowMs).listHolders(role, position), ...joiners]
  }

  chooseHolder(members: readonly Row<'members'>[], faker: SimpleFaker): Row<'members'> | undefined {
    const place = { timezone: this.customer?.timezone ?? '', position: getPosition('customers', this.id) }
    return chooseHolder(members, place, faker)
  }

  replaceIfGone(memberId: number, otherId: number): number {
    const { customer, dataset } = this
    if (!customer) return memberId
    const organization = dataset.getOrganization(customer.organizationId)
    return dataset.hasLeft(organization, memberId, this.nowMs) ? otherId : memberId
  }

  createOriginalTenant(nowMs: number): Tenant {
    const { dataset, id } = this
    const customer = dataset.source.data.get('customers', id)
    const account = customer && dataset.getAccount(customer, dataset.nowMs)
    return this.createTenant(nowMs, undefined, () => account)
  }

  createTenant(nowMs: number, calendar?: Tenant['calendar'], findAccount = () => this.account): Tenant {
    const { dataset } = this
    const { data } = dataset.source
    const getAccount = (): Account => {
      const account = findAccount()
      if (!account) throw new RangeError(`Customer ${this.id} has nobody who is responsible for it.`)
      // A copy, because plans of meetings are cached by account and depend on the time.
      return { ...account }
    }
    const lookup: Lookup & CustomerReader = {
      organizations: data.organizations,
      list: (table, organizationId) => data.list(table, organizationId),
      find: (table, index, key) => data.find(table, index, key),
      get: (table, id) => readRow(dataset, this, table, id),
      listRows: (table) => this.listRows(table),
    }
    return {
      seed: dataset.seed,
      nowMs,
      data: lookup,
      calendar,
      findOrganization: (_block, _id, organizationId) =>
        dataset.getOrganization(organizationId ?? this.customer?.organizationId ?? ''),
      getCatalog: (organization) => dataset.getCatalog(organization, this.nowMs),
      findAccount: getAccount,
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
  const row = findRow(dataset, { customer, children }, table, id)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- found in the rows of that table
  return row as Row<T> | undefined
}

function findRow(dataset: LivingDataset, { customer, children }: Snapshot, table: TableName, id: number) {
  if (table === 'customers' && customer?.id === id) return customer
  if (table === 'members') return dataset.findMember(id)
  const rows: Partial<Record<TableName, readonly { readonly id: number }[] | undefined>> = children
  return rows[table]?.find((row) => row.id === id) ?? dataset.source.data.get(table, id)
}
