import { addTo, getOrCreate } from '../../src/core/maps.ts'
import type { Lookup } from '../../src/store/references.ts'
import {
  comparison,
  forEachTable,
  getKeys,
  type IndexName,
  type Row,
  type TableName,
} from '../../src/store/tables.ts'
import type { Key } from '../../src/store/tables/define.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'
import { isChildTable, type ChildTable } from './generated-ids.ts'

type RowLists = { readonly [T in TableName]: Row<T>[] }
type RowMaps = { readonly [T in TableName]: Map<number, Row<T>> }
type Indexes = { readonly [T in TableName]: Map<string, Index<T>> }

/** The rows of a table by key; those from the place `indexed` on are not in it yet. */
interface Index<T extends TableName> {
  readonly rows: Map<Key, Row<T>[]>
  indexed: number
}

export class DatasetBuilder implements Lookup {
  readonly organizations: readonly OrganizationRow[]
  children: { get<T extends ChildTable>(table: T, id: number): Row<T> | undefined } | undefined
  readonly rows: RowLists = forEachTable<RowLists>(() => [])
  readonly #byId = forEachTable<RowMaps>(() => new Map())
  readonly #indexes: Indexes = forEachTable<Indexes>(() => new Map())

  constructor(organizations: readonly OrganizationRow[]) {
    this.organizations = organizations
  }

  add<T extends TableName>(table: T, row: Row<T>): void {
    shrink(row)
    this.rows[table].push(row)
    this.#byId[table].set(row.id, row)
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    if (this.children && isChildTable(table)) return this.children.get(table, id)
    return this.#byId[table].get(id)
  }

  sort(table: TableName): void {
    this.rows[table].sort(comparison(table))
  }

  list<T extends TableName>(table: T, organizationId: string): readonly Row<T>[] {
    return this.find(table, 'organizationId', organizationId)
  }

  find<T extends TableName>(table: T, name: IndexName<T>, key: Key): readonly Row<T>[] {
    const rows: readonly Row<T>[] = this.rows[table]
    const indexes: Map<string, Index<T>> = this.#indexes[table]
    const index = getOrCreate(indexes, name, () => ({ rows: new Map(), indexed: 0 }))
    for (const row of rows.slice(index.indexed)) {
      for (const rowKey of getKeys(table, name, row)) addTo(index.rows, rowKey, row)
    }
    index.indexed = rows.length
    return index.rows.get(key) ?? []
  }
}

/**
 * Shrinks a new row in place. V8 stores concatenated strings as parts, which take half as much memory again, until a
 * character is read, and arrays that have grown with room for 16 more entries.
 */
export function shrink(row: object): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row of JSON has no other properties
  const values = row as Record<string, unknown>
  for (const name in values) {
    const value = values[name]
    if (Array.isArray(value)) values[name] = value.map(shrinkValue)
    else shrinkValue(value)
  }
}

function shrinkValue(value: unknown): unknown {
  if (typeof value === 'string') value.charCodeAt(0)
  else if (Array.isArray(value)) return value.map(shrinkValue)
  else if (typeof value === 'object' && value !== null) shrink(value)
  return value
}
