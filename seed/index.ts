import { invalidRequest } from '../src/contract/errors.ts'
import type { Rows } from '../src/store/tables.ts'
import type { OrganizationRow } from '../src/store/tables/members.ts'
import { type GenerationRequest, layDataset } from './lay.ts'
import { parseTime } from './time.ts'

export { createFuture } from './future/index.ts'
export { createGenerator } from './generators.ts'

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
