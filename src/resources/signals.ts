import * as z from 'zod'

import { instant, optionalInstant, optionalText, pagination, recordId } from '../contract/fields.ts'
import { assumedShape, documented, documentedShape } from '../contract/provenance.ts'
import { query } from '../contract/query.ts'
import {
  NamedStatus,
  shareOf,
  signalNaming,
  signalStatuses,
  statusShare,
  type StatusNaming,
} from '../contract/statuses.ts'
import { renames, varies } from '../contract/variation.ts'
import type { Data } from '../store/session-data.ts'
import type { Row } from '../store/tables.ts'
import { customersInScope } from '../store/visibility.ts'
import { endpoint, named } from './endpoint.ts'
import { Lookup, none, optionalLookup } from './lookups.ts'
import { openText } from './open-text.ts'
import { resource } from './resource.ts'
import { scope } from './scope.ts'

const tag = 'Signals'
const source = 'Signal'
const parameters = 'Signal list parameters'

const statusInput = (names: readonly string[]) =>
  documented(z.enum(names), parameters, 'A-10').meta({ id: 'SignalStatusInput' })

const statusInputs = new WeakMap<StatusNaming<string>, z.ZodType>()

/** The names of signals' status: one schema for the filter and the field. */
const SignalStatusInput = varies(
  documented(z.enum(signalStatuses), parameters, 'A-10').meta({ id: 'SignalStatusInput' }),
  (settings) => {
    const naming = signalNaming(settings.signalStatuses)
    if (naming.isDefault) return undefined
    const schema = statusInputs.get(naming) ?? statusInput(naming.names)
    statusInputs.set(naming, schema)
    return { schema }
  },
)

const timestamp = documented(instant, source, 'A-35')
const lookup = (field: 'dismissalReason' | 'outcome' | 'competitor') =>
  documented(optionalLookup(field), source, 'A-09')

const SignalSubCategory = renames(
  assumedShape('SignalSubCategory', 'A-27', { id: recordId, name: z.string() }),
  ({ subCategoryName }) => (subCategoryName === 'name' ? undefined : { name: subCategoryName }),
)

const shape = documentedShape('Signal', source, {
  id: recordId,
  customerId: recordId,
  productId: recordId,
  productKey: z.string(),
  status: documented(SignalStatusInput, source, 'A-10'),
  source: documented(openText, source, 'A-37'),
  summary: z.string(),
  notes: z.null().describe('The only value that the document lists is null'),
  severity: z.int(),
  severityExplanation: optionalText(source),
  createdById: recordId,
  updatedById: recordId,
  ownerId: recordId,
  latestNote: optionalText(source),
  isDraft: z.boolean(),
  isPrimary: z.boolean(),
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
  type: documentedShape('SignalType', source, { id: recordId, name: z.string(), color: z.string() }),
})

/** Something that was noticed about a customer. Source: Signal. */
export const Signal = varies(shape, (settings) => {
  const naming = signalNaming(settings.signalStatuses)
  if (naming.isDefault) return undefined
  return {
    schema: z.object(shape.shape),
    encode: (signal) => withName(signal, naming),
    decode: (signal) => withMeaning(signal, naming),
    isByRecord: !naming.isOneToOne,
  }
})
export type Signal = z.infer<typeof Signal>

/** Names the status of a signal. */
function withName(signal: unknown, naming: StatusNaming<string>): unknown {
  if (!isRecord(signal) || typeof signal['status'] !== 'string') return signal
  const { status: meaning, id } = signal
  const chosen: unknown = Reflect.get(signal, statusShare)
  const share = typeof chosen === 'number' ? chosen : shareOf(Number(id))
  return { ...signal, status: naming.nameOf(meaning, share) }
}

/** Replaces the name of a status by its meaning; where that is not certain, the record decides later. */
function withMeaning(signal: unknown, naming: StatusNaming<string>): unknown {
  if (!isRecord(signal) || typeof signal['status'] !== 'string') return signal
  const { status: name } = signal
  const [meaning] = naming.meaningsOf(name)
  const isCertain = naming.isOneToOne && meaning !== undefined
  return { ...signal, status: isCertain ? meaning : new NamedStatus(name, naming) }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** A signal on the wire; absent values as assumption A-09 says. */
function presentSignal(row: Row<'signals'>, data: Data): Signal {
  return {
    ...chosenName(row),
    id: row.id,
    customerId: row.customerId,
    productId: row.productId,
    productKey: data.get('products', row.productId)?.key ?? '',
    status: row.status,
    source: row.source,
    summary: row.summary,
    notes: null,
    severity: row.severity,
    severityExplanation: row.severityExplanation ?? '',
    createdById: row.createdById,
    updatedById: row.updatedById,
    ownerId: row.ownerId,
    latestNote: row.latestNote ?? '',
    isDraft: row.isDraft,
    isPrimary: row.isPrimary,
    createdDate: row.createdDate,
    raisedDate: row.raisedDate ?? '',
    closedDate: row.closedDate ?? '',
    updatedDate: row.updatedDate,
    opportunity: row.opportunity ?? '',
    category: row.category,
    dismissalReason: row.dismissalReason ?? none.dismissalReason,
    subCategory: row.subCategory ?? none.subCategory,
    outcome: row.outcome ?? none.outcome,
    outcomeNotes: row.outcomeNotes ?? '',
    competitor: row.competitor ?? none.competitor,
    type: row.type,
  }
}

/** Which of several names of its status was chosen for a signal, for `withName`; not part of the JSON. */
export function chosenName(row: Pick<Row<'signals'>, 'statusShare'>): object {
  return row.statusShare === undefined ? {} : { [statusShare]: row.statusShare }
}

const signal = resource({ table: 'signals', shape: Signal, embeds: ['products'], present: presentSignal })

/** Signals: the list with its filters, and one. Source: Endpoints; Signal list parameters. */
export const signalEndpoints = {
  listSignals: endpoint({
    id: 'listSignals',
    path: '/organizations/{organizationId}/signals',
    summary: 'The signals raised on customers, filtered',
    tag,
    query: query({
      ...pagination,
      scope: scope(parameters),
      status: documented(SignalStatusInput.optional(), parameters, 'A-10').describe("The signal's status"),
    }),
    returns: 'page',
    resource: signal,
    handle: ({ path, query: asked, caller, data, settings }) =>
      data.select('signals', [
        ['organizationId', path.organizationId],
        ['customerId', customersInScope(asked.scope, caller, data, settings.team)],
        asked.status === undefined
          ? ['status', undefined]
          : signalNaming(settings.signalStatuses).condition(asked.status),
      ]),
  }),
  getSignal: endpoint({
    id: 'getSignal',
    path: '/organizations/{organizationId}/signals/{signalId}',
    summary: 'One signal',
    tag,
    returns: 'one',
    resource: signal,
    find: (address) => named(address.data.get('signals', address.path.signalId), address),
    handle: ({ record }) => record,
  }),
}
