import type * as z from 'zod'

import type { Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'

/** How the rows of a table look on the wire. */
export interface Resource<T extends TableName = TableName, S extends z.ZodType = z.ZodType> {
  readonly table: T
  readonly shape: S
  /** The other tables that an answer quotes: a change there changes it. */
  readonly embeds: readonly TableName[]
  /** Row to shape; pure. */
  present(row: Row<T>, data: Data): z.input<S>
}

/** Declares how the rows of a table look on the wire. */
export function resource<T extends TableName, S extends z.ZodType>(
  definition: Resource<T, S>,
): Resource<T, S> {
  return definition
}
