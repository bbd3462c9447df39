import * as z from 'zod'

import { adapt } from '../contract/codecs.ts'
import { instant, optionalInstant, optionalText, pagination, recordId } from '../contract/fields.ts'
import { assumedShape, documented, documentedShape } from '../contract/provenance.ts'
import { getSignalNaming, signalStatuses } from '../contract/statuses.ts'
import { isObject } from '../core/json.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { endpoint, inPath, resource } from './endpoint.ts'
import { findCustomersInScope, scopeParameter } from './scopes.ts'

const source = 'Signal'
const parameters = 'Signal list parameters'

/** A status by its name under the settings, as a filter and in a signal. Source: assumption A-10. */
const SignalStatusInput = adapt(
  documented(z.enum(signalStatuses), parameters, 'A-10').meta({ id: 'SignalStatusInput' }),
  (settings) => {
    const naming = getSignalNaming(settings.signalStatuses)
    if (naming.isDefault) return undefined
    return {
      schema: z.enum(naming.names).meta({ id: 'SignalStatusInput' }),
      encode: (status, row = {}) => {
        const meaning = signalStatuses.find((known) => known === status)
        return meaning === undefined ? status : naming.getName(meaning, row)
      },
    }
  },
)

/** A value of a lookup, as in a signal's `category`. Source: Signal. */
const Lookup = documentedShape('Lookup', source, () => ({ id: recordId, name: z.string() }))
type Lookup = z.infer<typeof Lookup>

/** The "none" entries of lookups, for absent values. Source: assumption A-09. */
export const noneEntries = {
  dismissalReason: { id: 1, name: 'Not dismissed' },
  outcome: { id: 1, name: 'No outcome' },
  competitor: { id: 1, name: 'No competitor' },
  subCategory: { id: 1, name: 'No subcategory' },
} as const

/** Declares a lookup that may have no value: its "none" entry by default, or null. Source: assumption A-09. */
function optionalLookup(
  field: keyof typeof noneEntries,
  lookup: z.ZodType<Lookup> = Lookup,
): z.ZodType<Lookup> {
  const none = noneEntries[field]
  // A clone, so that the lookup itself stays as it is.
  return adapt(lookup.meta({}), ({ absentValues }) =>
    absentValues === 'typed'
      ? undefined
      : {
          schema: lookup.nullable(),
          encode: (value) => (isObject(value) && value['id'] === none.id ? null : value),
          decode: (value) => (value === null ? none : value),
        },
  )
}

const timestamp = documented(instant, source, 'A-35')
const lookup = (field: 'dismissalReason' | 'outcome' | 'competitor') =>
  documented(optionalLookup(field), source, 'A-09')

/** Source: assumption A-27. */
export const SignalSubCategory = assumedShape('SignalSubCategory', 'A-27', () => ({
  id: recordId,
  name: z.string(),
}))

/** A signal about a customer. Source: Signal. */
export const Signal = documentedShape('Signal', source, () => ({
  id: recordId,
  customerId: recordId,
  productId: recordId,
  productKey: z.string(),
  status: documented(SignalStatusInput, source, 'A-10'),
  source: documented(z.string(), source, 'A-37'),
  summary: z.string(),
  notes: documented(z.string().nullable(), source, 'A-41').describe(
    'The only value that the document lists is null',
  ),
  severity: documented(z.int(), source, 'A-44'),
  severityExplanation: optionalText(source),
  createdById: recordId,
  updatedById: recordId,
  ownerId: recordId,
  latestNote: optionalText(source),
  isDraft: z.boolean(),
  isPrimary: documented(z.boolean(), source, 'A-49'),
  createdDate: timestamp,
  raisedDate: optionalInstant(source),
  closedDate: optionalInstant(source),
  updatedDate: timestamp,
  opportunity: optionalText(source),
  category: Lookup,
  dismissalReason: lookup('dismissalReason'),
  subCategory: documented(optionalLookup('subCategory', SignalSubCategory), source, 'A-27'),
  outcome: lookup('outcome'),
  outcomeNotes: optionalText(source),
  competitor: lookup('competitor'),
  type: documentedShape('SignalType', source, () => ({
    id: recordId,
    name: z.string(),
    color: documented(z.string(), source, 'A-49'),
  })),
}))

export type Signal = z.infer<typeof Signal>

const signal = resource({
  table: 'signals',
  shape: Signal,
  embeds: ['products'],
  derive: (row, data) => ({
    productKey: data.get('products', row.productId)?.key ?? '',
    notes: row.notes ?? null,
    severityExplanation: row.severityExplanation ?? '',
    latestNote: row.latestNote ?? '',
    raisedDate: row.raisedDate ?? '',
    closedDate: row.closedDate ?? '',
    opportunity: row.opportunity ?? '',
    dismissalReason: row.dismissalReason ?? noneEntries.dismissalReason,
    subCategory: row.subCategory ?? noneEntries.subCategory,
    outcome: row.outcome ?? noneEntries.outcome,
    outcomeNotes: row.outcomeNotes ?? '',
    competitor: row.competitor ?? noneEntries.competitor,
  }),
})

export const signalEndpoints = {
  listSignals: endpoint({
    path: '/organizations/{organizationId}/signals',
    summary: 'The signals raised on customers, filtered',
    query: lazyObject(() => ({
      ...pagination,
      scope: scopeParameter(parameters),
      status: documented(SignalStatusInput.optional(), parameters, 'A-10').describe("The signal's status"),
    })),
    returns: 'page',
    resource: signal,
    where: ({ path, query: filter, caller, data, settings }) => [
      ['organizationId', path.organizationId],
      ['customerId', findCustomersInScope(filter.scope, caller, data, settings.team), ['scope']],
      ['status', filter.status && getSignalNaming(settings.signalStatuses).getCondition(filter.status)],
    ],
  }),
  getSignal: endpoint({
    path: '/organizations/{organizationId}/signals/{signalId}',
    summary: 'One signal',
    resource: signal,
    find: inPath('signals', 'signalId'),
  }),
}
