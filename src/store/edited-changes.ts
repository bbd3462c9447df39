import { Overlay } from './overlay.ts'
import { danglingReferences, type Lookup } from './references.ts'
import type { Change, SeededFile } from './storage.ts'
import { Table } from './table.ts'
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

/** The rows of a dataset with changes laid over them. */
class ChangedRows implements Lookup {
  readonly organizations: SeededFile['organizations']
  readonly #tables: { readonly [T in TableName]: Table<T> }
  readonly #overlay = new Overlay()

  constructor({ organizations, rows }: SeededFile, changes: readonly Change[]) {
    this.organizations = organizations
    this.#tables = forEachTable<{ readonly [T in TableName]: Table<T> }>(
      (name) => new Table(name, rows[name]),
    )
    for (const change of changes) this.#overlay.set(change)
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const changed = this.#overlay.get(table, id)
    return changed === undefined ? this.#table(table).get(id) : (changed ?? undefined)
  }

  list<T extends TableName>(table: T, organizationId: string): readonly Row<T>[] {
    const unchanged = this.#table(table).rows.filter(({ id }) => this.#overlay.get(table, id) === undefined)
    return [...unchanged, ...this.#overlay.find(table, [])]
      .filter((row) => row.organizationId === organizationId)
      .toSorted((a, b) => a.id - b.id)
  }

  #table<T extends TableName>(table: T): Table<T> {
    return this.#tables[table]
  }
}
