import type { TableName } from '../../store/tables.ts'
import type { InputOf, RecordOf } from './forms/forms.ts'
import type {
  ArrangeOptions,
  ChangeFilter,
  WrittenChange,
  Counts,
  ListOptions,
  RecordChange,
  RecordCounts,
  RecordHistory,
} from './types.ts'

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
  counts(by: keyof R & string, options?: ArrangeOptions): Promise<Counts>
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
