import * as z from 'zod'

import { integerParameter, MAX_INTEGER, pagination, recordId, utcDateTime } from '../../contract/fields.ts'
import type { Input } from '../../core/input.ts'
import type { JsonObject } from '../../core/json.ts'
import { lazyStrictObject, lazyObject } from '../../core/lazy-schema.ts'
import { forEachTable, type TableName, tableNames } from '../../store/tables.ts'
import type { InputOf, RecordOf } from './forms/forms.ts'

const notEmpty = z.string().min(1, 'must have at least 1 character')
const wholeNumber = z.int('must be a whole number').min(0, 'must be 0 or more')

export const ListOptions = lazyStrictObject(() => ({
  offset: wholeNumber.optional().describe('The number of records to skip. Default: 0. Example: `10`.'),
  limit: wholeNumber
    .optional()
    .describe('The maximum number of records. Default: all records. Example: `10`.'),
  organizationId: notEmpty
    .optional()
    .describe('The organization of the records. Default: all. Example: `quill`.'),
  customerId: z
    .int('must be a whole number')
    .positive('must be greater than 0')
    .optional()
    .describe('Only the records of this customer.'),
  text: notEmpty.optional().describe('Only records that contain this text, in any field and case.'),
}))

/** A page of a collection. */
export interface ListOptions extends Input<typeof ListOptions> {}

export const ArrangeOptions = lazyStrictObject(() => ({
  organizationId: notEmpty
    .optional()
    .describe('The organization of records without a customer. Default: the first. Example: `quill`.'),
}))

/** Options for new records. */
export interface ArrangeOptions extends Input<typeof ArrangeOptions> {}

/** Which records to count. */
export const TotalOptions = ListOptions.pick({ organizationId: true })

/** Which records to count, and by which field; without one, the error lists the fields. */
export const CountOptions = TotalOptions.extend({ by: notEmpty.optional() })

export const RecordCounts = z.partialRecord(z.enum(tableNames), z.int())
export type RecordCounts = z.infer<typeof RecordCounts>

const Version = lazyObject(() => ({
  /** Absent for a change of the session whose time is not known. */
  at: utcDateTime.optional(),
  change: z.enum(['created', 'changed', 'deleted']),
  bySession: z.literal(true).optional(),
  /** The fields that differ from the version before; none for a record that is created or deleted. */
  fields: z.array(
    z.object({
      name: z.string(),
      before: z.unknown().optional().describe('Absent if the field did not exist'),
      after: z.unknown().optional().describe('Absent if the field exists no more'),
    }),
  ),
}))

/** The changes of a record since the dataset. Order: by time; at most the last 250. */
export const RecordHistory = lazyObject(() => ({ items: z.array(Version), totalCount: z.int() }))
export type RecordHistory = z.infer<typeof RecordHistory>

export const EventsQuery = lazyStrictObject(() => ({
  from: utcDateTime.optional().describe('The first day. Default: that of the dataset.'),
  to: utcDateTime.optional().describe('The last day, at most 400 days later. Default: 30 days later.'),
}))
/** The days whose events to count. Units: instants in UTC. */
export type EventsOptions = z.input<typeof EventsQuery>

export const RecordChange = lazyObject(() => ({
  collection: z.enum(tableNames),
  id: recordId,
  kind: z.enum(['created', 'replaced', 'deleted']),
}))
export type RecordChange = z.infer<typeof RecordChange>

const CountItem = lazyObject(() => ({
  /** The id of a lookup object, or the month of a date-time, as in `2026-03`; null if absent. */
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  /** The value in words: the name of a lookup object, `none` if absent. */
  label: z.string(),
  count: z.int(),
}))
export type CountItem = z.infer<typeof CountItem>

/** The number of records of a collection with each value of a field. */
export const Counts = lazyObject(() => ({
  by: z.string(),
  /**
   * Order: the most frequent value first, then by value; months in order. Each different element of a list counts as a
   * value. At most 1,000 items; `totalCount` is the number of all values.
   */
  items: z.array(CountItem),
  totalCount: z.int(),
  recordCount: z.int(),
}))
export type Counts = z.infer<typeof Counts>

/** The list of records to create, which are validated as they are read. */
export const RecordList = z.array(z.unknown(), 'must be a list of records, like [{ id: 901 }]')

export const Batch = z.strictObject(
  forEachTable<Record<TableName, z.ZodExactOptional<typeof RecordList>>>(() => RecordList.exactOptional()),
)
export type Batch = Readonly<z.output<typeof Batch>>

export type Created = Readonly<Partial<Record<TableName, readonly JsonObject[]>>>

/** The authors of changes: requests to the service, the control plane, scenarios, and the time that has passed. */
const authors = ['service', 'control', 'scenario', 'clock'] as const

const sinceText =
  'must be the id of a request, 0 for the start of the session, or an instant like 2026-01-15T12:00Z'

const ChangesSince = z.union(
  [
    z.int(sinceText).nonnegative().max(MAX_INTEGER),
    z
      .string()
      .refine((text) => utcDateTime.safeParse(text).success, sinceText)
      .meta({ format: 'date-time' }),
  ],
  sinceText,
)

export const ChangeFilter = lazyStrictObject(() => ({
  since: ChangesSince.optional().describe(
    'Only changes after the request with this id in the journal, or at this instant of the session’s clock and later. Default: 0, the start of the session: when it was opened, reset or restored, or when the server was started. Example: `3`.',
  ),
  by: z
    .enum(authors)
    .optional()
    .describe(
      'Only changes by this author: `service` for requests to `/v1`, `control` for arranged records and undone changes, `scenario`, or `clock` for what time changes in living data. Default: all. Example: `service`.',
    ),
}))

/** Which changes to list. */
export interface ChangeFilter extends Input<typeof ChangeFilter> {}

