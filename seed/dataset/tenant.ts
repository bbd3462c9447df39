import { invalidRequest, type SandboxError } from '../../src/contract/errors.ts'
import type { Lookup } from '../../src/store/references.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'
import { parseTime } from '../calendar/time.ts'
import { type Account, readAccount } from '../customers/account.ts'
import { type Catalog, readCatalog } from '../definitions/catalog.ts'
import type { MeetingCalendar } from '../meetings/meeting-calendar.ts'
import { type Block, getSlotCustomer, getOrdinal } from './ids.ts'

/** The dataset and settings for generating a record. */
export interface DraftContext {
  readonly seed: number
  /** Units: ISO 8601. */
  readonly now: string
  readonly data: Lookup
}

/** An organization and its position, which determines its ids. */
export interface PlacedOrganization extends OrganizationRow {
  readonly ordinal: number
}

/** The existing records that a new one needs, read on demand. */
export interface Tenant {
  readonly seed: number
  readonly nowMs: number
  readonly data: Lookup
  /** The meetings so far; by default, those in the data. */
  readonly calendar: MeetingCalendar | undefined
  /** Finds the given organization, or the one whose block contains the id, or else the first. */
  organizationFor(block: Block, id: number, given: string | undefined): PlacedOrganization
  catalog(organization: PlacedOrganization): Catalog
  /** Finds the given account, or the one whose slot the id is, or else the first. */
  accountFor(id: number, given: number | undefined): Account
}

/**
 * Creates a reader of existing records, which reads the catalog of each organization only once.
 * Errors: `invalid_request` for an organization or a customer that does not exist.
 */
export function createTenant({ seed, now, data }: DraftContext, calendar?: MeetingCalendar): Tenant {
  const organizations = data.organizations.map((organization, ordinal) => ({ ...organization, ordinal }))
  const catalogs = new Map<string, Catalog>()
  let latest: Account | undefined

  const catalog = (organization: PlacedOrganization): Catalog => {
    const found = catalogs.get(organization.id) ?? readCatalog(organization, data, seed)
    catalogs.set(organization.id, found)
    return found
  }
  const named = (id: string): PlacedOrganization => {
    const found = organizations.find((organization) => organization.id === id)
    if (!found) throw missing('organizationId', `${id} matches no organization`)
    return found
  }
  const findAccount = (customerId: number): Account | undefined => {
    const customer = data.get('customers', customerId)
    if (!customer) return undefined
    if (latest?.customer === customer) return latest
    const findMember = (id: number) => data.get('members', id)
    return (latest = readAccount(customer, catalog(named(customer.organizationId)), findMember, seed))
  }
  return {
    seed,
    nowMs: parseTime(now),
    data,
    calendar,
    catalog,
    organizationFor: (block, id, given) => {
      const found =
        given === undefined ? (organizations[getOrdinal(block, id)] ?? organizations[0]) : named(given)
      if (!found) throw missing('organizationId', 'there is no organization')
      return found
    },
    accountFor: (id, given) => {
      const found =
        given === undefined
          ? (findAccount(getSlotCustomer(id)) ?? findAccount(firstCustomer(data)))
          : findAccount(given)
      if (found) return found
      throw missing(
        'customerId',
        given === undefined ? 'there is no customer' : `${given} matches no customer`,
      )
    },
  }
}

/** Finds the id of any customer; 0 if there is none. */
function firstCustomer(data: Lookup): number {
  const customers = data.organizations.flatMap(({ id }) => data.list('customers', id).slice(0, 1))
  return customers[0]?.id ?? 0
}

const missing = (name: string, message: string): SandboxError =>
  invalidRequest([{ in: 'body', name, message }])
