import { invalidRequest } from '../src/contract/errors.ts'
import type { Row, Rows, TableName } from '../src/store/tables.ts'
import type { OrganizationRow } from '../src/store/tables/members.ts'
import { generateRow } from './generators.ts'
import { type GenerationRequest, layDataset } from './lay.ts'
import { createTenant, type DraftContext } from './tenant.ts'
import { parseTime } from './time.ts'

export { createFuture } from './future/index.ts'

/**
 * Generates a tenant as a pure function of its request. A larger size does not change existing records.
 * Order: the rows of each table in the order of the table.
 * Errors: `invalid_request` for a record of the fixture with a dangling reference, with its path.
 */
export function generate(request: GenerationRequest): {
  organizations: readonly OrganizationRow[]
  rows: Rows
} {
  if (Number.isNaN(parseTime(request.now))) {
    throw invalidRequest([{ in: 'body', name: 'now', message: 'must be an instant' }])
  }
  return layDataset(request)
}

/**
 * Generates a complete and plausible row for an id, consistent with the given fields.
 * Errors: `invalid_request` if the given customer, automation or organization does not exist.
 */
export function draft<T extends TableName>(
  table: T,
  id: number,
  given: Partial<Row<T>>,
  context: DraftContext,
): Row<T> {
  return generateRow(table, id, given, createTenant(context))
}
