import { getOrCreate } from '../../src/core/maps.ts'
import { isIndex, type Lookup } from '../../src/store/references.ts'
import type { SelectableRows } from '../../src/store/referring.ts'
import type { Change, Row, Rows, TableName } from '../../src/store/tables.ts'
import {
  chooseWorkingTime,
  isWorkingDay,
  previousWorkingDay,
  toLocalTime,
  type Period,
} from '../calendar/calendar.ts'
import { DAY, HOUR, YEAR, startOfDay } from '../calendar/time.ts'
import { readAccount, type Account } from '../customers/account.ts'
import { toDomain } from '../customers/company-names.ts'
import type { ChildTable } from '../dataset/generated-ids.ts'
import { computeFutureOrganizationId, computeId, isFutureId } from '../dataset/ids.ts'
import { createTenant, type DraftContext, type PlacedOrganization, type Tenant } from '../dataset/tenant.ts'
import type { Catalog } from '../definitions/catalog.ts'
import type { TimelineStep } from '../fixtures/fixture-file.ts'
import type { Fixture } from '../fixtures/fixtures.ts'
import { detectCustomerRole, getPositions } from '../people/job-positions.ts'
import { canMeet, findWorkplace, home, isInReach } from '../people/offices.ts'
import { createEmail, findLocale, generatePerson } from '../people/people.ts'
import { drawAt, hashRecord } from '../random/random.ts'
import { RecordKey } from '../random/record-key.ts'

export interface FutureSource extends DraftContext {
  readonly rows: Rows
  readonly fixture: Fixture
  /** A copy of the data, which the steps of the timeline change. */
  readonly draft: Lookup & SelectableRows & { load(changes: readonly Change[], isChecked?: boolean): void }
}

/** A member who joins or leaves an organization. Units: milliseconds since 1970. */
export interface Movement {
  readonly member: Row<'members'>
  readonly atMs: number
}

/** How long events go on: two years. Units: milliseconds. */
const SPAN = 731 * DAY

const JOIN_INTERVAL = 75 * DAY

const MEAN_STAY = 4 * YEAR

const NOTICE = 30 * DAY

/** The hour (in UTC) at which a last day ends. */
const LAST_HOUR = 22

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
  /** The tenant at the dataset's time. */
  readonly tenant: Tenant
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
    this.tenant = createTenant(source)
  }

  /** Reports whether a record never changes by itself: a fixture does not let it live, or its timeline changes it. */
  isStatic(table: TableName, id: number): boolean {
    const { records, timeline } = this.source.fixture
    const record = records[table].get(id)
    const isNamed = (step: TimelineStep): boolean =>
      step[table]?.some((one) => one.id === id) === true || step.delete?.[table]?.includes(id) === true
    return (record !== undefined && record.lives !== true) || timeline.some(isNamed)
  }

  /** Lists the rows of a customer of the dataset; none of a table whose rows belong to no customer. */
  listCustomerRows<T extends ChildTable>(table: T, customerId: number): readonly Row<T>[] {
    const index = 'customerId'
    return isIndex(table, index) ? this.source.data.find(table, index, customerId) : []
  }

  getCatalog(organization: PlacedOrganization, timeMs: number): Catalog {
    const leftCount = this.listLeavers(organization).findLastIndex(({ atMs }) => atMs <= timeMs) + 1
    const original = this.tenant.getCatalog(organization)
    if (leftCount === 0) return original
    return (getOrCreate(this.#catalogs, organization.id, (): Catalog[] => [])[leftCount] ??= {
      ...original,
      listHolders: (role, position) =>
        original.listHolders(role, position).filter(({ id }) => !this.hasLeft(organization, id, timeMs)),
    })
  }

  /** Lists the members who join an organization. Independent of the size of the dataset. Order: by time. */
  listJoiners(organization: PlacedOrganization): readonly Movement[] {
    return getOrCreate(this.#joiners, organization.id, () => {
      const { id, name, ordinal } = organization
      const { openings } = getPositions(ordinal)
      const joiners: Movement[] = []
      for (let turn = 0; ; turn += 1) {
        const key = new RecordKey(this.seed, 'joiners', ordinal * 10_000 + turn)
        const fromMs = this.nowMs + turn * JOIN_INTERVAL + 20 * DAY
        const toMs = fromMs + 30 * DAY
        const workingMs = chooseWorkingTime(key.faker('time'), { fromMs, toMs, workplace: home })
        const atMs = startOfDay(workingMs) + 14 * HOUR
        if (atMs > this.lastMs) return joiners
        const { title = '', manager = 1 } = openings[turn % openings.length] ?? {}
        const person = generatePerson(key.faker('name', findLocale('United States')))
        const day = Math.floor((atMs - startOfDay(this.nowMs)) / DAY)
        const member: Row<'members'> = {
          id: computeFutureOrganizationId(ordinal, day),
          organizationId: id,
          firstName: person.firstName,
          lastName: person.lastName,
          email: createEmail(person, toDomain(name)),
          title,
          managerId: computeId('members', ordinal, manager),
        }
        joiners.push({ member, atMs })
      }
    })
  }

  /**
   * Lists the members of the dataset who leave an organization, and when. Managers stay, and so do members of a fixture and
   * those with a role on a static customer. Independent of the size of the dataset.
   * Order: by time.
   */
  listLeavers(organization: PlacedOrganization): readonly Movement[] {
    return getOrCreate(this.#leavers, organization.id, () => {
      const { id, ordinal } = organization
      const { data, rows } = this.source
      const members = data.list('members', id)
      const staying = new Set(members.map(({ managerId }) => managerId))
      for (const customer of rows.customers) {
        if (customer.organizationId !== id || !this.isStatic('customers', customer.id)) continue
        for (const { memberIds } of customer.memberRoles) for (const one of memberIds) staying.add(one)
      }
      const hash = hashRecord(this.seed, 'leavers', ordinal)
      return members
        .filter((member) => {
          const isManager = detectCustomerRole(member) === 'executiveSponsor' || member.title.includes('Lead')
          return !isManager && !staying.has(member.id) && !this.isStatic('members', member.id)
        })
        .map((member) => {
          const stayMs = -Math.log(1 - drawAt(hash, member.id)) * MEAN_STAY
          const day = previousWorkingDay(startOfDay(this.nowMs + NOTICE + stayMs), home.country)
          return { member, atMs: day + LAST_HOUR * HOUR }
        })
        .toSorted((a, b) => a.atMs - b.atMs)
    })
  }

  hasLeft(organization: PlacedOrganization, memberId: number, timeMs: number): boolean {
    return this.listLeavers(organization).some(({ member, atMs }) => member.id === memberId && atMs <= timeMs)
  }

  findMember(id: number): Row<'members'> | undefined {
    const member = this.source.data.get('members', id)
    if (member || !isFutureId(id)) return member
    const joiners = this.tenant.organizations.flatMap((organization) => this.listJoiners(organization))
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
    const catalog = this.getCatalog(this.tenant.getOrganization(customer.organizationId), timeMs)
    if (this.#latest?.customer === customer && this.#latest.catalog === catalog) return this.#latest
    this.#latest = readAccount(customer, catalog, (id) => this.findMember(id), this.seed)
    return this.#latest
  }
}
