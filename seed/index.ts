import { invalidRequest } from '../src/contract/errors.ts'
import type { OrganizationRow } from '../src/store/rows.ts'
import type { Row, Rows, TableName } from '../src/store/tables.ts'
import { draftRow } from './drafters.ts'
import { type GenerationRequest, layDataset } from './lay.ts'
import { createTenant, type DraftContext } from './tenant.ts'
import { timeOf } from './time.ts'

/**
 * Generates a tenant: a pure function of its request, and with a larger size every record stays as it is.
 * Order: of each table's rows as the table says.
 * Errors: `invalid_request` for a fixture's record that refers to nothing, with its place.
 */
export function generate(request: GenerationRequest): {
  organizations: readonly OrganizationRow[]
  rows: Rows
} {
  if (Number.isNaN(timeOf(request.now))) {
    throw invalidRequest([{ in: 'body', name: 'now', message: 'must be an instant' }])
  }
  return layDataset(request)
}

/**
 * A complete and plausible row for an id: what is given, and the rest drawn so that it agrees with it.
 * Errors: `invalid_request` for a customer, automation or organization that is given and does not exist.
 */
export function draft<T extends TableName>(
  table: T,
  id: number,
  given: Partial<Row<T>>,
  context: DraftContext,
): Row<T> {
  return draftRow(table, id, given, createTenant(context))
}
