import type { InputOf, RecordOf } from '../../resources/records/index.ts'
import { forEachTable, type TableName } from '../../store/tables.ts'
import { inProcessLater } from '../in-process.ts'
import type { Arranger, Counts, ListOptions, RecordChange, RecordCounts } from './data.ts'

/** What is to become of some fields of a record: a value, or null for none. Source: RFC 7396. */
export type RecordPatch<I> = { readonly [K in keyof I]?: I[K] | null }

/** Where a new record belongs that has no customer to tell it. */
export interface ArrangeOptions {
  /** The first organization without. */
  readonly organizationId?: string
}

type CountOptions = Pick<ListOptions, 'organizationId'>

/** The records of one collection, to arrange. What does not fit the contract is refused by a SandboxError that names the field. */
export interface Collection<I, R> {
  /** Order: as the service lists them. Shape: all of them, or a page; `totalCount` counts all. */
  list(options?: ListOptions): Promise<{ readonly items: readonly R[]; readonly totalCount: number }>
  /** How many records have each value of a field. Errors: invalid_request for one by which they cannot be counted. */
  counts(by: keyof R & string, options?: CountOptions): Promise<Counts>
  /** Errors: not_found. */
  get(id: number): Promise<R>
  /** Creates or replaces a record; what is not given is drawn. Errors: invalid_request, conflict. */
  put(record: I, options?: ArrangeOptions): Promise<R>
  /**
   * Changes some fields of a record; its `updatedDate` moves to the session's now unless the patch gives one.
   * Errors: invalid_request, not_found, conflict.
   */
  patch(id: number, patch: RecordPatch<I>): Promise<R>
  /** Deletes a record and what is part of it. Errors: not_found; conflict where something else refers to it. */
  delete(id: number): Promise<RecordCounts>
  /** Creates records, all or none. Order: as given. Errors: invalid_request, conflict. */
  create(records: readonly I[], options?: ArrangeOptions): Promise<readonly R[]>
}

/** The records of a session, by collection. */
export type Collections = { readonly [T in TableName]: Collection<InputOf[T], RecordOf[T]> }

/** The records of a session, to arrange. */
export interface SessionRecords extends Collections {
  /** Creates records of several collections, all or none; they may refer to each other. Errors: invalid_request, conflict. */
  create(
    batch: { readonly [T in TableName]?: readonly InputOf[T][] },
    options?: ArrangeOptions,
  ): Promise<{ readonly [T in TableName]?: readonly RecordOf[T][] }>
  /** Every record that is not as in the dataset. */
  changes(): Promise<readonly RecordChange[]>
  /**
   * Takes the change of a record back: it is again as in the dataset, and so is what went or came along with it.
   * Errors: not_found where it is not changed; conflict where it cannot be as it was among the others as they are.
   */
  undo(collection: TableName, id: number): Promise<RecordCounts>
  /** Takes every change of the data back; clock, faults, journal and assumptions stay. */
  undoAll(): Promise<RecordCounts>
}

/** The records of a session as typed collections, over what arranges them. */
export function sessionRecords(arranger: () => Promise<Arranger>): SessionRecords {
  const api = {
    ...forEachTable<{ readonly [T in TableName]: unknown }>((table) => collection(table, arranger)),
    create: method(
      'batch',
      async (batch: Parameters<Arranger['createAll']>[0], { organizationId }: ArrangeOptions = {}) =>
        (await arranger()).createAll(batch, organizationId),
    ),
    changes: method('argument', async () => (await arranger()).changes()),
    undo: method('argument', async (name: TableName, id: number) => (await arranger()).undo(name, id)),
    undoAll: method('argument', async () => (await arranger()).undoAll()),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what goes in and out is checked by each collection's own form
  return api as SessionRecords
}

function collection(
  table: TableName,
  arranger: () => Promise<Arranger>,
): Collection<{ readonly id?: number }, object> {
  return {
    list: method('argument', async (options?: ListOptions) => (await arranger()).list(table, options)),
    counts: method('argument', async (by: string, { organizationId }: CountOptions = {}) =>
      (await arranger()).counts(table, by, organizationId),
    ),
    get: method('argument', async (id: number) => (await arranger()).get(table, id)),
    put: method('record', async (record: unknown, { organizationId }: ArrangeOptions = {}) =>
      (await arranger()).put(table, undefined, record, organizationId),
    ),
    patch: method('patch', async (id: number, patch: unknown) => (await arranger()).patch(table, id, patch)),
    delete: method('argument', async (id: number) => (await arranger()).delete(table, id)),
    create: method('records', async (records: readonly unknown[], { organizationId }: ArrangeOptions = {}) =>
      (await arranger()).create(table, records, organizationId),
    ),
  }
}

/** A method that names its argument, and its caller's line, in what it refuses. */
function method<A extends unknown[], R>(
  argument: string,
  call: (...values: A) => Promise<R>,
): (...values: A) => Promise<R> {
  return (...values) => inProcessLater(argument, () => call(...values))
}
