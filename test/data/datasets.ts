import { getBuiltinFixture } from '../../seed/fixtures/fixtures.ts'
import { generate } from '../../seed/index.ts'
import { createTables, readRows } from '../../src/store/dataset.ts'
import type { Rows } from '../../src/store/tables.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'

/** The time of the datasets. */
export const now = '2026-01-15T12:00:00.000Z'

/** A generated tenant. */
export interface Dataset {
  /** Describes the seed and the size, for titles of tests. */
  readonly name: string
  readonly seed: number
  readonly size: number
  readonly organizations: readonly OrganizationRow[]
  readonly rows: Rows
}

/** Small, medium and large tenants of three seeds, with the default fixture. */
export const datasets: readonly Dataset[] = [1, 42, 2026].flatMap((seed) =>
  [25, 300, 2000].map((size) => {
    const content = generate({ seed, size, now, fixture: getBuiltinFixture('default') })
    const { organizations } = content
    return {
      name: `seed ${seed}, ${size} customers`,
      seed,
      size,
      organizations,
      rows: readRows(createTables(content)),
    }
  }),
)
