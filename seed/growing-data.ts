import type { Lookup } from '../src/store/references.ts'
import { comparison, forEachTable, type Row, type TableName, tables } from '../src/store/tables.ts'
import type { OrganizationRow } from '../src/store/tables/members.ts'

type RowLists = { readonly [T in TableName]: Row<T>[] }
type RowMaps = { readonly [T in TableName]: Map<number, Row<T>> }

/** A dataset under construction, with lookups. */
export class GrowingData implements Lookup {
  readonly organizations: readonly OrganizationRow[]
  readonly rows: RowLists = forEachTable<RowLists>(() => [])
  /** The number of rows of each table in its map. */
  readonly #indexed = new Map<TableName, number>()
  readonly #byId: RowMaps = forEachTable<RowMaps>(() => new Map())

  constructor(organizations: readonly OrganizationRow[]) {
    this.organizations = organizations
  }

  add<T extends TableName>(table: T, row: Row<T>): void {
    joinTexts(row)
    this.rows[table].push(row)
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    const [rows, byId] = [this.rows[table], this.#byId[table]]
    /** Indexed on demand, since most tables are never looked up while they grow. */
    const indexed = this.#indexed.get(table) ?? 0
    if (indexed < rows.length) {
      for (const row of rows.slice(indexed)) byId.set(row.id, row)
      this.#indexed.set(table, rows.length)
    }
    return byId.get(id)
  }

  /** Sorts the rows of a table. */
  sort(table: TableName): void {
    this.rows[table].sort(comparison(tables[table].order))
  }

  list<T extends TableName>(table: T, organizationId: string): readonly Row<T>[] {
    return this.rows[table].filter((row) => row.organizationId === organizationId)
  }
}

/**
 * Flattens concatenated strings, which V8 stores as parts, with half as much memory again, until a character is read.
 */
function joinTexts(row: object): void {
  for (const value of Object.values(row)) if (typeof value === 'string') value.charCodeAt(0)
}
