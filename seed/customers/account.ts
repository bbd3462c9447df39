import type { Row } from '../../src/store/tables.ts'
import { computeSlotId, getPosition } from '../dataset/ids.ts'
import type { Catalog, CatalogProduct, MeetingPerson } from '../definitions/catalog.ts'
import { createEmail, findLocale, generateOther } from '../people/people.ts'
import { listNearby } from '../people/portfolios.ts'
import { GOLDEN } from '../random/random.ts'
import { RecordKey } from '../random/record-key.ts'
import texts from '../texts/customers.json' with { type: 'json' }
import { formatName } from '../texts/format.ts'
import { computeStart } from './contracts.ts'
import { getStage, removeLegalForm } from './stages.ts'

export interface Contact {
  readonly person: MeetingPerson
  readonly name: string
  readonly title: string
}

export type Account = NonNullable<ReturnType<typeof readAccount>>

/** Picks an entry of a list for a slot of an account: a different one for each slot, as long as there are others. */
export function pickForSlot<T>({ order }: Account, list: readonly T[], slot: number): T | undefined {
  const indexes = order.filter((index) => index < list.length)
  return list[indexes[slot % indexes.length] ?? -1]
}

export interface AccountProduct extends CatalogProduct {
  readonly entry: Row<'customers'>['products'][number]
  /** The time when its first contract began. Units: milliseconds since 1970. */
  readonly startMs: number
  /** The time when it renews, or ended. Units: milliseconds since 1970. */
  readonly renewalMs: number
}

const indexes = Array.from({ length: 32 }, (_, index) => index)

/** Reads an account; undefined if no member of the organization can be responsible for it. */
export function readAccount(
  customer: Row<'customers'>,
  catalog: Catalog,
  findMember: (id: number) => Row<'members'> | undefined,
  seed: number,
) {
  const holders = new Map(
    customer.memberRoles.map(
      (role) => [role.key, role.memberIds.flatMap((id) => findMember(id) ?? [])] as const,
    ),
  )
  const team = [...new Set([...holders.values()].flat())]
  const owner = holders.get('csm')?.[0] ?? team[0] ?? findStandIn(customer, catalog)
  if (!owner) return undefined
  const products = catalog.products.flatMap((product): AccountProduct[] => {
    const entry = customer.products.find(({ key }) => key === product.row.key)
    if (!entry) return []
    const startMs = computeStart(customer.id, entry, seed)
    return [{ entry, startMs, renewalMs: Date.parse(entry.renewalDate), ...product }]
  })
  const decks = new RecordKey(seed, 'decks', customer.id)
  const offset = decks.faker('offset').number.float()
  return {
    customer,
    catalog,
    /** The customer's name without its legal form. */
    name: removeLegalForm(customer.name),
    stage: getStage(customer),
    /** Order: most frequent in meetings first; never empty. */
    contacts: generateContacts(customer, seed),
    team,
    owner,
    seller: holders.get('accountManager')?.[0] ?? owner,
    /** The products that the customer has, or had. Order: as in the catalog. */
    products,
    used: products.filter(({ entry }) => entry.status !== 'churned'),
    others: catalog.products.filter(({ row }) => customer.products.every(({ key }) => key !== row.key)),
    /** The numbers below 32 in random order, so that `pickForSlot` does not repeat itself soon. */
    order: decks.faker('order').helpers.shuffle(indexes),
    /** Spreads the account's records evenly over a range from 0 to 1: returns the place of a slot. */
    spread: (slot: number): number => (offset + slot * GOLDEN) % 1,
  }
}

export const hasContract = ({ startMs, renewalMs, entry }: AccountProduct, timeMs: number): boolean =>
  timeMs >= startMs && (entry.status !== 'churned' || timeMs <= renewalMs)

/** Finds somebody who can be responsible for a customer without roles. */
function findStandIn(customer: Row<'customers'>, catalog: Catalog): Row<'members'> | undefined {
  const position = getPosition('customers', customer.id)
  const roles = ['accountManager', 'csm', 'executiveSponsor', 'implementationLead', 'none'] as const
  const members =
    roles.map((role) => catalog.listHolders(role, position)).find((list) => list.length > 0) ?? []
  const nearby = listNearby(members, customer.timezone)
  const list = nearby.length > 0 ? nearby : members
  return list[position % list.length]
}

/**
 * Generates the people of a customer, of different names and titles.
 * NOTE: titles are ours, because Faker's read like noise here: Legacy Functionality Orchestrator, Human Tactics Liaison.
 */
function generateContacts(customer: Row<'customers'>, seed: number): [Contact, ...Contact[]] {
  const key = new RecordKey(seed, 'contacts', customer.id)
  const faker = key.faker('people', findLocale(customer.country))
  const suitable = texts.titles.filter(
    ({ min = 0, max = Infinity }) => customer.employeeCount >= min && customer.employeeCount <= max,
  )
  const titles = key
    .faker('titles')
    .helpers.arrayElements(suitable, 5)
    .map(({ title }) => title)
  const taken = new Set<string>()
  const contact = (slot: number): Contact => {
    const person = generateOther(faker, (name) => taken.has(name))
    const { firstName, lastName } = person
    taken.add(firstName).add(lastName)
    const id = computeSlotId(customer.id, slot)
    const email = createEmail(person, customer.domain)
    const title = titles[slot % titles.length] ?? ''
    return { person: { id, email, firstName, lastName }, name: formatName(person), title }
  }
  const count = customer.employeeCount < 20 ? 2 : key.faker('count').number.int({ min: 3, max: 5 })
  return [contact(1), ...Array.from({ length: count - 1 }, (_, index) => contact(index + 2))]
}
