import type { Row } from '../../src/store/tables.ts'
import { isOver } from '../../src/store/tables/signals.ts'
import type { Reader } from '../../src/store/texts.ts'
import { parseTime } from '../calendar/time.ts'
import { rewindCustomer } from '../customers/history.ts'
import { getStage, hasSigned, removeLegalForm, type Stage } from '../customers/stages.ts'
import { findDefinition, listCustomerRows } from '../dataset/customer-rows.ts'
import { formatName } from '../texts/format.ts'

export interface BriefFacts {
  readonly timeMs: number
  readonly briefKey: string
  readonly briefName: string
  readonly customer: Row<'customers'>
  readonly name: string
  readonly stage: Stage
  readonly products: readonly BriefProduct[]
  readonly total: number
  readonly people: readonly { readonly role: string; readonly names: readonly string[] }[]
  /** Signals that were open. Order: the most severe first. */
  readonly signals: readonly Row<'signals'>[]
  /** Meetings that had taken place. Order: newest first. */
  readonly meetings: readonly Row<'meetings'>[]
  readonly nextMeeting: Row<'meetings'> | undefined
  readonly goal: string | undefined
}

export interface BriefProduct {
  readonly name: string
  readonly entry: Row<'customers'>['products'][number]
}

export function readBriefFacts(
  content: Row<'briefContents'>,
  data: Reader,
  seed: number,
): BriefFacts | undefined {
  const current = data.get('customers', content.customerId)
  if (!current) return undefined
  const brief = data.get('briefs', content.briefId)
  const { createdDate } = content
  const timeMs = parseTime(createdDate)
  const customer = rewindCustomer(current, timeMs, seed)
  const stage = getStage(customer)
  const meetings = listCustomerRows('meetings', customer, data)
  const goal = customer.customFields.find((field) => field.key === 'successGoal')?.value
  return {
    timeMs,
    briefKey: brief?.key ?? '',
    briefName: brief?.name ?? 'Brief',
    customer,
    name: removeLegalForm(customer.name),
    stage: stage === 'prospect' && hasSigned(customer, timeMs) ? 'onboarding' : stage,
    products: customer.products.map((entry) => ({
      name: findDefinition('products', entry.key, customer, data)?.name ?? entry.key,
      entry,
    })),
    total: customer.products.reduce((sum, entry) => sum + entry.arr, 0),
    people: customer.memberRoles.map((role) => ({
      role: findDefinition('memberRoles', role.key, customer, data)?.name ?? role.key,
      names: role.memberIds.flatMap((id) => data.get('members', id) ?? []).map(formatName),
    })),
    signals: listCustomerRows('signals', customer, data)
      .filter((signal) => isOpenAt(signal, createdDate))
      .toSorted((a, b) => b.severity - a.severity || a.id - b.id),
    meetings: meetings
      .filter((meeting) => meeting.endDate <= createdDate)
      .toSorted((a, b) => (a.startDate > b.startDate ? -1 : 1)),
    nextMeeting: meetings
      .filter((meeting) => meeting.createdDate <= createdDate && meeting.startDate > createdDate)
      .toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1))[0],
    goal: typeof goal === 'string' ? goal : undefined,
  }
}

function isOpenAt({ isDraft, status, raisedDate, closedDate }: Row<'signals'>, time: string): boolean {
  if (isDraft || raisedDate === null || raisedDate > time) return false
  return !isOver({ status }) || (closedDate !== null && closedDate > time)
}
