import type { OrganizationRow } from '../src/store/rows.ts'
import type { Rows } from '../src/store/tables.ts'

/** What a dataset holds. */
export interface DatasetContent {
  readonly organizations: readonly OrganizationRow[]
  readonly rows: Rows
}

/**
 * Datasets that need not be generated, by what they are made from.
 * DECISION: there are none in the sources; `vite.config.ts` puts the small default one into the command, because tests
 * start with it, and it is read in a tenth of the time. Revisit when the generators load as fast.
 */
export const readyMade: ReadonlyMap<string, () => Promise<DatasetContent>> = new Map()
