import { isFutureId } from '../../../seed/dataset/ids.ts'
import { MAX_INTEGER } from '../../contract/fields.ts'
import { getOrCreate } from '../../core/maps.ts'
import type { Dataset } from '../../store/dataset.ts'
import type { WrittenRow } from '../../store/history.ts'
import type { Lookup } from '../../store/references.ts'
import { SessionData } from '../../store/session-data.ts'
import {
  type Change,
  type IndexName,
  type Row,
  type TableName,
  tables,
  toChange,
} from '../../store/tables.ts'
import type { Key } from '../../store/tables/define.ts'
import type { OrganizationRow } from '../../store/tables/members.ts'

export interface StagedRow extends WrittenRow {
  readonly change: Change
}

/** Dates a row that changes, unless the clock is behind it. */
export function touch<R extends Row<TableName>>(row: R, now: string): R {
  const dates = ['createdDate', 'raisedDate', 'closedDate'].map((name): unknown => Reflect.get(row, name))
  const isAhead = dates.some((date) => typeof date === 'string' && date > now)
  return 'updatedDate' in row && !isAhead ? { ...row, updatedDate: now } : row
}

export type ReservedIds = Map<TableName, number[]>

export class Stage implements Lookup {
  readonly data: SessionData
  readonly unchanged: SessionData
  readonly organizations: readonly OrganizationRow[]
  readonly #session: SessionData
  readonly #reserved: ReservedIds
  readonly #usedIds = new Map<TableName, number>()
  readonly #staged = new Map<string, StagedRow>()
  readonly #lists = new Map<string, readonly Row<TableName>[]>()
  readonly #highestIds = new Map<string, number>()

  /** @param reserved the ids that earlier stages of the same write have taken from the session, in order */
  constructor(session: SessionData, dataset: () => Dataset, reserved: ReservedIds) {
    this.#session = session
    this.#reserved = reserved
    this.organizations = dataset().organizations
    this.unchanged = new SessionData(dataset)
    this.data = session.draft(dataset)
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    return this.data.get(table, id)
  }

  list<T extends TableName>(table: T, organizationId: string): readonly Row<T>[] {
    const key = `${table}/${organizationId}`
    const rows = this.#lists.get(key) ?? this.data.list(table, organizationId)
    this.#lists.set(key, rows)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows are kept under their own table's name
    return rows as readonly Row<T>[]
  }

  find<T extends TableName>(table: T, index: IndexName<T>, key: Key): readonly Row<T>[] {
    return this.data.find(table, index, key)
  }

  put<T extends TableName>(table: T, id: number, row: Row<T> | null): void {
    this.apply(toChange(table, id, row))
  }

  undo(table: TableName, id: number): void {
    this.apply({ table, id })
  }

  apply(change: Change): void {
    const { table, id, row } = change
    const key = `${table}/${id}`
    const earlier = this.#staged.get(key)
    const replaced = this.#session.getChange(table, id)
    const before = earlier ? earlier.before : (this.get(table, id) ?? replaced ?? undefined)
    const after = row === undefined ? this.unchanged.get(table, id) : (row ?? undefined)
    this.#staged.set(key, { table, id, before, after, replaced, change })
    for (const { id: organizationId } of this.organizations) this.#lists.delete(`${table}/${organizationId}`)
    this.data.load([change], true)
  }

  staged(): StagedRow[] {
    return Array.from(this.#staged.values())
  }

  nextId(table: TableName, organizationId: string): number {
    if (tables[table].hasIdsByOrganization) {
      const key = `${table}/${organizationId}`
      // The list is read only once, since each new row would make it anew.
      let id = this.#highestIds.get(key) ?? this.#findHighestId(table, organizationId)
      do id += 1
      while (this.data.isTaken(table, id))
      this.#highestIds.set(key, id)
      if (id <= MAX_INTEGER) return id
    }
    const reserved = getOrCreate(this.#reserved, table, () => [])
    let id: number
    do {
      const used = this.#usedIds.get(table) ?? 0
      id = reserved[used] ??= this.#session.nextId(table)
      this.#usedIds.set(table, used + 1)
    } while (this.data.isTaken(table, id))
    return id
  }

  #findHighestId(table: TableName, organizationId: string): number {
    const rows: readonly Row<TableName>[] = this.list(table, organizationId)
    return rows.findLast((row) => !isFutureId(row.id))?.id ?? 0
  }

  listChanges(): Change[] {
    const changing = this.staged().filter(
      ({ before, after, replaced, change }) =>
        before !== undefined || after !== undefined || (change.row === undefined && replaced !== undefined),
    )
    return changing.map(({ change }) => change)
  }
}
