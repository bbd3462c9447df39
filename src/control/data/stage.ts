import { MAX_INTEGER } from '../../contract/fields.ts'
import type { Dataset } from '../../store/dataset.ts'
import type { Lookup } from '../../store/references.ts'
import type { OrganizationRow } from '../../store/rows.ts'
import { SessionData } from '../../store/session-data.ts'
import type { Change } from '../../store/storage.ts'
import type { Row, TableName } from '../../store/tables.ts'

/** Tables whose ids go on from the highest of their organization, because the generator tells organizations apart by them. */
const countedByOrganization: ReadonlySet<TableName> = new Set([
  'members',
  'customers',
  'automations',
  'briefs',
  'products',
  'customFields',
  'memberRoles',
  'noteCategories',
])

/** A row as it was before an arrangement, and as it is to become. */
export interface Placed<T extends TableName = TableName> {
  readonly table: T
  readonly id: number
  /** Undefined for a record that is created. */
  readonly before: Row<T> | undefined
  /** Null for a record that is deleted. */
  readonly row: Row<T> | null
  /** Whether it is to count as unchanged. */
  readonly isUndone?: boolean
}

/** A copy of a session's data on which an arrangement is tried; the session sees it as a whole or not at all. */
export class Stage implements Lookup {
  readonly data: SessionData
  /** The data without any change. */
  readonly unchanged: SessionData
  readonly organizations: readonly OrganizationRow[]
  readonly #session: SessionData
  readonly #placed = new Map<string, Placed>()
  readonly #highest = new Map<string, number>()
  readonly #counted: TableName[] = []
  #deleted: ReadonlySet<string> | undefined

  constructor(session: SessionData, dataset: () => Dataset) {
    this.#session = session
    this.organizations = dataset().organizations
    this.unchanged = new SessionData(dataset)
    this.data = new SessionData(dataset)
    this.data.restore(session.snapshot())
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    return this.data.get(table, id)
  }

  list<T extends TableName>(table: T, organizationId: string): readonly Row<T>[] {
    const rows = this.data.select(table, [], (row) => row.organizationId === organizationId)
    return rows.page(0, rows.total)
  }

  /** Puts a row in its place; null deletes it. */
  place<T extends TableName>(table: T, id: number, row: Row<T> | null): void {
    this.#place({ table, id, row })
  }

  /** Puts a record back to what it is in the dataset, or to nothing, as if it had never been changed. */
  undo(table: TableName, id: number): void {
    this.#place({ table, id, row: this.unchanged.get(table, id) ?? null, isUndone: true })
  }

  #place(placed: Omit<Placed, 'before'>): void {
    const { table, id } = placed
    const key = `${table}/${id}`
    const earlier = this.#placed.get(key)
    const before = earlier ? earlier.before : this.get(table, id)
    this.#placed.set(key, { ...placed, before })
    this.data.load([changed(placed)])
  }

  /** What was placed so far. Order: as first placed. */
  placed(): Placed[] {
    return Array.from(this.#placed.values())
  }

  /** An id that no record has or had. */
  nextId(table: TableName, organizationId: string): number {
    if (countedByOrganization.has(table)) {
      const id = this.#above(table, organizationId)
      if (id <= MAX_INTEGER) return id
    }
    this.#counted.push(table)
    return this.data.nextId(table)
  }

  #above(table: TableName, organizationId: string): number {
    const key = `${table}/${organizationId}`
    let id = this.#highest.get(key) ?? this.list(table, organizationId).at(-1)?.id ?? 0
    do id += 1
    while (this.get(table, id) || this.#wasDeleted(`${table}/${id}`))
    this.#highest.set(key, id)
    return id
  }

  #wasDeleted(key: string): boolean {
    this.#deleted ??= new Set(
      this.#session.changes().flatMap(({ table, id, row }) => (row === null ? [`${table}/${id}`] : [])),
    )
    return this.#deleted.has(key) || this.#placed.get(key)?.row === null
  }

  /** Takes the ids that were given, and returns the changes that make what was placed the session's. */
  commit(): Change[] {
    for (const table of this.#counted) this.#session.nextId(table)
    const changes = this.placed().filter(({ before, row }) => before !== undefined || row !== null)
    return changes.map(changed)
  }
}

function changed({ table, id, row, isUndone }: Omit<Placed, 'before'>): Change {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a change is a name, an id and that table's row
  return (isUndone ? { table, id } : { table, id, row }) as Change
}
