import type { Contract } from '../../resources/contract.ts'
import type { Dataset } from '../../store/dataset.ts'
import type { SessionData } from '../../store/session-data.ts'
import type { TableName } from '../../store/tables.ts'
import type { Draft } from './write.ts'

/** Which records of a collection to list. */
export interface ListOptions {
  readonly offset?: number | undefined
  /** All of them without. */
  readonly limit?: number | undefined
  /** Those of every organization without. */
  readonly organizationId?: string | undefined
}

/** What happened to a record in a session. */
export interface RecordChange {
  readonly collection: TableName
  readonly id: number
  readonly kind: 'created' | 'replaced' | 'deleted'
}

/** How many records of each collection a deletion took, or an undo brought back or took. */
export type RecordCounts = Readonly<Partial<Record<TableName, number>>>

/** How many records have a value in a field. */
export interface CountItem {
  /** The id of a lookup object, the month of a date-time, as in `2026-03`; null where there is no value. */
  readonly value: string | number | boolean | null
  /** The value in words: a lookup object's name, `none` where there is no value, `others` for all that are left out. */
  readonly label: string
  readonly count: number
  /** How many values `others` stands for. */
  readonly valueCount?: number
}

/** How many records of a collection have each value of a field. */
export interface Counts {
  /** The field, as GET shows it. */
  readonly by: string
  /**
   * Order: the value that most records have first, then by value; months in their course. Of a list, each of its
   * different elements is a value. 1,000 at most: the last then stands for the others.
   */
  readonly items: readonly CountItem[]
  /** How many different values there are. */
  readonly totalCount: number
  /** How many records were looked at. */
  readonly recordCount: number
}

/** Records to create, by collection. */
export type Batch = Readonly<Partial<Record<TableName, readonly unknown[]>>>

/** Records that were created, by collection. Order: as given. */
export type Created = Readonly<Partial<Record<TableName, readonly object[]>>>

/** A way to arrange the records of a session: every call is made as a whole or not at all, one after the other. */
export interface Arranger {
  /** Records of a collection before pagination counted. Order: as the service lists them. Errors: 400 for an unknown organization. */
  list(table: TableName, options?: ListOptions): { readonly items: object[]; readonly totalCount: number }
  /** Errors: 400 for a field by which records cannot be counted, or an unknown organization. */
  counts(table: TableName, by: string | undefined, organizationId?: string): Counts
  /** Errors: 404. */
  get(table: TableName, id: number): object
  /** Creates or replaces a record; what is not given is drawn. Errors: 400, 409. */
  put(table: TableName, id: number | undefined, record: unknown, organizationId?: string): Promise<object>
  /** Changes a record by a JSON merge patch; moves its `updatedDate` to now unless the patch gives one. Errors: 400, 404, 409. */
  patch(table: TableName, id: number, patch: unknown): Promise<object>
  /** Deletes a record and what is part of it. Errors: 404; 409 where something else refers to it. */
  delete(table: TableName, id: number): Promise<RecordCounts>
  /** Creates records of a collection, all or none. Order: as given. Errors: 400 with the place of each wrong field, 409. */
  create(table: TableName, records: readonly unknown[], organizationId?: string): Promise<readonly object[]>
  /** Creates records of several collections, all or none; they may refer to each other. Errors: as `create`. */
  createAll(batch: Batch, organizationId?: string): Promise<Created>
  /** Every record that is not as in the dataset. Order: by collection, then as first changed. */
  changes(): RecordChange[]
  /**
   * Takes the change of a record back: it is again as in the dataset, and so is what went or came along with it.
   * Errors: 404 where it is not changed; 409 where it cannot be as it was among the others as they are.
   */
  undo(table: TableName, id: number): Promise<RecordCounts>
  /** Takes every change back. */
  undoAll(): Promise<RecordCounts>
}

/** What of a session is arranged. */
export interface Arranged {
  readonly data: SessionData
  readonly clock: { now(): string }
  /** How it decides what the document leaves open. */
  readonly contract: Pick<Contract, 'variantOf'>
}

/** What arranging needs of its surroundings, looked up at each call. */
export interface Surroundings<S extends Arranged> {
  readonly dataset: () => Dataset
  /** What draws records; loaded when first needed. */
  readonly draft: () => Promise<Draft>
  /** Keeps a session from being dropped until the function that it gives is called. */
  readonly hold: (session: S) => () => void
}
