import { invalidField } from '../../src/core/errors.ts'
import { getOrCreate } from '../../src/core/maps.ts'
import type { Lookup } from '../../src/store/references.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'
import { readAccount, type Account } from '../customers/account.ts'
import { readCatalog, type Catalog } from '../definitions/catalog.ts'
import { MeetingCalendar } from '../meetings/meeting-calendar.ts'
import type { RecordKey } from '../random/record-key.ts'
import { getOrdinal, getSlotCustomer, type Block } from './ids.ts'

export interface DraftContext {
  readonly seed: number
  readonly now: string
  readonly data: Lookup
}

export interface PlacedOrganization extends OrganizationRow {
  readonly ordinal: number
}

export type Tenant = ReturnType<typeof createTenant>

/** The account that a row belongs to, and the key of the row. */
export interface RowContext {
  readonly account: Account
  readonly key: RecordKey
  readonly tenant: Tenant
}

/**
 * Creates a reader of existing records, which reads the catalog of each organization only once.
 * @param calendar the meetings so far; by default, those in the data
 * Errors: `invalid_request` for an organization or a customer that does not exist.
 */
export function createTenant({ seed, now, data }: DraftContext, calendar = new MeetingCalendar(data)) {
  const organizations = data.organizations.map((organization, ordinal) => ({ ...organization, ordinal }))
  const catalogs = new Map<string, Catalog>()
  let latest: Account | undefined

  const getCatalog = (organization: PlacedOrganization): Catalog =>
    getOrCreate(catalogs, organization.id, () => readCatalog(organization, data, seed))
  const getOrganization = (organizationId: string): PlacedOrganization => {
    const organization = organizations.find(({ id }) => id === organizationId)
    if (!organization) throw invalidField('organizationId', `${organizationId} matches no organization`)
    return organization
  }
  const getAccount = (customerId: number): Account | undefined => {
    const customer = data.get('customers', customerId)
    if (!customer) return undefined
    if (latest?.customer === customer) return latest
    const catalog = getCatalog(getOrganization(customer.organizationId))
    return (latest = readAccount(customer, catalog, (id) => data.get('members', id), seed))
  }
  const findFirstAccount = (): Account | undefined => {
    const [first] = organizations.flatMap(({ id }) => data.list('customers', id).slice(0, 1))
    return first && getAccount(first.id)
  }
  return {
    seed,
    nowMs: Date.parse(now),
    data,
    organizations,
    getOrganization,
    calendar,
    getCatalog,
    /** Finds the organization with `organizationId`, or the one whose block contains the id, or else the first. */
    findOrganization: (block: Block, id: number, organizationId: string | undefined): PlacedOrganization => {
      if (organizationId !== undefined) return getOrganization(organizationId)
      const organization = organizations[getOrdinal(block, id)] ?? organizations[0]
      if (!organization) throw invalidField('organizationId', 'is required, because there is no organization')
      return organization
    },
    /** Finds the account of `customerId`, or the one whose slot the id is, or else the first. */
    findAccount: (id: number, customerId: number | undefined): Account => {
      const account =
        customerId === undefined
          ? (getAccount(getSlotCustomer(id)) ?? findFirstAccount())
          : getAccount(customerId)
      if (account) return account
      const none = 'is required, because there is no customer'
      throw invalidField('customerId', customerId === undefined ? none : `${customerId} matches no customer`)
    },
  }
}
