import type { Rows } from '../src/store/tables.ts'
import type { OrganizationRow } from '../src/store/tables/members.ts'

/** The content of a dataset. */
export interface DatasetContent {
  readonly organizations: readonly OrganizationRow[]
  readonly rows: Rows
}

/**
 * Datasets that need not be generated, by the key of their source.
 * DECISION: empty in the sources; `vite.config.ts` embeds the small default dataset in the command, because tests start
 * with it, and reading it takes a tenth of the time. Revisit when the generators load as fast.
 */
export const readyMade: ReadonlyMap<string, () => Promise<DatasetContent>> = new Map()
