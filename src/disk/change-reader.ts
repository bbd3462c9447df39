import { type Change, describeUnreadable } from '../store/change.ts'
import { findValues, listReferences } from '../store/references.ts'
import { type TableName, tables } from '../store/tables.ts'
import { type SeededFile } from './documents.ts'

const name = ({ table, id }: Pick<Change, 'table' | 'id'>): string => `${tables[table].noun} ${id}`

/** Reads stored changes. Those that are invalid are left out, so that a folder opens without them. */
export class ChangeReader {
  /** The changes that were left out, and why. Order: as found. */
  readonly leftOut: string[] = []
  readonly #records = new Set<string>()

  select(changes: readonly Change[]): readonly Change[] {
    return changes.filter((change) => {
      const fact = describeUnreadable(change)
      if (fact === undefined) return true
      this.#leaveOut(change, fact)
      return false
    })
  }

  undoDependents({ rows, isPending }: SeededFile, changes: readonly Change[]): Change[] {
    if (isPending) return []
    const exists = (table: TableName, id: unknown): boolean =>
      rows[table].some((row) => row.id === id) || changes.some((one) => one.table === table && one.id === id)
    const undone: Change[] = []
    for (let before = -1; before !== undone.length;) {
      before = undone.length
      for (const change of changes) {
        const isLost = ({ table, value }: { readonly table: TableName; readonly value: unknown }): boolean =>
          this.#records.has(`${table}/${String(value)}`) && !exists(table, value)
        const lost = this.#records.size > 0 ? findReferenced(change).find(isLost) : undefined
        if (!lost || this.#records.has(`${change.table}/${change.id}`)) continue
        this.#leaveOut(change, `${lost.place} refers to a record that was left out`)
        undone.push({ table: change.table, id: change.id })
      }
    }
    return undone
  }

  #leaveOut(change: Change, fact: string): void {
    this.#records.add(`${change.table}/${change.id}`)
    this.leftOut.push(`${name(change)}: ${fact}`)
  }
}

function findReferenced({ table, row }: Change) {
  return listReferences(table).flatMap(({ table: target, path }) =>
    Array.from(findValues(row, path), (found) => ({ table: target, ...found })),
  )
}
