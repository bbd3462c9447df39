import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import { NamedStatus, shareOf, type SignalStatus, signalStatuses } from '../../contract/statuses.ts'
import { SignalRow } from '../../store/rows.ts'
import type { Row } from '../../store/tables.ts'
import { none } from '../lookups.ts'
import { chosenName, Signal } from '../signals.ts'
import { type Among, type Contradiction, type Fields, known, recordForm } from './form.ts'
import {
  accepting,
  instantInput,
  lookup,
  optionalInstant,
  optionalLookup,
  optionalText,
  owned,
} from './input.ts'

type Signals = Row<'signals'>

const statusInput = z.union(
  [
    z.enum(signalStatuses),
    z
      .custom<NamedStatus<SignalStatus>>((given) => given instanceof NamedStatus)
      .refine(({ name, naming }) => naming.meaningsOf(name).length > 0, {
        error: ({ input: given }) => (given instanceof NamedStatus ? oneOf(given.naming.names) : undefined),
      }),
  ],
  oneOf(signalStatuses),
)

function oneOf(names: readonly string[]): string {
  return `must be ${names.length > 1 ? 'one of ' : ''}${names.join(', ')}`
}

const input = z
  .strictObject({
    ...owned,
    customerId: recordId,
    productId: recordId,
    /** Another way to name the product. */
    productKey: z.string(),
    status: accepting<SignalStatus, typeof statusInput>(statusInput, (given) => given),
    source: z.string(),
    summary: z.string(),
    notes: z.custom<null | ''>(
      (value) => value === null || value === '',
      'must be null: the document lists no other value',
    ),
    severity: z.int(),
    severityExplanation: optionalText,
    createdById: recordId,
    updatedById: recordId,
    ownerId: recordId,
    latestNote: optionalText,
    isDraft: z.boolean(),
    isPrimary: z.boolean(),
    createdDate: instantInput,
    raisedDate: optionalInstant,
    closedDate: optionalInstant,
    updatedDate: instantInput,
    opportunity: optionalText,
    category: lookup,
    dismissalReason: optionalLookup(none.dismissalReason),
    subCategory: optionalLookup(none.subCategory),
    outcome: optionalLookup(none.outcome),
    outcomeNotes: optionalText,
    competitor: optionalLookup(none.competitor),
    type: lookup.extend({ color: z.string() }),
  })
  .partial()

/** A signal. Its product goes by `productId` or `productKey`; a lookup without a value by null, "" or the entry for none. */
export const signalForm = recordForm({
  table: 'signals',
  row: SignalRow,
  operation: 'getSignal',
  shape: Signal,
  extras: (row) => ({ organizationId: row.organizationId, ...chosenName(row) }),
  input,
  owner: { field: 'customerId', table: 'customers' },
  identity: ['customerId'],
  fields: ({ productKey, notes: _notes, status: given, ...rest }, among) =>
    known({
      ...rest,
      ...statusOf(given, rest, among),
      productId: productOf(productKey, rest.productId, among),
    }),
  stamps,
  unsettled,
  settle,
  contradictions,
})

function productOf(
  key: string | undefined,
  id: number | undefined,
  { data, organizationId, refuse }: Among<'signals'>,
): number | undefined {
  if (key === undefined) return id
  const [found] = data
    .select('products', [
      ['organizationId', organizationId],
      ['key', key],
    ])
    .page(0, 1)
  if (!found) refuse('productKey', `${key} matches no product. Add the product or change the key.`)
  else if (id !== undefined && id !== found.id) {
    refuse('productKey', `${key} is the key of product ${found.id}, not of ${id}. Give one of the two.`)
  }
  return found?.id ?? id
}

/** The status that is meant: of several meanings of a name the one that the record has, or that suits what is given. */
function statusOf(
  given: SignalStatus | NamedStatus<SignalStatus> | undefined,
  { dismissalReason, closedDate }: Pick<z.output<typeof input>, 'dismissalReason' | 'closedDate'>,
  { before, id }: Among<'signals'>,
): Pick<Fields<'signals'>, 'status' | 'statusShare'> {
  if (!(given instanceof NamedStatus)) return given === undefined ? {} : { status: given }
  const { name, naming } = given
  const wishes: ((meaning: SignalStatus) => boolean)[] = [
    (meaning) => closedDate === undefined || isOver({ status: meaning }) === (closedDate !== null),
    (meaning) => dismissalReason === undefined || (meaning === 'dismissed') === (dismissalReason !== null),
    (meaning) => meaning === before?.status,
  ]
  const suited = wishes.reduce((meanings, wish) => {
    const left = meanings.filter(wish)
    return left.length > 0 ? left : meanings
  }, naming.meaningsOf(name))
  const [meaning = 'open'] = suited
  const own = before?.status === meaning ? before.statusShare : undefined
  const isNamedSo = (share: number): boolean => naming.nameOf(meaning, share) === name
  if (own !== undefined && isNamedSo(own)) return { status: meaning, statusShare: own }
  return isNamedSo(shareOf(id))
    ? { status: meaning }
    : { status: meaning, statusShare: naming.shareOf(meaning, name) }
}

