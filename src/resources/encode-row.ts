import * as z from 'zod'

import { withRow } from '../contract/learned-values.ts'
import { SandboxError } from '../core/errors.ts'
import type { Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'
import type { BoundOperation } from './contract.ts'

/** Presents a row as an operation shows it, before it becomes JSON. Errors: internal_error if it does not fit its shape. */
export function encodeRow({ endpoint, shape }: BoundOperation, row: Row<TableName>, data: Data): unknown {
  const { resource } = endpoint
  const record = resource.present(row, data)
  // Rows are validated before they are stored, so that only a shape with codecs has to be applied.
  if (shape === endpoint.shape) return record
  const checked = z.safeEncode(shape, withRow(record, row))
  if (checked.success) return checked.data
  const fact = `${resource.table} ${row.id} does not fit its shape`
  throw new SandboxError('internal_error', fact, { cause: checked.error })
}
