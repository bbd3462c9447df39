import { danglingReferences, type Lookup } from './references.ts'
import type { Change, SeededFile } from './storage.ts'
import { forEachTable, type Row, type TableName } from './tables.ts'

/** Finds the first change that refers to a record that does not exist; undefined if there is none. */
export function danglingChange(seeded: SeededFile, changes: readonly Change[]): string | undefined {
  const lookup = new ChangedRows(seeded, changes)
  for (const [index, { table, row }] of changes.entries()) {
    const [dangling] = row ? danglingReferences(table, row, lookup) : []
    if (dangling) return `changes[${index}].row.${dangling.path}: ${dangling.message}`
  }
  return undefined
}

type RowsById = { readonly [T in TableName]: ReadonlyMap<number, Row<T>> }

/** The rows of a dataset with changes laid over them. */
class ChangedRows implements Lookup {
  readonly organizations: SeededFile['organizations']
  readonly #rows: RowsById

  constructor({ organizations, rows }: SeededFile, changes: readonly Change[]) {
    this.organizations = organizations
    this.#rows = forEachTable<RowsById>((name) => {
      const byId = new Map<number, object>(rows[name].map((row) => [row.id, row]))
      for (const { table, id, row } of changes) {
        if (table !== name) continue
        if (row) byId.set(id, row)
        else byId.delete(id)
      }
      return byId
    })
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    return this.#table(table).get(id)
  }

  list<T extends TableName>(table: T, organizationId: string): readonly Row<T>[] {
    return Array.from(this.#table(table).values())
      .filter((row) => row.organizationId === organizationId)
      .toSorted((a, b) => a.id - b.id)
  }

  #table<T extends TableName>(table: T): ReadonlyMap<number, Row<T>> {
    return this.#rows[table]
  }
}
