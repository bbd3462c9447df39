import { lowerBound } from '../core/lower-bound.ts'
import { getOrCreate } from '../core/maps.ts'
import type { Dataset } from './dataset.ts'
import type { Overlay } from './overlay.ts'
import {
  isComplete,
  listReferences,
  listReferredTables,
  type Lookup,
  type TableReference,
} from './references.ts'
import { createReferring } from './referring.ts'
import type { Positions } from './selection.ts'
import type { Table } from './table.ts'
import type { Change, Row, TableName } from './tables.ts'

/** The length up to which each row of a list is looked at. */
const FEW = 100

/** The sets of rows that a copy of a copy looks into. */
const MAX_SETS = 10

/** Own rows that refer only to records that are there in a dataset. A copy of the data adds to a set of its own. */
export interface CompleteRows {
  readonly dataset: Dataset | undefined
  readonly sets: readonly WeakSet<object>[]
}

interface SessionRows extends Pick<Lookup, 'get' | 'find'> {
  readonly dataset: Dataset
  readonly overlay: Overlay
}

/** Decides which rows of a session are there: those whose references all lead to records that are there at this time. */
export class Presence {
  readonly #data: SessionRows
  #complete: CompleteRows = { dataset: undefined, sets: [] }
  /** That of the data before a write that is being prepared. A write deletes parts itself, so it sees what was there. */
  former: Presence | undefined
  readonly #followed = new Set<object>()
  /** The positions of rows of a dataset that refer to records that are not there. */
  #lacking: { readonly dataset: Dataset; readonly byTable: WeakMap<object, Positions> } | undefined

  constructor(data: SessionRows) {
    this.#data = data
  }

  /** Notes that rows have changed. @param isChecked whether they refer only to records that are there, or are yet to be checked */
  note(changes: readonly Change[], isChecked: boolean): void {
    this.#lacking = undefined
    if (!isChecked) this.#complete = { dataset: undefined, sets: [] }
    else for (const { row } of changes) if (row) this.complete.sets.at(-1)?.add(row)
  }

  /** The own rows that are known to be complete. */
  get complete(): CompleteRows {
    const { dataset } = this.#data
    if (this.#complete.dataset !== dataset) this.#complete = { dataset, sets: [new WeakSet()] }
    return this.#complete
  }

  inherit({ dataset, sets }: CompleteRows): void {
    this.#complete = { dataset, sets: [...sets.slice(-MAX_SETS), new WeakSet()] }
  }

  /** Finds the places in a list of positions whose rows are replaced, deleted, or not there. Order: ascending. */
  findOutdated<T extends TableName>(base: Table<T>, positions: Positions): number[] {
    const { name, rows } = base
    const changed = this.#data.overlay.tables[name]?.rows
    const isOutdated = (position = -1): boolean => {
      const row = rows[position]
      const own = row && changed?.get(row.id)
      const isReplaced = own !== undefined && this.isOwnShown(name, own)
      return isReplaced || (row !== undefined && !this.isBaseShown(name, row))
    }
    if (positions.length <= Math.max(FEW, changed?.size ?? 0)) {
      return Array.from(positions.keys()).filter((at) => isOutdated(positions[at]))
    }
    const own = Array.from(changed?.keys() ?? []).map((id) => base.position(id))
    const places = [...own.filter(isOutdated), ...this.#findLacking(base)].flatMap((position = -1) => {
      const at = lowerBound(positions.length, (index) => (positions[index] ?? 0) >= position)
      return positions[at] === position ? [at] : []
    })
    return [...new Set(places)].toSorted((a, b) => a - b)
  }

  /** Reports whether records may be missing that rows of the dataset refer to, directly or not. */
  mayLack(table: TableName): boolean {
    const { deletedCount, tables: changed } = this.#data.overlay
    if (deletedCount === 0 || this.former?.mayLack(table) === false) return false
    return listReferredTables(table).some((name) => changed[name]?.deleted.size)
  }

  isBaseShown<T extends TableName>(table: T, row: Row<T>): boolean {
    if (!this.mayLack(table)) return true
    const { tables: changed } = this.#data.overlay
    const mayLack = (name: TableName): boolean => Boolean(changed[name]?.deleted.size) || this.mayLack(name)
    if (isComplete(table, row, this.#data, this.#followed, mayLack)) return true
    return this.former?.isBaseShown(table, row) ?? false
  }

  /** Reports whether an own row, or its deletion, takes the place of the dataset's row. */
  isOwnShown<T extends TableName>(table: T, own: Row<T> | null): boolean {
    if (!own || listReferences(table).length === 0) return true
    const { sets } = this.complete
    if (sets.some((set) => set.has(own))) return true
    const isShown =
      isComplete(table, own, this.#data, this.#followed) || (this.former?.isOwnShown(table, own) ?? false)
    if (isShown) sets.at(-1)?.add(own)
    return isShown
  }

  /** Finds the rows of the dataset that are not shown because of what they refer to, by the records that are not there. */
  #findLacking<T extends TableName>(base: Table<T>): Positions {
    if (!this.mayLack(base.name)) return []
    const { dataset } = this.#data
    if (this.#lacking?.dataset !== dataset) this.#lacking = { dataset, byTable: new WeakMap() }
    return getOrCreate(this.#lacking.byTable, base, () => {
      const found = new Set<number>()
      const references = listReferences(base.name)
      const add = (reference: TableReference, gone: Row<TableName> | undefined): void => {
        const referring = gone && base.find([createReferring(base.name, [reference], gone)])
        for (const position of referring ?? []) {
          const row = base.rows[position]
          if (!row || found.has(position) || this.isBaseShown(base.name, row)) continue
          found.add(position)
          for (const one of references) if (one.table === base.name) add(one, row)
        }
      }
      for (const reference of references) {
        const target: Table<TableName> = dataset.tables[reference.table]
        for (const id of this.#data.overlay.tables[target.name]?.deleted ?? []) add(reference, target.get(id))
        const lacking = target.name === base.name ? [] : this.#findLacking(target)
        for (const position of lacking) add(reference, target.rows[position])
      }
      return [...found]
    })
  }
}