/** A record that was changed: by whom, and its versions before and after. */
export const WrittenChange = RecordChange.extend({
  by: z.enum(authors).describe('Who has changed it last'),
  at: utcDateTime
    .optional()
    .describe(
      'The time of the last change on the session’s clock; absent for `clock` if the record does not say it',
    ),
  request: z.int().optional().describe('The id of the request that has changed it'),
  scenario: z.string().optional().describe('The name of the scenario that has changed it'),
  fields: z.array(z.string()).optional().describe('The fields that differ, if it is replaced'),
  before: z.record(z.string(), z.unknown()).nullable().describe('Null if it is created'),
  after: z.record(z.string(), z.unknown()).nullable().describe('Null if it is deleted'),
})
export type WrittenChange = z.infer<typeof WrittenChange>

/** A change whose author is not known if it is older than the session's start, and whose versions may be left out. */
export const ListedChange = WrittenChange.partial({ by: true, before: true, after: true })
export type ListedChange = z.infer<typeof ListedChange>

export const ChangesQuery = lazyStrictObject(() => ({
  offset: pagination.offset,
  limit: integerParameter(z.int().positive('must be greater than 0').max(1_000).default(1_000)).describe(
    'The most changes, up to 1,000',
  ),
  since: integerParameter(ChangesSince.optional()).describe(
    'Only changes after the request with this id, 0 for the start of the session, or at this instant and later',
  ),
  by: z.enum(authors).optional().describe('Only changes by this author'),
  kind: WrittenChange.shape.kind.optional().describe('Only changes of this kind'),
  latest: integerParameter(z.int().positive('must be greater than 0').max(250).optional()).describe(
    'In place of `limit`: so many, the latest first. Without `since`, of all that differs from the dataset.',
  ),
}))

export type ChangesQuery = z.output<typeof ChangesQuery>

/** Changes to fields of a record; null removes a value. Source: RFC 7396. */
export type RecordPatch<I> = { readonly [K in keyof I]?: I[K] | null }

/** The records of a collection. A record that violates the contract is rejected with a SandboxError that names the field. */
export interface Collection<I, R> {
  /**
   * Lists all records, or a page; `totalCount` is the number of all. Order: as the service lists them.
   * @example const { items } = await session.data.customers.list({ limit: 10 })
   */
  list(options?: ListOptions): Promise<{ readonly items: readonly R[]; readonly totalCount: number }>
  /**
   * Counts the records with each value of a field. Errors: invalid_request for a field that cannot be counted.
   * @example const { items } = await session.data.signals.counts('status')
   */
  counts(by: keyof R & string, options?: Pick<ListOptions, 'organizationId'>): Promise<Counts>
  /** Returns a record. Errors: not_found. @example const customer = await session.data.customers.get(1) */
  get(id: number): Promise<R>
  /**
   * Lists the changes of a record since the dataset: those that time brings, and the session's own. Errors: not_found.
   * @example const { items } = await session.data.customers.history(1)
   */
  history(id: number): Promise<RecordHistory>
  /**
   * Creates or replaces a record; missing fields are generated. Errors: invalid_request, conflict.
   * @example await session.data.customers.put({ id: 901, name: 'Acme' })
   */
  put(record: I, options?: ArrangeOptions): Promise<R>
  /**
   * Changes fields of a record; sets `updatedDate` to the session's now unless the patch contains it.
   * Errors: invalid_request, not_found, conflict.
   * @example await session.data.signals.patch(1, { status: 'closed' })
   */
  patch(id: number, patch: RecordPatch<I>): Promise<R>
  /**
   * Deletes a record and its parts. Errors: not_found; conflict if another record refers to it.
   * @example await session.data.customers.delete(1)
   */
  delete(id: number): Promise<RecordCounts>
  /**
   * Creates records, all or none. Order: as given. Errors: invalid_request, conflict.
   * @example const [first] = await session.data.notes.create([{ customerId: 1 }, { customerId: 2 }])
   */
  create(records: readonly I[], options?: ArrangeOptions): Promise<readonly R[]>
}

/** The records of a session, by collection. */
export type Collections = { readonly [T in TableName]: Collection<InputOf[T], RecordOf[T]> }

/** The records of a session. */
export interface SessionRecords extends Collections {
  /**
   * Creates records of several collections, all or none; they may refer to each other.
   * Errors: invalid_request, conflict.
   * @example await session.data.create({ customers: [{ id: 901 }], signals: [{ customerId: 901 }] })
   */
  create(
    batch: { readonly [T in TableName]?: readonly InputOf[T][] },
    options?: ArrangeOptions,
  ): Promise<{ readonly [T in TableName]?: readonly RecordOf[T][] }>
  /** Lists the records that differ from the dataset. @example expect(await session.data.changes()).toEqual([]) */
  changes(): Promise<readonly RecordChange[]>
  /**
   * Lists the records that were changed since a request or an instant, by anybody or by one author, with their versions
   * before and after. Order: as they were first changed; those that changed with time last.
   * Errors: invalid_request; not_found for a request that is not in the journal; conflict if the session no longer keeps
   * all changes since.
   * @example expect(await session.data.changes({ by: 'service' })).toMatchObject([{ kind: 'created', collection: 'notes' }])
   */
  changes(filter: ChangeFilter): Promise<readonly WrittenChange[]>
  /**
   * Undoes the change of a record, and of the records that were changed with it.
   * Errors: not_found if it is unchanged; conflict if the original contradicts other records.
   * @example await session.data.undo('customers', 1)
   */
  undo(collection: TableName, id: number): Promise<RecordCounts>
  /** Undoes every change of records; clock, faults, journal and assumptions stay. @example await session.data.undoAll() */
  undoAll(): Promise<RecordCounts>
}
