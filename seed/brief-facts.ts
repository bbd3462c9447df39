import type { Row } from '../src/store/tables.ts'
import type { Reader } from '../src/store/texts.ts'
import { computeId, getOrdinal, SLOTS, computeSlotId } from './ids.ts'
import { shortName, type Stage, getStage } from './stages.ts'

/** The current facts that a brief quotes. */
export interface BriefFacts {
  readonly briefKey: string
  readonly briefName: string
  readonly customer: Row<'customers'>
  /** The customer's name without its legal form. */
  readonly name: string
  readonly stage: Stage
  readonly products: readonly BriefProduct[]
  /** The yearly spending of the customer. Units: US dollars. */
  readonly total: number
  readonly people: readonly { readonly role: string; readonly names: readonly string[] }[]
  /** Signals that are not over. Order: the most severe first. */
  readonly signals: readonly Row<'signals'>[]
  /** Meetings that took place before the brief was written. Order: newest first. */
  readonly meetings: readonly Row<'meetings'>[]
  readonly goal: string | undefined
}

/** A product of a customer with its name. */
export interface BriefProduct {
  readonly name: string
  readonly entry: Row<'customers'>['products'][number]
}

/** Reads the facts that a brief quotes; undefined if its customer does not exist. */
export function readBriefFacts(content: Row<'briefContents'>, data: Reader): BriefFacts | undefined {
  const customer = data.get('customers', content.customerId)
  if (!customer) return undefined
  const brief = data.get('briefs', content.briefId)
  const { createdDate } = content
  const goal = customer.customFields.find((field) => field.key === 'successGoal')?.value
  return {
    briefKey: brief?.key ?? '',
    briefName: brief?.name ?? 'Brief',
    customer,
    name: shortName(customer.name),
    stage: getStage(customer),
    products: customer.products.map((entry) => ({
      name: definitionName('products', entry.key, customer, data),
      entry,
    })),
    total: customer.products.reduce((sum, entry) => sum + entry.arr, 0),
    people: customer.memberRoles.map((role) => ({
      role: definitionName('memberRoles', role.key, customer, data),
      names: role.memberIds.flatMap((id) => formatNames(data.get('members', id))),
    })),
    signals: readOwnRows('signals', customer, data)
      .filter((signal) => signal.createdDate <= createdDate && !signal.isDraft && !isOver(signal))
      .toSorted((a, b) => b.severity - a.severity || a.id - b.id),
    meetings: readOwnRows('meetings', customer, data)
      .filter((meeting) => meeting.endDate <= createdDate)
      .toSorted((a, b) => (a.startDate > b.startDate ? -1 : 1)),
    goal: typeof goal === 'string' ? goal : undefined,
  }
}

const isOver = ({ status }: Row<'signals'>): boolean => status === 'closed' || status === 'dismissed'

function formatNames(member: Row<'members'> | undefined): string[] {
  return member ? [`${member.firstName} ${member.lastName}`] : []
}

/** Reads the rows in the slots of a customer. Order: by id. */
function readOwnRows<T extends 'signals' | 'meetings'>(
  table: T,
  customer: Row<'customers'>,
  data: Reader,
): Row<T>[] {
  return Array.from({ length: SLOTS }, (_, index) => data.get(table, computeSlotId(customer.id, index + 1)))
    .filter((row) => row !== undefined)
    .filter((row) => row.customerId === customer.id)
}

/** The number of positions in a block that are searched for definitions. */
const PLACES = 30

/** Finds the name of a definition; returns its key if it is outside of the organization's block. */
function definitionName(
  table: 'products' | 'memberRoles',
  key: string,
  customer: Row<'customers'>,
  data: Reader,
): string {
  const ordinal = getOrdinal('customers', customer.id)
  for (const block of [ordinal, 0, 1, 2, 3]) {
    for (let place = 1; place <= PLACES; place += 1) {
      const row = data.get(table, computeId('definitions', block, place))
      if (row?.key === key && row.organizationId === customer.organizationId) return row.name
    }
  }
  return key
}
