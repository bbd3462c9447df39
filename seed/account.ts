import type { Row } from '../src/store/tables.ts'
import type { Catalog, CatalogProduct, MeetingPerson } from './catalog.ts'
import { positionOf, slotId } from './ids.ts'
import { emailOf, personFrom } from './people.ts'
import { offsetHoursIn } from './places.ts'
import { recordKey } from './random.ts'
import { shortName, type Stage, stageOf } from './stages.ts'
import { timeOf } from './time.ts'

/** Someone who works for a customer. */
export interface Contact {
  readonly person: MeetingPerson
  readonly name: string
  readonly title: string
}

/** A customer as those see it who draw what belongs to it. */
export interface Account {
  readonly customer: Row<'customers'>
  readonly catalog: Catalog
  /** The customer's name without its legal form. */
  readonly name: string
  readonly stage: Stage
  /** Order: the one who is met most often first; never empty. */
  readonly contacts: readonly [Contact, ...Contact[]]
  /** Whoever holds a role on the customer. Order: as the roles stand. */
  readonly team: readonly Row<'members'>[]
  /** Who looks after the customer, in a role or not. */
  readonly owner: Row<'members'>
  /** Who negotiates with it. */
  readonly seller: Row<'members'>
  /** What the customer has, or had. Order: the catalog's. */
  readonly products: readonly AccountProduct[]
  readonly used: readonly AccountProduct[]
  readonly churned: readonly AccountProduct[]
  /** What it could still buy. */
  readonly others: readonly CatalogProduct[]
  readonly offsetHours: number
  /** The numbers below 32 in an order of the account's own: what is dealt by it does not repeat itself soon. */
  readonly deck: readonly number[]
}

/** The entry of a list that an account has in a slot: another one in each slot, as long as there are others. */
export function dealt<T>(account: Account, list: readonly T[], slot: number): T | undefined {
  let left = slot % Math.min(list.length, account.deck.length)
  for (const index of account.deck) {
    if (index < list.length && left-- === 0) return list[index]
  }
  return undefined
}

/** A product of the catalog as a customer has it. */
export interface AccountProduct extends CatalogProduct {
  readonly entry: Row<'customers'>['products'][number]
  /** When it renews, or ended. Units: milliseconds since 1970. */
  readonly renewalMs: number
}

const DECK = Array.from({ length: 32 }, (_, index) => index)

/** Finds a member by its id. */
type MemberOf = (id: number) => Row<'members'> | undefined

/** Reads an account. Shape: undefined where the organization has no member who could look after it. */
export function readAccount(
  customer: Row<'customers'>,
  catalog: Catalog,
  memberOf: MemberOf,
  seed: number,
): Account | undefined {
  const holders = new Map(customer.memberRoles.map((role) => [role.key, membersOf(role, memberOf)] as const))
  const team = [...new Set([...holders.values()].flat())]
  const [owner] = [holders.get('csm') ?? [], team, standIns(customer, catalog)].flat()
  if (!owner) return undefined
  const products = catalog.products.flatMap((product): AccountProduct[] => {
    const entry = customer.products.find(({ key }) => key === product.row.key)
    if (!entry) return []
    const { row, plan, metrics } = product
    return [{ row, plan, metrics, entry, renewalMs: timeOf(entry.renewalDate) }]
  })
  return {
    customer,
    catalog,
    name: shortName(customer.name),
    stage: stageOf(customer),
    contacts: contactsOf(customer, seed),
    team,
    owner,
    seller: holders.get('accountManager')?.[0] ?? owner,
    products,
    used: products.filter(({ entry }) => entry.status !== 'churned'),
    churned: products.filter(({ entry }) => entry.status === 'churned'),
    others: catalog.products.filter(({ row }) => customer.products.every(({ key }) => key !== row.key)),
    offsetHours: offsetHoursIn(customer.timezone),
    deck: recordKey(seed, 'decks', customer.id).for('order').shuffled(DECK),
  }
}

function membersOf(role: Row<'customers'>['memberRoles'][number], memberOf: MemberOf): Row<'members'>[] {
  return role.memberIds.flatMap((id) => memberOf(id) ?? [])
}

/** Who looks after a customer on which nobody holds a role. */
function standIns(customer: Row<'customers'>, catalog: Catalog): readonly Row<'members'>[] {
  const position = positionOf('customers', customer.id)
  const duties = ['accountManager', 'csm', 'executiveSponsor', 'implementationLead', 'none'] as const
  const members = duties.map((duty) => catalog.holders(duty, position)).find((list) => list.length > 0) ?? []
  return members.slice(position % Math.max(1, members.length))
}

const titles = [
  'Head of Operations',
  'IT Manager',
  'Head of Data',
  'Procurement Manager',
  'Finance Director',
  'Chief Operating Officer',
  'Business Analyst',
  'Programme Manager',
  'Head of Digital',
  'Quality Manager',
  'Regional Director',
  'Systems Administrator',
] as const

function contactsOf(customer: Row<'customers'>, seed: number): [Contact, ...Contact[]] {
  const key = recordKey(seed, 'contacts', customer.id)
  const random = key.for('people')
  const start = random.int(0, titles.length - 1)
  const taken = new Set<string>()
  const contact = (slot: number): Contact => {
    let person = personFrom(random, customer.country)
    for (let tries = 0; tries < 5 && taken.has(person.firstName); tries += 1) {
      person = personFrom(random, customer.country)
    }
    const { firstName, lastName } = person
    taken.add(firstName)
    const title = titles[(start + slot * 5) % titles.length] ?? titles[0]
    const id = slotId(customer.id, slot)
    const email = emailOf(person, customer.domain)
    return { person: { id, email, firstName, lastName }, name: `${firstName} ${lastName}`, title }
  }
  const count = customer.employeeCount < 20 ? 2 : key.for('count').int(3, 5)
  return [contact(1), ...Array.from({ length: count - 1 }, (_, index) => contact(index + 2))]
}
