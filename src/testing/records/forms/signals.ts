import * as z from 'zod'

import { getSignalNaming, type SignalStatus } from '../../../contract/statuses.ts'
import { lazyStrictObject } from '../../../core/lazy-schema.ts'
import { noneEntries } from '../../../service/signals.ts'
import { isOver, signalDates } from '../../../store/tables/signals.ts'
import {
  convertInput,
  inputFields,
  notLater,
  optionalLookup,
  optionalText,
  type DraftContext,
  type Fields,
  recordForm,
} from './form.ts'

const input = lazyStrictObject(() => ({
  ...inputFields('signals'),
  productKey: z.string().optional(),
  /** A name under the settings, which only the write knows. */
  status: convertInput<SignalStatus, z.ZodString>(z.string(), (value) => value).optional(),
  notes: optionalText.optional(),
  severityExplanation: optionalText.optional(),
  latestNote: optionalText.optional(),
  opportunity: optionalText.optional(),
  dismissalReason: optionalLookup(noneEntries.dismissalReason).optional(),
  subCategory: optionalLookup(noneEntries.subCategory).optional(),
  outcome: optionalLookup(noneEntries.outcome).optional(),
  outcomeNotes: optionalText.optional(),
  competitor: optionalLookup(noneEntries.competitor).optional(),
})).omit({ statusName: true })

/** A signal. `productId` or `productKey` selects its product; an absent lookup by null, "" or its "none" entry. */
export const signalForm = recordForm('signals', {
  operation: 'getSignal',
  input,
  toFields: ({ productKey: key, productId: id, status, ...rest }, context) => {
    const { data, organizationId, reject } = context
    const fields = { ...rest, ...chooseStatus(status, rest, context) }
    if (key === undefined) return { ...fields, productId: id }
    const [product] = data
      .select('products', [
        ['organizationId', organizationId],
        ['key', key],
      ])
      .page(0, 1)
    if (!product) reject('productKey', `${key} matches no product. Add the product or change the key.`)
    else if (id !== undefined && id !== product.id) {
      reject('productKey', `${key} is the key of product ${product.id}, not of ${id}. Send only one of them.`)
    }
    return { ...fields, productId: product?.id ?? id }
  },
  /** Dates a new signal now, unless a date is given. */
  defaults: ({ createdDate, raisedDate, closedDate, updatedDate }, now) => {
    if (raisedDate ?? closedDate ?? updatedDate) return {}
    const created = createdDate ?? now
    return { createdDate: created, ...(created <= now && { updatedDate: now }) }
  },
  regenerate: ({ status }, patch) =>
    (patch.status ?? status) === status ? [] : ['dismissalReason', 'outcome', 'outcomeNotes'],
  /** Lets a patched signal be raised or closed now, unless the patch says when; a new one is generated as a whole. */
  adjust: (written, fields, { now, before, isPatch }) => {
    const { statusName: _name, ...unnamed } = written
    const row = fields.status !== undefined && fields.statusName === undefined ? unnamed : written
    if (!before || !isPatch) return row
    const isDraft = fields.isDraft ?? (fields.raisedDate ? false : row.isDraft)
    const follows = (field: 'raisedDate' | 'closedDate', isThere: boolean, date: string | null) =>
      fields[field] === undefined ? (isThere ? date : null) : row[field]
    return {
      ...row,
      isDraft,
      raisedDate: follows('raisedDate', !isDraft, before.isDraft ? now : row.raisedDate),
      closedDate: follows('closedDate', isOver(row), row.closedDate ?? now),
    }
  },
  /** Source: assumption A-10. */
  findLateDates: (row, fields, { now, before }) => {
    const late = signalDates.filter((field) => (row[field] ?? '') > now && row[field] !== before?.[field])
    // The other dates only follow those that were given.
    const ownLate = late.filter((field) => fields[field] !== undefined)
    return (ownLate.length > 0 ? ownLate : late).map((path) => notLater(path, now))
  },
})

function chooseStatus(
  name: string | undefined,
  { dismissalReason, closedDate }: Pick<z.output<typeof input>, 'dismissalReason' | 'closedDate'>,
  { before, settings, id, reject }: DraftContext<'signals'>,
): Pick<Fields<'signals'>, 'status' | 'statusName'> {
  if (name === undefined) return {}
  const naming = getSignalNaming(settings.signalStatuses)
  const { names } = naming
  const possible = naming.findMeanings(name)
  if (possible.length === 0)
    reject('status', `must be ${names.length > 1 ? 'one of ' : ''}${names.join(', ')}`)
  const preferences: ((meaning: SignalStatus) => boolean)[] = [
    (meaning) => closedDate === undefined || isOver({ status: meaning }) === (closedDate !== null),
    (meaning) => dismissalReason === undefined || (meaning === 'dismissed') === (dismissalReason !== null),
    (meaning) => meaning === before?.status,
  ]
  const fitting = preferences.reduce((meanings, preference) => {
    const left = meanings.filter(preference)
    return left.length > 0 ? left : meanings
  }, possible)
  const [meaning = 'open'] = fitting
  return { status: meaning, ...(naming.getName(meaning, { id }) !== name && { statusName: name }) }
}