/** A new signal is of now, unless a date says otherwise; what is given as absent tells how far it has come. */
function stamps(given: Fields<'signals'>, now: string): Fields<'signals'> {
  const { status, createdDate = now, raisedDate, closedDate, updatedDate, dismissalReason, outcome } = given
  const isDated = Boolean(raisedDate ?? closedDate ?? updatedDate)
  const isWithoutEnd = closedDate === null || (dismissalReason === null && !closedDate && !outcome)
  const isYetToCome = raisedDate === null && (status ?? 'open') === 'open' && !closedDate
  return {
    ...(!isDated && { createdDate, ...(createdDate <= now && { updatedDate: now }) }),
    ...(status === undefined && isWithoutEnd && { status: 'open' }),
    ...(status === undefined && dismissalReason === null && !isWithoutEnd && { status: 'closed' }),
    ...(given.isDraft === undefined && isYetToCome && { isDraft: true }),
  }
}

const isOver = ({ status }: Fields<'signals'>): boolean => status === 'closed' || status === 'dismissed'

/** What a signal's end is told by is drawn anew where a change of status gives it another end. */
function unsettled(before: Signals, changed: Fields<'signals'>): readonly (keyof Signals)[] {
  const { status = before.status } = changed
  return status === before.status ? [] : ['dismissalReason', 'outcome', 'outcomeNotes']
}

const course = ['createdDate', 'raisedDate', 'closedDate', 'updatedDate'] as const

const isSameCourse = (row: Signals, before: Signals): boolean =>
  [...course, 'status' as const, 'isDraft' as const].every((field) => row[field] === before[field])

/** The dates that were not given follow from those that were, from the status, and from whether it is a draft. */
function settle(arranged: Signals, given: Fields<'signals'>, among: Among<'signals'>): Signals {
  const { now, before, isChanged } = among
  const { statusShare: _share, ...unnamed } = arranged
  const row = given.status !== undefined && given.statusShare === undefined ? unnamed : arranged
  if (before && isSameCourse(row, before)) return row
  const settled = { ...row }
  if (given.isDraft === undefined && given.raisedDate) settled.isDraft = false
  if (given.raisedDate === undefined) {
    if (settled.isDraft) settled.raisedDate = null
    else if (before?.isDraft) settled.raisedDate = now
  }
  if (given.closedDate === undefined) {
    const isNewlyOver = before && isOver(settled) && !isOver(before)
    settled.closedDate = isOver(settled) ? (isNewlyOver ? now : (settled.closedDate ?? now)) : null
  }
  const stays = (field: (typeof course)[number]): boolean =>
    given[field] !== undefined || (isChanged && field !== 'updatedDate' && settled[field] === before?.[field])
  return inOrder(settled, stays, now)
}

/** The row with the dates that do not stay moved between those that do. */
function inOrder(row: Signals, stays: (field: (typeof course)[number]) => boolean, now: string): Signals {
  const ordered = { ...row }
  let earliest = ''
  for (const [index, field] of course.entries()) {
    const date = ordered[field]
    if (date === null) continue
    if (!stays(field)) {
      const ends = course.slice(index + 1).flatMap((next) => (stays(next) ? (row[next] ?? []) : []))
      ordered[field] = later(earliest, sooner(date, now, ...ends))
    }
    earliest = later(earliest, ordered[field] ?? '')
  }
  return ordered
}

const sooner = (...dates: string[]): string => dates.reduce((a, b) => (b < a ? b : a))
const later = (...dates: string[]): string => dates.reduce((a, b) => (b > a ? b : a))

/** Source: INTERFACE, signal status; assumption A-10. */
function contradictions(
  row: Signals,
  given: Fields<'signals'>,
  { now, before: former }: Among<'signals'>,
): Contradiction[] {
  const found: Contradiction[] = []
  const refuse = (path: string, message: string) => found.push({ path, message })
  if (row.isDraft && row.raisedDate !== null) refuse('raisedDate', 'must be absent: a draft has none')
  if (isOver(row) && row.closedDate === null)
    refuse('closedDate', `is required: a ${row.status} signal has one`)
  if (row.status === 'dismissed' && row.dismissalReason === null) {
    refuse('dismissalReason', 'is required: a dismissed signal has one')
  }
  const dates = course.flatMap((field) => (row[field] === null ? [] : [{ field, date: row[field] }]))
  for (const [index, { field, date }] of dates.entries()) {
    const before = dates[index - 1]
    if (!before || before.date <= date) continue
    if (given[field] === undefined) refuse(before.field, `must not be after ${field}, which is ${date}`)
    else refuse(field, `must not be before ${before.field}, which is ${before.date}`)
  }
  for (const { field, date } of dates) {
    if (date > now && date !== former?.[field])
      refuse(field, `must not be after the session's time, which is ${now}`)
  }
  return found
}
