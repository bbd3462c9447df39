import { getOrCreate } from '../../src/core/maps.ts'
import { isIndex, type Lookup } from '../../src/store/references.ts'
import type { Change, Row, Rows, TableName } from '../../src/store/tables.ts'
import { isWorkingDay, toLocalTime, type Period } from '../calendar/calendar.ts'
import { DAY, HOUR, startOfDay } from '../calendar/time.ts'
import { readAccount, type Account } from '../customers/account.ts'
import type { ChildTable } from '../dataset/generated-ids.ts'
import { isFutureId } from '../dataset/ids.ts'
import type { PlacedOrganization } from '../dataset/tenant.ts'
import { readCatalog, type Catalog } from '../definitions/catalog.ts'
import type { TimelineStep } from '../fixtures/fixture-file.ts'
import { detectCustomerRole } from '../people/job-positions.ts'
import { canMeet, findWorkplace, isInReach } from '../people/offices.ts'
import { findLeavers, listJoiners, type Movement } from './joiners-and-leavers.ts'

export interface FutureSource {
  readonly seed: number
  readonly now: string
  readonly data: Lookup
  readonly rows: Rows
  isStatic(table: TableName, id: number): boolean
  readonly timeline: readonly TimelineStep[]
  readonly fixture: string
  /** A copy of the data, which the steps of the timeline change. */
  readonly draft: Lookup & { load(changes: readonly Change[], isChecked?: boolean): void }
}

/** How long events go on: two years. Units: milliseconds. */
const SPAN = 731 * DAY

const BLOCKS = 24

/** The customers among whom the working days of a member are divided, block by block: a prime, so that hours vary. */
const SHARED_BY = 101

/** Counts the working days from the first Monday before 1970 to a day; a weekend has the count of the Monday after it. */
function countWorkingDays(timeMs: number): number {
  const day = Math.floor(timeMs / DAY) + 3
  return Math.floor(day / 7) * 5 + Math.min(day % 7, 5)
}

function toTime(block: number): number {
  const workingDay = Math.floor(block / BLOCKS)
  return (Math.floor(workingDay / 5) * 7 + (workingDay % 5) - 3) * DAY + (block % BLOCKS) * HOUR
}

export class LivingDataset {
  readonly source: FutureSource
  readonly seed: number
  readonly nowMs: number
  /** The time from which nothing happens. Units: milliseconds since 1970. */
  readonly lastMs: number
  readonly organizations: readonly PlacedOrganization[]
  /** The catalogs of each organization, by the number of members who have left. */
  readonly #catalogs = new Map<string, Catalog[]>()
  /** Only the latest, since each change of a customer makes a new account. */
  #latest: Account | undefined
  #customersByHost: Map<number, number[]> | undefined
  readonly #joiners = new Map<string, readonly Movement[]>()
  readonly #leavers = new Map<string, readonly Movement[]>()

  constructor(source: FutureSource) {
    this.source = source
    this.seed = source.seed
    this.nowMs = Date.parse(source.now)
    this.lastMs = this.nowMs + SPAN
    this.organizations = source.data.organizations.map((organization, ordinal) => ({
      ...organization,
      ordinal,
    }))
  }

  /** Reports whether a record never changes by itself, because a fixture has it or its timeline changes it. */
  isStatic(table: TableName, id: number): boolean {
    const isNamed = (step: TimelineStep): boolean =>
      step[table]?.some((record) => record.id === id) === true || step.delete?.[table]?.includes(id) === true
    return this.source.isStatic(table, id) || this.source.timeline.some(isNamed)
  }

  /** Lists the rows of a customer of the dataset; none of a table whose rows belong to no customer. */
  listCustomerRows<T extends ChildTable>(table: T, customerId: number): readonly Row<T>[] {
    const index = 'customerId'
    return isIndex(table, index) ? this.source.data.find(table, index, customerId) : []
  }

  getOrganization(id: string): PlacedOrganization {
    const organization = this.organizations.find((candidate) => candidate.id === id)
    if (!organization) throw new RangeError(`There is no organization ${id}.`)
    return organization
  }

