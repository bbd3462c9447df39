import * as z from 'zod'

import { recordId, utcDateTime } from '../src/contract/fields.ts'
import { type Row, type TableName, tableNames, tables } from '../src/store/tables.ts'
import { parseRelativeTime } from './time.ts'

/** The fields of a row in a fixture; the others are generated. */
export type GivenRow<T extends TableName> = Partial<Row<T>> & { readonly id: number }

/** The events that a fixture has at a time. */
export interface TimelineStep {
  /** Its path, as in `timeline[2]`. */
  readonly place: string
  /** An instant, or a time relative to the dataset's, as in `now+2d`. */
  readonly at: string
  /** The records to create or change. */
  readonly records: { readonly [T in TableName]?: readonly GivenRow<T>[] | undefined }
  /** The ids of the records to delete. */
  readonly deleted: Readonly<Partial<Record<TableName, readonly number[] | undefined>>>
}

const isTime = (text: string): boolean =>
  parseRelativeTime(text, 0) !== undefined || utcDateTime.safeParse(text).success

/** Creates the schema of a timeline, on demand like that of a fixture file. */
export function createTimelineSchema(): z.ZodType {
  const records = tableNames.map((table) => {
    const row: z.ZodObject = tables[table].row
    return [table, z.array(row.partial().required({ id: true })).optional()]
  })
  const ids = tableNames.map((table) => [table, z.array(recordId).optional()])
  return z.array(
    z.strictObject({
      about: z.string().optional(),
      at: z.string().refine(isTime, 'must be an instant, or a relative time like now+2d'),
      delete: z.strictObject(Object.fromEntries(ids)).optional(),
      ...Object.fromEntries(records),
    }),
  )
}

/** Reads the timeline of a validated fixture file. Order: as in the file. */
export function readTimeline(json: unknown): TimelineStep[] {
  const list: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'timeline') : undefined
  if (!Array.isArray(list)) return []
  return list.map((step: Readonly<Record<string, unknown>>, index): TimelineStep => {
    const { at, delete: deleted = {}, about: _, ...records } = step
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema above has validated the step
    const read = { records, deleted } as Pick<TimelineStep, 'records' | 'deleted'>
    return { place: `timeline[${index}]`, at: String(at), ...read }
  })
}

/** Reports whether a step of a timeline names a record. */
export const namesRecord = ({ records, deleted }: TimelineStep, table: TableName, id: number): boolean =>
  records[table]?.some((record) => record.id === id) === true || deleted[table]?.includes(id) === true
