import { invalidRequest, type SandboxError } from '../src/contract/errors.ts'
import type { Lookup } from '../src/store/references.ts'
import type { OrganizationRow } from '../src/store/rows.ts'
import { type Account, readAccount } from './account.ts'
import { type Catalog, readCatalog } from './catalog.ts'
import { type Block, customerOfSlot, ordinalOf } from './ids.ts'
import { timeOf } from './time.ts'

/** What a record is drawn among. */
export interface DraftContext {
  readonly seed: number
  /** Units: ISO 8601. */
  readonly now: string
  readonly data: Lookup
}

/** An organization and its place, which decides its ids. */
export interface PlacedOrganization extends OrganizationRow {
  readonly ordinal: number
}

/** The records around a new one, read as far as it needs them. */
export interface Tenant {
  readonly seed: number
  readonly nowMs: number
  readonly data: Lookup
  /** The organization that is given; else the one whose block an id lies in; else the first. */
  organizationFor(block: Block, id: number, given: string | undefined): PlacedOrganization
  catalog(organization: PlacedOrganization): Catalog
  /** The account that is given; else the one whose slot an id is; else the first. */
  accountFor(id: number, given: number | undefined): Account
}

/**
 * Reads the records around those that are drawn next; what it has read of an organization it reads only once.
 * Errors: `invalid_request` for an organization or a customer that does not exist.
 */
export function createTenant({ seed, now, data }: DraftContext): Tenant {
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
  const accountOf = (customerId: number): Account | undefined => {
    const customer = data.get('customers', customerId)
    if (!customer) return undefined
    if (latest?.customer === customer) return latest
    const memberOf = (id: number) => data.get('members', id)
    return (latest = readAccount(customer, catalog(named(customer.organizationId)), memberOf, seed))
  }
  return {
    seed,
    nowMs: timeOf(now),
    data,
    catalog,
    organizationFor: (block, id, given) => {
      const found =
        given === undefined ? (organizations[ordinalOf(block, id)] ?? organizations[0]) : named(given)
      if (!found) throw missing('organizationId', 'there is no organization')
      return found
    },
    accountFor: (id, given) => {
      const found =
        given === undefined
          ? (accountOf(customerOfSlot(id)) ?? accountOf(firstCustomer(data)))
          : accountOf(given)
      if (found) return found
      throw missing(
        'customerId',
        given === undefined ? 'there is no customer' : `${given} matches no customer`,
      )
    },
  }
}

/** The id of some customer; 0 where there is none. */
function firstCustomer(data: Lookup): number {
  const customers = data.organizations.flatMap(({ id }) => data.list('customers', id).slice(0, 1))
  return customers[0]?.id ?? 0
}

const missing = (name: string, message: string): SandboxError =>
  invalidRequest([{ in: 'body', name, message }])