  getCatalog(organization: PlacedOrganization, timeMs: number): Catalog {
    const leftCount = this.listLeavers(organization).findLastIndex(({ atMs }) => atMs <= timeMs) + 1
    const catalogs = getOrCreate(this.#catalogs, organization.id, () => [])
    const original = (catalogs[0] ??= readCatalog(organization, this.source.data, this.seed))
    return (catalogs[leftCount] ??= {
      ...original,
      listHolders: (role, position) =>
        original.listHolders(role, position).filter(({ id }) => !this.hasLeft(organization, id, timeMs)),
    })
  }

  /** Lists who joins an organization. Order: by time. */
  listJoiners(organization: PlacedOrganization): readonly Movement[] {
    return getOrCreate(this.#joiners, organization.id, () => listJoiners(organization, this))
  }

  /** Lists who leaves an organization. Order: by time. */
  listLeavers(organization: PlacedOrganization): readonly Movement[] {
    return getOrCreate(this.#leavers, organization.id, () => findLeavers(organization, this))
  }

  hasLeft(organization: PlacedOrganization, memberId: number, timeMs: number): boolean {
    return this.listLeavers(organization).some(({ member, atMs }) => member.id === memberId && atMs <= timeMs)
  }

  findMember(id: number): Row<'members'> | undefined {
    const member = this.source.data.get('members', id)
    if (member || !isFutureId(id)) return member
    const joiners = this.organizations.flatMap((organization) => this.listJoiners(organization))
    return joiners.find((joiner) => joiner.member.id === id)?.member
  }

  isHost(memberId: number): boolean {
    const member = this.findMember(memberId)
    const role = member && detectCustomerRole(member)
    return role === 'csm' || role === 'accountManager'
  }

  /**
   * Lists the times in a period at which a member can meet a customer, by the customer's rank among those of the member.
   * Customers of other ranks have other times, so that a member is not in two meetings at once although customers do not
   * know each other's. One that came later comes after most of them, in the order of the member who had it before.
   * Independent of the size of the dataset. Order: ascending.
   */
  listFreeTimes(member: Row<'members'>, customer: Row<'customers'>, { fromMs, toMs }: Period): number[] {
    let rank = this.#listCustomers(member.id).indexOf(customer.id)
    if (rank === -1) {
      const roles = this.source.data.get('customers', customer.id)?.memberRoles ?? []
      const former = roles.find(({ key }) => key === detectCustomerRole(member))?.memberIds[0]
      const before = former === undefined ? -1 : this.#listCustomers(former).indexOf(customer.id)
      rank = Math.floor(SHARED_BY / 2) + (before === -1 ? customer.id : before)
    }
    const times: number[] = []
    const office = canMeet(member, customer.timezone) ? findWorkplace(member) : undefined
    const first = countWorkingDays(fromMs) * BLOCKS
    const skipped = (((rank - first) % SHARED_BY) + SHARED_BY) % SHARED_BY
    for (let block = first + skipped; toTime(block) < toMs; block += SHARED_BY) {
      const startMs = toTime(block) + (member.id % 2) * (HOUR / 2)
      const localMs = toLocalTime(startMs, customer.timezone)
      const ofDay = localMs - startOfDay(localMs)
      const isOpen = ofDay >= 9 * HOUR && ofDay <= 16 * HOUR && isWorkingDay(localMs, customer.country)
      const isNight = office !== undefined && !isInReach(startMs, startMs + HOUR, office)
      if (startMs >= fromMs && isOpen && !isNight) times.push(startMs)
    }
    return times
  }

  #listCustomers(memberId: number): readonly number[] {
    if (!this.#customersByHost) {
      this.#customersByHost = new Map()
      for (const { id, memberRoles } of this.source.rows.customers) {
        const hosts = memberRoles.flatMap(({ key, memberIds }) =>
          key === 'csm' || key === 'accountManager' ? memberIds.slice(0, 1) : [],
        )
        for (const host of hosts) getOrCreate(this.#customersByHost, host, (): number[] => []).push(id)
      }
      for (const ids of this.#customersByHost.values()) ids.sort((a, b) => a - b)
    }
    return this.#customersByHost.get(memberId) ?? []
  }

  getAccount(customer: Row<'customers'>, timeMs: number): Account | undefined {
    const catalog = this.getCatalog(this.getOrganization(customer.organizationId), timeMs)
    if (this.#latest?.customer === customer && this.#latest.catalog === catalog) return this.#latest
    this.#latest = readAccount(customer, catalog, (id) => this.findMember(id), this.seed)
    return this.#latest
  }
}
